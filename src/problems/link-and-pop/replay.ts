/**
 * Games of link-and-pop turn by turn. The solver chooses the pairs to pop. The moves of the blocks after each pop are played
 * here as the statement describes them, and the result is compared with the solver's.
 */
import type { CellPlace } from '../explanation.js';
import type { Board } from '../problem.js';
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
export interface Trace {
  readonly turns: readonly Turn[];
  /** The final board as in the answer: one letter for each cell, `.` for an empty one. */
  readonly final: FinalRows;
}

/** The rows of a board as an input has them, with `..` for an empty cell. */
export type BlockRows = readonly string[];

export interface ReplayTurn extends Turn {
  readonly rowsBefore: BlockRows;
  readonly rowsAfterPop: BlockRows;
  readonly rowsAfterMoves: BlockRows;
}

/** A game with the board after every pop and after the moves that follow it. */
export interface Replay {
  readonly start: BlockRows;
  readonly turns: readonly ReplayTurn[];
  readonly final: FinalRows;
}

/** Plays the game of a board, and returns what happens. */
export function trace(board: Board): Trace {
  const { pops, rows: final } = analyse(board);
  const blocks = new Blocks(board);
  const turns = pops.map((pop) => playTurn(blocks, pop));
  if (blocks.symbolRows().join() !== final.join()) throw new Error('the replay and the solver disagree');
  return { turns, final };
}

/** Plays the game of a board, and returns what happens, with the rows of the board in between. */
export function replay(board: Board): Replay {
  const { turns, final } = trace(board);
  const blocks = new Blocks(board);
  const start = blocks.rows();
  let rowsBefore = start;
  const shown = turns.map((turn): ReplayTurn => {
    for (const cell of turn.pop.cells) blocks.clear(cell);
    const rowsAfterPop = blocks.rows();
    for (const { from, to } of turn.moves) blocks.move(from, to);
    const rowsAfterMoves = turn.moves.length === 0 ? rowsAfterPop : blocks.rows();
    const result = { ...turn, rowsBefore, rowsAfterPop, rowsAfterMoves };
    rowsBefore = rowsAfterMoves;
    return result;
  });
  return { start, turns: shown, final };
}

function playTurn(blocks: Blocks, { first, second, bends }: Pop): Turn {
  const cells = [placeOf(first), placeOf(second)] as const;
  for (const cell of cells) blocks.clear(cell);
  const line = [cells[0], ...bends.map(placeOf), cells[1]];
  return { pop: { cells, line }, moves: blocks.settle() };
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
  /** [row * cols + column]: the number of the turn of checking in which the block in this cell moved there. */
  readonly #movedInTurn: Uint32Array;
  #turn = 0;

  constructor({ rows, cols, cells }: Board) {
    this.#rows = rows;
    this.#cols = cols;
    this.#blocks = Array.from({ length: rows * cols }, (_, i) =>
      String.fromCharCode(cells[2 * i], cells[2 * i + 1]),
    );
    this.#movedInTurn = new Uint32Array(rows * cols);
  }

  clear([row, column]: CellPlace): void {
    this.#blocks[this.#indexOf(row, column)] = EMPTY;
  }

  move(from: CellPlace, to: CellPlace): void {
    this.#blocks[this.#indexOf(...to)] = this.#blocks[this.#indexOf(...from)];
    this.clear(from);
  }

  /** Plays turns of checking until no block moves, and returns the moves. */
  settle(): BlockMove[] {
    const moves: BlockMove[] = [];
    for (let before = -1; before < moves.length; ) {
      before = moves.length;
      this.#checkAll(moves);
    }
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
   * began, and appends the moves to `moves`. A block that moves to a later cell is not checked there again.
   */
  #checkAll(moves: BlockMove[]): void {
    this.#turn++;
    for (let row = 1, index = 0; row <= this.#rows; row++)
      for (let column = 1; column <= this.#cols; column++, index++) {
        const step = STEP_OF_WAY[this.#blocks[index][1]];
        if (step === undefined || this.#movedInTurn[index] === this.#turn) continue;
        const to: CellPlace = [row + step[0], column + step[1]];
        if (this.#canEnter(...to)) moves.push(this.#moveNow([row, column], to));
      }
  }

  #canEnter(row: number, column: number): boolean {
    const isOnBoard = row >= 1 && row <= this.#rows && column >= 1 && column <= this.#cols;
    return isOnBoard && this.#blocks[this.#indexOf(row, column)] === EMPTY;
  }

  #moveNow(from: CellPlace, to: CellPlace): BlockMove {
    this.move(from, to);
    this.#movedInTurn[this.#indexOf(...to)] = this.#turn;
    return { from, to };
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
