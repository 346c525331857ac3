/** The site of boardmill: `npm run site` writes it to site/. Its pages are the pages of the repository. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import {
  addressOf,
  anchorOf,
  documentationGroups,
  EXCLUDED,
  REPOSITORY,
  ROOT,
  siteLink,
  sitePicture,
} from '../pages.mjs';

/** The icon is part of each page, because browsers would look for a file in the root of the host. */
const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 4'><path fill='%230072b2' d='M0 0h2v2H0zM2 2h2v2H2z'/><path fill='%23d55e00' d='M2 0h2v2H2zM0 2h2v2H0z'/></svg>";

export default defineConfig({
  title: 'boardmill',
  description: 'Solves files that hold many test cases, and finds the case on which a program is wrong.',
  lang: 'en',
  // Links are relative, so the site works in any folder of any host.
  base: './',
  head: [['link', { rel: 'icon', href: ICON }]],
  srcDir: ROOT,
  srcExclude: EXCLUDED,
  rewrites: (path) => addressOf(path) ?? path,
  outDir: join(ROOT, 'site'),
  cacheDir: join(ROOT, 'build', 'site'),
  // The index of the search is a large file, which is loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  markdown: {
    anchor: { slugify: anchorOf },
    config: ({ core }) => core.ruler.push('site_links', moveLinks),
  },
  themeConfig: {
    nav: [
      { text: 'Tour', link: '/tour' },
      { text: 'Play', link: '/play/' },
      { text: 'Library', link: '/api/' },
      { text: 'Comparison', link: '/comparison' },
      { text: 'Benchmarks', link: '/benchmarks/' },
    ],
    sidebar: [
      { text: 'Start here', link: '/' },
      ...documentationGroups().map(({ name, pages }) => ({
        text: name,
        items: pages.map(({ title, link }) => ({ text: title, link })),
      })),
    ],
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: 'Edit this page' },
  },
  buildEnd: ({ outDir }) =>
    cpSync(join(ROOT, 'docs', 'play'), join(outDir, 'play'), {
      recursive: true,
      filter: (path) => !/\.(md|png)$/.test(path),
    }),
});

/** Moves the links and the pictures of a page to their places in the site. */
function moveLinks({ tokens, env }) {
  const from = env.realPath ?? env.path;
  const source = from.slice(ROOT.length);
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    // Vue would fill in a {{name}}.
    if (token.type === 'code_inline') token.attrSet('v-pre', '');
    if (token.type === 'image') token.attrSet('src', sitePicture(source, token.attrGet('src')));
    if (token.type !== 'link_open' || token.attrGet('class') === 'header-anchor') continue;
    const { href, isPage } = siteLink(source, decodeURI(token.attrGet('href')));
    token.attrSet('href', href);
    if (!isPage) token.attrSet('target', '_self');
  }
}
