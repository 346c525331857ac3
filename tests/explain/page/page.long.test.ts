/**
 * Tests of the page in a browser: every control is used on every problem, values equal those of explanations, and the page
 * wins the games that it says it wins.
 */
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { playPages } from '../../../scripts/make-play-pages.mjs';
import { loadProblem } from '../../../src/catalog/registry.js';
import { boardOf, cellsOfBoardRow } from '../../../src/explain/page/boards/board-text.js';
import { pageProblem } from '../../../src/explain/page/games.js';
import { HAS_BROWSER, IN_BROWSER } from '../../support/browser.js';
import { randomCase, styleOf } from '../../support/inputs.js';
import { Random } from '../../support/random.js';
import { allowSlowTests } from '../../support/slow-tests.js';
import { BOARDS, GAMES, NAMES, renderPlayPage, usePage } from './opened-page.js';

allowSlowTests();

const MAX_BYTES = 150_000;

test('a page is one small file that runs only its own script', () => {
  for (const problem of NAMES) {
    const html = renderPlayPage({ problem, rows: BOARDS[problem], caseNumber: 7 });
    expect(html.length).toBeLessThan(MAX_BYTES);
    expect(html).toContain(`<title>${problem}, case 7</title>`);
    expect(html).toMatch(
      /content="default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; /,
    );
    expect(html).toContain("; worker-src blob:; base-uri 'none'; form-action 'none'\"");
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
  const on = usePage();

  describe('values on the board', () => {
    test.each(GAMES)('of %s are those of explanations', async (problem) => {
      const random = new Random(20261122);
      await on.open(problem);
      for (const rows of [BOARDS[problem], ...randomBoards(problem, 5, random)]) {
        await on.showBoard(rows);
        const { moves, play, repeats, nimber } = await explain(problem, rows);
        expect(await on.marks()).toEqual(moves.map(labelOf));
        expect(await on.values()).toEqual(Object.fromEntries(moves.map((move) => wordsOf(move, rows))));
        if (nimber !== undefined)
          expect(await on.status()).toMatch(moves.length > 0 ? `(nimber ${nimber})` : 'is over');
        if (moves.length === 0) continue;
        await on.click('Best play to the end');
        expect(await on.status()).toContain('the game is over');
        if (repeats === undefined) expect(await on.moment()).toBe(`Move ${play.length} of ${play.length}`);
        else expect(await on.status()).toMatch(/^Tie: /);
      }
    });

    test('of link-and-pop are the pops, the links and the moves of explanations', async () => {
      await on.open('link-and-pop');
      for (const rows of [BOARDS['link-and-pop'], ...randomBoards('link-and-pop', 3, new Random(5))]) {
        await on.showBoard(rows);
        const { turns, answer } = await explain('link-and-pop', rows);
        for (const [i, { pop, moves }] of turns.entries()) {
          await on.press('ArrowRight');
          const [[row, column], other] = pop.cells;
          expect(await on.status()).toMatch(`Pop ${i + 1} of ${turns.length}. `);
          expect(await on.status()).toMatch(` at row ${row}, column ${column} and `);
          expect(await on.status()).toMatch(
            ` at row ${other[0]}, column ${other[1]}, linked by ${pop.line.length - 1} segment`,
          );
          expect(await linkOnBoard()).toEqual(pop.line);
          if (moves.length === 0 && i < turns.length - 1) continue;
          await on.press('ArrowRight');
          expect(await on.status()).toMatch(`: ${moves.length} move`);
        }
        expect(await symbols()).toEqual(answer);
      }
    });

    /** Returns the cells through which the link on the board goes. */
    function linkOnBoard(): Promise<unknown> {
      return on.page.evaluate(`document.querySelector('.link-mark path').getAttribute('d').split(/[ML]/).slice(1)
        .map((point) => point.split(' ').map((value) => Math.floor(value / 40) + 1).reverse())`);
    }

    function symbols(): Promise<unknown> {
      return on.page.evaluate(`Object.values(Object.groupBy(document.querySelectorAll('.cell'), (cell) => cell.dataset.row))
        .map((row) => row.map((cell) => cell.querySelector('.symbol')?.textContent ?? '.').join(''))`);
    }
  });

  test.each(GAMES)('the page wins the games of %s that it says it wins', async (problem) => {
    const random = new Random(7);
    await on.open(problem);
    let games = 0;
    for (const rows of randomBoards(problem, 4, random)) {
      await on.showBoard(rows);
      const [, winner] = /With best play, (\w+) wins/.exec(await on.status()) ?? [];
      if (winner === undefined) continue;
      games++;
      const computer = on.page.getByLabel(`Computer plays ${winner}`);
      await computer.check();
      await on.settled();
      for (let moves = 0; !(await on.status()).includes('is over'); moves++) {
        expect(moves).toBeLessThan(50);
        const legal = on.page.locator('.moves li button');
        await legal.nth(random.below(await legal.count())).click();
        await on.settled();
      }
      expect(await on.status()).toMatch(new RegExp(`^${winner} wins: the game is over\\.`));
      await computer.uncheck();
    }
    expect(games).toBeGreaterThan(1);
  });

  describe('the board is played', () => {
    test('in bacterial-tactics by the mouse, which chooses the nearer line of a cell and shows the fill', async () => {
      await on.open('bacterial-tactics');
      await on.page.mouse.move(...(await on.placeIn(2, 2, [0.5, 0.1])));
      expect(await on.page.locator('.ghost').count()).toBe(3);
      await on.page.mouse.move(...(await on.placeIn(2, 2, [0.1, 0.5])));
      expect(await on.page.locator('.ghost').count()).toBe(4);
      await on.clickCell(2, 2, [0.5, 0.9]);
      expect(await on.status()).toContain('Last move: column 2, rows 1 to 3.');
      await on.click('Undo');
      await on.clickCell(2, 2, [0.9, 0.5]);
      expect(await on.status()).toContain('Last move: row 2, columns 1 to 4.');
      await on.click('Undo');
      await on.page.locator('.line-mark text').first().click();
      await on.settled();
      expect(await on.status()).toContain('Last move: row 2, columns 1 to 4.');
      await on.page.locator('.moves').getByText('column 1, row 1').hover();
      expect(await on.page.locator('.ghost').count()).toBe(1);
    });

    test('in bacterial-tactics by keys, which ask at the cell', async () => {
      await on.open('bacterial-tactics');
      // The Tab key reaches one cell, from which the arrow keys go on.
      await on.cell(1, 1).focus();
      await on.press(
        'ArrowRight',
        'ArrowDown',
        'ArrowDown',
        'ArrowUp',
        'ArrowLeft',
        'ArrowLeft',
        'ArrowRight',
      );
      expect(await on.page.locator('.cell:focus').getAttribute('aria-label')).toBe(
        'row 2, column 2: empty; row 2, columns 1 to 4 wins, nimber 0; column 2, rows 1 to 3 wins, nimber 0',
      );
      await on.press('Enter');
      const group = on.page.getByRole('group', { name: 'Which move?' });
      expect(await group.getByRole('button').count()).toBe(3);
      await on.press('Escape');
      expect(await on.page.locator('.cell[data-row="2"][data-col="2"]:focus').count()).toBe(1);
      await on.press('Enter');
      const { x, y, width, height } = (await group.boundingBox())!;
      await on.page.mouse.click(x + width - 4, y + height - 4);
      expect(await group.count()).toBe(1);
      await on.press('Escape');
      expect(await group.count()).toBe(0);
      expect(await on.page.locator('.cell[data-row="2"][data-col="2"]:focus').count()).toBe(1);
      await on.press('Enter', 'Enter');
      expect(await on.status()).toContain('Last move: row 2, columns 1 to 4.');
    });

    test('in darkraft by a click on a letter, whose rays are shown before', async () => {
      await on.open('darkraft');
      await on.page.mouse.move(...(await on.placeIn(2, 1)));
      expect(await on.page.locator('.preview rect').count()).toBe(3);
      await on.clickCell(2, 1);
      expect(await on.status()).toContain('Last move: X at row 2, column 1.');
      expect(await on.cell(2, 1).getAttribute('aria-label')).toBe('row 2, column 1: cleared');
      await on.clickCell(2, 1);
      expect(await on.moment()).toBe('Move 1 of 1');
    });

    test('in river-pawn by clicks, by drags, by arrows and by keys', async () => {
      await on.open('river-pawn');
      await on.clickCell(4, 1);
      expect(await on.marks()).toHaveLength(2);
      await on.page.mouse.move(...(await on.placeIn(3, 1)));
      expect(await on.page.locator('.ghost').count()).toBe(1);
      await on.clickCell(3, 1);
      expect(await on.status()).toContain('Last move: Red up from row 4, column 1.');
      await on.cell(3, 2).dragTo(on.cell(2, 2), { force: true });
      await on.settled();
      expect(await on.status()).toContain('Last move: Black up from row 3, column 2.');
      await on.page.locator('.step-mark text').first().click();
      await on.settled();
      expect(await on.moment()).toBe('Move 3 of 3');
      await on.click('Undo');
      await on.cell(4, 3).focus();
      await on.press('Enter', 'ArrowUp', 'Enter');
      expect(await on.status()).toContain('Last move: Red up from row 4, column 3.');
    });

    test.each(GAMES)('in %s by double clicks, each of which plays one move', async (problem) => {
      await on.open(problem);
      const [x, y] = await middleOf(on.page.locator('.moves li button').first());
      await doubleClick(x, y);
      expect(await on.moment()).toBe('Move 1 of 1');
      await on.click('Undo');
      await doubleClick(...(await middleOf(on.page.locator('.cell.active').first())));
      expect(await on.moment()).toMatch(problem === 'river-pawn' ? /^Move 0 of 1$/ : /^Move 1 of [12]$/);
    });

    /** Clicks twice, the second time after the engine has answered, when another move may be under the pointer. */
    async function doubleClick(x: number, y: number): Promise<void> {
      await on.page.mouse.click(x, y);
      await on.settled();
      await on.page.mouse.down({ clickCount: 2 });
      await on.page.mouse.up({ clickCount: 2 });
      await on.settled();
    }

    async function middleOf(element: Locator): Promise<[number, number]> {
      const { x, y, width, height } = (await element.boundingBox())!;
      return [x + width / 2, y + height / 2];
    }
  });

  test.each(NAMES)('buttons, slider and keys go through the play of %s', async (problem) => {
    await on.open(problem);
    const isGame = problem !== 'link-and-pop';
    // The play is shown again from its start.
    if (isGame) await on.click('Best move', 'Best play to the end', 'Go to the start');
    const [, end] = /of (\d+)/.exec((await on.moment())!)!;
    const noun = isGame ? 'Move' : 'Step';
    expect(Number(end)).toBeGreaterThan(1);
    const at = async (place: number | string) =>
      expect.poll(() => on.moment()).toBe(`${noun} ${place} of ${end}`);
    await at(0);
    await on.click('Redo', 'Redo', 'Undo');
    await at(1);
    await on.click('Go to the end');
    await at(end);
    await on.page.locator('h1').click();
    await on.press('Home', 'ArrowRight', 'ArrowRight', 'ArrowLeft');
    await at(1);
    await on.press('Control+z');
    await at(0);
    await on.press('Control+Shift+Z', 'End');
    await at(end);
    await on.page.getByRole('slider').fill('1');
    await at(1);
    expect(await on.page.getByRole('slider').getAttribute('aria-valuetext')).toBe(`${noun} 1 of ${end}`);
    await on.click('Run', 'Pause', 'Run');
    await at(2);
    if (Number(end) > 2) await on.click('Pause');
  });

  test.each(GAMES)(
    'values of %s can be hidden from who wants to guess, and are shown on demand',
    async (problem) => {
      await on.open(problem);
      await on.page.getByLabel('Show values').uncheck();
      const text = await on.page.locator('.layout').ariaSnapshot();
      expect(text).not.toMatch(/nimber|wins|loses|plies|best play, \w+ wins/);
      const shown = (await on.marks()).filter(
        ([label, tone]) => !['', '?'].includes(label) || tone !== 'plain',
      );
      expect(shown).toEqual([]);
      await on.click('Show me the values');
      expect(Object.values(await on.values()).join()).toMatch(/wins|loses/);
      await on.page.locator('.moves li button').last().click();
      await on.settled();
      expect(await on.status()).toMatch(/'s move (lost: .* won|won|lost|kept)|Every move of \w+ lost/);
      expect(await on.values()).not.toMatchObject({ a: /wins/ });
      await on.page.getByLabel('Show values').check();
      expect(await on.status()).toMatch(/With best play|is over/);
    },
  );

  test('pops and moves of blocks are animated, unless the user prefers no motion', async () => {
    await on.open('link-and-pop');
    // The test counts the animations that start, because they end by themselves.
    await on.page.evaluate(`globalThis.started = 0;
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...args) { started++; return animate.apply(this, args); };`);
    const animatedBy = async (name: string) => {
      await on.page.evaluate('started = 0');
      await on.click(name);
      return on.page.evaluate('started');
    };
    expect(await animatedBy('Redo')).toBe(0);
    await on.page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await animatedBy('Redo')).toBe(3);
    await on.click('Undo', 'Undo');
    // Two lines, one on top of the other, and two blocks.
    expect(await animatedBy('Redo')).toBe(4);
    expect(await animatedBy('Go to the end')).toBe(0);
    await on.page.emulateMedia({ reducedMotion: 'reduce' });
  });

  describe('the computer', () => {
    test('plays one side or both', async () => {
      await on.open('darkraft');
      await on.page.getByLabel('Computer plays Second').check();
      await on.clickCell(1, 1);
      expect(await on.moment()).toBe('Move 2 of 2');
      await on.click('Undo');
      expect(await on.moment()).toBe('Move 0 of 2');
      await on.page.getByLabel('Computer plays First').check();
      await expect.poll(() => on.status()).toContain('the game is over');
    });

    test('waits while the user looks back, says so, and moves when it is told to', async () => {
      await on.open('darkraft');
      await on.click('Best move', 'Undo');
      await on.page.getByLabel('Computer plays First').check();
      await on.settled();
      expect(await on.moment()).toBe('Move 1 of 1');
      await on.press('ArrowLeft');
      expect(await on.status()).toContain('The computer waits');
      await on.click('Let the computer move');
      expect(await on.moment()).toBe('Move 1 of 1');
    });

    test('and its user never play forever: a position for the third time is a tie', async () => {
      await on.open('river-pawn', ['.....', '.....', '..O..', '#..#.', 'O#.X.']);
      await on.page.getByLabel('Computer plays Red').check();
      await on.page.getByLabel('Computer plays Black').check();
      await expect.poll(() => on.status()).toMatch(/^Tie: the game is over\./);
      expect(Number(/ of (\d+)/.exec((await on.moment())!)![1])).toBeLessThan(30);
    });
  });

  describe('the list of moves, the graph and the reason', () => {
    test.each(GAMES)('of %s show what was played, with variations', async (problem) => {
      await on.open(problem);
      const moves = on.page.locator('.played-move');
      await on.page.locator('.moves li button').last().click();
      await on.settled();
      await on.click('Undo', 'Best move', 'Best play to the end');
      const [, end] = /of (\d+)/.exec((await on.moment())!)!;
      expect(await moves.count()).toBe(Number(end) + 1);
      expect(await on.page.locator('.played-move.mistake').count()).toBeLessThanOrEqual(1);
      await moves.first().click();
      expect(await moves.first().getAttribute('aria-current')).toBe('step');
      expect(await on.moment()).toBe('Move 1 of 1');
      const box = (await on.page.locator('.graph svg').boundingBox())!;
      await on.page.mouse.click(box.x + 1, box.y + box.height / 2);
      expect(await on.moment()).toBe('Move 0 of 1');
    });

    test('number a move of the second player where a line begins or goes on after variations', async () => {
      await on.open('darkraft', ['LRLRLR', 'RLRLRL']);
      const play = async (...places: ('first' | 'last')[]) => {
        for (const place of places) {
          await on.page.locator('.moves li button')[place]().click();
          await on.settled();
        }
      };
      await play('first', 'first', 'first');
      await on.click('Go to the start');
      await play('last', 'first', 'first');
      await on.click('Undo', 'Undo');
      await play('last');
      const numbers = await on.page
        .locator('.played li:not(.variation)')
        .evaluateAll((moves) => moves.map((move) => move.querySelector('.number')?.textContent ?? '-'));
      // 1. a (1. b c (1… d) 2. e) 1… f 2. g
      expect(numbers).toEqual(['1.', '1.', '-', '1…', '2.', '1…', '2.']);
    });

    test.each(NAMES)('of %s explain the board', async (problem) => {
      await on.open(problem);
      if (problem === 'link-and-pop') await on.press('ArrowRight');
      await on.page.locator('.why summary').click();
      const why = on.page.locator('.why');
      await expect.poll(() => why.textContent()).toMatch(/, (loses|wins), because|wins in \d+ pl|pops first/);
      expect(await on.page.locator('.reason circle').count()).toBe(problem === 'bacterial-tactics' ? 1 : 0);
    });
  });

  describe('a new game', () => {
    test.each(NAMES)('of %s starts on a random board, and can be undone', async (problem) => {
      await on.open(problem);
      await on.click('New game');
      const field = (name: string) => on.page.getByRole('dialog').getByRole('spinbutton', { name });
      await field('Rows').fill('5000');
      await on.click('Start');
      expect(await on.message('new-game')).toMatch(/A board has \d to \d+ rows, not 5000\./);
      await field('Rows').fill('');
      await on.click('Start');
      expect(await on.message('new-game')).toMatch(/A board has \d to \d+ rows\.$/);
      expect(await field('Rows').inputValue()).toBe('');
      await field('Rows').fill('5');
      await field('Columns').fill('6');
      await on.page.getByLabel('Seed').fill('7');
      if (problem !== 'link-and-pop') {
        await on.page.getByLabel('You play').selectOption('second');
        await on.page.getByRole('dialog').getByLabel('The computer').selectOption('random');
      }
      await on.click('Start');
      const rows = await on.boardRows();
      expect(rows).toHaveLength(5);
      expect(await on.moment()).toMatch(problem === 'link-and-pop' ? /^Step 0 / : /^Move 1 of 1$/);
      await on.click('Undo this');
      expect(await on.boardRows()).toEqual(BOARDS[problem]);
      await on.click('New game');
      // Of the boards as small as this one, a seed drawn by the page would now and then give the same.
      await on.page.getByLabel('Seed').fill('7');
      await on.click('Start');
      expect(await on.boardRows()).not.toEqual(BOARDS[problem]);
      await on.click('New game', 'Back to the board of this page');
      expect(await on.boardRows()).toEqual(BOARDS[problem]);
    });

    test.each(GAMES)('of puzzles of %s says whether a move solves the puzzle', async (problem) => {
      await on.open(problem);
      await on.click('New game', 'Level 1');
      await expect.poll(() => on.status()).toContain('Level 1, puzzle 1 of 5: find the move that wins.');
      const panel = on.page.locator('.puzzle');
      const { moves } = await explain(problem, await on.boardRows());
      const tones = moves.map((move) => labelOf(move)[1]);
      const legal = on.page.locator('.moves li button');
      await legal.nth(tones.findIndex((tone) => tone !== 'good')).click();
      await on.settled();
      expect(await panel.textContent()).toContain('This move does not win.');
      expect(await on.status()).not.toMatch(/ won/);
      await on.click('Try again');
      await legal.nth(tones.indexOf('good')).click();
      await on.settled();
      expect(await panel.textContent()).toContain('Solved.');
      await on.click('Next puzzle');
      expect(await on.status()).toContain('puzzle 2 of 5');
      await on.click('Skip');
      await on.button('Leave the puzzles').focus();
      await on.press('Enter');
      // The focus of a button that is gone is near the text that says what has happened.
      expect(await on.page.evaluate('document.activeElement.className')).toBe('status');
      expect(await on.status()).toContain('With best play');
    });
  });

  test.each(NAMES)('the rules of %s are on the page', async (problem) => {
    await on.open(problem);
    await on.click('How to play');
    const dialog = on.page.getByRole('dialog', { name: 'How to play' });
    expect(await dialog.locator('.example li').count()).toBe(4);
    expect(await dialog.locator('.legend li').count()).toBeGreaterThan(2);
    expect(await cutOffMarks()).toEqual([]);
    await on.press('Escape');
    expect(await dialog.count()).toBe(0);
    expect(await on.page.evaluate('document.activeElement.textContent')).toBe('How to play');
  });

  /** Returns the marks of the legend of which a part is outside of their picture. */
  function cutOffMarks(): Promise<unknown> {
    return on.page.evaluate(`[...document.querySelectorAll('.legend .mark')]
      .filter((mark) => {
        const [all, { x, y, width, height }] = [mark.ownerSVGElement.viewBox.baseVal, mark.getBBox()];
        return x < all.x || y < all.y || x + width > all.x + all.width || y + height > all.y + all.height;
      })
      .map((mark) => mark.outerHTML)`);
  }

  test('a reload keeps the board, the variations, the position and the switches', async () => {
    await on.open('darkraft');
    await on.click('Best move', 'Undo');
    await on.clickCell(3, 3);
    await on.page.getByLabel('Show values').uncheck();
    await on.settled();
    const before = [await on.status(), await on.page.locator('.played').textContent()];
    await on.page.reload();
    await on.settled();
    expect([await on.status(), await on.page.locator('.played').textContent()]).toEqual(before);
    expect(await on.page.locator('.played-move').count()).toBe(2);
    await on.click('Share', 'Copy link', 'Close');
    await on.page.reload();
    await on.settled();
    expect(await on.page.locator('.played-move').count()).toBe(2);
  });

  test('what a click changes is stored before the next frame, so that a reload right after it keeps it', async () => {
    await on.open('darkraft');
    await on.page.getByLabel('Show values').focus();
    const isStoredAtOnce = `(async () => {
      const before = JSON.stringify(sessionStorage);
      document.activeElement.click();
      await null;
      return JSON.stringify(sessionStorage) !== before;
    })()`;
    expect(await on.page.evaluate(isStoredAtOnce)).toBe(true);
    await on.page.reload();
    await on.settled();
    expect(await on.page.getByLabel('Show values').isChecked()).toBe(false);
  });

  test('a key that moves nothing keeps the offer to undo that a link has replaced the board, and Ctrl+Z takes it', async () => {
    await on.open('darkraft');
    await on.click('Best move');
    await on.page.evaluate("location.hash = 'rows=LR/RL'");
    await expect.poll(() => on.boardRows()).toEqual(['LR', 'RL']);
    await on.settled();
    for (const key of ['ArrowLeft', 'Home', 'End']) await on.page.keyboard.press(key);
    expect(await on.page.getByRole('button', { name: 'Undo this' }).count()).toBe(1);
    await on.page.keyboard.press('Control+z');
    await expect.poll(() => on.boardRows()).not.toEqual(['LR', 'RL']);
    expect(await on.page.locator('.played-move').count()).toBe(1);
  });

  test('a reload keeps the game after "Back" from a link has changed only the address', async () => {
    await on.open('darkraft');
    await on.page.evaluate("location.hash = 'rows=LR/RL'");
    await expect.poll(() => on.boardRows()).toEqual(['LR', 'RL']);
    await on.settled();
    await on.click('Best move');
    await on.page.evaluate('history.back()');
    // What is stored begins with the address's fragment, which is empty again. Other pages of the tab have stored their games, too.
    const isStored = `Object.entries(sessionStorage).some(([key, text]) =>
      key.includes(location.pathname) && text.startsWith('\\n'))`;
    await expect.poll(() => on.page.evaluate(isStored)).toBe(true);
    const before = [await on.status(), await on.boardRows()];
    await on.page.reload();
    await on.settled();
    expect([await on.status(), await on.boardRows()]).toEqual(before);
    expect(await on.page.locator('.played-move').count()).toBe(1);
  });

  describe('the board is edited', () => {
    const lastCell = { 'bacterial-tactics': '#', darkraft: 'X', 'river-pawn': '#', 'link-and-pop': 'ZR' };

    test('what is being typed as a size stays there when the board is solved', async () => {
      await on.open('darkraft');
      await on.click('Edit');
      await stampNamed('X').check();
      await on.clickCell(1, 1);
      await expect.poll(() => on.boardRows()).not.toEqual(BOARDS.darkraft);
      await sizeField('Rows').focus();
      // In one step, because the board is solved a moment after it was changed.
      await on.page.evaluate(`{
        const field = document.activeElement;
        field.value = '6';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        document.querySelector('button[aria-label=Undo]').click();
      }`);
      await expect.poll(() => on.boardRows()).toEqual(BOARDS.darkraft);
      await on.settled();
      expect(await sizeField('Rows').inputValue()).toBe('6');
    });

    test.each(NAMES)('%s: painted, resized, undone, copied and shared', async (problem) => {
      const { style } = pageProblem(problem);
      await on.open(problem);
      await on.click('Edit');
      if (problem === 'link-and-pop') await on.page.getByLabel('Symbol').selectOption('Z');
      const stamp = lastCell[problem as keyof typeof lastCell];
      await stampNamed(stamp).check();
      await on.clickCell(1, 1);
      await on.page.mouse.move(...(await on.placeIn(1, 2)));
      await on.page.mouse.down();
      await on.page.mouse.move(...(await on.placeIn(2, 2)));
      await on.page.mouse.up();
      const cellAt = async (row: number, column: number) =>
        cellsOfBoardRow(style, (await on.boardRows())[row - 1])[column - 1];
      const painted = () => Promise.all([cellAt(1, 1), cellAt(1, 2), cellAt(2, 2), cellAt(2, 1)]);
      const [beside, before] = cellsOfBoardRow(style, BOARDS[problem][1]);
      await expect.poll(painted).toEqual([stamp, stamp, stamp, beside]);
      await on.click('Undo');
      await expect.poll(painted).toEqual([stamp, stamp, before, beside]);
      await on.click('Redo');
      await on.cell(2, 1).focus();
      await on.press('Enter');
      await expect.poll(painted).toEqual([stamp, stamp, stamp, stamp]);
      if (problem === 'darkraft') {
        await on.press('l');
        await expect.poll(() => cellAt(2, 1)).toBe('L');
      }
      await sizeField('Rows').fill('6');
      await sizeField('Columns').fill('5');
      await on.press('Enter');
      await expect.poll(async () => (await on.boardRows()).length).toBe(6);
      await sizeField('Rows').fill('5000');
      await on.press('Enter');
      await expect.poll(() => on.message('size')).toMatch(/A board has \d to \d+ rows, not 5000\./);
      expect(await sizeField('Rows').inputValue()).toBe('6');
      await on.click('Done editing');
      expect(await on.page.evaluate('document.activeElement.textContent')).toBe('Edit');
      expect(await on.moment()).toMatch(/ 0 of /);
      await sharesItsBoard(problem);
    });

    /** Checks that the board can be copied as an input and as a link. */
    async function sharesItsBoard(problem: string): Promise<void> {
      const rows = await on.boardRows();
      await on.click('Share', 'Copy text');
      await expect.poll(() => on.message('text')).toBe('Copied.');
      expect(await on.clipboard()).toBe(on.inputOf(rows));
      await on.click('Copy link');
      await expect
        .poll(() => on.message('share'))
        .toBe('Copied. This page is a file, so the link works on this computer only.');
      const link = String(await on.clipboard());
      expect(link).toMatch(/^file:.*#rows=/);
      await on.open(problem, BOARDS[problem], link.slice(link.indexOf('#')));
      expect(await on.boardRows()).toEqual(rows);
    }

    test.each(NAMES)(
      '%s: a board is pasted into the text, and into the page, and undone',
      async (problem) => {
        const random = new Random(3);
        await on.open(problem);
        await on.click('Share');
        for (const rows of randomBoards(problem, 2, random)) {
          await on.page.locator('textarea').fill(rows.join('\n'));
          await on.click('Use this text');
          await expect.poll(() => on.boardRows()).toEqual(rows);
        }
        await on.page.locator('textarea').fill('no board at all');
        await on.click('Use this text');
        await expect.poll(() => on.message('text')).toMatch(/Row 1|A board has/);
        await on.click('Close');
        const earlier = await on.boardRows();
        const [rows] = randomBoards(problem, 1, random);
        await on.page.locator('h1').click();
        await on.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(on.inputOf(rows))})`);
        await on.press('Control+v');
        await expect.poll(() => on.boardRows()).toEqual(rows);
        expect(await on.boardText()).toBe(on.inputOf(rows));
        expect([await on.page.title(), await on.page.locator('h1').textContent()]).toEqual([
          problem,
          problem,
        ]);
        await on.click('Undo this');
        await expect.poll(() => on.boardRows()).toEqual(earlier);
      },
    );

    /** Returns the button of the palette whose text begins with a cell. */
    const stampNamed = (text: string) =>
      on.page.locator('.palette label', { hasText: new RegExp(`^\\${text}`) });

    const sizeField = (name: string) => on.page.getByRole('spinbutton', { name });

    test('a size that was typed counts, even if the next click is on a cell', async () => {
      await on.open('bacterial-tactics');
      await on.click('Edit');
      await on.page.getByRole('spinbutton', { name: 'Columns' }).fill('3');
      await on.clickCell(1, 1);
      await expect.poll(async () => (await on.boardRows())[0].length).toBe(3);
    });

    test('faults of a board are said in words', async () => {
      await on.open('river-pawn', ['...', 'X.O', 'O.X']);
      expect(await on.status()).toBe(
        'This board cannot be played. Row 3, column 3: expected exactly one X, got another.',
      );
      expect(await on.page.getByLabel('Computer plays Black').count()).toBe(1);
      await on.click('Edit');
      await stampNamed('.').check();
      await on.clickCell(3, 3);
      await on.click('Done editing');
      await expect.poll(() => on.status()).toContain('Red is to move.');
    });
  });

  test('hostile links are refused, and the board of the page stays', async () => {
    await on.open('river-pawn', BOARDS['river-pawn'], '#rows=<img src=x onerror=alert(1)>');
    const refused = async (sentence: string) => {
      await expect.poll(() => on.message('board')).toContain(sentence);
      expect(await on.page.locator('.message.error').count()).toBe(1);
      expect(await on.boardRows()).toEqual(BOARDS['river-pawn']);
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
      await on.page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
      await refused(sentence);
    }
  });
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
  return move.winner === 'Red' ? [`+${move.plies}`, 'good'] : [`−${move.plies}`, 'bad'];
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
