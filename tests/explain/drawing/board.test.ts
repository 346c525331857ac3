/** Tests of the drawings of boards: what is in them. board.long.test.ts shows them in a browser. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawBoard } from '../../../src/explain/drawing/board.js';
import { colorStyleSheet, colorVariables, symbolColor } from '../../../src/explain/drawing/colors.js';
import { createDrawnElement, type DrawnElement, printDrawing } from '../../../src/explain/drawing/element.js';
import { drawExplanation } from '../../../src/explain/drawing/explanation.js';
import { type MarkedMove, markOfMove, outcomeOfMove } from '../../../src/explain/drawing/move-marks.js';
import { ALL_MARKS, EVERY_LETTER } from '../../support/drawn-boards.js';
import { anyBoard, explainRows, type ProblemRows } from '../../support/explained-boards.js';
import { runs } from '../../support/random-tests.js';

function elementsIn(drawing: DrawnElement): DrawnElement[] {
  const children = drawing.children.filter((child) => typeof child !== 'string');
  return [drawing, ...children.flatMap(elementsIn)];
}

function withClass(drawing: DrawnElement, name: string): DrawnElement[] {
  return elementsIn(drawing).filter(({ attributes }) => String(attributes.class).split(' ').includes(name));
}

function sizeOf({ problem, rows }: ProblemRows): [rows: number, cols: number] {
  return [rows.length, problem === 'link-and-pop' ? rows[0].split(' ').length : rows[0].length];
}

describe('a board', () => {
  test('every cell is drawn once, in row-major order', () => {
    fc.assert(
      fc.property(anyBoard, (board) => {
        const [rows, cols] = sizeOf(board);
        const cells = withClass(drawBoard(board.problem, board.rows), 'cell');
        const places = cells.map(({ attributes }) => `${attributes['data-row']},${attributes['data-col']}`);
        expect(places).toEqual(
          Array.from({ length: rows * cols }, (_, i) => `${Math.floor(i / cols) + 1},${(i % cols) + 1}`),
        );
      }),
    );
  });

  test('cells with different letters look different', () => {
    for (const { problem, rows } of EVERY_LETTER) {
      const letters = rows.flatMap((row) => (problem === 'link-and-pop' ? row.split(' ') : [...row]));
      const looks = withClass(drawBoard(problem, ['#', ...rows].slice(1)), 'cell').map(
        ({ attributes, children }) => [
          Number(attributes['data-row']) + Number(attributes['data-col']),
          printDrawing(createDrawnElement('g', {}, children)),
        ],
      );
      const lookOf = new Map(letters.map((letter, i) => [letter === '..' ? '.' : letter, looks[i][1]]));
      expect(new Set(lookOf.values()).size).toBe(lookOf.size);
    }
  });

  test('each symbol of link-and-pop has a colour of its own', () => {
    const symbols = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
    expect(new Set(symbols.map(symbolColor)).size).toBe(symbols.length);
  });

  test('screen readers get the size and the rows', () => {
    const text = printDrawing(drawBoard('darkraft', ['LR', 'XL']));
    expect(text).toContain('<title>darkraft, a board of 2 rows and 2 columns</title>');
    expect(text).toContain('<desc>Rows from the top: LR, XL</desc>');
    expect(text).toContain('role="img"');
  });

  test('coordinates are drawn when asked for', () => {
    expect(withClass(drawBoard('darkraft', ['LR']), 'coordinates')).toEqual([]);
    const [coordinates] = withClass(drawBoard('darkraft', ['LR'], { hasCoordinates: true }), 'coordinates');
    expect(coordinates.children.map((child) => (child as DrawnElement).children)).toEqual([
      ['1'],
      ['2'],
      ['1'],
    ]);
  });

  test('marks carry their index, their tone and their label', () => {
    const drawing = drawBoard('bacterial-tactics', ['...'], { marks: ALL_MARKS, lastCells: [[1, 2]] });
    const marks = withClass(drawing, 'mark');
    expect(marks.map(({ attributes }) => attributes['data-mark'])).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
    marks.forEach((mark, i) => {
      expect(mark.attributes.class).toBe(`mark ${ALL_MARKS[i].kind}-mark ${ALL_MARKS[i].tone}`);
      const texts = elementsIn(mark).flatMap(({ tag, children }) => (tag === 'text' ? children : []));
      expect(texts).toEqual(ALL_MARKS[i].label === undefined ? [] : [ALL_MARKS[i].label]);
    });
  });

  test('the colours of every class are in the style sheet, and every variable has a value in both themes', () => {
    const rules = colorStyleSheet();
    const drawings = EVERY_LETTER.map(({ problem, rows }) =>
      drawBoard(problem, rows, { hasCoordinates: true }),
    );
    const marked = drawBoard('bacterial-tactics', ['...'], { marks: ALL_MARKS, lastCells: [[1, 2]] });
    const classes = [...drawings, marked].flatMap(elementsIn).flatMap(({ attributes }) =>
      String(attributes.class ?? '')
        .split(' ')
        .filter((name) => /^(fill|stroke)-/.test(name)),
    );
    expect(classes.length).toBeGreaterThan(100);
    for (const name of new Set(classes)) expect(rules).toContain(`.${name}{`);
    for (const [, variable] of rules.matchAll(/var\((--[\w-]+)\)/g))
      for (const theme of ['light', 'dark'] as const)
        expect(colorVariables(theme)).toContain(`${variable}:#`);
  });
});

describe('marks of moves', () => {
  test('the label is the nimber or the number of plies, and the tone is that of the player who moves', () => {
    const line = { line: 'column', index: 2, nimber: 3, wins: false } as const;
    expect(markOfMove(line, 5, 4)).toEqual({
      kind: 'line',
      tone: 'bad',
      label: '3',
      line: 'column',
      index: 2,
      from: 1,
      to: 5,
    });
    expect(markOfMove({ ...line, from: 2, to: 3 }, 5, 4)).toMatchObject({ from: 2, to: 3 });
    expect(markOfMove({ cell: [1, 2], nimber: 0, wins: true }, 5, 4)).toEqual({
      kind: 'cell',
      tone: 'good',
      label: '0',
      cell: [1, 2],
    });
    const step = { from: [1, 1], to: [1, 2], winner: 'Red', plies: 7 } as const;
    expect(markOfMove(step, 5, 4)).toEqual({
      kind: 'step',
      tone: 'good',
      label: '+7',
      from: [1, 1],
      to: [1, 2],
    });
    expect(outcomeOfMove({ ...step, player: 'Black' })).toBe('bad');
    expect(markOfMove({ ...step, winner: null, plies: null }, 5, 4)).toMatchObject({
      tone: 'even',
      label: '=',
    });
  });
});

describe('the drawing of an explanation', () => {
  test('with moves, exactly the winning moves are marked, or the first link', () => {
    fc.assert(
      fc.property(anyBoard, (board) => {
        const explanation = explainRows(board);
        const { moves, turns = [] } = explanation as {
          moves?: readonly MarkedMove[];
          turns?: readonly unknown[];
        };
        const winning =
          moves?.filter((move) => outcomeOfMove(move) === 'good').length ?? Math.min(1, turns.length);
        const text = drawExplanation(explanation, { moves: true });
        expect(text.match(/data-mark=/g)?.length ?? 0).toBe(winning);
        expect(drawExplanation(explanation, { moves: false })).not.toContain('data-mark=');
        expect(drawExplanation(explanation, { moves: true })).toBe(text);
      }),
      { numRuns: runs(50) },
    );
  });

  test('a file has its colours as attributes, a style sheet for dark themes only, and no script or reference', () => {
    const text = drawExplanation(explainRows(EVERY_LETTER[2]), { moves: true });
    expect(text).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 \d+ \d+" width="\d+" height="\d+" /,
    );
    expect(text).toMatch(/<\/svg>\n$/);
    const [, style] = /<style>(.*?)<\/style>/.exec(text)!;
    expect(style).toMatch(
      /^@media \(prefers-color-scheme:dark\)\{(\.(fill|stroke)-[\w-]+\{(fill|stroke):#\w{6}\})+\}$/,
    );
    expect(text.replace(style, '')).not.toMatch(/<style>[^<]|<script|href|url\(|style=/);
  });
});
