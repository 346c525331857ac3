/** The page of `judge --html` in a browser: its tables can be sorted, and only its own script runs. */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JudgePage, judgePageToHtml } from '../../../../src/tools/judge/report/page.js';
import { HAS_BROWSER, IN_BROWSER, openContext } from '../../../support/browser.js';
import { allowSlowTests } from '../../../support/slow-tests.js';

allowSlowTests();

const HOSTILE =
  '</pre></td><script>document.title = "broken"</script><img src=x onerror="document.title=\'broken\'">';
const bytes = (text: string) => Buffer.from(text);
const cell = (verdict: 'AC' | 'WA' | 'TLE', seconds: number, message: string | null = null) => ({
  verdict,
  seconds,
  message,
  isBad: verdict === 'WA',
});

const PAGE: JudgePage = {
  title: HOSTILE,
  remarks: [HOSTILE],
  programs: {
    headings: ['program', 'AC', 'slowest'],
    rows: [
      { cells: ['b', '10', '0.30 s 1.in'], isBad: false },
      { cells: [HOSTILE, '9', '2.00 s 2.in'], isBad: true },
      { cells: ['a', '-', 'skipped'], isBad: false },
    ],
  },
  matrix: [
    { test: 'data/10.in', cells: [cell('AC', 0.5), cell('WA', 0.1, HOSTILE), null] },
    { test: 'data/9.in', cells: [cell('TLE', 4), cell('AC', 0.2), null] },
  ],
  examples: [
    {
      program: HOSTILE,
      origin: HOSTILE,
      verdict: 'WA',
      message: HOSTILE,
      input: bytes(HOSTILE),
      expected: bytes('1\n'),
      got: bytes(`${HOSTILE}${'x'.repeat(5000)}`),
      isShrunk: true,
    },
  ],
};

describe.skipIf(!HAS_BROWSER)(`a page in ${IN_BROWSER}`, () => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    context = await openContext();
    page = await context.newPage();
    await page.setContent(judgePageToHtml(PAGE), { waitUntil: 'load' });
  });
  afterAll(() => context.close());

  const firstCells = (table: number) =>
    page.locator('table.sortable').nth(table).locator('tbody td:first-child').allTextContents();
  const click = (table: number, heading: string) =>
    page.locator('table.sortable').nth(table).getByRole('button', { name: heading, exact: true }).click();

  test('is sorted by numbers, by times and by names with numbers, in both directions', async () => {
    await click(0, 'AC');
    const rows = await firstCells(0);
    expect(rows.filter((name) => name !== 'a')).toEqual([expect.stringContaining('script'), 'b']);
    await click(1, 'file');
    expect(await firstCells(1)).toEqual(['data/9.in', 'data/10.in']);
    await click(1, 'file');
    expect(await firstCells(1)).toEqual(['data/10.in', 'data/9.in']);
    await click(1, '[1]');
    expect(await firstCells(1)).toEqual(['data/10.in', 'data/9.in']);
    await click(1, '[2]');
    expect(await firstCells(1)).toEqual(['data/10.in', 'data/9.in']);
    await click(1, '[2]');
    expect(await firstCells(1)).toEqual(['data/9.in', 'data/10.in']);
    expect(await page.locator('[aria-sort]').allTextContents()).toContain('[2]');
  });

  test('runs no script of a stranger, and shows it as a text', async () => {
    expect(await page.title()).not.toBe('broken');
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('pre').first().textContent()).toBe(HOSTILE);
    expect(await page.locator('pre').last().textContent()).toMatch(/\n\.\.\. and \d+ more bytes$/);
    // Even a script that broke out would not run: the page allows only the script whose hash it names.
    await page.evaluate(
      "const script = document.createElement('script'); script.textContent = 'document.title = \"broken\"'; document.body.append(script)",
    );
    expect(await page.title()).not.toBe('broken');
  });
});
