/**
 * Tests of the page of `bench --html` in a browser: all text is readable on small and large screens, light and dark.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { benchReportToHtml } from '../../../src/tools/bench/html.js';
import { HAS_BROWSER, IN_BROWSER, openContext } from '../../support/browser.js';
import { type ReportOptions, reportOf } from '../../support/reports.js';
import { allowSlowTests } from '../../support/slow-tests.js';

allowSlowTests();

const LONG_PROGRAM = '/usr/bin/python3 /home/someone/solutions/time_limit/simple.py';
const NAME_WITHOUT_WHITESPACE = `./${'abcdefghij'.repeat(6)}`;

const REPORTS: readonly [string, ReportOptions][] = [
  ['one setting', { jobs: [1] }],
  [
    'programs of the same speed',
    { seconds: 2, others: { './mine': 2, './theirs': 2.01, [LONG_PROGRAM]: 1.99 } },
  ],
  ['a slow program', { seconds: 0.2, others: { './mine': 0.3, [LONG_PROGRAM]: 400 } }],
  [
    'a wrong program that takes hours',
    { seconds: 0.02, others: { [NAME_WITHOUT_WHITESPACE]: 2e7 }, areOthersWrong: true },
  ],
  [
    'speeds that differ by a factor of slightly more than ten',
    { seconds: 1, jobs: [1], others: { './mine': 10.5 } },
  ],
  ['many workers and runs', { jobs: Array.from({ length: 64 }, (_, i) => i + 1), runs: 40 }],
  [
    'both solvers and eight programs',
    {
      solvers: ['simd', 'portable'],
      others: Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`./solution-${i}`, 1 + i])),
    },
  ],
  ['short cases', { caseTimes: [50, 90] }],
  ['cases of all lengths', { caseTimes: [20, 5e10] }],
  ['long cases', { caseTimes: [1e9, 3e10] }],
];

const WIDTHS = [320, 360, 799, 800, 1280];

/** A visible text in a picture of the page. */
interface Label {
  readonly text: string;
  /** Size of the font in pixels of the screen, after the picture is scaled. */
  readonly fontPixels: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly figureLeft: number;
  readonly figureRight: number;
}

/** A script that runs in the page and returns the labels of each visible picture. */
const READ_LABELS = `[...document.querySelectorAll('svg')]
  .filter((svg) => svg.getBoundingClientRect().height > 0)
  .map((svg) => [...svg.querySelectorAll('text')].filter((text) => text.textContent.trim() !== '').map((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const figure = svg.closest('figure').getBoundingClientRect();
    const { a, b } = text.getScreenCTM();
    const fontPixels = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
    return { text: text.textContent, fontPixels, left, right, top, bottom, figureLeft: figure.left, figureRight: figure.right };
  }))`;

/** Returns the pairs of labels that overlap. */
function overlappingLabels(labels: readonly Label[]): string[] {
  return labels.flatMap((one, i) =>
    labels
      .slice(i + 1)
      .filter(
        (other) =>
          one.left < other.right &&
          other.left < one.right &&
          one.top < other.bottom &&
          other.top < one.bottom,
      )
      .map((other) => `${one.text} | ${other.text}`),
  );
}

describe.skipIf(!HAS_BROWSER)(`the page of a report in ${IN_BROWSER}`, () => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    context = await openContext();
    page = await context.newPage();
  });
  afterAll(() => context.close());

  async function show(options: ReportOptions, width: number): Promise<Label[][]> {
    await page.setViewportSize({ width, height: 800 });
    await page.setContent(benchReportToHtml(reportOf(options)));
    return (await page.evaluate(READ_LABELS)) as Label[][];
  }

  describe.each(REPORTS)('a report with %s', (_, options) => {
    test.each(WIDTHS)(
      'on a screen of %i pixels, no label is too small, cut off or covered by another label',
      async (width) => {
        const pictures = await show(options, width);
        expect(pictures).toHaveLength(5);
        for (const labels of pictures) {
          expect(labels.length).toBeGreaterThan(2);
          expect(labels.filter(({ fontPixels }) => fontPixels < 11)).toEqual([]);
          expect(overlappingLabels(labels)).toEqual([]);
          expect(
            labels.filter((label) => label.left < label.figureLeft || label.right > label.figureRight),
          ).toEqual([]);
        }
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      },
    );
  });

  test('on a screen of 240 pixels, letters are not smaller, and pictures scroll within the page', async () => {
    const labels = (await show({}, 240)).flat();
    expect(labels.filter(({ fontPixels }) => fontPixels < 11)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(240);
  });

  test.each([LONG_PROGRAM, NAME_WITHOUT_WHITESPACE])(
    'on a phone, the table row of %s is shown as a card and nothing of it is cut off',
    async (name) => {
      await show({ others: { [name]: 9 } }, 360);
      const card = page.locator('tr', { hasText: name });
      expect(await card.locator('td').first().innerText()).toBe(name);
      for (const cell of await card.locator('td').all()) {
        const { x, width } = (await cell.boundingBox()) as { x: number; width: number };
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(360);
      }
      const heading = `getComputedStyle(document.querySelector('td[data-label="median"]'), '::before').content`;
      expect(await page.evaluate(heading)).toBe('"median"');
    },
  );

  test('a legend shortens a long name, but a table shows the whole name', async () => {
    await show({ others: { [LONG_PROGRAM]: 9 } }, 1280);
    const legend = page.locator('.legend').first();
    expect(await legend.innerText()).toContain('/usr/bin/python3 ..._limit/simple.py');
    expect(await page.locator('table').first().innerText()).toContain(LONG_PROGRAM);
  });

  test.each(['light', 'dark'] as const)(
    'in the color scheme %s, text has enough contrast with the background',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await show({}, 1280);
      const luminances =
        await page.evaluate(`[...document.querySelectorAll('svg text, p, td')].map((text) => {
      const [r, g, b] = getComputedStyle(text).color.match(/\\d+/g).map(Number);
      return (r + g + b) / 3;
    })`);
      for (const luminance of luminances as number[]) {
        if (colorScheme === 'light') expect(luminance).toBeLessThan(80);
        else expect(luminance).toBeGreaterThan(175);
      }
    },
  );
});
