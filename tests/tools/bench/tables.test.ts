import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeCoordinator } from '../../../src/tools/bench/numbers.js';
import {
  fitTable,
  shortenText,
  shortenTexts,
  stageTable,
  summaryTable,
  tableOf,
  wrapText,
} from '../../../src/tools/bench/tables.js';
import { reportOf } from '../../support/reports.js';

const longestLine = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

describe('shortened names', () => {
  test.each([
    ['abcdefgh', 8, 'abcdefgh'],
    ['abcdefghi', 8, 'abc...hi'],
    ['abcdefghij', 9, 'abc...hij'],
    ['abcdefghij', -1, '...'],
  ])('shorten cuts the middle out of %s so that it fits into %i letters: %s', (text, width, short) => {
    expect(shortenText(text, width)).toBe(short);
  });

  test('different names stay different when they are shortened, if some way of cutting allows it', () => {
    const commands = ['1', '2'].flatMap((jobs) =>
      ['simd', 'portable'].map((solver) => `boardmill -j ${jobs} --solver ${solver}`),
    );
    const short = shortenTexts(commands, 20);
    expect(new Set(short).size).toBe(4);
    expect(short[0]).toBe('boardmill -j 1...imd');
  });

  test('if no way of cutting keeps names different, their middle is cut out', () => {
    expect(shortenTexts(['a'.repeat(30), `${'a'.repeat(15)}b${'a'.repeat(14)}`], 9)).toEqual([
      'aaa...aaa',
      'aaa...aaa',
    ]);
  });
});

describe('a table in a given width', () => {
  const rows = [
    ['one', '1', '22'],
    ['eleven', '333', '4'],
  ];

  test('a table that fits into the width is one block', () => {
    expect(fitTable(['name', 'a', 'b'], rows, 15)).toEqual([
      'name      a   b\none       1  22\neleven  333   4\n',
    ]);
  });

  test('a table that is too wide is divided into blocks, and each block repeats the first column', () => {
    expect(fitTable(['name', 'a', 'b'], rows, 14)).toEqual([
      'name      a\none       1\neleven  333\n',
      'name     b\none     22\neleven   4\n',
    ]);
  });

  test.each([
    ['summary', ({ summaries }: ReturnType<typeof reportOf>) => summaryTable(summaries)],
    ['breakdown', stageTable],
  ])(
    'in a terminal of 40 columns or more, the table of the %s has no line that is too long, and loses no cell',
    (_, tableFor) => {
      const names = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 90 });
      const check = (width: number, jobs: number, seconds: number, name: string) => {
        const report = reportOf({
          jobs: [1, jobs],
          solvers: ['auto', 'simd'],
          seconds,
          others: { [name]: 9 },
        });
        const [headings, rows] = tableFor(report);
        const blocks = fitTable(headings, rows, width);
        expect(Math.max(...blocks.map(longestLine))).toBeLessThanOrEqual(width);
        const cells = blocks.join('').split(/\s+/);
        for (const text of [...headings.slice(1), ...rows[0].slice(1)]) {
          for (const word of text.split(' ')) expect(cells).toContain(word);
        }
        for (const block of blocks) expect(block.split('\n')).toHaveLength(1 + rows.length + 1);
      };
      const numbers = [fc.integer({ min: 40, max: 250 }), fc.integer({ min: 2, max: 512 })] as const;
      fc.assert(fc.property(...numbers, fc.double({ min: 1e-4, max: 1e6, noNaN: true }), names, check));
    },
  );
});

test('a table has a column for each heading, and a row for each object', () => {
  const columns = { number: String, negated: (number: number) => String(-number) };
  expect(tableOf(columns, [1, 2])).toEqual([
    ['number', 'negated'],
    [
      ['1', '-1'],
      ['2', '-2'],
    ],
  ]);
});

test('wrapText breaks a paragraph only between words', () => {
  expect(wrapText('one two three', 7)).toBe('one two\nthree\n');
  expect(wrapText('one two three', 6)).toBe('one\ntwo\nthree\n');
  expect(wrapText('incomprehensible', 6)).toBe('incomprehensible\n');
});

describe('how many workers a coordinator can feed', () => {
  test.each([
    [0.5, 'one coordinator can feed less than one worker.'],
    [1, 'one coordinator can feed about 1 worker.'],
    [14.9, 'one coordinator can feed about 14 workers.'],
  ])('for %d workers, the report says: %s', (workers, sentence) => {
    const report = reportOf({ jobs: [1] });
    const { parse, solve, print } = report.breakdowns[0].stages;
    const coordinator = { ...report.coordinator, busySeconds: (parse + solve + print) / workers };
    expect(describeCoordinator({ ...report, coordinator })).toContain(sentence);
  });
});
