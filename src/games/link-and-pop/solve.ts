/**
 * The portable solver of link-and-pop, which sweeps over sightlines.
 *
 * A cell sees a block if the block is the nearest one to the cell in some direction along its row or column. For
 * every cell the solver stores the block that it sees in each of the four directions. These data are called sightlines.
 * The solver finds links from the empty cells: a link of two segments turns at an empty cell that sees one block
 * along its row and the other along its column. The middle segment of a link of three segments is part of an empty
 * run: consecutive empty cells of a row or column. So the solver never tests a pair of blocks.
 *
 * Blocks are ordered by row, then by column. The first block of the pair to pop is the smallest endpoint of all links
 * with the fewest segments, because its partner is also an endpoint of such a link. Only the partners of this block
 * are then listed.
 *
 * Cost: O(cells) per pop with a small constant, plus O(1) per moved block. Testing every pair of blocks with the same
 * symbol would cost O(cells^2 / symbols) per pop. Caching the best link of each block would require keeping track of
 * the region that the link depends on.
 *
 * Reference: ACM ICPC Asia Regional, Shanghai 2004, "Link and Pop - the Block Game" (ZOJ 2391).
 */
import { assertRelation } from '../../core/assert.js';
import type { Board, BoardLimits, Solver } from '../../problems/problem.js';

/** The board at the end of the game, when no pair can be linked: one string per row, with `.` for an empty cell. */
export type FinalBoardRows = string[];

/** The limits of the problem statement. */
export const constraints: BoardLimits & { readonly cases: number } = {
  minRows: 1,
  maxRows: 30,
  minCols: 1,
  maxCols: 30,
  maxCells: 900,
  cases: 30,
};

/** The largest boards that the solvers can solve. */
export const supportedLimits: BoardLimits = {
  minRows: 1,
  maxRows: 100,
  minCols: 1,
  maxCols: 100,
  maxCells: 10_000,
};

/**
 * Number of cells of the largest board and of the ring of empty cells around it. Indices of cells must fit 16-bit
 * elements of arrays.
 */
const MAX_GRID_CELLS = (supportedLimits.maxRows + 2) * (supportedLimits.maxCols + 2);
assertRelation(MAX_GRID_CELLS <= 0xffff, 'a cell of the grid fits a Uint16Array');

export interface Cell {
  row: number;
  col: number;
}

/** One pop: the pair of blocks that is removed, and the link between the two blocks. */
export interface Pop {
  symbol: string;
  first: Cell;
  second: Cell;
  segments: 1 | 2 | 3;
  /**
   * The cells where the link turns, in order from `first` to `second`. A link may turn on the ring around the board. A
   * cell of the ring has row or column -1, or a row or column equal to the number of rows or columns.
   */
  bends: Cell[];
  /** Number of turns of checking after the pop in which a block moved. */
  turns: number;
}

/** Receives the events of a game. */
interface GameListener {
  /** Called for each pop, after the moves that follow it. */
  readonly onPop?: (pop: Pop) => void;
  /** Called for each move of a block, with the cell that it leaves and the one that it enters. */
  readonly onMove?: (from: Cell, to: Cell) => void;
}

/** All pops of a game in order, and its final rows. */
interface BoardAnalysis {
  pops: Pop[];
  rows: FinalBoardRows;
}

export function createPortableSolver(): Solver<FinalBoardRows> {
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

/** Plays the game of one board, and returns its final rows. */
export function playGame(board: Board, listener: GameListener): FinalBoardRows {
  return new Game().play(board, listener);
}

/** Plays the game of one board and returns every pop. */
export function analyse(board: Board): BoardAnalysis {
  const pops: Pop[] = [];
  const rows = playGame(board, { onPop: (pop) => pops.push(pop) });
  return { pops, rows };
}

/** Counts the work of the portable solver on a board. The counts are the same on every machine. */
export function countSolvingWork(board: Board): {
  readonly pops: number;
  readonly turns: number;
  /** Number of times that the sightlines of a row or column were updated. */
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

/** Number of entries in a table indexed by symbol number (1..26 for A-Z, 27..52 for a-z): the next power of two. */
const SYMBOL_TABLE_SIZE = 64;
const NO_BLOCK = 0;

function symbolNumber(letter: number): number {
  return (letter & 31) + (letter & 32 ? 26 : 0);
}

function symbolLetter(symbol: number): string {
  return String.fromCharCode(symbol <= 26 ? 64 + symbol : 70 + symbol);
}

/**
 * The state of one game: the board and the ring of empty cells around it. Cell (row, col) of the board has the index
 * (row + 1) * width + col + 1, where width = cols + 2. Index 0 is a corner of the ring, where no block can be, so 0
 * means "no block".
 */
class Game {
  #rows = 0;
  #cols = 0;
  #width = 0;
  #gridCellCount = 0;

  /** [cell] symbol number of the block in this cell, or 0 if the cell is empty. */
  readonly #symbol = new Uint8Array(MAX_GRID_CELLS);
  /** [cell] the change of the block's index when it moves one cell; 0 for a block with way S and for an empty cell. */
  readonly #moveDelta = new Int16Array(MAX_GRID_CELLS);
  /** [cell] 1 if the cell is on the ring around the board. Links may use the ring, but blocks may not move there. */
  readonly #isRing = new Uint8Array(MAX_GRID_CELLS);

  /** [cell] sightlines: index of the nearest block north, south, west and east of this cell, or 0 if there is none. */
  readonly #north = new Uint16Array(MAX_GRID_CELLS);
  readonly #south = new Uint16Array(MAX_GRID_CELLS);
  readonly #west = new Uint16Array(MAX_GRID_CELLS);
  readonly #east = new Uint16Array(MAX_GRID_CELLS);
  /** [row] or [column], with the ring: 1 if a cell of the row or column changed after its sightlines were updated. */
  readonly #staleRow = new Uint8Array(supportedLimits.maxRows + 2);
  readonly #staleCol = new Uint8Array(supportedLimits.maxCols + 2);

  /** [column * SYMBOL_TABLE_SIZE + symbol] topmost block of this symbol seen sideways from the empty run. */
  readonly #seenFromCol = new Uint16Array((supportedLimits.maxCols + 2) * SYMBOL_TABLE_SIZE);
  /** [column] index of the first cell of the row where the empty run begins. Blocks before this cell are not seen. */
  readonly #runStartOfCol = new Uint16Array(supportedLimits.maxCols + 2);
  /** [symbol] smallest block of this symbol seen up or down from the row's empty run. */
  readonly #seenFromRow = new Uint16Array(SYMBOL_TABLE_SIZE);
  /** [symbol] number of the empty run from which the entry of `#seenFromRow` was seen. */
  readonly #rowRunOfSeenBlock = new Uint32Array(SYMBOL_TABLE_SIZE);

  /** Cells of the blocks to check in this turn, and of the blocks to check in the next turn: one bit per cell. */
  readonly #toCheck = new Uint32Array((MAX_GRID_CELLS + 31) >> 5);
  readonly #toCheckNext = new Uint32Array((MAX_GRID_CELLS + 31) >> 5);

  /** The last pair that was found: number of segments of its link, its two blocks, and the cells where the link turns, or 0. */
  #segments: 0 | 1 | 2 | 3 = 0;
  #first = NO_BLOCK;
  #second = NO_BLOCK;
  #bend1 = NO_BLOCK;
  #bend2 = NO_BLOCK;

  /** Number of times in this game that the sightlines of a row or column were updated. */
  updatedLines = 0;

  #onMove: GameListener['onMove'] = undefined;

  play(board: Board, { onPop, onMove }: GameListener = {}): FinalBoardRows {
    this.#setUp(board);
    this.#onMove = onMove;
    while (this.#findPair()) {
      const pop = onPop && this.#describePop();
      this.#popPair();
      const turns = this.#playTurns();
      if (pop) onPop({ ...pop, turns });
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
        this.#moveDelta[cell] = this.#indexChangeOfWay(cells[from + 1]);
        this.#isRing[cell] = 0;
      }
  }

  #indexChangeOfWay(wayLetter: number): number {
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

  #formatRows(): FinalBoardRows {
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

  /** Finds the pair to pop and its link. Returns false if no pair can be linked. */
  #findPair(): boolean {
    this.#updateSightlines();
    this.#bend1 = this.#bend2 = NO_BLOCK;
    this.#first = this.#firstLinkedStraight();
    this.#segments = 1;
    if (this.#first !== NO_BLOCK) return this.#setStraightPair();
    this.#first = this.#firstLinkedByCorner();
    this.#segments = 2;
    if (this.#first !== NO_BLOCK) return this.#setPairByCorner();
    this.#first = this.#firstLinkedByTwoCorners();
    this.#segments = 3;
    if (this.#first !== NO_BLOCK) return this.#setPairByTwoCorners();
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

  #setStraightPair(): boolean {
    const toEast = this.#east[this.#first];
    const isEast = this.#symbol[toEast] === this.#symbol[this.#first];
    this.#second = isEast ? toEast : this.#south[this.#first];
    return true;
  }

  /**
   * Returns the smallest endpoint of a link that turns once. Such a link turns at an empty cell that sees one end
   * along its row and the other along its column.
   */
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

  /**
   * Finds the smallest partner of the first block. Every partner comes after the first block, so a link turns in the
   * row of the first block or below this row.
   */
  #setPairByCorner(): boolean {
    const symbol = this.#symbol;
    const south = this.#south;
    const west = this.#west;
    const east = this.#east;
    const first = this.#first;
    const width = this.#width;
    this.#second = MAX_GRID_CELLS;
    for (let cell = first - 1; symbol[cell] === NO_BLOCK && cell % width > 0; cell--)
      this.#takeIfSmallerPartner(south[cell], cell, NO_BLOCK);
    for (let cell = first + 1; symbol[cell] === NO_BLOCK && cell % width > 0; cell++)
      this.#takeIfSmallerPartner(south[cell], cell, NO_BLOCK);
    for (let cell = first + width; cell < this.#gridCellCount && symbol[cell] === NO_BLOCK; cell += width) {
      this.#takeIfSmallerPartner(west[cell], cell, NO_BLOCK);
      this.#takeIfSmallerPartner(east[cell], cell, NO_BLOCK);
    }
    return true;
  }

  #takeIfSmallerPartner(block: number, bend1: number, bend2: number): void {
    if (this.#symbol[block] !== this.#symbol[this.#first] || block <= this.#first || block >= this.#second)
      return;
    this.#second = block;
    this.#bend1 = bend1;
    this.#bend2 = bend2;
  }

  /**
   * Returns the smallest endpoint of a link that turns twice. The middle segment of such a link is part of an empty
   * run of a column (or row). The link exists if two blocks of the same symbol are seen sideways (or up and down)
   * from the run. One row-major sweep handles the runs of all columns at once, with a table of symbols for each
   * column, and the runs of rows one after another.
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
    this.#rowRunOfSeenBlock.fill(0);
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

  /**
   * Records a block that is seen from a column's run. If an earlier block of the same symbol is seen from the same
   * run, the two blocks are linked, and the method returns the topmost of the earlier blocks. Otherwise the method
   * returns MAX_GRID_CELLS.
   */
  #recordSeenFromCol(col: number, block: number): number {
    if (block === NO_BLOCK) return MAX_GRID_CELLS;
    const entry = col * SYMBOL_TABLE_SIZE + this.#symbol[block];
    const earlier = this.#seenFromCol[entry];
    if (earlier !== NO_BLOCK && earlier >= this.#runStartOfCol[col]) return earlier;
    this.#seenFromCol[entry] = block;
    return MAX_GRID_CELLS;
  }

  /**
   * Records a block that is seen from a row's run. If an earlier block of the same symbol is seen from the same run,
   * the two blocks are linked, and the method returns the smaller block. Otherwise the method returns MAX_GRID_CELLS.
   */
  #recordSeenFromRow(run: number, block: number): number {
    if (block === NO_BLOCK) return MAX_GRID_CELLS;
    const own = this.#symbol[block];
    if (this.#rowRunOfSeenBlock[own] === run) {
      this.#seenFromRow[own] = Math.min(this.#seenFromRow[own], block);
      return this.#seenFromRow[own];
    }
    this.#rowRunOfSeenBlock[own] = run;
    this.#seenFromRow[own] = block;
    return MAX_GRID_CELLS;
  }

  #setPairByTwoCorners(): boolean {
    const symbol = this.#symbol;
    const first = this.#first;
    const width = this.#width;
    this.#second = MAX_GRID_CELLS;
    const rowBegin = first - (first % width);
    for (let cell = first - 1; cell >= rowBegin && symbol[cell] === NO_BLOCK; cell--)
      this.#tryPartnersDownFrom(cell);
    for (let cell = first + 1; cell < rowBegin + width && symbol[cell] === NO_BLOCK; cell++)
      this.#tryPartnersDownFrom(cell);
    for (let cell = first - width; cell >= 0 && symbol[cell] === NO_BLOCK; cell -= width)
      this.#tryPartnersSidewaysFrom(cell);
    for (let cell = first + width; cell < this.#gridCellCount && symbol[cell] === NO_BLOCK; cell += width)
      this.#tryPartnersSidewaysFrom(cell);
    return true;
  }

  /** Tries middle segments that go down from a bend in the first block's row, because no partner is above this row. */
  #tryPartnersDownFrom(bend: number): void {
    for (
      let cell = bend + this.#width;
      cell < this.#gridCellCount && this.#symbol[cell] === NO_BLOCK;
      cell += this.#width
    ) {
      this.#takeIfSmallerPartner(this.#west[cell], bend, cell);
      this.#takeIfSmallerPartner(this.#east[cell], bend, cell);
    }
  }

  /** Tries middle segments that go left or right from a bend in the first block's column. */
  #tryPartnersSidewaysFrom(bend: number): void {
    const symbol = this.#symbol;
    const north = this.#north;
    const south = this.#south;
    const width = this.#width;
    const rowBegin = bend - (bend % width);
    for (let cell = bend - 1; cell >= rowBegin && symbol[cell] === NO_BLOCK; cell--) {
      this.#takeIfSmallerPartner(north[cell], bend, cell);
      this.#takeIfSmallerPartner(south[cell], bend, cell);
    }
    for (let cell = bend + 1; cell < rowBegin + width && symbol[cell] === NO_BLOCK; cell++) {
      this.#takeIfSmallerPartner(north[cell], bend, cell);
      this.#takeIfSmallerPartner(south[cell], bend, cell);
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
    this.#removeBlock(this.#first);
    this.#removeBlock(this.#second);
    this.#scheduleNeighbours(this.#first, this.#toCheck, this.#toCheck);
    this.#scheduleNeighbours(this.#second, this.#toCheck, this.#toCheck);
  }

  #removeBlock(cell: number): void {
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
   * Schedules the neighbours of a vacated cell that would move into this cell, because only these blocks have become able to
   * move. Neighbours after the cell in row-major order are added to the set `neighboursAfter`, because this turn has not
   * checked them yet. Neighbours before the cell are added to `neighboursBefore`, which the next turn checks.
   */
  #scheduleNeighbours(cell: number, neighboursBefore: Uint32Array, neighboursAfter: Uint32Array): void {
    const moveDelta = this.#moveDelta;
    const width = this.#width;
    if (moveDelta[cell - width] === width) addCell(neighboursBefore, cell - width);
    if (moveDelta[cell - 1] === 1) addCell(neighboursBefore, cell - 1);
    if (moveDelta[cell + 1] === -1) addCell(neighboursAfter, cell + 1);
    if (moveDelta[cell + width] === -width) addCell(neighboursAfter, cell + width);
  }

  /** Plays turns of checking until no block moves. Returns the number of turns in which a block moved. */
  #playTurns(): number {
    let turns = 0;
    while (this.#playTurn()) turns++;
    return turns;
  }

  /**
   * Plays one turn: checks the blocks in row-major order of their cells at the start of the turn. Returns whether a
   * block moved.
   */
  #playTurn(): boolean {
    const toCheck = this.#toCheck;
    const toCheckNext = this.#toCheckNext;
    const words = (this.#gridCellCount + 31) >> 5;
    let hasMoved = false;
    for (let word = 0; word < words; word++)
      while (toCheck[word] !== 0) {
        const bit = 31 - Math.clz32(toCheck[word] & -toCheck[word]);
        toCheck[word] &= ~(1 << bit);
        hasMoved = this.#moveBlockIfFree((word << 5) + bit) || hasMoved;
      }
    toCheck.set(toCheckNext.subarray(0, words));
    toCheckNext.fill(0, 0, words);
    return hasMoved;
  }

  #moveBlockIfFree(from: number): boolean {
    const to = from + this.#moveDelta[from];
    if (this.#symbol[to] !== NO_BLOCK || this.#isRing[to]) return false;
    this.#symbol[to] = this.#symbol[from];
    this.#moveDelta[to] = this.#moveDelta[from];
    this.#onMove?.(this.#cellAt(from), this.#cellAt(to));
    this.#markChanged(to);
    this.#removeBlock(from);
    this.#scheduleNeighbours(from, this.#toCheckNext, this.#toCheck);
    addCell(this.#toCheckNext, to);
    return true;
  }
}

function addCell(set: Uint32Array, cell: number): void {
  set[cell >> 5] |= 1 << (cell & 31);
}
