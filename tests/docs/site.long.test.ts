/** Tests of the site that `npm run site` builds, in a browser, in a folder of a host. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf } from '../../scripts/site/pages.mjs';
import { ROOT } from '../cli/boardmill.js';
import { HAS_BROWSER, IN_BROWSER, openContext } from '../support/browser.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

const folder = mkdtempSync(join(tmpdir(), 'boardmill-site-'));
/** The folder of the host in which the site lies, as on GitHub Pages. */
const BASE = '/some-folder/';
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' };

let server: Server;
let origin = '';

beforeAll(async () => {
  const vitepress = join(ROOT, 'node_modules/vitepress/bin/vitepress.js');
  execFileSync(process.execPath, [vitepress, 'build', 'scripts/site', '--outDir', folder], {
    cwd: ROOT,
    stdio: 'pipe',
  });
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://host');
    const name = decodeURI(pathname)
      .replace(BASE, '')
      .replace(/(^|\/)$/, '$1index.html');
    const isFound = pathname.startsWith(BASE) && existsSync(join(folder, name));
    const file = isFound ? name : '404.html';
    response.writeHead(isFound ? 200 : 404, { 'content-type': TYPES[extname(file)] ?? 'text/plain' });
    response.end(readFileSync(join(folder, file)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The pages of the site, as paths in its folder. */
function pagesOfSite(): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.html') && file !== '404.html').sort();
}

/** Files that are no pages of the site: what benchmarks have written. */
const NO_PAGES = /^bench\/(runs|wrong-programs)\//;

test('the site has a page for each page of the repository, and the four play pages', () => {
  const listed = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');
  const pages = listed.filter((path) => !NO_PAGES.test(path)).map((path) => addressOf(path) ?? path);
  const games = ['bacterial-tactics', 'darkraft', 'link-and-pop', 'river-pawn'].map(
    (name) => `play/${name}.html`,
  );
  expect(pagesOfSite()).toEqual([...pages.map((path) => path.replace(/md$/, 'html')), ...games].sort());
});

/** Opens a page. `complaints` receives what goes wrong in it: errors, missing files, and requests to other hosts. */
async function openPage(context: BrowserContext, complaints: string[]): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('console', (message) => complaints.push(`${page.url()} console: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`${page.url()} error: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${page.url()} lacks ${response.url()}`);
  });
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http') && `http://${host}` !== origin)
      complaints.push(`${page.url()} asks ${request.url()}`);
  });
  return page;
}

/** What a page leads to, and what leads into it. */
interface Visit {
  readonly links: readonly string[];
  readonly anchors: ReadonlySet<string>;
}

describe.runIf(HAS_BROWSER)(`in ${IN_BROWSER}`, () => {
  const visits = new Map<string, Visit>();
  const complaints: string[] = [];

  beforeAll(async () => {
    const context = await openContext({ ...PHONE, colorScheme: 'dark' });
    const page = await openPage(context, complaints);
    for (const path of pagesOfSite()) {
      const url = `${origin}${BASE}${path}`;
      await page.goto(url);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      if (Number(width) > 360) complaints.push(`${path} is ${width} pixels wide on a phone`);
      const links = await page.evaluate(`[...document.querySelectorAll('a[href]')].map((a) => a.href)`);
      const anchors = await page.evaluate(`[...document.querySelectorAll('[id]')].map((each) => each.id)`);
      visits.set(url, { links: links as string[], anchors: new Set(anchors as string[]) });
    }
    await context.close();
  });

  test('every page fits on a phone, has all its files, asks no other host, and reports no error', () => {
    expect(complaints).toEqual([]);
  });

  test('every link leads to a page, and to an anchor on it', () => {
    const broken = [...visits].flatMap(([url, { links }]) =>
      links
        .filter((link) => {
          if (!link.startsWith(origin)) return !/^(https:|mailto:)/.test(link);
          const [page, anchor] = link.replace(/\/(?=#|$)/, '/index.html').split('#');
          const visit = visits.get(page);
          return (
            visit === undefined ||
            (anchor !== undefined && anchor !== '' && !visit.anchors.has(decodeURI(anchor)))
          );
        })
        .map((link) => `${url.slice(origin.length)}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test('braces of a page are no templates', async () => {
    const context = await openContext();
    const page = await openPage(context, []);
    await page.goto(`${origin}${BASE}judge.html`);
    expect(await page.locator('main').textContent()).toContain('{{name.value}}');
    await context.close();
  });

  test('every page can be reached from the first', () => {
    const reached = new Set<string>();
    const waiting = [`${origin}${BASE}index.html`];
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      if (reached.has(url)) continue;
      reached.add(url);
      for (const link of visits.get(url)?.links ?? []) {
        const page = link.replace(/#.*/, '').replace(/\/$/, '/index.html');
        if (visits.has(page)) waiting.push(page);
      }
    }
    expect([...visits.keys()].filter((url) => !reached.has(url))).toEqual([]);
  });

  describe('a reader', () => {
    let context: BrowserContext;
    let page: Page;
    const wrong: string[] = [];

    async function start(options: BrowserContextOptions): Promise<void> {
      context = await openContext({ reducedMotion: 'reduce', ...options });
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
      page = await openPage(context, wrong);
      await page.goto(`${origin}${BASE}`);
    }

    async function stop(): Promise<void> {
      await context.close();
      expect(wrong.splice(0)).toEqual([]);
    }

    test('finds a page that has all the words, and guides before decisions', async () => {
      await start({ viewport: { width: 1280, height: 900 } });
      await page.getByRole('button', { name: 'Search' }).first().click();
      const input = page.locator('.VPLocalSearchBox input');
      const result = page.locator('.VPLocalSearchBox .result').first();
      await input.fill('nimber zzzzzzzz');
      await page.locator('.VPLocalSearchBox .no-results').waitFor();
      await input.fill('smallest case fails');
      await result.waitFor();
      expect(await result.getAttribute('href')).not.toMatch(/decisions|changelog|log-/);
      await input.fill('nimber');
      await expect.poll(() => result.textContent()).toMatch(/nimber/i);
      await result.click();
      await page.waitForURL((url) => url.pathname !== BASE);
      // The address changes before the page does.
      await page
        .locator('main')
        .filter({ hasText: /nimber/i })
        .waitFor();
      await stop();
    });

    test('opens the menu on a phone, and goes to another page', async () => {
      await start(PHONE);
      await page.locator('.VPLocalNav').getByRole('button', { name: 'Menu' }).click();
      await page.locator('.VPSidebar').getByRole('link', { name: 'Glossary' }).click();
      await page.waitForURL(/glossary/);
      await page.getByRole('heading', { level: 1, name: 'Glossary' }).waitFor();
      await stop();
    });

    test('turns the dark colours on, for pictures, too', async () => {
      await start({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
      await page.goto(`${origin}${BASE}benchmarks/`);
      const plot = page.getByAltText('How many times the throughput of C++ on one core');
      await plot.scrollIntoViewIfNeeded();
      const light = await plot.screenshot();
      await page.locator('.VPSwitchAppearance:visible').click();
      await page.locator('html.dark').waitFor();
      await expect.poll(async () => (await plot.screenshot()).equals(light)).toBe(false);
      await stop();
    });

    test('sends a link to a game to somebody else, who sees the same moves', async () => {
      await start({ viewport: { width: 1280, height: 900 } });
      await page.getByRole('link', { name: 'Play', exact: true }).first().click();
      await page.getByRole('link', { name: 'Play World of Darkraft' }).click();
      const settled = (each: Page) => each.locator('.status[aria-busy=false]').waitFor();
      await settled(page);
      for (const name of ['Best move', 'Share', 'Copy link']) {
        await page.getByRole('button', { name, exact: true }).click();
        await settled(page);
      }
      await expect.poll(() => page.locator('.message[data-place=share]').textContent()).toBe('Copied.');
      const link = String(await page.evaluate('navigator.clipboard.readText()'));
      expect(link.startsWith(`${origin}${BASE}play/darkraft.html#`)).toBe(true);
      const played = await page.locator('.played').textContent();
      expect(await page.locator('.played-move').count()).toBeGreaterThan(0);

      const other = await openContext({ reducedMotion: 'reduce' });
      const received = await openPage(other, wrong);
      await received.goto(link);
      await settled(received);
      await expect.poll(() => received.locator('.played').textContent()).toBe(played);
      await received.getByRole('link', { name: 'boardmill', exact: true }).click();
      await received.getByRole('heading', { name: 'Play the four games' }).waitFor();
      await other.close();
      await stop();
    });
  });
});
