/** Games of link-and-pop turn by turn, as the solver plays them. */
import type { CellPlace } from '../../problems/explanation.js';
import type { Board } from '../../problems/problem.js';
import { type Cell, type FinalBoardRows, type Pop, playGame } from './solve.js';

export interface BlockMove {
  readonly from: CellPlace;
  readonly to: CellPlace;
}

/** A pop, and the moves that follow it until no block moves. */
export interface PopAndMoves {
  readonly pop: {
    readonly cells: readonly [CellPlace, CellPlace];
    /** The cells where the link starts, where it turns and where it ends. A link may turn on the ring around the board. */
    readonly line: readonly CellPlace[];
  };
  /** The moves of all turns of checking, in order. */
  readonly moves: readonly BlockMove[];
}

/** What happens in a game. */
interface Trace {
  readonly turns: readonly PopAndMoves[];
  /** The rows of the final board, as in an answer: one letter for each cell, `.` for an empty cell. */
  readonly final: FinalBoardRows;
}

/** The rows of a board during a game, printed as in an input, with `..` for an empty cell. */
export type BlockBoardRows = readonly string[];

/** A game with the board at each moment. `rowsAfter` computes a board, because storing all boards would need much memory. */
export interface Replay extends Trace {
  /** Returns the board after this number of pops. With `hasMoved`, the moves after the last of these pops are played, too. */
  rowsAfter(pops: number, hasMoved: boolean): BlockBoardRows;
}

/** Plays the game of a board, and returns its pops, its moves and the final board. */
export function traceGame(board: Board): Trace {
  const turns: PopAndMoves[] = [];
  let moves: BlockMove[] = [];
  const final = playGame(board, {
    onMove: (from, to) => moves.push({ from: placeOf(from), to: placeOf(to) }),
    onPop(pop) {
      turns.push({ pop: placesOf(pop), moves });
      moves = [];
    },
  });
  return { turns, final };
}

/** Plays the game of a board, and returns its pops and moves, with the rows of the board at each moment. */
export function replayGame(board: Board): Replay {
  const start = { ...board, cells: board.cells.slice() };
  const { turns, final } = traceGame(board);
  return {
    turns,
    final,
    rowsAfter(pops, hasMoved) {
      const blocks = new Blocks(start);
      for (const [i, { pop, moves }] of turns.slice(0, pops).entries()) {
        for (const cell of pop.cells) blocks.clear(cell);
        if (i < pops - 1 || hasMoved) for (const { from, to } of moves) blocks.move(from, to);
      }
      return blocks.rows();
    },
  };
}

function placesOf({ first, second, bends }: Pop): PopAndMoves['pop'] {
  const cells = [placeOf(first), placeOf(second)] as const;
  return { cells, line: [cells[0], ...bends.map(placeOf), cells[1]] };
}

function placeOf({ row, col }: Cell): CellPlace {
  return [row + 1, col + 1];
}

const EMPTY = '..';

/** The blocks on a board. */
class Blocks {
  readonly #rows: number;
  readonly #cols: number;
  /** [row * cols + column], both from 0: the two letters of the block, or EMPTY. */
  readonly #blocks: string[];

  constructor({ rows, cols, cells }: Board) {
    this.#rows = rows;
    this.#cols = cols;
    this.#blocks = Array.from({ length: rows * cols }, (_, i) =>
      String.fromCharCode(cells[2 * i], cells[2 * i + 1]),
    );
  }

  clear(place: CellPlace): void {
    this.#blocks[this.#indexOf(place)] = EMPTY;
  }

  move(from: CellPlace, to: CellPlace): void {
    this.#blocks[this.#indexOf(to)] = this.#blocks[this.#indexOf(from)];
    this.clear(from);
  }

  /** Returns the rows of the board as they are printed in an input. */
  rows(): BlockBoardRows {
    return Array.from({ length: this.#rows }, (_, row) =>
      this.#blocks.slice(row * this.#cols, (row + 1) * this.#cols).join(' '),
    );
  }

  #indexOf([row, column]: CellPlace): number {
    return (row - 1) * this.#cols + column - 1;
  }
}
