/** Plays the moves of an explanation on the letters of its board. */
import type { CellPlace } from '../../../problems/explanation.js';
import { boardOfCells } from './board-text.js';
import type { NarratedMove, ShownPlay } from './narration.js';
import type { Style } from './styled-text.js';

/** The texts of the cells of a board, row by row. Moves change the texts. */
export type BoardTexts = string[][];

interface BoardPlay<Move> {
  /** The cells before the first move. */
  readonly cells: readonly (readonly string[])[];
  readonly moves: readonly Move[];
  styleOf(text: string): Style | undefined;
  /** Says what a move does. `index` counts the moves from 0. */
  describe(move: Move, index: number): string;
  /** Makes a move, and returns the cells to be highlighted after it. */
  make(move: Move, cells: BoardTexts): readonly CellPlace[];
}

export function shownPlayOf<Move>(play: BoardPlay<Move>): ShownPlay {
  return { length: play.moves.length, steps: () => stepsOf(play) };
}

function* stepsOf<Move>({
  cells: start,
  moves,
  make,
  styleOf,
  describe,
}: BoardPlay<Move>): Iterable<NarratedMove> {
  const cells = start.map((row) => [...row]);
  for (const [index, move] of moves.entries()) {
    const changed = make(move, cells);
    yield { caption: () => describe(move, index), board: () => boardOfCells(cells, styleOf, changed) };
  }
}

/** Returns a function that looks up the style of a letter. */
export function createStyleLookup(
  styles: Readonly<Record<string, Style>>,
): (text: string) => Style | undefined {
  return (text) => styles[text];
}
