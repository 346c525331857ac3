/** The site of boardmill: `npm run site` writes it to site/. Its pages are the pages of the repository. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

const GROUPS = documentationGroups();
/** The addresses of the pages in the sidebar, which lead to each other as the next and the previous page. */
const IN_SIDEBAR = new Set(['/index.md', ...GROUPS.flatMap(({ pages }) => pages.map(({ link }) => link))]);

export default defineConfig({
  title: 'boardmill',
  description: 'Solves files that hold many test cases, and finds the case on which a program is wrong.',
  lang: 'en',
  // Links are relative, so the site works in any folder of any host.
  base: './',
  head: [['link', { rel: 'icon', href: ICON }]],
  srcDir: ROOT,
  srcExclude: EXCLUDED,
  rewrites: addressOf,
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
      ...GROUPS.map(({ name, pages }) => ({
        text: name,
        items: pages.map(({ title, link }) => ({ text: title, link })),
      })),
    ],
    outline: [2, 3],
    search: {
      provider: 'local',
      // A page that has all words is better than one that has one of them.
      options: {
        miniSearch: { searchOptions: { combineWith: 'AND', fuzzy: tolerableTypos, boostDocument: boostOf } },
      },
    },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: 'Edit this page' },
  },
  transformPageData: ({ relativePath }) =>
    IN_SIDEBAR.has(`/${relativePath}`) ? {} : { frontmatter: { prev: false, next: false } },
  buildEnd: ({ outDir }) => writePlayPages(join(outDir, 'play')),
});

// Browsers run the next two functions, so they use nothing else.

/** Returns the share of a word that may be typed wrongly. In short words, it would be another word: nimber, number. */
function tolerableTypos(word) {
  return word.length > 6 ? 0.2 : false;
}

/** Returns how much a page counts in a search, from its address. What users do comes before what was decided and tried. */
function boostOf(address) {
  return /decisions|log-|changelog/.test(address) ? 0.3 : 1;
}

/** Copies the play pages, and gives them a link to the site. */
function writePlayPages(folder) {
  const source = join(ROOT, 'docs', 'play');
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(source).filter((each) => each.endsWith('.html'))) {
    const page = readFileSync(join(source, name), 'utf8');
    writeFileSync(join(folder, name), page.replace('<body>', '<body><a href="index.html">boardmill</a>'));
  }
}

/** Moves the links and the pictures of a page to their places in the site. */
function moveLinks({ tokens, env, md }) {
  const from = env.realPath ?? env.path;
  const source = from.slice(ROOT.length);
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    keepBraces(token, md.utils.escapeHtml);
    if (token.type === 'image') token.attrSet('src', sitePicture(source, token.attrGet('src')));
    if (token.type !== 'link_open' || token.attrGet('class') === 'header-anchor') continue;
    const { href, isPage } = siteLink(source, decodeURI(token.attrGet('href')));
    token.attrSet('href', href);
    if (!isPage) token.attrSet('target', '_self');
  }
}

/** Keeps Vue from filling in a `{{name}}`. */
function keepBraces(token, escapeHtml) {
  if (token.type === 'code_inline') token.attrSet('v-pre', '');
  if (token.type !== 'text' || !token.content.includes('{{')) return;
  token.type = 'html_inline';
  token.content = `<span v-pre>${escapeHtml(token.content)}</span>`;
}
