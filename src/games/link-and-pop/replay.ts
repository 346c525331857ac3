/**
 * Games of link-and-pop turn by turn. The solver chooses the pairs to pop. The moves of the blocks after each pop are played
 * here as the statement describes them, and the result is compared with the solver's.
 */
import type { CellPlace } from '../../problems/explanation.js';
import type { Board } from '../../problems/problem.js';
import { analyse, type Cell, type FinalRows, type Pop } from './solve.js';

export interface BlockMove {
  readonly from: CellPlace;
  readonly to: CellPlace;
}

/** A pop, and the moves that follow it until no block moves. */
export interface Turn {
  readonly pop: {
    readonly cells: readonly [CellPlace, CellPlace];
    /** The cells where the link starts, where it turns and where it ends. It may turn on the ring around the board. */
    readonly line: readonly CellPlace[];
  };
  /** The moves of all turns of checking, in order. */
  readonly moves: readonly BlockMove[];
}

/** What happens in a game. */
interface Trace {
  readonly turns: readonly Turn[];
  /** The final board as in the answer: one letter for each cell, `.` for an empty one. */
  readonly final: FinalRows;
}

/** The rows of a board as an input has them, with `..` for an empty cell. */
export type BlockRows = readonly string[];

/** A game with the board at each moment. A board is made when it is asked for, because all of them need much memory. */
export interface Replay extends Trace {
  /**
   * Returns the board after this number of pops. The moves after the last of them are already played if `hasMoved` is true.
   */
  rowsAfter(pops: number, hasMoved: boolean): BlockRows;
}

/** Plays the game of a board, and returns what happens. */
export function trace(board: Board): Trace {
  const { pops, rows: final } = analyse(board);
  const blocks = new Blocks(board);
  const turns = pops.map((pop) => playTurn(blocks, pop));
  if (blocks.symbolRows().join() !== final.join()) throw new Error('the replay and the solver disagree');
  return { turns, final };
}

/** Plays the game of a board, and returns what happens, with the rows of the board at each moment. */
export function replay(board: Board): Replay {
  const start = { ...board, cells: board.cells.slice() };
  const { turns, final } = trace(board);
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

function playTurn(blocks: Blocks, { first, second, bends }: Pop): Turn {
  const cells = [placeOf(first), placeOf(second)] as const;
  for (const cell of cells) blocks.clear(cell);
  const line = [cells[0], ...bends.map(placeOf), cells[1]];
  return { pop: { cells, line }, moves: blocks.settle(cells) };
}

function placeOf({ row, col }: Cell): CellPlace {
  return [row + 1, col + 1];
}

const EMPTY = '..';

/** The change of the row and of the column when a block moves, by the second letter of the block. */
const STEP_OF_WAY: Readonly<Record<string, readonly [down: number, right: number]>> = {
  U: [-1, 0],
  D: [1, 0],
  L: [0, -1],
  R: [0, 1],
};

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

  clear([row, column]: CellPlace): void {
    this.#blocks[this.#indexOf(row, column)] = EMPTY;
  }

  move(from: CellPlace, to: CellPlace): void {
    this.#blocks[this.#indexOf(...to)] = this.#blocks[this.#indexOf(...from)];
    this.clear(from);
  }

  /**
   * Plays turns of checking until no block moves, and returns the moves. Before the cells in `emptied` were emptied, no block
   * could move.
   */
  settle(emptied: readonly CellPlace[]): BlockMove[] {
    const moves: BlockMove[] = [];
    let movable = emptied.flatMap((place) => this.#blocksThatEnter(place));
    while (movable.length > 0) movable = this.#playTurn(movable, moves);
    return moves;
  }

  /** Returns the rows as an input has them. */
  rows(): BlockRows {
    return this.#rowsOf((block) => block, ' ');
  }

  /** Returns the rows as an answer has them. */
  symbolRows(): FinalRows {
    return this.#rowsOf((block) => block[0], '');
  }

  /**
   * Plays one turn of checking: checks each block once, in row-major order of the cells where the blocks were when the turn
   * began, and appends the moves to `moves`. Only blocks in the cells `movable` can move at first, and then those that enter a
   * cell which a move has emptied. Returns the cells of the blocks that may move in the next turn.
   */
  #playTurn(movable: readonly number[], moves: BlockMove[]): number[] {
    const waiting = [...new Set(movable)].sort((one, other) => one - other);
    const moved = new Set<number>();
    const later: number[] = [];
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const to = moved.has(index) ? null : this.#targetOf(index);
      if (to === null) continue;
      const from = this.#placeOf(index);
      this.move(from, to);
      moves.push({ from, to });
      moved.add(this.#indexOf(...to));
      later.push(this.#indexOf(...to));
      for (const other of this.#blocksThatEnter(from)) {
        if (other > index) insertSorted(waiting, other);
        else later.push(other);
      }
    }
    return later;
  }

  /** Returns the indices of the blocks that would move into a cell if it were empty. */
  #blocksThatEnter([row, column]: CellPlace): number[] {
    return Object.entries(STEP_OF_WAY)
      .map(([way, [down, right]]) => ({ way, place: [row - down, column - right] as const }))
      .filter(
        ({ way, place }) => this.#isOnBoard(...place) && this.#blocks[this.#indexOf(...place)][1] === way,
      )
      .map(({ place }) => this.#indexOf(...place));
  }

  /** Returns the cell that the block with this index can move to; null if it cannot move. */
  #targetOf(index: number): CellPlace | null {
    const step = STEP_OF_WAY[this.#blocks[index][1]];
    if (step === undefined) return null;
    const [row, column] = this.#placeOf(index);
    const to: CellPlace = [row + step[0], column + step[1]];
    return this.#isOnBoard(...to) && this.#blocks[this.#indexOf(...to)] === EMPTY ? to : null;
  }

  #isOnBoard(row: number, column: number): boolean {
    return row >= 1 && row <= this.#rows && column >= 1 && column <= this.#cols;
  }

  #placeOf(index: number): CellPlace {
    return [Math.floor(index / this.#cols) + 1, (index % this.#cols) + 1];
  }

  #rowsOf(textOf: (block: string) => string, separator: string): string[] {
    const texts = this.#blocks.map(textOf);
    return Array.from({ length: this.#rows }, (_, row) =>
      texts.slice(row * this.#cols, (row + 1) * this.#cols).join(separator),
    );
  }

  #indexOf(row: number, column: number): number {
    return (row - 1) * this.#cols + column - 1;
  }
}

/** Inserts a number into an array in ascending order, unless it is there already. */
function insertSorted(sorted: number[], value: number): void {
  const at = sorted.findIndex((each) => each >= value);
  if (at < 0) sorted.push(value);
  else if (sorted[at] !== value) sorted.splice(at, 0, value);
}
