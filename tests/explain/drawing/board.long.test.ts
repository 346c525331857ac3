/** A browser can show the drawings of boards as files. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawBoard } from '../../../src/explain/drawing/board.js';
import { printDrawing } from '../../../src/explain/drawing/element.js';
import { drawExplanation } from '../../../src/explain/drawing/explanation.js';
import type { BoardMark } from '../../../src/explain/drawing/marks.js';
import { HAS_BROWSER, IN_BROWSER, openContext } from '../../support/browser.js';
import { ALL_MARKS, EVERY_LETTER } from '../../support/drawn-boards.js';
import { anyBoard, explainRows } from '../../support/explained-boards.js';
import { runs } from '../../support/random-tests.js';

/** A function of the page that returns what is wrong with drawings: no XML, or a shape that is outside of the viewBox. */
const FIND_MISTAKES = `(drawings) => drawings.flatMap((text, i) => {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  if (parsed.tagName !== 'svg') return ['drawing ' + i + ': ' + parsed.textContent];
  const drawing = document.body.appendChild(document.importNode(parsed, true));
  const outer = drawing.getBoundingClientRect();
  const isOutside = ({ left, top, right, bottom }) =>
    left < outer.left || top < outer.top || right > outer.right + 0.01 || bottom > outer.bottom + 0.01;
  const shapes = [...drawing.querySelectorAll('rect,path,circle,text')];
  const outside = shapes.filter((shape) => isOutside(shape.getBoundingClientRect()));
  drawing.remove();
  return outside.map((shape) => 'drawing ' + i + ': ' + shape.outerHTML + ' is outside');
})`;

describe.skipIf(!HAS_BROWSER)(`in ${IN_BROWSER}`, () => {
  /** Drawings of random boards, of all letters and marks, and of the largest boards. */
  function manyDrawings(): string[] {
    const explained = fc.sample(anyBoard, { numRuns: runs(24), seed: 1 }).map((board) => explainRows(board));
    const ring: BoardMark = {
      kind: 'link',
      tone: 'plain',
      line: [
        [1, 1],
        [0, 1],
        [0, 4],
        [3, 4],
        [3, 1],
        [2, 1],
      ],
    };
    const blocks = EVERY_LETTER[3].rows;
    // Labels reach farthest out of the board at its edges.
    const edges: BoardMark[] = [
      { kind: 'line', tone: 'good', label: '12', line: 'row', index: 1, from: 1, to: 2 },
      { kind: 'line', tone: 'bad', label: '12', line: 'column', index: 1, from: 1, to: 2 },
      { kind: 'step', tone: 'good', label: '261', from: [1, 2], to: [2, 2] },
      { kind: 'step', tone: 'good', label: '261', from: [2, 1], to: [1, 1] },
      { kind: 'cell', tone: 'bad', label: '120', cell: [2, 2] },
    ];
    return [
      ...explained.map((explanation) => drawExplanation(explanation, { moves: true })),
      ...[true, false].flatMap((hasCoordinates) => [
        ...EVERY_LETTER.map(({ problem, rows }) =>
          printDrawing(drawBoard(problem, rows, { hasCoordinates })),
        ),
        printDrawing(drawBoard('bacterial-tactics', ['...'], { hasCoordinates, marks: ALL_MARKS })),
        printDrawing(drawBoard('bacterial-tactics', ['..', '..'], { hasCoordinates, marks: edges })),
        printDrawing(drawBoard('link-and-pop', blocks, { hasCoordinates, marks: [ring] })),
        printDrawing(drawBoard('darkraft', ['X'], { hasCoordinates, title: '<"&\'>\u0001' })),
      ]),
      printDrawing(
        drawBoard('bacterial-tactics', Array(100).fill('.'.repeat(100)), { hasCoordinates: true }),
      ),
    ];
  }

  test('every drawing is well-formed XML, and nothing is outside its viewBox', async () => {
    const context = await openContext();
    const page = await context.newPage();
    const mistakes = await page.evaluate(`(${FIND_MISTAKES})(${JSON.stringify(manyDrawings())})`);
    expect(mistakes).toEqual([]);
    await context.close();
  });
});
