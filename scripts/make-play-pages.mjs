/**
 * Writes the pages in docs/play, on which visitors of the repository play the four problems. With `--pictures`, it also takes
 * the pictures of the pages that the README shows, which needs chromium.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BOARDS_TO_PLAY } from '../build/src/explain/page-file/boards.js';
import { renderPlayPage } from '../build/src/explain/page-file/render.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'docs', 'play');

/** Moments of the play that the pictures show. */
const MOMENTS = { 'bacterial-tactics': 2, darkraft: 1, 'link-and-pop': 18, 'river-pawn': 0 };

/** Returns the file and the HTML of each page. */
export function playPages() {
  return Object.entries(BOARDS_TO_PLAY).map(([problem, rows]) => ({
    problem,
    file: join(FOLDER, `${problem}.html`),
    html: renderPlayPage({ problem, rows, caseNumber: null, title: `${problem}: a page of boardmill` }),
  }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(FOLDER, { recursive: true });
  for (const { file, html } of playPages()) writeFileSync(file, html);
  if (process.argv.includes('--pictures')) await takePictures();
}

async function takePictures() {
  const { chromium } = await import('playwright-core');
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const viewport = { width: 380, height: 620 };
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
  for (const { problem, file } of playPages()) {
    await page.goto(pathToFileURL(file).href);
    await page.locator('.status[aria-busy=false]').waitFor();
    const next = page.getByRole('button', { name: problem === 'link-and-pop' ? 'Redo' : 'Best move' });
    for (let moment = 0; moment < MOMENTS[problem]; moment++) await next.click();
    await page.mouse.move(0, 0);
    await page.evaluate('document.activeElement?.blur()');
    await page.locator('.stage').screenshot({ path: file.replace('.html', '.png') });
  }
  await browser.close();
}
