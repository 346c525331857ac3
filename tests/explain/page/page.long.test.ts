/**
 * Tests of the page in a browser: every control is used on every problem, values equal those of explanations, and the page
 * wins the games that it says it wins.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { playPages } from '../../../scripts/make-play-pages.mjs';
import { loadProblem } from '../../../src/catalog/registry.js';
import { boardOf, cellsOf, printInput } from '../../../src/explain/page/board-text.js';
import { pageProblem } from '../../../src/explain/page/games.js';
import { fragmentOf } from '../../../src/explain/page/link.js';
import { ROOT } from '../../cli/boardmill.js';
import { HAS_BROWSER, IN_BROWSER, openContext } from '../../support/browser.js';
import { randomCase, styleOf } from '../../support/inputs.js';
import { Random } from '../../support/random.js';
import { allowSlowTests } from '../../support/slow-tests.js';

allowSlowTests();

const require = createRequire(import.meta.url);
const { renderPlayPage }: typeof import('../../../src/explain/page-file/render.js') = require(
  join(ROOT, 'build/src/explain/page-file/render.js'),
);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const BOARDS: Readonly<Record<string, readonly string[]>> = {
  'bacterial-tactics': ['..#.', '....', '...#'],
  darkraft: ['LRX', 'XLR', 'RRL'],
  'river-pawn': ['...', '...', '.X.', 'O.O'],
  'link-and-pop': ['AD AU CL', 'HS GU HL', 'CS FD GS'],
};
const NAMES = Object.keys(BOARDS);
const GAMES = NAMES.slice(0, 3);
const MAX_BYTES = 100_000;

test('a page is one small file that runs only its own script', () => {
  for (const problem of NAMES) {
    const html = renderPlayPage({ problem, rows: BOARDS[problem], caseNumber: 7 });
    expect(html.length).toBeLessThan(MAX_BYTES);
    expect(html).toContain(`<title>${problem}, case 7</title>`);
    expect(html).toMatch(
      /content="default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; /,
    );
    expect(html).not.toMatch(/unsafe-|https?:\/\/(?!www\.w3\.org)/);
  }
});

test('the pages in docs/play are those that `npm run docs` makes', () => {
  for (const { file, html } of playPages()) {
    expect(readFileSync(file, 'utf8') === html, `${file} is up to date`).toBe(true);
  }
});

test('no board and no title can end the script element of the data', () => {
  const rows = ['</script><script>alert(1)</script>', '<!--'];
  const html = renderPlayPage({ problem: 'darkraft', rows, caseNumber: null, title: '</title><b>' });
  expect(html.match(/<\/script/g)).toHaveLength(2);
  expect(html).toContain('<title>&lt;/title&gt;&lt;b&gt;</title>');
  const [, json] = html.match(/id="data">(.*)<\/script>/)!;
  expect(JSON.parse(json)).toEqual({ problem: 'darkraft', rows, heading: 'darkraft' });
});

describe.runIf(HAS_BROWSER)(`in ${IN_BROWSER}`, () => {
  let folder: string;
  let context: BrowserContext;
  let page: Page;
  /** What went wrong in the page since the last test. */
  const complaints: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'boardmill-page-'));
    context = await openContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    page = await context.newPage();
    // Only a page that hangs reaches this limit.
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => complaints.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) complaints.push(`request: ${request.url()}`);
    });
  });

  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await context?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(problem: string, rows = BOARDS[problem], fragment = ''): Promise<void> {
    const file = join(folder, `${problem}.html`);
    await writeFile(file, renderPlayPage({ problem, rows, caseNumber: 1 }));
    // Without another page in between, an address that only differs in its fragment would not load the page again.
    await page.goto('about:blank');
    await page.goto(pathToFileURL(file).href + fragment);
    await settled();
  }

  /** Waits until the board is solved and the computer has answered. */
  async function settled(): Promise<void> {
    await page.locator('.status[aria-busy=false]').waitFor();
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const cell = (row: number, column: number) =>
    page.locator(`.cell[data-row="${row}"][data-col="${column}"]`);
  const status = async () => (await page.locator('.status p').allTextContents()).join(' ').trim();
  const moment = () => page.locator('.moment').textContent();
  const press = (key: string) => page.keyboard.press(key);
  const click = async (...names: string[]) => {
    for (const name of names) await button(name).click();
  };

  /** Returns the board as its text says it. */
  async function boardText(): Promise<string> {
    return page.locator('textarea').inputValue();
  }

  /** Shows another board in the open page, as its link does. */
  async function showBoard(problem: string, rows: readonly string[]): Promise<void> {
    const fragment = fragmentOf(pageProblem(problem).style, { rows, moves: [] });
    await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
    await expect.poll(boardText).toBe(printInput(pageProblem(problem).style, rows));
    await settled();
  }

  /** What the marks on the board say: the label and whether the move is good, bad or even. */
  function marks(): Promise<[label: string, tone: string][]> {
    return page.evaluate(`[...document.querySelectorAll('.mark')].map((mark) =>
      [mark.querySelector('text')?.textContent ?? '', mark.getAttribute('class').split(' ').at(-1)])`);
  }

  /** The value of each legal move, by its name. */
  async function values(): Promise<Record<string, string>> {
    const texts = await page
      .locator('.moves button')
      .evaluateAll((buttons) => buttons.map((each) => [...each.children].map((part) => part.textContent)));
    return Object.fromEntries(texts);
  }

  describe('values on the board', () => {
    test.each(GAMES)('of %s are those of explanations', async (problem) => {
      const random = new Random(20261122);
      await open(problem);
      for (const rows of [BOARDS[problem], ...randomBoards(problem, 5, random)]) {
        await showBoard(problem, rows);
        const { moves, play, repeats, nimber } = await explain(problem, rows);
        expect(await marks()).toEqual(moves.map(labelOf));
        expect(await values()).toEqual(Object.fromEntries(moves.map((move) => wordsOf(move, rows))));
        if (nimber !== undefined)
          expect(await status()).toMatch(moves.length > 0 ? `(nimber ${nimber})` : 'is over');
        if (repeats !== undefined || moves.length === 0) continue;
        await click('Best play to the end');
        expect(await moment()).toBe(`Move ${play.length} of ${play.length}`);
        expect(await status()).toContain('the game is over');
      }
    });

    test('of link-and-pop are the pops, the links and the moves of explanations', async () => {
      await open('link-and-pop');
      for (const rows of [BOARDS['link-and-pop'], ...randomBoards('link-and-pop', 3, new Random(5))]) {
        await showBoard('link-and-pop', rows);
        const { turns, answer } = await explain('link-and-pop', rows);
        for (const [i, { pop, moves }] of turns.entries()) {
          await press('ArrowRight');
          const [[row, column], other] = pop.cells;
          expect(await status()).toMatch(`Pop ${i + 1} of ${turns.length}. `);
          expect(await status()).toMatch(` at row ${row}, column ${column} and `);
          expect(await status()).toMatch(
            ` at row ${other[0]}, column ${other[1]}, linked by ${pop.line.length - 1} segment`,
          );
          expect(await linkOnBoard()).toEqual(pop.line);
          if (moves.length === 0 && i < turns.length - 1) continue;
          await press('ArrowRight');
          expect(await status()).toMatch(`: ${moves.length} move`);
        }
        expect(await symbols()).toEqual(answer);
      }
    });

    /** Returns the cells through which the link on the board goes. */
    function linkOnBoard(): Promise<unknown> {
      return page.evaluate(`document.querySelector('.link-mark path').getAttribute('d').split(/[ML]/).slice(1)
        .map((point) => point.split(' ').map((value) => Math.floor(value / 40) + 1).reverse())`);
    }

    function symbols(): Promise<unknown> {
      return page.evaluate(`Object.values(Object.groupBy(document.querySelectorAll('.cell'), (cell) => cell.dataset.row))
        .map((row) => row.map((cell) => cell.querySelector('.symbol')?.textContent ?? '.').join(''))`);
    }
  });

  test.each(GAMES)('the page wins the games of %s that it says it wins', async (problem) => {
    const random = new Random(7);
    await open(problem);
    let games = 0;
    for (const rows of randomBoards(problem, 4, random)) {
      await showBoard(problem, rows);
      const [, winner] = /With best play, (\w+) wins/.exec(await status()) ?? [];
      if (winner === undefined) continue;
      games++;
      const computer = page.getByLabel(`Computer plays ${winner}`);
      await computer.check();
      for (let moves = 0; !(await status()).includes('is over'); moves++) {
        expect(moves).toBeLessThan(50);
        const legal = page.locator('.moves button:enabled');
        const names = await legal.allTextContents();
        if (names.length === 0) continue;
        await legal.nth(random.below(names.length)).click();
        await expect.poll(status).not.toContain('the computer thinks');
      }
      expect(await status()).toMatch(new RegExp(`^${winner} wins: the game is over\\.`));
      await computer.uncheck();
    }
    expect(games).toBeGreaterThan(1);
  });

  describe('the board is played', () => {
    test('in bacterial-tactics by handles, cells and keys', async () => {
      await open('bacterial-tactics');
      await cell(2, 2).click();
      expect(await page.getByRole('group', { name: 'Which move?' }).getByRole('button').count()).toBe(3);
      await press('Escape');
      expect(await page.locator('.cell[data-row="2"][data-col="2"]:focus').count()).toBe(1);
      await cell(2, 2).click();
      await page.getByRole('group', { name: 'Which move?' }).getByText('column 2').click();
      expect(await status()).toContain('Last move: column 2, rows 1 to 3.');
      await click('Undo');
      await page.locator('.line-mark text').first().click();
      expect(await status()).toContain('Last move: row 2, columns 1 to 4.');
      await page.locator('.moves').getByText('column 1, row 1').hover();
      expect(await page.locator('.preview rect').count()).toBe(1);
      await click('Undo');
      // The Tab key reaches one cell, from which the arrow keys go on.
      await cell(1, 1).focus();
      for (const key of [
        'ArrowRight',
        'ArrowDown',
        'ArrowDown',
        'ArrowUp',
        'ArrowLeft',
        'ArrowLeft',
        'ArrowRight',
      ]) {
        await press(key);
      }
      expect(await page.locator('.cell:focus').getAttribute('aria-label')).toBe(
        'row 2, column 2: empty; row 2, columns 1 to 4 wins, nimber 0; column 2, rows 1 to 3 wins, nimber 0',
      );
      await press('Enter');
      await press('Enter');
      expect(await status()).toContain('Last move: row 2, columns 1 to 4.');
    });

    test('in darkraft by a click on a letter', async () => {
      await open('darkraft');
      await cell(2, 1).click();
      expect(await status()).toContain('Last move: X at row 2, column 1.');
      expect(await cell(2, 1).getAttribute('aria-label')).toBe('row 2, column 1: cleared');
      await cell(2, 1).click({ force: true });
      expect(await moment()).toBe('Move 1 of 1');
    });

    test('in river-pawn by clicks, by drags, by arrows and by keys', async () => {
      await open('river-pawn');
      await cell(4, 1).click();
      expect(await marks()).toHaveLength(2);
      await cell(3, 1).click();
      expect(await status()).toContain('Last move: Red up from row 4, column 1.');
      await cell(3, 2).dragTo(cell(2, 2));
      expect(await status()).toContain('Last move: Black up from row 3, column 2.');
      await page.locator('.step-mark text').first().click();
      expect(await moment()).toBe('Move 3 of 3');
      await click('Undo');
      await cell(4, 3).focus();
      for (const key of ['Enter', 'ArrowUp', 'Enter']) await press(key);
      expect(await status()).toContain('Last move: Red up from row 4, column 3.');
    });
  });

  test.each(NAMES)('buttons, slider and keys go through the play of %s', async (problem) => {
    await open(problem);
    const isGame = problem !== 'link-and-pop';
    if (isGame) {
      await click('Best move', 'Best play to the end');
      // The play is shown again from its start.
      await click('Go to the start');
    }
    const [, end] = /of (\d+)/.exec((await moment())!)!;
    const noun = isGame ? 'Move' : 'Step';
    expect(Number(end)).toBeGreaterThan(1);
    const at = async (place: number | string) => expect.poll(moment).toBe(`${noun} ${place} of ${end}`);
    await at(0);
    await click('Redo', 'Redo', 'Undo');
    await at(1);
    await click('Go to the end');
    await at(end);
    await page.locator('h1').click();
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) await press(key);
    await at(1);
    await press('Control+z');
    await at(0);
    await press('Control+Shift+Z');
    await press('End');
    await at(end);
    await page.getByRole('slider').fill('1');
    await at(1);
    expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toBe(`${noun} 1 of ${end}`);
    await click('Run', 'Pause', 'Run');
    await at(2);
    await click('Pause');
  });

  test.each(GAMES)('values of %s can be hidden from who wants to guess', async (problem) => {
    await open(problem);
    await page.getByLabel('Show values').uncheck();
    const text = await page.locator('.layout').ariaSnapshot();
    expect(text).not.toMatch(/nimber|wins|loses|plies|best play, \w+ wins/);
    expect((await marks()).filter(([label, tone]) => !['', '?'].includes(label) || tone !== 'plain')).toEqual(
      [],
    );
    await page.getByLabel('Show values').check();
    expect(Object.values(await values()).join()).toMatch(/wins|loses/);
  });

  test('pops and moves of blocks are animated, unless the user prefers no motion', async () => {
    await open('link-and-pop');
    // The test counts the animations that start, because they end by themselves.
    await page.evaluate(`globalThis.started = 0;
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...args) { started++; return animate.apply(this, args); };`);
    const animatedBy = async (name: string) => {
      await page.evaluate('started = 0');
      await click(name);
      return page.evaluate('started');
    };
    expect(await animatedBy('Redo')).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await animatedBy('Redo')).toBe(3);
    await click('Undo', 'Undo');
    // Two lines, one on top of the other, and two blocks.
    expect(await animatedBy('Redo')).toBe(4);
    expect(await animatedBy('Go to the end')).toBe(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
  });

  test('the computer can play one side or both', async () => {
    await open('darkraft');
    await page.getByLabel('Computer plays Second').check();
    await cell(1, 1).click();
    await expect.poll(moment).toBe('Move 2 of 2');
    await click('Undo');
    expect(await moment()).toBe('Move 0 of 2');
    await page.getByLabel('Computer plays First').check();
    await click('Best move');
    await expect.poll(status).toContain('the game is over');
  });

  describe('the board is edited', () => {
    const lastCell = { 'bacterial-tactics': '#', darkraft: 'X', 'river-pawn': '#', 'link-and-pop': 'ZR' };

    test('what is being typed as a size stays there when the board is solved', async () => {
      await open('darkraft');
      const before = await boardText();
      await click('Edit board');
      await stampNamed('X').check();
      await cell(1, 1).click();
      await expect.poll(boardText).not.toBe(before);
      await sizeField('Rows').focus();
      // In one step, because the board is solved a moment after it was changed.
      await page.evaluate(`{
        const field = document.activeElement;
        field.value = '6';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        document.querySelector('button[aria-label=Undo], button[title^=Undo]').click();
      }`);
      await expect.poll(boardText).toBe(before);
      await settled();
      expect(await sizeField('Rows').inputValue()).toBe('6');
    });

    test.each(NAMES)('%s: painted, resized, typed, undone, copied and shared', async (problem) => {
      const { style } = pageProblem(problem);
      await open(problem);
      await click('Edit board');
      if (problem === 'link-and-pop') await page.getByLabel('Symbol').selectOption('Z');
      const stamp = lastCell[problem as keyof typeof lastCell];
      await stampNamed(problem === 'link-and-pop' ? 'ZR' : stamp).check();
      await cell(1, 1).click();
      await page.mouse.move(...(await middleOf(1, 2)));
      await page.mouse.down();
      await page.mouse.move(...(await middleOf(2, 2)));
      await page.mouse.up();
      const cellAt = async (row: number, column: number) =>
        cellsOf(style, (await boardRows(problem))[row - 1])[column - 1];
      const painted = () => Promise.all([cellAt(1, 1), cellAt(1, 2), cellAt(2, 2), cellAt(2, 1)]);
      const [beside, before] = cellsOf(style, BOARDS[problem][1]);
      await expect.poll(painted).toEqual([stamp, stamp, stamp, beside]);
      await click('Undo');
      await expect.poll(painted).toEqual([stamp, stamp, before, beside]);
      await click('Redo');
      await cell(2, 1).focus();
      await press('Enter');
      await expect.poll(painted).toEqual([stamp, stamp, stamp, stamp]);
      if (problem === 'darkraft') {
        await press('l');
        await expect.poll(() => cellAt(2, 1)).toBe('L');
      }
      await sizeField('Rows').fill('6');
      await sizeField('Columns').fill('5');
      await press('Enter');
      await expect.poll(() => boardText()).toMatch(/^(\d+( \d+)?\n)?6 5\n/);
      await sizeField('Rows').fill('5000');
      await press('Enter');
      await expect.poll(status).toMatch(/A board has \d to \d+ rows, not 5000\./);
      expect(await sizeField('Rows').inputValue()).toBe('6');
      await click('Done editing');
      await settled();
      expect(await moment()).toMatch(/ 0 of /);
      await sharesItsBoard(problem);
    });

    /** Checks that the board can be copied as an input and as a link. */
    async function sharesItsBoard(problem: string): Promise<void> {
      await page.getByText('Board as text').click();
      await click('Copy');
      await expect.poll(status).toContain('Copied.');
      const input = await boardText();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(input);
      await click('Copy link');
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^file:.*#rows=/);
      const link = String(await page.evaluate('navigator.clipboard.readText()'));
      await open(problem, BOARDS[problem], link.slice(link.indexOf('#')));
      expect(await boardText()).toBe(input);
    }

    test.each(NAMES)('%s: a board is pasted into the text, and into the page', async (problem) => {
      const { style } = pageProblem(problem);
      const random = new Random(3);
      await open(problem);
      await page.getByText('Board as text').click();
      for (const rows of randomBoards(problem, 2, random)) {
        await page.locator('textarea').fill(rows.join('\n'));
        await click('Use this text');
        await expect.poll(boardText).toBe(printInput(style, rows));
      }
      const [rows] = randomBoards(problem, 1, random);
      await page.locator('h1').click();
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(printInput(style, rows))})`);
      await press('Control+v');
      await expect.poll(boardText).toBe(printInput(style, rows));
      await page.locator('textarea').fill('no board at all');
      await click('Use this text');
      await expect.poll(status).toMatch(/Row 1|A board has/);
      await click('Copy');
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(printInput(style, rows));
    });

    /** Returns the button of the palette whose text begins with a cell. */
    const stampNamed = (text: string) =>
      page.locator('.palette label', { hasText: new RegExp(`^\\${text}`) });

    const sizeField = (name: string) => page.getByRole('spinbutton', { name });

    async function middleOf(row: number, column: number): Promise<[number, number]> {
      const { x, y, width, height } = (await cell(row, column).boundingBox())!;
      return [x + width / 2, y + height / 2];
    }

    test('a size that was typed counts, even if the next click is on a cell', async () => {
      await open('bacterial-tactics');
      await click('Edit board');
      await page.getByRole('spinbutton', { name: 'Columns' }).fill('3');
      await cell(1, 1).click();
      await expect.poll(async () => (await boardRows('bacterial-tactics'))[0].length).toBe(3);
    });

    test('mistakes of a board are said in words', async () => {
      await open('river-pawn', ['...', 'X.O', 'O.X']);
      expect(await status()).toBe(
        'This board cannot be played. Row 3, column 3: expected exactly one X, got another.',
      );
      await click('Edit board');
      await stampNamed('.').check();
      await cell(3, 3).click();
      await expect.poll(status).toContain('Red is to move.');
    });
  });

  test('hostile links are refused, and the board of the page stays', async () => {
    await open('river-pawn', BOARDS['river-pawn'], '#rows=<img src=x onerror=alert(1)>');
    const expected = printInput(pageProblem('river-pawn').style, BOARDS['river-pawn']);
    const refused = async (sentence: string) => {
      await expect.poll(status).toContain(sentence);
      expect(await boardText()).toBe(expected);
    };
    await refused('The board in the link cannot be read.');
    const hostile = {
      '#rows=-999999999999/-': 'The board in the link cannot be read.',
      '#rows=O-O/-X-&moves=77': 'The moves in the link are not legal on its board.',
      [`#rows=${'-/'.repeat(70_000)}`]: 'The link is too long for one board.',
      '#rows=%00': 'The board in the link cannot be read.',
      '#rows=-/-/--': 'Row 3 has 2 cells, but row 1 has 1.',
    };
    for (const [fragment, sentence] of Object.entries(hostile)) {
      await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
      await refused(sentence);
    }
  });

  test.each(NAMES)('%s fits a phone, and axe finds nothing wrong in both themes', async (problem) => {
    await open(problem);
    if (GAMES.includes(problem)) await click('Best move');
    else await click('Redo');
    await page.evaluate(AXE);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations()).toEqual([]);
    }
    await click('Edit board');
    await page.getByText('Board as text').click();
    expect(await violations()).toEqual([]);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }
  });

  function violations(): Promise<unknown> {
    return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, nodes[0].html.slice(0, 200), nodes[0].failureSummary]))`);
  }

  async function boardRows(problem: string): Promise<string[]> {
    const { head, terminator } = pageProblem(problem).style;
    const lines = (await boardText()).trim().split('\n');
    return lines.slice(head === null ? 1 : 2, terminator === null ? lines.length : -1);
  }
});

function randomBoards(problem: string, boards: number, random: Random): string[][] {
  const { letters } = pageProblem(problem).style;
  return Array.from({ length: boards }, () => {
    const { cells } = randomCase(styleOf(problem), 2 + random.below(3), 3 + random.below(3), random);
    return cells.map((row) => row.join(letters.length === 1 ? '' : ' '));
  });
}

/** A first move as an explanation has it. */
type ExplainedMove =
  | { line: 'row' | 'column'; index: number; nimber: number; wins: boolean }
  | { cell: [number, number]; letter: string; nimber: number; wins: boolean }
  | { from: [number, number]; to: [number, number]; winner: string | null; plies: number | null };

interface Explained {
  readonly answer: unknown;
  readonly nimber?: number;
  readonly moves: readonly ExplainedMove[];
  readonly play: readonly unknown[];
  readonly repeats?: number;
  readonly turns: readonly {
    readonly pop: {
      readonly cells: readonly [[number, number], [number, number]];
      readonly line: readonly unknown[];
    };
    readonly moves: readonly unknown[];
  }[];
}

/** Returns the explanation of a board, as JSON has it. */
async function explain(problem: string, rows: readonly string[]): Promise<Explained> {
  const { loadExplainer } = await loadProblem(problem);
  const explainer = await loadExplainer!();
  const board = boardOf(pageProblem(problem).style, rows);
  return JSON.parse(JSON.stringify(explainer.explain(board as never, false, 0))) as Explained;
}

/** The label and the tone of a move on the board. */
function labelOf(move: ExplainedMove): [string, string] {
  if ('nimber' in move) return [String(move.nimber), move.wins ? 'good' : 'bad'];
  if (move.winner === null) return ['=', 'even'];
  return [String(move.plies), move.winner === 'Red' ? 'good' : 'bad'];
}

/** The name and the value of a move in the list of moves. */
function wordsOf(move: ExplainedMove, rows: readonly string[]): [string, string] {
  if ('line' in move) {
    const [across, end] = move.line === 'row' ? ['column', rows[0].length] : ['row', rows.length];
    return [`${move.line} ${move.index}, ${across}s 1 to ${end}`, nimberInWords(move)];
  }
  if ('cell' in move)
    return [`${move.letter} at row ${move.cell[0]}, column ${move.cell[1]}`, nimberInWords(move)];
  const [down, right] = [move.to[0] - move.from[0], move.to[1] - move.from[1]];
  const direction = down === 0 ? (right > 0 ? 'right' : 'left') : down > 0 ? 'down' : 'up';
  const value =
    move.winner === null
      ? 'tie'
      : `${move.winner === 'Red' ? 'wins' : 'loses'} in ${move.plies} ${move.plies === 1 ? 'ply' : 'plies'}`;
  return [`${direction} from row ${move.from[0]}, column ${move.from[1]}`, value];
}

function nimberInWords({ nimber, wins }: { nimber: number; wins: boolean }): string {
  return `${wins ? 'wins' : 'loses'}, nimber ${nimber}`;
}
