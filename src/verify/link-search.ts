/**
 * The blocks of a game of link-and-pop, and the search for the pair that the rules pop next. The board has a ring of empty
 * cells around it, on which links may run. A cell is called by its index, row * stride + column, with the ring as row 0.
 *
 * Every cell knows the first block that is seen from it in each direction. A link of one segment joins two blocks that see
 * each other. A link of two segments turns in an empty cell, which sees one block in its row and one in its column. A link of
 * three segments has its middle segment in a run (empty cells in a row or column with no block between them), and the two
 * blocks are seen sideways from cells of this run. So each search passes once over the board.
 */
import type { Cell } from './facts.js';

/** Two blocks with the same symbol, the first one before the second in row-major order, and a link with fewest segments. */
export interface BlockLink {
  readonly segments: number;
  readonly first: number;
  readonly second: number;
}

/** The move of a block to the next cell. */
interface BlockMove {
  readonly from: number;
  readonly to: number;
}

/** Stands for "no block" in the tables of seen blocks, and for the symbol of an empty cell. No block has index 0. */
const NONE = 0;
/** Number of character codes that a symbol can have: symbols are ASCII letters. */
const SYMBOL_CODES = 128;

export class BlockBoard {
  readonly rows: number;
  readonly cols: number;
  readonly #stride: number;
  readonly #size: number;
  /** [cell]: the character code of the symbol of the block in this cell, or NONE. */
  readonly #symbols: Uint8Array;
  /** [cell]: the change of its cell index when the block in this cell moves; 0 if the block cannot move. */
  readonly #steps: Int16Array;
  /** [cell]: 0 for a cell of the ring, else 1. */
  readonly #isOnBoard: Uint8Array;
  /** [cell]: the number of the last turn of checking in which a block moved to the cell. */
  readonly #movedIn: Uint32Array;
  #turn = 0;
  /** [cell]: the first block that is seen from the cell in this direction, or NONE. */
  readonly #above: Int32Array;
  readonly #below: Int32Array;
  readonly #leftward: Int32Array;
  readonly #rightward: Int32Array;
  /** [symbol]: the first block with this symbol that is seen from the run with number `#runOf[symbol]`. */
  readonly #firstOf = new Int32Array(SYMBOL_CODES);
  readonly #runOf = new Int32Array(SYMBOL_CODES);
  #run = 0;

  /** Places the blocks of a board, whose rows are blocks of two letters, separated by one space. */
  constructor(board: readonly string[]) {
    const blocks = board.map((row) => row.split(' '));
    this.rows = board.length;
    this.cols = blocks[0].length;
    this.#stride = this.cols + 2;
    this.#size = (this.rows + 2) * this.#stride;
    this.#symbols = new Uint8Array(this.#size);
    this.#steps = new Int16Array(this.#size);
    this.#isOnBoard = new Uint8Array(this.#size);
    this.#movedIn = new Uint32Array(this.#size);
    this.#above = new Int32Array(this.#size);
    this.#below = new Int32Array(this.#size);
    this.#leftward = new Int32Array(this.#size);
    this.#rightward = new Int32Array(this.#size);
    const stepOf: Readonly<Record<string, number>> = { U: -this.#stride, D: this.#stride, L: -1, R: 1, S: 0 };
    blocks.forEach((row, i) => {
      row.forEach((block, j) => {
        const cell = this.indexOf({ row: i + 1, col: j + 1 });
        this.#isOnBoard[cell] = 1;
        this.#symbols[cell] = block.charCodeAt(0);
        this.#steps[cell] = stepOf[block[1]];
      });
    });
  }

  indexOf({ row, col }: Cell): number {
    return row * this.#stride + col;
  }

  cellOf(index: number): Cell {
    return { row: Math.floor(index / this.#stride), col: index % this.#stride };
  }

  isEmpty(index: number): boolean {
    return this.#symbols[index] === NONE;
  }

  symbolAt(index: number): string {
    return this.isEmpty(index) ? '.' : String.fromCharCode(this.#symbols[index]);
  }

  remove(index: number): void {
    this.#symbols[index] = NONE;
    this.#steps[index] = 0;
  }

  /** Lets the blocks move until no block can move, and yields each move before it is made. */
  *settle(): Generator<BlockMove> {
    for (let hasMoved = true; hasMoved; ) {
      hasMoved = false;
      for (const move of this.#checkOnce()) {
        yield move;
        this.#move(move);
        hasMoved = true;
      }
    }
  }

  /** Returns the rows of the board as they are printed in an answer. */
  finalRows(): string[] {
    return Array.from({ length: this.rows }, (_, i) =>
      Array.from({ length: this.cols }, (_, j) =>
        this.symbolAt(this.indexOf({ row: i + 1, col: j + 1 })),
      ).join(''),
    );
  }

  /** Returns the link that is popped next: fewest segments, then topmost and leftmost blocks. Null if there is none. */
  findLink(): BlockLink | null {
    this.#look();
    return this.#findStraightLink() ?? this.#findLinkWithOneCorner() ?? this.#findLinkWithTwoCorners();
  }

  /**
   * Plays one turn of checking: yields the moves of the blocks in the order of the cells where they stood when the turn
   * began. A block that has moved to a later cell is not checked there again.
   */
  *#checkOnce(): Generator<BlockMove> {
    this.#turn++;
    for (let from = 0; from < this.#size; from++) {
      const step = this.#steps[from];
      if (step === 0 || this.#movedIn[from] === this.#turn) continue;
      const to = from + step;
      if (this.#isOnBoard[to] === 0 || !this.isEmpty(to)) continue;
      this.#movedIn[to] = this.#turn;
      yield { from, to };
    }
  }

  #move({ from, to }: BlockMove): void {
    this.#symbols[to] = this.#symbols[from];
    this.#steps[to] = this.#steps[from];
    this.remove(from);
  }

  /** Finds the first block that each cell sees in each direction. */
  #look(): void {
    for (let cell = 0; cell < this.#size; cell++) {
      const hasLeft = cell % this.#stride > 0;
      this.#leftward[cell] = hasLeft ? this.#seenAt(cell - 1, this.#leftward) : NONE;
      this.#above[cell] = cell >= this.#stride ? this.#seenAt(cell - this.#stride, this.#above) : NONE;
    }
    for (let cell = this.#size - 1; cell >= 0; cell--) {
      const hasRight = cell % this.#stride < this.#stride - 1;
      this.#rightward[cell] = hasRight ? this.#seenAt(cell + 1, this.#rightward) : NONE;
      const isBelow = cell + this.#stride < this.#size;
      this.#below[cell] = isBelow ? this.#seenAt(cell + this.#stride, this.#below) : NONE;
    }
  }

  /** Returns the block in the cell, or the block that is seen through the cell if the cell is empty. */
  #seenAt(cell: number, seen: Int32Array): number {
    return this.#symbols[cell] === NONE ? seen[cell] : cell;
  }

  #findStraightLink(): BlockLink | null {
    for (let first = 0; first < this.#size; first++) {
      if (this.#symbols[first] === NONE) continue;
      // A block in the same row comes before one in a lower row.
      for (const second of [this.#rightward[first], this.#below[first]])
        if (this.#symbols[second] === this.#symbols[first]) return { segments: 1, first, second };
    }
    return null;
  }

  #findLinkWithOneCorner(): BlockLink | null {
    let best: BlockLink | null = null;
    for (let corner = 0; corner < this.#size; corner++) {
      if (this.#symbols[corner] !== NONE) continue;
      best = this.#earlier(best, 2, this.#above[corner], this.#leftward[corner]);
      best = this.#earlier(best, 2, this.#above[corner], this.#rightward[corner]);
      best = this.#earlier(best, 2, this.#leftward[corner], this.#below[corner]);
      best = this.#earlier(best, 2, this.#rightward[corner], this.#below[corner]);
    }
    return best;
  }

  /** Returns the better link: `best`, or one between the blocks `one` and `other`, if both exist and have the same symbol. */
  #earlier(best: BlockLink | null, segments: number, one: number, other: number): BlockLink | null {
    if (one === NONE || other === NONE || this.#symbols[one] !== this.#symbols[other]) return best;
    const first = Math.min(one, other);
    const second = Math.max(one, other);
    if (best !== null && (best.first < first || (best.first === first && best.second <= second))) return best;
    return { segments, first, second };
  }

  #findLinkWithTwoCorners(): BlockLink | null {
    const height = this.rows + 2;
    let best: BlockLink | null = null;
    for (let col = 0; col < this.#stride; col++)
      best = this.#bestAlong(best, col, this.#stride, height, this.#leftward, this.#rightward);
    for (let row = 0; row < height; row++)
      best = this.#bestAlong(best, row * this.#stride, 1, this.#stride, this.#above, this.#below);
    return best;
  }

  /** Looks for links whose middle segment is in one row or column, which has `length` cells from `start` on. */
  #bestAlong(
    best: BlockLink | null,
    start: number,
    step: number,
    length: number,
    oneSide: Int32Array,
    otherSide: Int32Array,
  ): BlockLink | null {
    let better = best;
    this.#run++;
    for (let i = 0, cell = start; i < length; i++, cell += step) {
      if (this.#symbols[cell] !== NONE) {
        this.#run++;
        continue;
      }
      if (oneSide[cell] !== NONE) better = this.#addSeen(better, oneSide[cell]);
      if (otherSide[cell] !== NONE) better = this.#addSeen(better, otherSide[cell]);
    }
    return better;
  }

  /**
   * Notes that a block is seen from the run. Returns the better link: `best`, or one from this block to a block seen before.
   */
  #addSeen(best: BlockLink | null, block: number): BlockLink | null {
    const symbol = this.#symbols[block];
    if (this.#runOf[symbol] !== this.#run) {
      this.#runOf[symbol] = this.#run;
      this.#firstOf[symbol] = block;
      return best;
    }
    const partner = this.#firstOf[symbol];
    this.#firstOf[symbol] = Math.min(partner, block);
    return this.#earlier(best, 3, partner, block);
  }
}
