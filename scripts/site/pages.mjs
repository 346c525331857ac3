/**
 * Says which files of the repository are pages of the site, where each page lies, and where its links lead. Pages are written
 * to be read on GitHub, so the site moves their links.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where the repository is for readers of the site. */
export const REPOSITORY = 'https://github.com/boardmill/boardmill';

/** The places of pages: for each pattern of a file, the address of its page. The first pattern that matches decides. */
const ADDRESSES = [
  [/^README\.md$/, () => 'index.md'],
  [/^(ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY)\.md$/, (_, name) => `${name.toLowerCase()}.md`],
  [/^docs\/(.*\/)?README\.md$/, (_, folder) => `${folder}index.md`],
  [/^docs\/(.*\.md)$/, (_, path) => path],
  [/^bench\/README\.md$/, () => 'benchmarks/index.md'],
  [/^bench\/(log-[^/]*\.md)$/, (_, path) => `benchmarks/${path}`],
  [/^src\/games\/([^/]+)\/README\.md$/, (_, game) => `games/${game}.md`],
  [/^examples\/(.*\/)?README\.md$/, (_, folder = '') => `examples/${folder}index.md`],
];

/** Files that the site shows as they are, each in the place that its address says. */
const PLAY_PAGE = /^docs\/(play\/[^/]+\.html)$/;

/** Markdown files that are no pages, as patterns: notes beside pages, all other folders, and what benchmarks have written. */
export const EXCLUDED = [
  '!(README|ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY).md',
  '!(docs|bench|src|examples)/**/*.md',
  'bench/!(README|log-*).md',
  'bench/*/**',
  'src/!(games)/**',
  '{src,examples}/**/!(README).md',
  '.*/**',
];

/** Returns where the page of a file lies in the site, from a path in the repository; null if the file is no page. */
export function addressOf(path) {
  const found = ADDRESSES.find(([pattern]) => pattern.test(path));
  return found === undefined ? null : path.replace(...found);
}

/**
 * Returns the link that the site has in place of a link of the page `from`: `href`, and `isPage`, which is false if VitePress must
 * leave the link to the browser. A link to a page leads to it from the root of the site; other files are on GitHub.
 */
export function siteLink(from, link) {
  const [, path, hash] = /^([^#]*)(.*)$/.exec(link);
  const target = targetOf(from, path);
  if (target === null) return { href: link, isPage: true };
  const page = addressOf(target);
  if (page !== null) return { href: `/${page}${hash}`, isPage: true };
  const playPage = PLAY_PAGE.exec(target)?.[1];
  if (playPage !== undefined) return { href: `/${playPage}${hash}`, isPage: false };
  const kind = statSync(join(ROOT, target)).isDirectory() ? 'tree' : 'blob';
  return { href: `${REPOSITORY}/${kind}/main/${target}${hash}`, isPage: true };
}

/** Returns the picture that the site has in place of a picture of the page `from`: a path relative to this page. */
export function sitePicture(from, source) {
  const target = targetOf(from, source);
  if (target === null) return source;
  return '../'.repeat(from.split('/').length - 1) + target;
}

/** Returns the file of the repository to which a link of the page `from` leads; null if it leads elsewhere. */
function targetOf(from, link) {
  const inRepository = new RegExp(`^${REPOSITORY}/(?:blob|tree)/main/([^?]*)`).exec(link)?.[1];
  if (inRepository === undefined && (link === '' || /^[a-z]+:/.test(link))) return null;
  const path = inRepository ?? normalize(join(dirname(from), link)).replace(/\/$/, '');
  const readme = path === '.' ? 'README.md' : `${path}/README.md`;
  if (existsSync(join(ROOT, readme))) return readme;
  if (!existsSync(join(ROOT, path))) throw new Error(`${from}: ${link} leads nowhere`);
  return path;
}

/**
 * Returns the groups of pages that the section "Documentation" of the README lists, each with its name and its pages. Each page
 * has the title that its heading says.
 */
export function documentationGroups() {
  const section = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n## Documentation\n')[1];
  return [...section.matchAll(/^- \*\*(.*?)\*\*: (.*)$/gm)].map(([, name, links]) => ({
    name,
    pages: [...links.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => {
      const target = targetOf('README.md', link.split('#')[0]);
      const [, title] = /^# (.*)$/m.exec(readFileSync(join(ROOT, target), 'utf8'));
      return { title, link: `/${addressOf(target)}` };
    }),
  }));
}

/** Returns the anchor of a heading, as GitHub makes it. */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
}
