/** Boards and marks that tests draw. */
import type { BoardMark } from '../../src/explain/drawing/marks.js';
import type { ProblemRows } from './explained-boards.js';

/** Boards with every letter that an input has or that play adds. */
export const EVERY_LETTER: readonly ProblemRows[] = [
  { problem: 'bacterial-tactics', rows: ['.#o', 'ooo'] },
  { problem: 'darkraft', rows: ['LRX.'] },
  { problem: 'river-pawn', rows: ['.#.', 'O.O', '.X.'] },
  { problem: 'link-and-pop', rows: ['AU BD . CL', 'DR ES aU ..'] },
];

/** A mark of each kind and tone. */
export const ALL_MARKS: readonly BoardMark[] = [
  { kind: 'line', tone: 'good', label: '0', line: 'row', index: 1, from: 1, to: 3 },
  { kind: 'line', tone: 'bad', label: '12', line: 'column', index: 2, from: 1, to: 1 },
  { kind: 'cell', tone: 'good', label: '0', cell: [1, 1] },
  { kind: 'cell', tone: 'bad', label: '10', cell: [1, 3] },
  { kind: 'step', tone: 'even', label: '=', from: [1, 1], to: [1, 2] },
  { kind: 'step', tone: 'good', label: '261', from: [1, 3], to: [1, 2] },
  {
    kind: 'link',
    tone: 'plain',
    line: [
      [1, 1],
      [0, 1],
      [0, 3],
      [1, 3],
    ],
  },
];
