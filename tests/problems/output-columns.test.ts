/** Tests which columns `--columns` accepts, and how tables quote their cells. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadProblem, PROBLEMS } from '../../src/catalog/registry.js';
import { syntax } from '../../src/cli/commands/solve.js';
import { csvRow } from '../../src/problems/csv.js';
import {
  boardColumnValues,
  type CaseColumns,
  CaseLineFinder,
  COLUMNS,
  checkRequestedColumns,
  columnsOf,
} from '../../src/problems/output-columns.js';

const [bt, pawns] = await Promise.all([loadProblem('bacterial-tactics'), loadProblem('river-pawn')]);
const check = (names: string[], { problem = bt, hasProgram = false, hasColumns = true } = {}) =>
  checkRequestedColumns('--columns', names, { problem, hasProgram, hasColumns });

describe('names of columns', () => {
  test('columns keep the order in which they are named', () => {
    expect(check(['nimber', 'file'])).toEqual(['nimber', 'file']);
    expect(check([], { hasColumns: false })).toEqual([]);
  });

  test.each([
    [['lin'], {}, 'no column is called "lin" (did you mean line?); the columns are file, line, rows,'],
    [['x'], {}, 'no column is called "x"; the columns are'],
    [['line', 'file', 'line'], {}, 'the column "line" is there twice'],
    [['nimber'], { problem: pawns }, 'river-pawn has no column "nimber"; the columns are file, line, rows,'],
    [['board'], { problem: { name: 'sums' } as never }, 'the columns are file, line, seconds'],
    [['nimber'], { hasProgram: true }, 'a program behind --exec prints no nimbers'],
    [['line'], { hasColumns: false }, '--columns needs the output format ndjson or csv'],
  ])('%j is refused', (names, context, message) => {
    expect(() => check(names, context)).toThrow(message);
  });
});

test('a column about boards is offered only for a problem that has a function for it', () => {
  const board = () => ['#.'];
  const problem = { name: 'strip', caseColumns: { board } as unknown as CaseColumns };
  expect(columnsOf(problem, false)).toEqual(expect.arrayContaining(['file', 'line', 'board', 'seconds']));
  for (const name of ['rows', 'cols', 'nimber']) expect(columnsOf(problem, false)).not.toContain(name);
  expect(boardColumnValues(['rows', 'board'], null, problem.caseColumns)).toEqual({ board: ['#.'] });
});

test('docs/outputs.md describes each column', () => {
  const page = readFileSync(new URL('../../docs/outputs.md', import.meta.url), 'utf8');
  const [, table] = page.split('| column | contains |\n');
  const described = table
    .split('\n\n')[0]
    .split('\n')
    .map((row) => row.split('|')[1] ?? '');
  expect(
    described
      .join()
      .match(/(?<=`)\w+(?=`)/g)
      ?.sort(),
  ).toEqual([...COLUMNS].sort());
});

test('the help of --columns and docs/outputs.md name the games that have nimbers', async () => {
  const page = readFileSync(new URL('../../docs/outputs.md', import.meta.url), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith('| `nimber` |'));
  for (const { name, load } of PROBLEMS) {
    const hasNimbers = (await load()).problem.hasNimbers === true;
    expect(syntax.options.columns.describe.includes(name), name).toBe(hasNimbers);
    expect(row?.includes(name), name).toBe(hasNimbers);
  }
});

/** Reads the rows of a table as RFC 4180 describes them. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\n]*))([,\n])/y;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const [, quoted, plain, end] = cell.exec(text) as RegExpExecArray;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

test('a table is read back as it was written, whatever its cells contain', () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('"', ',', '\n', '\r\n', 'a"b', ' x '));
  const table = fc.array(fc.array(cell, { minLength: 1 }), { minLength: 1 });
  fc.assert(
    fc.property(table, (rows) => {
      expect(parseCsv(rows.map(csvRow).join(''))).toEqual(rows);
    }),
  );
  expect(csvRow([1, null, 'a'])).toBe('1,,a\n');
});

test('lines are counted from the line of the first byte', () => {
  const lines = new CaseLineFinder(Buffer.from('a\n\nb\nc'), 7);
  expect([0, 0, 3, 5, 6].map((offset) => lines.lineAt(offset))).toEqual([7, 7, 9, 10, 10]);
});
