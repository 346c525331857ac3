/**
 * River Pawn (过河卒) by retrograde analysis: breadth first from the finished positions backwards, with a
 * counter of unrefuted moves for each position (Ströhlein 1970; Thompson, "Retrograde Analysis of Certain
 * Endgames", ICCA Journal 9(3), 1986).
 *
 * Cost: every position enters the queue at most once, and each is looked at once for each move that leads
 * to it: O(P * S) time and memory for P pairs of red squares and S squares of Black, 5 bytes a position.
 *
 * Why not forward search: games go in circles, so a depth-first value may rest on itself; going backwards,
 * a position is only ever settled by settled ones, and the level it is settled at is its exact distance.
 *
 * Three facts keep the table small:
 * - The reds are alike, so a pair of squares stands for both orders: half the table.
 * - Each move changes the chequer colour of exactly one piece, so the colours tell whose turn it is: the
 *   turn needs no bit in the index, and the other half, which no play reaches, is never touched.
 * - Black never moves down, and nobody crosses an obstacle: only what the pieces can reach is numbered.
 */
import { assertRelation } from '../../core/assert.js';
import type { Board, BoardLimits, Solver } from '../problem.js';

export interface RiverPawnAnswer {
  /** Null is a tie. */
  winner: 'Red' | 'Black' | null;
  /** Moves of both players until the game ends; null for a tie. */
  plies: number | null;
}

export const contest: BoardLimits & { readonly cases: number } = {
  minRows: 2,
  maxRows: 10,
  minCols: 1,
  maxCols: 10,
  maxCells: 100,
  cases: 10,
};

const MAX_CELLS = 256;

/** Two rows at least, or Black would start in row 1; any shape of at most 256 cells. */
export const limits: BoardLimits = {
  minRows: 2,
  maxRows: MAX_CELLS,
  minCols: 1,
  maxCols: MAX_CELLS / 2,
  maxCells: MAX_CELLS,
};

const MAX_PAIRS = (MAX_CELLS * (MAX_CELLS - 1)) / 2;
const MAX_STATES = MAX_PAIRS * MAX_CELLS;

// No level before the last is empty, so a distance is below the number of states: 31 bits hold both.
// (8 bits would not: games of 261 plies are known on 10x10.)
assertRelation(MAX_STATES < 2 ** 31, 'a state or a distance fits an Int32Array');
assertRelation(MAX_CELLS - 1 <= 0xff, 'a cell fits a Uint8Array');

const OBSTACLE = 1;
const BLACK = 2;
const RED = 3;

/** No cell, square or pair; also the distance of an undecided state. */
export const NONE = -1;

/** Value of `unrefuted` where the player to move wins. 0: he loses. Above: moves not yet known to lose. */
const WON = -1;

const RED_DIRECTIONS = 4;
const MOST_RED_MOVES = 2 * RED_DIRECTIONS;
/** Black reaches a square from below, from its left or from its right. */
const MOST_WAYS_IN = 3;

/**
 * The positions that play can come to, numbered from the start, which is position 0 with Red to move.
 *
 *     state = pair * squareCount + square      pair: the reds' squares, unordered; square: Black's
 *
 * Pairs and squares are numbered in the order a flood from the start finds them. A colour is the parity of
 * the number of moves since the start: Red is to move where the pair's colour is the square's.
 */
class Arena {
  rows = 0;
  cols = 0;
  squareCount = 0;
  pairCount = 0;

  // Indexed by cell.
  /** Black's square here, or NONE where he never comes. */
  readonly squareAt = new Int16Array(MAX_CELLS);
  /** [cell * 4 + direction]: the cell a red would step to, or NONE. Directions: up, left, right, down. */
  readonly #neighbour = new Int16Array(MAX_CELLS * RED_DIRECTIONS);

  // Indexed by square.
  readonly cellOfSquare = new Uint8Array(MAX_CELLS);
  readonly squareColour = new Uint8Array(MAX_CELLS);
  /** How many moves Black has. */
  readonly waysOut = new Uint8Array(MAX_CELLS);
  /** [square * 3 + i], i < waysIn[square]: the squares from which Black moves here. */
  readonly squaresInto = new Uint8Array(MAX_CELLS * MOST_WAYS_IN);
  readonly waysIn = new Uint8Array(MAX_CELLS);

  // Indexed by pair.
  /** The cells of the two reds, `red1` < `red2`. */
  readonly red1 = new Uint8Array(MAX_PAIRS);
  readonly red2 = new Uint8Array(MAX_PAIRS);
  readonly pairColour = new Uint8Array(MAX_PAIRS);
  /** [pair * 8 + i], i < redMoves[pair]: the pairs one red move away. A red can step back, so this is both ways. */
  readonly pairsBeside = new Uint16Array(MAX_PAIRS * MOST_RED_MOVES);
  readonly redMoves = new Uint8Array(MAX_PAIRS);
  /** [red1 * rows * cols + red2], red1 < red2: the pair, or NONE before it is found. */
  readonly #pairAt = new Int32Array(MAX_CELLS * MAX_CELLS);

  get cellCount(): number {
    return this.rows * this.cols;
  }

  get stateCount(): number {
    return this.pairCount * this.squareCount;
  }

  load(board: Board): void {
    this.rows = board.rows;
    this.cols = board.cols;
    this.#linkNeighbours(board);
    this.#findSquares(board);
    this.#findPairs(board);
  }

  /** The state with these pieces, or NONE if play from the start cannot come to it. */
  stateOf(black: number, redOne: number, redTwo: number): number {
    const square = this.squareAt[black];
    const pair = this.#pairAt[Math.min(redOne, redTwo) * this.cellCount + Math.max(redOne, redTwo)];
    return square === NONE || pair === NONE ? NONE : pair * this.squareCount + square;
  }

  isRedToMove(pair: number, square: number): boolean {
    return this.pairColour[pair] === this.squareColour[square];
  }

  /** Writes the states from which one move leads to `state`, and returns how many there are. */
  listPredecessors(state: number, into: Int32Array): number {
    const { squareCount } = this;
    const pair = (state / squareCount) | 0;
    const square = state - pair * squareCount;
    if (this.isRedToMove(pair, square)) {
      const first = square * MOST_WAYS_IN;
      const count = this.waysIn[square];
      for (let i = 0; i < count; i++) into[i] = pair * squareCount + this.squaresInto[first + i];
      return count;
    }
    const first = pair * MOST_RED_MOVES;
    const count = this.redMoves[pair];
    for (let i = 0; i < count; i++) into[i] = this.pairsBeside[first + i] * squareCount + square;
    return count;
  }

  #linkNeighbours({ rows, cols, cells }: Board): void {
    const neighbour = this.#neighbour;
    const freeOrNone = (cell: number) => (cells[cell] === OBSTACLE ? NONE : cell);
    for (let row = 0, cell = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++, cell++) {
        const slot = cell * RED_DIRECTIONS;
        neighbour[slot] = row > 0 ? freeOrNone(cell - cols) : NONE;
        neighbour[slot + 1] = col > 0 ? freeOrNone(cell - 1) : NONE;
        neighbour[slot + 2] = col < cols - 1 ? freeOrNone(cell + 1) : NONE;
        neighbour[slot + 3] = row < rows - 1 ? freeOrNone(cell + cols) : NONE;
      }
    }
  }

  /** Floods Black's squares. Row 1 ends the game, so no way leads on from there. */
  #findSquares({ rows, cols, cells }: Board): void {
    this.squareAt.fill(NONE, 0, rows * cols);
    this.squareCount = 0;
    this.#addSquare(cells.indexOf(BLACK), 0);
    for (let square = 0; square < this.squareCount; square++) {
      const cell = this.cellOfSquare[square];
      if (cell < cols) continue;
      for (let direction = 0; direction < MOST_WAYS_IN; direction++) {
        const to = this.#neighbour[cell * RED_DIRECTIONS + direction];
        if (to === NONE) continue;
        if (this.squareAt[to] === NONE) this.#addSquare(to, this.squareColour[square] ^ 1);
        const into = this.squareAt[to];
        this.squaresInto[into * MOST_WAYS_IN + this.waysIn[into]++] = square;
        this.waysOut[square]++;
      }
    }
  }

  #addSquare(cell: number, colour: number): void {
    const square = this.squareCount++;
    this.squareAt[cell] = square;
    this.cellOfSquare[square] = cell;
    this.squareColour[square] = colour;
    this.waysIn[square] = 0;
    this.waysOut[square] = 0;
  }

  #findPairs({ cells }: Board): void {
    this.#pairAt.fill(NONE, 0, this.cellCount ** 2);
    this.pairCount = 0;
    const one = cells.indexOf(RED);
    this.#pairOf(one, cells.indexOf(RED, one + 1), 0);
    for (let pair = 0; pair < this.pairCount; pair++) {
      this.redMoves[pair] = 0;
      this.#findMovesOf(pair, this.red1[pair], this.red2[pair]);
      this.#findMovesOf(pair, this.red2[pair], this.red1[pair]);
    }
  }

  #findMovesOf(pair: number, mover: number, stays: number): void {
    for (let slot = mover * RED_DIRECTIONS; slot < (mover + 1) * RED_DIRECTIONS; slot++) {
      const to = this.#neighbour[slot];
      if (to === NONE || to === stays) continue;
      this.pairsBeside[pair * MOST_RED_MOVES + this.redMoves[pair]++] =
        to < stays ? this.#pairOf(to, stays, pair) : this.#pairOf(stays, to, pair);
    }
  }

  /** The number of the pair `one` < `two`, found now, from `origin`, unless it was before. */
  #pairOf(one: number, two: number, origin: number): number {
    const slot = one * this.cellCount + two;
    if (this.#pairAt[slot] !== NONE) return this.#pairAt[slot];
    const pair = this.pairCount++;
    this.#pairAt[slot] = pair;
    this.red1[pair] = one;
    this.red2[pair] = two;
    this.pairColour[pair] = pair === 0 ? 0 : this.pairColour[origin] ^ 1;
    return pair;
  }
}

/** Levels of positions decided so far; level d holds exactly those whose game ends after d more moves. */
class Retrograde {
  readonly arena = new Arena();
  /** [state]: WON, 0 where the player to move has lost, else how many of his moves are not yet known to lose. */
  unrefuted = new Int8Array(0);
  /** The decided states in the order they were decided, level after level; `decided` of them. */
  queue = new Int32Array(0);
  decided = 0;
  /** [level]: where its states begin in the queue. */
  readonly levelStarts: number[] = [];
  readonly #predecessors = new Int32Array(MOST_RED_MOVES);

  load(board: Board): void {
    this.arena.load(board);
    this.#reserve(this.arena.stateCount);
    this.decided = 0;
    this.levelStarts.length = 0;
    this.levelStarts.push(0);
    for (let pair = 0; pair < this.arena.pairCount; pair++) this.#countMoves(pair);
    this.#enqueueFinished();
  }

  /** Decides one level more. False when the level is empty: what is open now is a tie. */
  advance(): boolean {
    const from = this.levelStarts.at(-1)!;
    const end = this.decided;
    if (from === end) return false;
    this.levelStarts.push(end);
    // A level is all losses or all wins: losses end at an even distance, wins at an odd one.
    if (this.levelStarts.length % 2 === 0) this.#spreadLosses(from, end);
    else this.#spreadWins(from, end);
    return true;
  }

  /** Plies from the start to the end of the game, or NONE for a tie. */
  distanceOfStart(): number {
    let level = 0;
    while (this.unrefuted[0] > 0) {
      if (!this.advance()) return NONE;
      level++;
    }
    return level;
  }

  #reserve(states: number): void {
    if (this.queue.length >= states) return;
    this.unrefuted = new Int8Array(states);
    this.queue = new Int32Array(states);
  }

  /** All finished games are lost for the player to move: none of his moves counts. */
  #countMoves(pair: number): void {
    const { arena, unrefuted } = this;
    const { squareCount, squareColour, waysOut, cellOfSquare, cols } = arena;
    const colour = arena.pairColour[pair];
    const redMoves = arena.redMoves[pair];
    const first = pair * squareCount;
    for (let square = 0; square < squareCount; square++) {
      const inRowOne = cellOfSquare[square] < cols;
      // Black to move in row 1 never arises; 1 keeps it open for good.
      if (squareColour[square] !== colour) unrefuted[first + square] = inRowOne ? 1 : waysOut[square];
      else unrefuted[first + square] = inRowOne ? 0 : redMoves;
    }
    this.#markCaptured(first, arena.red1[pair]);
    this.#markCaptured(first, arena.red2[pair]);
  }

  #markCaptured(firstState: number, cell: number): void {
    const square = this.arena.squareAt[cell];
    if (square !== NONE && cell >= this.arena.cols) this.unrefuted[firstState + square] = 0;
  }

  #enqueueFinished(): void {
    const { unrefuted, queue } = this;
    const states = this.arena.stateCount;
    for (let state = 0; state < states; state++) if (unrefuted[state] === 0) queue[this.decided++] = state;
  }

  /** Whoever can move to a lost state wins. */
  #spreadLosses(from: number, end: number): void {
    const { arena, unrefuted, queue } = this;
    const predecessors = this.#predecessors;
    for (let i = from; i < end; i++) {
      for (let left = arena.listPredecessors(queue[i], predecessors); left > 0; left--) {
        const state = predecessors[left - 1];
        if (unrefuted[state] <= 0) continue;
        unrefuted[state] = WON;
        queue[this.decided++] = state;
      }
    }
  }

  /** Whoever has only moves to won states loses. */
  #spreadWins(from: number, end: number): void {
    const { arena, unrefuted, queue } = this;
    const predecessors = this.#predecessors;
    for (let i = from; i < end; i++) {
      for (let left = arena.listPredecessors(queue[i], predecessors); left > 0; left--) {
        const state = predecessors[left - 1];
        if (unrefuted[state] > 0 && --unrefuted[state] === 0) queue[this.decided++] = state;
      }
    }
  }
}

/** What play from a board can come to, each state with its outcome and distance. */
export interface Analysis {
  readonly stateCount: number;
  /** [state]: 1 the player to move wins, -1 he loses, 0 tie (or Black to move in row 1, which never arises). */
  readonly outcome: Int8Array;
  /** [state]: plies to the end under best play, or NONE for a tie. */
  readonly distance: Int32Array;
  /** The state with Black and the reds (in any order) on these cells, or NONE if play cannot come to it. */
  stateOf(black: number, red1: number, red2: number): number;
  /** The start is state 0, where Red is to move. */
  turnOf(state: number): 'Red' | 'Black';
  blackOf(state: number): number;
  redsOf(state: number): [red1: number, red2: number];
}

/** Analyses a board to the end: full tables, not stopping when the start is decided. */
export function analyse(board: Board): Analysis {
  const retrograde = new Retrograde();
  retrograde.load(board);
  while (retrograde.advance());
  const { arena } = retrograde;
  const pairOf = (state: number) => Math.floor(state / arena.squareCount);
  const squareOf = (state: number) => state % arena.squareCount;
  return {
    stateCount: arena.stateCount,
    ...tablesOf(retrograde),
    stateOf: (black, red1, red2) => arena.stateOf(black, red1, red2),
    turnOf: (state) => (arena.isRedToMove(pairOf(state), squareOf(state)) ? 'Red' : 'Black'),
    blackOf: (state) => arena.cellOfSquare[squareOf(state)],
    redsOf: (state) => [arena.red1[pairOf(state)], arena.red2[pairOf(state)]],
  };
}

/** The queue is sorted by distance: level after level. */
function tablesOf({
  arena,
  queue,
  decided,
  levelStarts,
}: Retrograde): Pick<Analysis, 'outcome' | 'distance'> {
  const outcome = new Int8Array(arena.stateCount);
  const distance = new Int32Array(arena.stateCount).fill(NONE);
  levelStarts.forEach((start, level) => {
    const end = levelStarts[level + 1] ?? decided;
    for (let i = start; i < end; i++) {
      outcome[queue[i]] = level % 2 === 1 ? 1 : -1;
      distance[queue[i]] = level;
    }
  });
  return { outcome, distance };
}

/** What a board costs the portable solver, counted: the same on every machine. */
export function effort(board: Board): {
  readonly states: number;
  readonly decided: number;
  readonly levels: number;
} {
  const retrograde = new Retrograde();
  retrograde.load(board);
  retrograde.distanceOfStart();
  const { arena, decided, levelStarts } = retrograde;
  return { states: arena.stateCount, decided, levels: levelStarts.length };
}

/** Red moves first: an odd number of plies is his win. */
export function answerOf(plies: number): RiverPawnAnswer {
  if (plies === NONE) return { winner: null, plies: null };
  return { winner: plies % 2 === 1 ? 'Red' : 'Black', plies };
}

export function createPortableSolver(): Solver<RiverPawnAnswer> {
  const retrograde = new Retrograde();
  return {
    name: 'portable',
    lanes: 1,
    fallbackCases: 0,
    solve(boards, count, answers) {
      for (let i = 0; i < count; i++) {
        retrograde.load(boards[i]);
        answers[i] = answerOf(retrograde.distanceOfStart());
      }
    },
  };
}
