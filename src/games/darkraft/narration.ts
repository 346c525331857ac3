/** Tells an explanation of darkraft. */
import type { CellPlace, Explanation } from '../../problems/explanation.js';
import { type BoardTexts, createStyleLookup, shownPlayOf } from '../shared/narration/board-play.js';
import { boardOfCells } from '../shared/narration/board-text.js';
import { formatCellPlace, type Narration } from '../shared/narration/narration.js';

interface Opening {
  readonly cell: CellPlace;
  readonly letter: string;
  readonly nimber: number;
  readonly wins: boolean;
}

interface Fields {
  readonly answer: 'WIN' | 'LOSE';
  readonly nimber: number;
  readonly nimbers: readonly [even: number, odd: number];
  readonly moves: readonly Opening[];
  readonly play: readonly { readonly cell: CellPlace }[];
}

const CLEARED = '.';
const PLAYERS = ['First', 'Second'];
const styleOf = createStyleLookup({ L: 'blue', R: 'yellow', X: 'purple', [CLEARED]: 'quiet' });

export function narrateDarkraft(explanation: Explanation): Narration {
  const { answer, moves: openings, play: moves } = explanation as Explanation & Fields;
  const cells = explanation.board.map((row) => [...row]);
  return {
    answer,
    reason: reasonOf(explanation as Explanation & Fields),
    board: boardOfCells(cells, styleOf),
    moves: [
      {
        outcome: 'win',
        moves: openings.filter(({ wins }) => wins).map((move) => `${openingText(move)}: leaves nimber 0`),
      },
      {
        outcome: 'lose',
        moves: openings
          .filter(({ wins }) => !wins)
          .map((move) => `${openingText(move)} (nimber ${move.nimber})`),
      },
    ],
    playTitle: `Best play (${CLEARED}: cleared):`,
    play: shownPlayOf({ cells, moves, styleOf, describe: moveText, make: clear }),
    ending: `${PLAYERS[moves.length % 2]} finds no letter, and loses.`,
  };
}

function reasonOf({ nimber, nimbers: [even, odd] }: Fields): string {
  const nimbers = `The cells whose row + column is even have the nimber ${even}, the other cells ${odd}, both together ${nimber}.`;
  return nimber === 0
    ? `The first player loses. ${nimbers} So each of his moves leaves a nimber other than 0.`
    : `The first player wins. ${nimbers} He wins with the moves that leave 0.`;
}

function openingText({ cell, letter }: Opening): string {
  return `${letter} at ${formatCellPlace(cell)}`;
}

function moveText({ cell }: { readonly cell: CellPlace }, index: number): string {
  return `${PLAYERS[index % 2]}: ${formatCellPlace(cell)}`;
}

/** For each letter, the steps down and right that its rays take. */
const RISING = [
  [1, -1],
  [-1, 1],
] as const;
const FALLING = [
  [-1, -1],
  [1, 1],
] as const;
const RAYS: Readonly<Record<string, readonly (readonly [down: number, right: number])[]>> = {
  L: RISING,
  R: FALLING,
  X: [...RISING, ...FALLING],
};

/** Clears a cell, and the cells on the rays of its letter up to the edge or the first cleared cell. */
function clear({ cell: [row, column] }: { readonly cell: CellPlace }, cells: BoardTexts): CellPlace[] {
  const rays = RAYS[cells[row - 1][column - 1]];
  const onRays = rays.flatMap(([down, right]) => lettersOnRay(cells, [row, column], down, right));
  const cleared: CellPlace[] = [[row, column], ...onRays];
  for (const [i, j] of cleared) cells[i - 1][j - 1] = CLEARED;
  return cleared;
}

function lettersOnRay(cells: BoardTexts, [row, column]: CellPlace, down: number, right: number): CellPlace[] {
  const places: CellPlace[] = [];
  for (let [i, j] = [row + down, column + right]; isLetter(cells[i - 1]?.[j - 1]); i += down, j += right)
    places.push([i, j]);
  return places;
}

function isLetter(text: string | undefined): boolean {
  return text !== undefined && text !== CLEARED;
}
