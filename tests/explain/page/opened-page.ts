/** A page of a board in a browser, and what tests do with it. Nothing may go wrong in the page while a test uses it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { printBoardInput } from '../../../src/explain/page/boards/board-text.js';
import { urlFragmentOf } from '../../../src/explain/page/boards/link.js';
import { pageProblem } from '../../../src/explain/page/games.js';
import { ROOT } from '../../cli/boardmill.js';
import { openContext } from '../../support/browser.js';

const require = createRequire(import.meta.url);
export const { renderPlayPage }: typeof import('../../../src/explain/page-file/render.js') = require(
  join(ROOT, 'build/src/explain/page-file/render.js'),
);

export const BOARDS: Readonly<Record<string, readonly string[]>> = {
  'bacterial-tactics': ['..#.', '....', '...#'],
  darkraft: ['LRX', 'XLR', 'RRL'],
  'river-pawn': ['...', '...', '.X.', 'O.O'],
  'link-and-pop': ['AD AU CL', 'HS GU HL', 'CS FD GS'],
};
export const NAMES = Object.keys(BOARDS);
export const GAMES = NAMES.slice(0, 3);

/** Opens a context for the tests of the calling file, and closes it after them. */
export function usePage(options: BrowserContextOptions = {}): OpenedPage {
  const opened = new OpenedPage();
  beforeAll(() => opened.start(options));
  afterEach(() => expect(opened.complaints.splice(0)).toEqual([]));
  afterAll(() => opened.stop());
  return opened;
}

export class OpenedPage {
  page!: Page;
  context!: BrowserContext;
  /** What went wrong in the page since the last test. */
  readonly complaints: string[] = [];
  #folder!: string;
  #files = 0;
  #problem = '';

  async start(options: BrowserContextOptions): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'boardmill-page-'));
    this.context = await openContext({
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    await this.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    this.page = await this.context.newPage();
    // Only a page that hangs reaches this limit.
    this.page.setDefaultTimeout(60_000);
    this.page.on('console', (message) => this.complaints.push(`console: ${message.text()}`));
    this.page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
    this.page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) this.complaints.push(`request: ${request.url()}`);
    });
  }

  async stop(): Promise<void> {
    await this.context?.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Opens the page of a board. Its file is a new one, so that the browser has no game of it. */
  async open(problem: string, rows = BOARDS[problem], fragment = ''): Promise<void> {
    const file = join(this.#folder, `${problem}-${this.#files++}.html`);
    this.#problem = problem;
    await writeFile(file, renderPlayPage({ problem, rows, caseNumber: 1 }));
    await this.page.goto(pathToFileURL(file).href + fragment);
    await this.settled();
  }

  /** Waits until the board is solved, the computer has answered, and the page shows what came of it. */
  async settled(): Promise<void> {
    await this.#rendered();
    await this.page.locator('.status[aria-busy=false]').waitFor();
    await this.#rendered();
  }

  /** Waits for a frame and the effects after it: an effect, as that which opens a window, may render again. */
  async #rendered(): Promise<void> {
    await this.page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Clicks buttons one after the other. */
  async click(...names: string[]): Promise<void> {
    for (const name of names) {
      await this.button(name).click();
      await this.settled();
    }
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      await this.settled();
    }
  }

  cell(row: number, column: number): Locator {
    return this.page.locator(`.cell[data-row="${row}"][data-col="${column}"]`);
  }

  /** Clicks a cell with the mouse, at a place in the cell from 0 to 1. */
  async clickCell(row: number, column: number, [x, y] = [0.5, 0.5]): Promise<void> {
    await this.page.mouse.click(...(await this.placeIn(row, column, [x, y])));
    await this.settled();
  }

  async placeIn(row: number, column: number, [x, y] = [0.5, 0.5]): Promise<[number, number]> {
    const box = (await this.cell(row, column).locator('.hit').boundingBox())!;
    return [box.x + x * box.width, box.y + y * box.height];
  }

  async status(): Promise<string> {
    return (await this.page.locator('.status p').allTextContents()).join(' ').trim();
  }

  moment(): Promise<string | null> {
    return this.page.locator('.moment').textContent();
  }

  /** Returns the message beside a control. */
  async message(place: string): Promise<string> {
    return (await this.page.locator(`.message[data-place="${place}"]`).textContent()) ?? '';
  }

  /** Returns the rows of the board as the page stores them for a reload. */
  async boardRows(): Promise<string[]> {
    const stored = await this.page.evaluate(
      `Object.entries(sessionStorage).find(([key]) => key.includes(location.pathname))?.[1] ?? ''`,
    );
    return JSON.parse(String(stored).split('\n')[1] ?? '{}').rows;
  }

  /** Shows another board in the open page, as its link does. */
  async showBoard(rows: readonly string[]): Promise<void> {
    const fragment = urlFragmentOf(pageProblem(this.#problem).style, { rows, moves: [], step: 0 });
    await this.page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
    await expect.poll(() => this.boardRows()).toEqual(rows);
    await this.settled();
  }

  /** Opens the window with the board as a text, and returns the text. */
  async boardText(): Promise<string> {
    await this.click('Share');
    const text = await this.page.locator('textarea').inputValue();
    await this.click('Close');
    return text;
  }

  inputOf(rows: readonly string[]): string {
    return printBoardInput(pageProblem(this.#problem).style, rows);
  }

  clipboard(): Promise<unknown> {
    return this.page.evaluate('navigator.clipboard.readText()');
  }

  /** What the marks on the board say: the label and whether the move is good, bad or even. */
  marks(): Promise<[label: string, tone: string][]> {
    return this.page.evaluate(`[...document.querySelectorAll('.mark')].map((mark) =>
      [mark.querySelector('text')?.textContent ?? '', mark.getAttribute('class').split(' ').at(-1)])`);
  }

  /** The value of each legal move, by its name. */
  async values(): Promise<Record<string, string>> {
    const texts = await this.page
      .locator('.moves li button')
      .evaluateAll((buttons) => buttons.map((each) => [...each.children].map((part) => part.textContent)));
    return Object.fromEntries(texts);
  }

  /** Clicks a legal move in the list, by a part of its name. */
  async playMove(name: string): Promise<void> {
    await this.page.locator('.moves').getByText(name, { exact: true }).click();
    await this.settled();
  }
}
