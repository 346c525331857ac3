/**
 * Portable solver of link-and-pop: sightline sweeps.
 *
 * A link of two segments turns at an empty cell that sees one block along its row and the other along its
 * column; a link of three turns twice on one empty run of a row or column. So no pair is ever tested: for every
 * cell we keep the nearest block in each of the four directions, and read the links off the empty cells.
 * The first block of the pair to pop is the smallest endpoint of any link with the fewest segments, since the
 * partner of the smallest endpoint is an endpoint too; only that one block's partners are then enumerated.
 *
 * Cost: O(cells) a pop with a small constant, plus O(1) a moved block. Testing every pair of one symbol instead
 * costs O(cells^2 / symbols) a pop, and caching each block's best link needs the region it depends on.
 *
 * Reference: ACM ICPC Asia Regional, Shanghai 2004, "Link and Pop - the Block Game" (ZOJ 2391).
 */
import { assertRelation } from '../../core/assert.js';
import type { Board, BoardLimits, Solver } from '../problem.js';

/** The board as it stands when no pair can be linked: a row each, `.` where no block is. */
export type FinalRows = string[];

/** The statement's limits. */
export const contestLimits: BoardLimits & { readonly cases: number } = {
  minRows: 1,
  maxRows: 30,
  minCols: 1,
  maxCols: 30,
  maxCells: 900,
  cases: 30,
};

/** What this solver answers exactly. */
export const limits: BoardLimits = { minRows: 1, maxRows: 100, minCols: 1, maxCols: 100, maxCells: 10_000 };

/** Cell indices are held in 16-bit elements, ring included. */
const MAX_GRID_CELLS = (limits.maxRows + 2) * (limits.maxCols + 2);
assertRelation(MAX_GRID_CELLS <= 0xffff, 'a cell of the grid fits a Uint16Array');

export interface Cell {
  row: number;
  col: number;
}

/** One pop: the pair, its link, and how many turns of checking moved a block afterwards. */
export interface Pop {
  symbol: string;
  first: Cell;
  second: Cell;
  segments: 1 | 2 | 3;
  /** Where the link turns, from `first` to `second`; row or column -1, or one past the last, is the ring. */
  bends: Cell[];
  turns: number;
}

/** Told of each step of a game as it happens; for `explain`. */
export interface GameListener {
  onPop(pop: Pop, rows: FinalRows): void;
}

export interface Analysis {
  pops: Pop[];
  rows: FinalRows;
}

export function createPortableSolver(): Solver<FinalRows> {
  const game = new Game();
  return {
    name: 'portable',
    lanes: 1,
    fallbackCases: 0,
    solve(boards, count, answers) {
      for (let i = 0; i < count; i++) answers[i] = game.play(boards[i]);
    },
  };
}

/** Plays one board and keeps every pop of it. */
export function analyse(board: Board): Analysis {
  const pops: Pop[] = [];
  const rows = new Game().play(board, { onPop: (pop) => pops.push(pop) });
  return { pops, rows };
}

/** What a board costs the portable solver, counted: the same on every machine. */
export function effort(board: Board): {
  readonly pops: number;
  readonly turns: number;
  /** Rows and columns that were looked along. */
  readonly lines: number;
} {
  const game = new Game();
  let pops = 0;
  let turns = 0;
  game.play(board, {
    onPop(pop) {
      pops++;
      turns += pop.turns;
    },
  });
  return { pops, turns, lines: game.updatedLines };
}

/** Symbols are numbered 1..26 for A-Z and 27..52 for a-z; tables indexed by symbol have a power of two of them. */
const SYMBOL_TABLE_SIZE = 64;
const NO_BLOCK = 0;

function symbolNumber(letter: number): number {
  return (letter & 31) + (letter & 32 ? 26 : 0);
}

function symbolLetter(symbol: number): string {
  return String.fromCharCode(symbol <= 26 ? 64 + symbol : 70 + symbol);
}

/**
 * The board of one game in its ring: cell (row, col) of the board is index (row + 1) * width + col + 1, where
 * width = cols + 2. Index 0 is a corner of the ring and never a block, so it stands for "no block".
 */
class Game {
  #rows = 0;
  #cols = 0;
  #width = 0;
  #gridCellCount = 0;

  /** [cell] symbol number of the block there, 0 where none is. */
  readonly #symbol = new Uint8Array(MAX_GRID_CELLS);
  /** [cell] what the block there adds to its index when it moves, 0 for S and for no block. */
  readonly #moveDelta = new Int16Array(MAX_GRID_CELLS);
  /** [cell] 1 on the ring, where lines may run and blocks may not. */
  readonly #isRing = new Uint8Array(MAX_GRID_CELLS);

  /** [cell] nearest block strictly north, south, west, east of it; 0 where there is none. */
  readonly #north = new Uint16Array(MAX_GRID_CELLS);
  readonly #south = new Uint16Array(MAX_GRID_CELLS);
  readonly #west = new Uint16Array(MAX_GRID_CELLS);
  readonly #east = new Uint16Array(MAX_GRID_CELLS);
  /** [grid row], [grid column] 1 where a cell changed since the sightlines along it were drawn. */
  readonly #staleRow = new Uint8Array(limits.maxRows + 2);
  readonly #staleCol = new Uint8Array(limits.maxCols + 2);

  /** [column * SYMBOLS + symbol] topmost block of that symbol seen sideways from the column's empty run. */
  readonly #seenFromCol = new Uint16Array((limits.maxCols + 2) * SYMBOL_TABLE_SIZE);
  /** [column] first index of the row in which the column's empty run began: older entries are void. */
  readonly #runStartOfCol = new Uint16Array(limits.maxCols + 2);
  /** [symbol] smallest block of that symbol seen up or down from the row's empty run, and that run's number. */
  readonly #seenFromRow = new Uint16Array(SYMBOL_TABLE_SIZE);
  readonly #runOfSeenFromRow = new Uint32Array(SYMBOL_TABLE_SIZE);

  /** Bit sets of cells, 32 a word: blocks to check in this turn and in the next. */
  readonly #toCheck = new Uint32Array((MAX_GRID_CELLS + 31) >> 5);
  readonly #toCheckNext = new Uint32Array((MAX_GRID_CELLS + 31) >> 5);

  /** The pair found last: the number of segments, both blocks, and where their link turns (0: it does not). */
  #segments: 0 | 1 | 2 | 3 = 0;
  #first = NO_BLOCK;
  #second = NO_BLOCK;
  #bend1 = NO_BLOCK;
  #bend2 = NO_BLOCK;

  /** Rows and columns that sightlines were drawn along, in this game. */
  updatedLines = 0;

  play(board: Board, listener?: GameListener): FinalRows {
    this.#setUp(board);
    while (this.#findPair()) {
      const pop = listener && this.#describePop();
      this.#popPair();
      const turns = this.#playTurns();
      if (pop) listener.onPop({ ...pop, turns }, this.#formatRows());
    }
    return this.#formatRows();
  }

  #setUp({ rows, cols, cells }: Board): void {
    this.#rows = rows;
    this.#cols = cols;
    this.#width = cols + 2;
    this.#gridCellCount = (rows + 2) * this.#width;
    this.#symbol.fill(0, 0, this.#gridCellCount);
    this.#moveDelta.fill(0, 0, this.#gridCellCount);
    this.#isRing.fill(1, 0, this.#gridCellCount);
    this.updatedLines = 0;
    this.#staleRow.fill(1);
    this.#staleCol.fill(1);
    for (let row = 0, from = 0; row < rows; row++)
      for (let col = 0, cell = (row + 1) * this.#width + 1; col < cols; col++, cell++, from += 2) {
        this.#symbol[cell] = symbolNumber(cells[from]);
        this.#moveDelta[cell] = this.#moveDeltaOf(cells[from + 1]);
        this.#isRing[cell] = 0;
      }
  }

  #moveDeltaOf(wayLetter: number): number {
    switch (wayLetter) {
      case 0x55 /* U */:
        return -this.#width;
      case 0x44 /* D */:
        return this.#width;
      case 0x4c /* L */:
        return -1;
      case 0x52 /* R */:
        return 1;
      default:
        return 0;
    }
  }

  #formatRows(): FinalRows {
    const lines: string[] = [];
    for (let row = 1; row <= this.#rows; row++) {
      let line = '';
      for (let cell = row * this.#width + 1; cell <= row * this.#width + this.#cols; cell++)
        line += this.#symbol[cell] === NO_BLOCK ? '.' : symbolLetter(this.#symbol[cell]);
      lines.push(line);
    }
    return lines;
  }

  // --- Finding the pair to pop -------------------------------------------------------------------------------

  /** Sets the pair to pop and its link; false when no pair can be linked. */
  #findPair(): boolean {
    this.#updateSightlines();
    this.#bend1 = this.#bend2 = NO_BLOCK;
    this.#first = this.#firstLinkedStraight();
    this.#segments = 1;
    if (this.#first !== NO_BLOCK) return this.#pairStraight();
    this.#first = this.#firstLinkedByCorner();
    this.#segments = 2;
    if (this.#first !== NO_BLOCK) return this.#pairByCorner();
    this.#first = this.#firstLinkedByTwoCorners();
    this.#segments = 3;
    if (this.#first !== NO_BLOCK) return this.#pairByTwoCorners();
    this.#segments = 0;
    return false;
  }

  #updateSightlines(): void {
    for (let row = 0; row < this.#rows + 2; row++) if (this.#staleRow[row]) this.#updateRowSightlines(row);
    for (let col = 0; col < this.#width; col++) if (this.#staleCol[col]) this.#updateColumnSightlines(col);
  }

  #updateRowSightlines(row: number): void {
    const symbol = this.#symbol;
    const west = this.#west;
    const east = this.#east;
    const begin = row * this.#width;
    const end = begin + this.#width;
    for (let cell = begin, seen = NO_BLOCK; cell < end; cell++) {
      west[cell] = seen;
      if (symbol[cell] !== NO_BLOCK) seen = cell;
    }
    for (let cell = end - 1, seen = NO_BLOCK; cell >= begin; cell--) {
      east[cell] = seen;
      if (symbol[cell] !== NO_BLOCK) seen = cell;
    }
    this.#staleRow[row] = 0;
    this.updatedLines++;
  }

  #updateColumnSightlines(col: number): void {
    const symbol = this.#symbol;
    const north = this.#north;
    const south = this.#south;
    const width = this.#width;
    const last = this.#gridCellCount - width + col;
    for (let cell = col, seen = NO_BLOCK; cell <= last; cell += width) {
      north[cell] = seen;
      if (symbol[cell] !== NO_BLOCK) seen = cell;
    }
    for (let cell = last, seen = NO_BLOCK; cell >= 0; cell -= width) {
      south[cell] = seen;
      if (symbol[cell] !== NO_BLOCK) seen = cell;
    }
    this.#staleCol[col] = 0;
    this.updatedLines++;
  }

  #firstLinkedStraight(): number {
    const symbol = this.#symbol;
    const east = this.#east;
    const south = this.#south;
    for (let cell = this.#width + 1; cell < this.#gridCellCount - this.#width; cell++) {
      const own = symbol[cell];
      if (own !== NO_BLOCK && (symbol[east[cell]] === own || symbol[south[cell]] === own)) return cell;
    }
    return NO_BLOCK;
  }

  #pairStraight(): boolean {
    const toEast = this.#east[this.#first];
    const isEast = this.#symbol[toEast] === this.#symbol[this.#first];
    this.#second = isEast ? toEast : this.#south[this.#first];
    return true;
  }

  /** The smallest endpoint of a link that turns once: an empty cell sees both ends, on different lines. */
  #firstLinkedByCorner(): number {
    const symbol = this.#symbol;
    const north = this.#north;
    const south = this.#south;
    const west = this.#west;
    const east = this.#east;
    let first = MAX_GRID_CELLS;
    for (let cell = this.#width + 1; cell < this.#gridCellCount - this.#width; cell++) {
      if (symbol[cell] !== NO_BLOCK) continue;
      const above = north[cell];
      const left = west[cell];
      const right = east[cell];
      const up = symbol[above];
      const down = symbol[south[cell]];
      const onLeft = symbol[left];
      const onRight = symbol[right];
      if (up !== NO_BLOCK && (up === onLeft || up === onRight) && above < first) first = above;
      if (down === NO_BLOCK) continue;
      if (down === onLeft && left < first) first = left;
      if (down === onRight && right < first) first = right;
    }
    return first === MAX_GRID_CELLS ? NO_BLOCK : first;
  }

  /** Every partner of the first block lies after it, so its links turn on its row or below it. */
  #pairByCorner(): boolean {
    const symbol = this.#symbol;
    const south = this.#south;
    const west = this.#west;
    const east = this.#east;
    const first = this.#first;
    const width = this.#width;
    this.#second = MAX_GRID_CELLS;
    for (let cell = first - 1; symbol[cell] === NO_BLOCK && cell % width > 0; cell--)
      this.#offerPartner(south[cell], cell, NO_BLOCK);
    for (let cell = first + 1; symbol[cell] === NO_BLOCK && cell % width > 0; cell++)
      this.#offerPartner(south[cell], cell, NO_BLOCK);
    for (let cell = first + width; cell < this.#gridCellCount && symbol[cell] === NO_BLOCK; cell += width) {
      this.#offerPartner(west[cell], cell, NO_BLOCK);
      this.#offerPartner(east[cell], cell, NO_BLOCK);
    }
    return true;
  }

  #offerPartner(block: number, bend1: number, bend2: number): void {
    if (this.#symbol[block] !== this.#symbol[this.#first] || block <= this.#first || block >= this.#second)
      return;
    this.#second = block;
    this.#bend1 = bend1;
    this.#bend2 = bend2;
  }

  /**
   * The smallest endpoint of a link that turns twice. Its middle segment lies on an empty run of a column or
   * of a row; it exists where two blocks of one symbol are seen sideways from that run. One row-major sweep
   * serves the runs of all columns, each with its own table of symbols, and the runs of rows, one by one.
   */
  #firstLinkedByTwoCorners(): number {
    const symbol = this.#symbol;
    const north = this.#north;
    const south = this.#south;
    const west = this.#west;
    const east = this.#east;
    const runStartOfCol = this.#runStartOfCol;
    const width = this.#width;
    this.#seenFromCol.fill(NO_BLOCK, 0, width * SYMBOL_TABLE_SIZE);
    this.#runOfSeenFromRow.fill(0);
    runStartOfCol.fill(0);
    let first = MAX_GRID_CELLS;
    let run = 0;
    for (let row = 0, cell = 0; row < this.#rows + 2; row++) {
      run++;
      for (let col = 0; col < width; col++, cell++) {
        if (symbol[cell] !== NO_BLOCK) {
          run++;
          runStartOfCol[col] = (row + 1) * width;
          continue;
        }
        first = Math.min(
          first,
          this.#recordSeenFromCol(col, west[cell]),
          this.#recordSeenFromCol(col, east[cell]),
        );
        first = Math.min(
          first,
          this.#recordSeenFromRow(run, north[cell]),
          this.#recordSeenFromRow(run, south[cell]),
        );
      }
    }
    return first === MAX_GRID_CELLS ? NO_BLOCK : first;
  }

  /** Notes a block seen from a column's run; the topmost earlier one of its symbol there, if any, is linked. */
  #recordSeenFromCol(col: number, block: number): number {
    if (block === NO_BLOCK) return MAX_GRID_CELLS;
    const entry = col * SYMBOL_TABLE_SIZE + this.#symbol[block];
    const earlier = this.#seenFromCol[entry];
    if (earlier !== NO_BLOCK && earlier >= this.#runStartOfCol[col]) return earlier;
    this.#seenFromCol[entry] = block;
    return MAX_GRID_CELLS;
  }

  /** Notes a block seen from a row's run; the smaller of it and an earlier one of its symbol is linked. */
  #recordSeenFromRow(run: number, block: number): number {
    if (block === NO_BLOCK) return MAX_GRID_CELLS;
    const own = this.#symbol[block];
    if (this.#runOfSeenFromRow[own] === run) {
      this.#seenFromRow[own] = Math.min(this.#seenFromRow[own], block);
      return this.#seenFromRow[own];
    }
    this.#runOfSeenFromRow[own] = run;
    this.#seenFromRow[own] = block;
    return MAX_GRID_CELLS;
  }

  #pairByTwoCorners(): boolean {
    const symbol = this.#symbol;
    const first = this.#first;
    const width = this.#width;
    this.#second = MAX_GRID_CELLS;
    const rowBegin = first - (first % width);
    for (let cell = first - 1; cell >= rowBegin && symbol[cell] === NO_BLOCK; cell--)
      this.#pairDownFrom(cell);
    for (let cell = first + 1; cell < rowBegin + width && symbol[cell] === NO_BLOCK; cell++)
      this.#pairDownFrom(cell);
    for (let cell = first - width; cell >= 0 && symbol[cell] === NO_BLOCK; cell -= width)
      this.#pairSidewaysFrom(cell);
    for (let cell = first + width; cell < this.#gridCellCount && symbol[cell] === NO_BLOCK; cell += width)
      this.#pairSidewaysFrom(cell);
    return true;
  }

  /** Middle segment downwards from a bend on the first block's row; above it no partner can be. */
  #pairDownFrom(bend: number): void {
    for (
      let cell = bend + this.#width;
      cell < this.#gridCellCount && this.#symbol[cell] === NO_BLOCK;
      cell += this.#width
    ) {
      this.#offerPartner(this.#west[cell], bend, cell);
      this.#offerPartner(this.#east[cell], bend, cell);
    }
  }

  /** Middle segment sideways from a bend in the first block's column. */
  #pairSidewaysFrom(bend: number): void {
    const symbol = this.#symbol;
    const north = this.#north;
    const south = this.#south;
    const width = this.#width;
    const rowBegin = bend - (bend % width);
    for (let cell = bend - 1; cell >= rowBegin && symbol[cell] === NO_BLOCK; cell--) {
      this.#offerPartner(north[cell], bend, cell);
      this.#offerPartner(south[cell], bend, cell);
    }
    for (let cell = bend + 1; cell < rowBegin + width && symbol[cell] === NO_BLOCK; cell++) {
      this.#offerPartner(north[cell], bend, cell);
      this.#offerPartner(south[cell], bend, cell);
    }
  }

  #describePop(): Omit<Pop, 'turns'> {
    const bends = [this.#bend1, this.#bend2].slice(0, this.#segments - 1);
    return {
      symbol: symbolLetter(this.#symbol[this.#first]),
      first: this.#cellAt(this.#first),
      second: this.#cellAt(this.#second),
      segments: this.#segments as 1 | 2 | 3,
      bends: bends.map((bend) => this.#cellAt(bend)),
    };
  }

  #cellAt(cell: number): Cell {
    return { row: Math.floor(cell / this.#width) - 1, col: (cell % this.#width) - 1 };
  }

  // --- Popping and moving --------------------------------------------------------------------------------------

  #popPair(): void {
    this.#vacate(this.#first);
    this.#vacate(this.#second);
    this.#scheduleNeighbours(this.#first, this.#toCheck, this.#toCheck);
    this.#scheduleNeighbours(this.#second, this.#toCheck, this.#toCheck);
  }

  #vacate(cell: number): void {
    this.#symbol[cell] = NO_BLOCK;
    this.#moveDelta[cell] = 0;
    this.#markChanged(cell);
  }

  #markChanged(cell: number): void {
    const row = (cell / this.#width) | 0;
    this.#staleRow[row] = 1;
    this.#staleCol[cell - row * this.#width] = 1;
  }

  /**
   * Only a block that points at a vacated cell can move. In the turn that vacates it, those after it in
   * row-major order (`later`) are still to be checked; those before it (`earlier`) wait for the next turn.
   */
  #scheduleNeighbours(cell: number, earlier: Uint32Array, later: Uint32Array): void {
    const step = this.#moveDelta;
    const width = this.#width;
    if (step[cell - width] === width) addCell(earlier, cell - width);
    if (step[cell - 1] === 1) addCell(earlier, cell - 1);
    if (step[cell + 1] === -1) addCell(later, cell + 1);
    if (step[cell + width] === -width) addCell(later, cell + width);
  }

  /** Turns of checking until nothing moves; returns how many of them moved a block. */
  #playTurns(): number {
    let turns = 0;
    while (this.#playTurn()) turns++;
    return turns;
  }

  /** Visits the blocks to check in row-major order of where they stood when the turn began. */
  #playTurn(): boolean {
    const toCheck = this.#toCheck;
    const toCheckNext = this.#toCheckNext;
    const words = (this.#gridCellCount + 31) >> 5;
    let hasMoved = false;
    for (let word = 0; word < words; word++)
      while (toCheck[word] !== 0) {
        const bit = 31 - Math.clz32(toCheck[word] & -toCheck[word]);
        toCheck[word] &= ~(1 << bit);
        hasMoved = this.#moveBlock((word << 5) + bit) || hasMoved;
      }
    toCheck.set(toCheckNext.subarray(0, words));
    toCheckNext.fill(0, 0, words);
    return hasMoved;
  }

  #moveBlock(from: number): boolean {
    const to = from + this.#moveDelta[from];
    if (this.#symbol[to] !== NO_BLOCK || this.#isRing[to]) return false;
    this.#symbol[to] = this.#symbol[from];
    this.#moveDelta[to] = this.#moveDelta[from];
    this.#markChanged(to);
    this.#vacate(from);
    this.#scheduleNeighbours(from, this.#toCheckNext, this.#toCheck);
    addCell(this.#toCheckNext, to);
    return true;
  }
}

function addCell(set: Uint32Array, cell: number): void {
  set[cell >> 5] |= 1 << (cell & 31);
}
