/** Tests of how the page fits screens, fingers, keyboards and screen readers, and of how long it keeps its users waiting. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { BOARDS_TO_PLAY } from '../../../src/explain/page-file/boards.js';
import { HAS_BROWSER, IN_BROWSER } from '../../support/browser.js';
import { Random } from '../../support/random.js';
import { allowSlowTests } from '../../support/slow-tests.js';
import { GAMES, NAMES, usePage } from './opened-page.js';

allowSlowTests();

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The offset of the width in a PNG file. */
const WIDTH_IN_PNG = 16;
const SCREENS = [
  { width: 320, height: 568 },
  { width: 667, height: 375 },
  { width: 768, height: 1024 },
  { width: 1366, height: 768 },
];

describe.runIf(HAS_BROWSER)(`in ${IN_BROWSER}`, () => {
  const on = usePage();

  async function openGame(problem: string): Promise<void> {
    await on.open(problem, BOARDS_TO_PLAY[problem]);
    if (problem !== 'link-and-pop') await on.click('Best move');
    else await on.press('ArrowRight');
  }

  describe.each(SCREENS)('on a screen of $width x $height', (screen) => {
    test.each(NAMES)('the board, the status and the controls of %s are visible at once', async (problem) => {
      await on.page.setViewportSize(screen);
      await openGame(problem);
      for (const part of ['.status', '.board', '.coordinates.rows', '.timeline']) {
        expect(await hiddenPixels(part), part).toBe(0);
      }
      expect(await coveredBy('.board', '.timeline')).toBe(false);
      expect(
        await on.page.evaluate(`getComputedStyle(document.querySelector('.coordinates')).fontSize`),
      ).toBe('13px');
      expect(await tooWide()).toEqual([]);
      expect(await widthOfPicture()).toBe(screen.width);
    });

    test('a message is beside the text of the status, or covers all of it', async () => {
      await on.page.setViewportSize(screen);
      await openGame('river-pawn');
      await on.page.evaluate(`location.hash = '#rows=%'`);
      await expect.poll(() => on.message('board')).toContain('cannot be read');
      const isCut = await on.page.evaluate(`{
        const [text, message] = ['.detail', '.message[data-place=board]'].map((each) =>
          document.querySelector(each).getBoundingClientRect());
        text.right > message.left && (text.top < message.top - 1 || innerWidth >= 700);
      }`);
      expect(isCut).toBe(false);
    });

    test.each(NAMES)('no window and no panel of %s is wider than the screen', async (problem) => {
      await on.page.setViewportSize(screen);
      await openGame(problem);
      for (const name of ['How to play', 'New game', 'Share']) {
        await on.click(name);
        expect(await tooWide(), name).toEqual([]);
        await on.click('Close');
      }
      await on.page.locator('.why summary').click();
      expect(await tooWide()).toEqual([]);
      await on.click('Edit');
      expect(await tooWide()).toEqual([]);
    });
  });

  /** Returns the width of a picture of the whole page. It is wider than the screen if anything can be seen beyond the edge. */
  async function widthOfPicture(): Promise<number> {
    const png = await on.page.screenshot({ fullPage: true });
    return png.readUInt32BE(WIDTH_IN_PNG);
  }

  /** Returns how many pixels of an element are outside of the screen. */
  function hiddenPixels(selector: string): Promise<unknown> {
    return on.page.evaluate(`{
      const { top, bottom, left, right } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      Math.round(Math.max(0, -top, -left, bottom - innerHeight, right - innerWidth));
    }`);
  }

  function coveredBy(lower: string, upper: string): Promise<unknown> {
    return on.page.evaluate(`{
      const [one, other] = [${JSON.stringify(lower)}, ${JSON.stringify(upper)}].map((each) =>
        document.querySelector(each).getBoundingClientRect());
      one.bottom > other.top + 1 && one.right > other.left;
    }`);
  }

  /** Returns the elements that reach beyond the right edge of the screen or of their box, unless they can be scrolled to. */
  function tooWide(): Promise<unknown> {
    return on.page.evaluate(`[...document.querySelectorAll('body *')]
      .filter((each) => !each.closest('.board-scroll, .unseen') && each.getClientRects().length > 0)
      .filter((each) => each.getBoundingClientRect().right > innerWidth + 1
        || (each instanceof HTMLElement && each.scrollWidth > each.clientWidth + 1
          && !['TEXTAREA', 'SELECT', 'INPUT'].includes(each.tagName) && getComputedStyle(each).display !== 'inline'))
      .map((each) => each.outerHTML.slice(0, 120))`);
  }

  test.each(NAMES)('axe finds nothing wrong with %s in both themes', async (problem) => {
    await on.page.setViewportSize({ width: 1280, height: 900 });
    await openGame(problem);
    await on.page.locator('.why summary').click();
    await on.page.evaluate(AXE);
    for (const colorScheme of ['light', 'dark'] as const) {
      await on.page.emulateMedia({ colorScheme });
      expect(await violations()).toEqual([]);
      for (const name of ['How to play', 'New game', 'Share']) {
        await on.click(name);
        expect(await violations(), name).toEqual([]);
        await on.click('Close');
      }
    }
    await on.click('Edit');
    expect(await violations()).toEqual([]);
    await on.page.emulateMedia({ colorScheme: 'light' });
  });

  function violations(): Promise<unknown> {
    return on.page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, nodes[0].html.slice(0, 200), nodes[0].failureSummary]))`);
  }

  describe('by keyboard', () => {
    const focused = () => on.page.evaluate('document.activeElement.tagName');

    test.each(NAMES)(
      'few stops of the Tab key lead through %s, one of them to the board',
      async (problem) => {
        await on.page.setViewportSize({ width: 1280, height: 900 });
        await openGame(problem);
        await on.button('How to play').focus();
        const stops = ['BUTTON'];
        for (;;) {
          await on.page.keyboard.press('Tab');
          const stop = String(
            await on.page.evaluate(
              `document.activeElement.getAttribute('role') ?? document.activeElement.tagName`,
            ),
          );
          if (stop === 'BODY' || stops.length > 40) break;
          stops.push(stop);
        }
        expect(stops.length).toBeLessThan(26);
        expect(stops.filter((stop) => stop === 'gridcell')).toHaveLength(1);
      },
    );

    test('a screen reader hears what is on each cell of link-and-pop', async () => {
      await on.open('link-and-pop');
      await on.cell(1, 1).focus();
      await on.press('ArrowRight');
      expect(await on.page.locator('.cell:focus').getAttribute('aria-label')).toBe(
        'row 1, column 2: A, moves up',
      );
      const snapshot = await on.page.getByRole('grid').ariaSnapshot();
      expect(snapshot).toContain('gridcell "row 3, column 3: G, stands still"');
    });

    test('the keys that step through the moves leave a question about a row or a column open', async () => {
      await on.open('bacterial-tactics', ['...', '...', '...']);
      await on.page.locator('.moves li button').first().click();
      await on.settled();
      await on.page.locator('.cell').last().focus();
      await on.press('Enter');
      for (const key of ['ArrowLeft', 'ArrowRight', 'Home', 'Control+z']) {
        await on.press(key);
        expect(await on.page.locator('.chooser').count()).toBe(1);
        expect(await focused()).toBe('BUTTON');
      }
      expect(await on.moment()).toContain('Move 1 of');
    });

    test.each(GAMES)(
      'the focus stays in %s when the computer moves, when a list gets shorter and at the start',
      async (problem) => {
        await on.open(problem);
        await on.page.getByLabel('Computer plays').nth(1).check();
        await on.page.locator('.moves li button').first().focus();
        for (let moves = 0; moves < 30 && !(await on.status()).includes('is over'); moves++) {
          await on.press('End', 'ArrowDown', 'Enter');
          expect(await focused()).toBe('BUTTON');
        }
        await on.button('Undo').focus();
        for (let at = Infinity; at > 0; ) {
          await on.press('Enter');
          at = Number(/Move (\d+)/.exec((await on.moment())!)![1]);
        }
        expect(await on.page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe('Undo');
      },
    );
  });

  test('values differ by more than their colour: solid and with + for a win, hollow and with − for a loss', async () => {
    await on.open('river-pawn', ['...O', '#...', 'O...', '..X.']);
    const looks = new Set<string>();
    for (let moves = 0; moves < 6 && !(await on.status()).includes('is over'); moves++) {
      const marks = (await on.page.evaluate(`[...document.querySelectorAll('.mark')].map((mark) => [
        mark.querySelector('text').textContent[0],
        mark.querySelector('rect').getAttribute('class').includes('fill-paper') ? 'hollow' : 'solid',
        mark.getAttribute('class').split(' ').at(-1)])`)) as string[][];
      for (const look of marks) looks.add(look.join(' '));
      await on.page.locator('.moves li button').last().click();
      await on.settled();
    }
    for (const look of looks) expect(['+ solid good', '− hollow bad', '= solid even']).toContain(look);
    expect(looks.size).toBeGreaterThan(1);
  });

  describe('a large board', () => {
    const random = new Random(40);
    const letters = Array.from({ length: 40 }, () =>
      Array.from({ length: 40 }, () => random.pick('LRX')).join(''),
    );

    test('is solved in a worker, while the page says so and stays usable', async () => {
      await on.page.setViewportSize({ width: 1366, height: 768 });
      await on.open('darkraft');
      expect(on.page.workers()).toHaveLength(1);
      await on.click('Share');
      await on.page.locator('textarea').fill(letters.join('\n'));
      await on.page.evaluate(`{
        globalThis.framesWhileBusy = 0;
        globalThis.headlines = new Set();
        const count = () => {
          headlines.add(document.querySelector('.headline').textContent);
          if (document.querySelector('.status').getAttribute('aria-busy') === 'true') framesWhileBusy++;
          requestAnimationFrame(count);
        };
        count();
      }`);
      await on.button('Use this text').click();
      // The page itself looks, because from outside the board may be solved before anybody has looked.
      await expect.poll(() => on.page.evaluate('[...headlines]')).toContain('Solving the board…');
      await on.click('Close');
      await on.settled();
      expect(await on.page.evaluate('framesWhileBusy')).toBeGreaterThan(0);
    });

    test('has cells of at least 24 pixels, scrolls with a cue, and can be shown as a whole', async () => {
      for (const screen of SCREENS) {
        await on.page.setViewportSize(screen);
        await on.open('darkraft', letters);
        const { width } = (await on.cell(1, 1).locator('.hit').boundingBox())!;
        expect(width).toBeGreaterThanOrEqual(23.9);
        const scroll = on.page.locator('.board-scroll');
        expect(await scroll.getAttribute('data-more')).toBe('bottom right');
        await scroll.evaluate((element) => element.scrollTo(element.scrollWidth, element.scrollHeight));
        await expect.poll(() => scroll.getAttribute('data-more')).toBe('top left');
        await on.click('Show the whole board');
        await expect.poll(() => scroll.getAttribute('data-more')).toBe('');
        expect(await on.page.locator('.scroll-note').textContent()).toContain('The whole board is shown.');
        await on.click('Larger cells');
        expect(await tooWide()).toEqual([]);
      }
    });

    test('says that it scrolls over no cell of a board with few rows', async () => {
      await on.page.setViewportSize({ width: 1366, height: 768 });
      await on.open('darkraft', ['LRX'.repeat(13)]);
      expect(
        await on.page.evaluate(`document.querySelector('.scroll-note').getBoundingClientRect().top
          >= document.querySelector('.board-scroll').getBoundingClientRect().bottom`),
      ).toBe(true);
    });

    test('shows a move at once, before the engine has answered', async () => {
      await on.page.setViewportSize({ width: 1366, height: 768 });
      await on.open('darkraft', letters);
      const [x, y] = await on.placeIn(5, 5);
      await on.page.mouse.move(0, 0);
      await on.page.evaluate(`new MutationObserver(() => {
        if (document.querySelector('.preview')) globalThis.wasShownWhileBusy ||= document.querySelector('.status').getAttribute('aria-busy') === 'true';
      }).observe(document.body, { subtree: true, childList: true, attributes: true })`);
      await on.page.mouse.click(x, y);
      await expect.poll(() => on.moment()).toBe('Move 1 of 1');
      expect(await on.page.evaluate('globalThis.wasShownWhileBusy')).toBe(true);
    });

    test('of link-and-pop is drawn where it is visible, and by the arrow keys everywhere', async () => {
      const blocks = Array.from({ length: 100 }, () =>
        Array.from({ length: 100 }, () => random.pick('ABCDEFGHIJ') + random.pick('UDLRS')).join(' '),
      );
      await on.open('link-and-pop', blocks);
      expect(await on.page.locator('.cell').count()).toBeLessThan(4000);
      expect(await on.cell(100, 100).count()).toBe(0);
      await on.page.locator('.board-scroll').evaluate((element) => element.scrollTo(9999, 9999));
      await on.cell(100, 100).waitFor();
      await on.cell(100, 100).focus();
      await on.press('ArrowLeft');
      expect(await on.page.locator('.cell:focus').getAttribute('aria-label')).toMatch(
        /^row 100, column 99: /,
      );
    });
  });
});

describe.runIf(HAS_BROWSER)('on a phone', () => {
  const on = usePage({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });

  test('a tap on a cell with two moves asks at the cell, and scrolls nothing', async () => {
    await on.open('bacterial-tactics', BOARDS_TO_PLAY['bacterial-tactics']);
    for (const [row, column] of [
      [3, 2],
      [4, 8],
      [3, 6],
    ]) {
      await on.page.touchscreen.tap(...(await on.placeIn(row, column)));
      const box = (await on.page.locator('.chooser').boundingBox())!;
      expect(await on.page.evaluate('scrollY')).toBe(0);
      expect(box.y).toBeGreaterThan(0);
      expect(box.y + box.height).toBeLessThan((await on.page.locator('.timeline').boundingBox())!.y);
      expect(await on.page.locator('.ghost').count()).toBeGreaterThan(1);
      await on.page.locator('.chooser').getByText('Cancel').tap();
    }
    await on.page.touchscreen.tap(...(await on.placeIn(3, 2)));
    await on.page.locator('.chooser').getByText(`column 2`).first().tap();
    await on.settled();
    expect(await on.status()).toContain('Last move: column 2, rows 1 to 6.');
  });

  test('a finger drags a piece of river-pawn, and scrolls nothing', async () => {
    await on.open('river-pawn');
    expect(await on.page.evaluate('document.documentElement.scrollHeight > innerHeight')).toBe(true);
    const fingers = await on.context.newCDPSession(on.page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
      fingers.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
    const [x, y] = await on.placeIn(4, 1);
    const [, end] = await on.placeIn(3, 1);
    await touch('touchStart', [x, y]);
    for (const part of [0.2, 0.4, 0.6, 0.8, 1]) await touch('touchMove', [x, y + part * (end - y)]);
    await touch('touchEnd');
    await on.settled();
    expect(await on.status()).toContain('Last move: Red up from row 4, column 1.');
    expect(await on.page.evaluate('scrollY')).toBe(0);
  });

  test.each(NAMES)(
    'messages and controls of %s stay on the screen wherever the page is scrolled',
    async (problem) => {
      await on.open(problem, BOARDS_TO_PLAY[problem]);
      const inView = (selector: string) =>
        on.page.evaluate(`{
          const { top, bottom } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
          top >= 0 && bottom <= innerHeight + 1;
        }`);
      await on.page.evaluate(`location.hash = '#rows=%'`);
      await expect.poll(() => on.message('board')).toContain('cannot be read');
      for (const place of ['0', 'document.body.scrollHeight / 3', 'document.body.scrollHeight']) {
        await on.page.evaluate(`scrollTo(0, ${place})`);
        for (const part of ['.message[data-place=board]', '.timeline', '.status'])
          expect(await inView(part), `${part} at ${place}`).toBe(true);
      }
    },
  );
});
