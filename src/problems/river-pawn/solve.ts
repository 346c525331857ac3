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

export const contestLimits: BoardLimits & { readonly cases: number } = {
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
export const NO_INDEX = -1;

/** Distance of a state that nobody can win. */
export const TIE_DISTANCE = -1;

/** Value of `unrefuted` where the player to move wins. 0: he loses. Above: moves not yet known to lose. */
const WON_FOR_MOVER = -1;

const RED_DIRECTIONS = 4;
const MAX_RED_MOVES = 2 * RED_DIRECTIONS;
/** Black reaches a square from below, from its left or from its right. */
const MAX_BLACK_PREDECESSORS = 3;

/**
 * The positions that play can come to, numbered from the start, which is position 0 with Red to move.
 *
 *     state = pair * squareCount + square      pair: the reds' squares, unordered; square: Black's
 *
 * Pairs and squares are numbered in the order a flood from the start finds them. A colour is the parity of
 * the number of moves since the start: Red is to move where the pair's colour is the square's.
 */
class ReachableStates {
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
  readonly blackMoveCount = new Uint8Array(MAX_CELLS);
  /** [square * 3 + i], i < waysIn[square]: the squares from which Black moves here. */
  readonly predecessorSquares = new Uint8Array(MAX_CELLS * MAX_BLACK_PREDECESSORS);
  readonly predecessorCount = new Uint8Array(MAX_CELLS);

  // Indexed by pair.
  /** The cells of the two reds, `red1` < `red2`. */
  readonly red1 = new Uint8Array(MAX_PAIRS);
  readonly red2 = new Uint8Array(MAX_PAIRS);
  readonly pairColour = new Uint8Array(MAX_PAIRS);
  /** [pair * 8 + i], i < redMoves[pair]: the pairs one red move away. A red can step back, so this is both ways. */
  readonly neighbourPairs = new Uint16Array(MAX_PAIRS * MAX_RED_MOVES);
  readonly redMoveCount = new Uint8Array(MAX_PAIRS);
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
    return square === NO_INDEX || pair === NO_INDEX ? NO_INDEX : pair * this.squareCount + square;
  }

  isRedToMove(pair: number, square: number): boolean {
    return this.pairColour[pair] === this.squareColour[square];
  }

  /** Writes the states from which one move leads to `state`, and returns how many there are. */
  listPredecessors(state: number, predecessors: Int32Array): number {
    const { squareCount } = this;
    const pair = (state / squareCount) | 0;
    const square = state - pair * squareCount;
    if (this.isRedToMove(pair, square)) {
      const first = square * MAX_BLACK_PREDECESSORS;
      const count = this.predecessorCount[square];
      for (let i = 0; i < count; i++)
        predecessors[i] = pair * squareCount + this.predecessorSquares[first + i];
      return count;
    }
    const first = pair * MAX_RED_MOVES;
    const count = this.redMoveCount[pair];
    for (let i = 0; i < count; i++) predecessors[i] = this.neighbourPairs[first + i] * squareCount + square;
    return count;
  }

  #linkNeighbours({ rows, cols, cells }: Board): void {
    const neighbour = this.#neighbour;
    const freeOrNone = (cell: number) => (cells[cell] === OBSTACLE ? NO_INDEX : cell);
    for (let row = 0, cell = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++, cell++) {
        const slot = cell * RED_DIRECTIONS;
        neighbour[slot] = row > 0 ? freeOrNone(cell - cols) : NO_INDEX;
        neighbour[slot + 1] = col > 0 ? freeOrNone(cell - 1) : NO_INDEX;
        neighbour[slot + 2] = col < cols - 1 ? freeOrNone(cell + 1) : NO_INDEX;
        neighbour[slot + 3] = row < rows - 1 ? freeOrNone(cell + cols) : NO_INDEX;
      }
    }
  }

  /** Floods Black's squares. Row 1 ends the game, so no way leads on from there. */
  #findSquares({ rows, cols, cells }: Board): void {
    this.squareAt.fill(NO_INDEX, 0, rows * cols);
    this.squareCount = 0;
    this.#addSquare(cells.indexOf(BLACK), 0);
    for (let square = 0; square < this.squareCount; square++) {
      const cell = this.cellOfSquare[square];
      if (cell < cols) continue;
      for (let direction = 0; direction < MAX_BLACK_PREDECESSORS; direction++) {
        const to = this.#neighbour[cell * RED_DIRECTIONS + direction];
        if (to === NO_INDEX) continue;
        if (this.squareAt[to] === NO_INDEX) this.#addSquare(to, this.squareColour[square] ^ 1);
        const toSquare = this.squareAt[to];
        this.predecessorSquares[toSquare * MAX_BLACK_PREDECESSORS + this.predecessorCount[toSquare]++] =
          square;
        this.blackMoveCount[square]++;
      }
    }
  }

  #addSquare(cell: number, colour: number): void {
    const square = this.squareCount++;
    this.squareAt[cell] = square;
    this.cellOfSquare[square] = cell;
    this.squareColour[square] = colour;
    this.predecessorCount[square] = 0;
    this.blackMoveCount[square] = 0;
  }

  #findPairs({ cells }: Board): void {
    this.#pairAt.fill(NO_INDEX, 0, this.cellCount ** 2);
    this.pairCount = 0;
    const firstRed = cells.indexOf(RED);
    this.#findOrAddPair(firstRed, cells.indexOf(RED, firstRed + 1), 0);
    for (let pair = 0; pair < this.pairCount; pair++) {
      this.redMoveCount[pair] = 0;
      this.#addMovesOf(pair, this.red1[pair], this.red2[pair]);
      this.#addMovesOf(pair, this.red2[pair], this.red1[pair]);
    }
  }

  #addMovesOf(pair: number, movingCell: number, otherCell: number): void {
    for (let slot = movingCell * RED_DIRECTIONS; slot < (movingCell + 1) * RED_DIRECTIONS; slot++) {
      const to = this.#neighbour[slot];
      if (to === NO_INDEX || to === otherCell) continue;
      this.neighbourPairs[pair * MAX_RED_MOVES + this.redMoveCount[pair]++] =
        to < otherCell ? this.#findOrAddPair(to, otherCell, pair) : this.#findOrAddPair(otherCell, to, pair);
    }
  }

  /** The number of the pair `one` < `two`, found now, from `origin`, unless it was before. */
  #findOrAddPair(firstCell: number, secondCell: number, originPair: number): number {
    const slot = firstCell * this.cellCount + secondCell;
    if (this.#pairAt[slot] !== NO_INDEX) return this.#pairAt[slot];
    const pair = this.pairCount++;
    this.#pairAt[slot] = pair;
    this.red1[pair] = firstCell;
    this.red2[pair] = secondCell;
    this.pairColour[pair] = pair === 0 ? 0 : this.pairColour[originPair] ^ 1;
    return pair;
  }
}

/** Levels of positions decided so far; level d holds exactly those whose game ends after d more moves. */
class RetrogradeAnalysis {
  readonly states = new ReachableStates();
  /** [state]: WON, 0 where the player to move has lost, else how many of his moves are not yet known to lose. */
  unrefutedMoves = new Int8Array(0);
  /** The decided states in the order they were decided, level after level; `decided` of them. */
  queue = new Int32Array(0);
  decidedCount = 0;
  /** [level]: where its states begin in the queue. */
  readonly levelStarts: number[] = [];
  readonly #predecessors = new Int32Array(MAX_RED_MOVES);

  load(board: Board): void {
    this.states.load(board);
    this.#reserve(this.states.stateCount);
    this.decidedCount = 0;
    this.levelStarts.length = 0;
    this.levelStarts.push(0);
    for (let pair = 0; pair < this.states.pairCount; pair++) this.#initialiseStatesOf(pair);
    this.#enqueueFinished();
  }

  /** Decides one level more. False when the level is empty: what is open now is a tie. */
  decideNextLevel(): boolean {
    const from = this.levelStarts.at(-1)!;
    const end = this.decidedCount;
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
    while (this.unrefutedMoves[0] > 0) {
      if (!this.decideNextLevel()) return TIE_DISTANCE;
      level++;
    }
    return level;
  }

  #reserve(states: number): void {
    if (this.queue.length >= states) return;
    this.unrefutedMoves = new Int8Array(states);
    this.queue = new Int32Array(states);
  }

  /** All finished games are lost for the player to move: none of his moves counts. */
  #initialiseStatesOf(pair: number): void {
    const { states, unrefutedMoves } = this;
    const { squareCount, squareColour, blackMoveCount, cellOfSquare, cols } = states;
    const colour = states.pairColour[pair];
    const redMoves = states.redMoveCount[pair];
    const first = pair * squareCount;
    for (let square = 0; square < squareCount; square++) {
      const inRowOne = cellOfSquare[square] < cols;
      // Black to move in row 1 never arises; 1 keeps it open for good.
      if (squareColour[square] !== colour)
        unrefutedMoves[first + square] = inRowOne ? 1 : blackMoveCount[square];
      else unrefutedMoves[first + square] = inRowOne ? 0 : redMoves;
    }
    this.#setCaptureLost(first, states.red1[pair]);
    this.#setCaptureLost(first, states.red2[pair]);
  }

  #setCaptureLost(firstState: number, cell: number): void {
    const square = this.states.squareAt[cell];
    if (square !== NO_INDEX && cell >= this.states.cols) this.unrefutedMoves[firstState + square] = 0;
  }

  #enqueueFinished(): void {
    const { unrefutedMoves, queue } = this;
    const states = this.states.stateCount;
    for (let state = 0; state < states; state++)
      if (unrefutedMoves[state] === 0) queue[this.decidedCount++] = state;
  }

  /** Whoever can move to a lost state wins. */
  #spreadLosses(from: number, end: number): void {
    const { states, unrefutedMoves, queue } = this;
    const predecessors = this.#predecessors;
    for (let i = from; i < end; i++) {
      for (let left = states.listPredecessors(queue[i], predecessors); left > 0; left--) {
        const state = predecessors[left - 1];
        if (unrefutedMoves[state] <= 0) continue;
        unrefutedMoves[state] = WON_FOR_MOVER;
        queue[this.decidedCount++] = state;
      }
    }
  }

  /** Whoever has only moves to won states loses. */
  #spreadWins(from: number, end: number): void {
    const { states, unrefutedMoves, queue } = this;
    const predecessors = this.#predecessors;
    for (let i = from; i < end; i++) {
      for (let left = states.listPredecessors(queue[i], predecessors); left > 0; left--) {
        const state = predecessors[left - 1];
        if (unrefutedMoves[state] > 0 && --unrefutedMoves[state] === 0) queue[this.decidedCount++] = state;
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
  const retrograde = new RetrogradeAnalysis();
  retrograde.load(board);
  while (retrograde.decideNextLevel());
  const { states } = retrograde;
  const pairOf = (state: number) => Math.floor(state / states.squareCount);
  const squareOf = (state: number) => state % states.squareCount;
  return {
    stateCount: states.stateCount,
    ...tablesOf(retrograde),
    stateOf: (black, red1, red2) => states.stateOf(black, red1, red2),
    turnOf: (state) => (states.isRedToMove(pairOf(state), squareOf(state)) ? 'Red' : 'Black'),
    blackOf: (state) => states.cellOfSquare[squareOf(state)],
    redsOf: (state) => [states.red1[pairOf(state)], states.red2[pairOf(state)]],
  };
}

/** The queue is sorted by distance: level after level. */
function tablesOf({
  states,
  queue,
  decidedCount,
  levelStarts,
}: RetrogradeAnalysis): Pick<Analysis, 'outcome' | 'distance'> {
  const outcome = new Int8Array(states.stateCount);
  const distance = new Int32Array(states.stateCount).fill(TIE_DISTANCE);
  levelStarts.forEach((start, level) => {
    const end = levelStarts[level + 1] ?? decidedCount;
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
  const retrograde = new RetrogradeAnalysis();
  retrograde.load(board);
  retrograde.distanceOfStart();
  const { states, decidedCount, levelStarts } = retrograde;
  return { states: states.stateCount, decided: decidedCount, levels: levelStarts.length };
}

/** Red moves first: an odd number of plies is his win. */
export function answerOf(plies: number): RiverPawnAnswer {
  if (plies === TIE_DISTANCE) return { winner: null, plies: null };
  return { winner: plies % 2 === 1 ? 'Red' : 'Black', plies };
}

export function createPortableSolver(): Solver<RiverPawnAnswer> {
  const retrograde = new RetrogradeAnalysis();
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
