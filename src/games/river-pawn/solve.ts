/**
 * Solves river-pawn (过河卒) by retrograde analysis: a breadth-first search backwards from the finished positions with
 * a counter of unrefuted moves for each position (Ströhlein 1970; Thompson, "Retrograde Analysis of Certain
 * Endgames", ICCA Journal 9(3), 1986). A move is unrefuted as long as it is not known to lose.
 *
 * Cost: each position enters the queue at most once, and each move that leads to it is followed back once. For P
 * pairs of cells of the reds and S cells of Black, that takes O(P * S) time and memory, with 5 bytes per position.
 *
 * Why not a forward search: positions repeat in a game, so in a depth-first search the value of a position may depend
 * on itself. Backwards, a position is only decided by positions that are already decided, and the level at which it
 * is decided is its exact distance from the end of the game.
 *
 * Three facts keep the table small:
 * - The two reds are equal pieces, so one pair of cells represents both orders. This halves the table.
 * - Colour the cells like a chessboard. Each move changes the colour of exactly one piece's cell, so the colours of
 *   all three cells determine whose turn it is. The index needs no bit for the turn, and the positions with the other
 *   turn, which cannot arise, take no space.
 * - Black never moves down, and no piece enters an obstacle. Only cells that the pieces can reach are numbered.
 */
import { assertRelation } from '../../core/assert.js';
import type { Board, BoardLimits, Solver } from '../../problems/problem.js';

export interface RiverPawnAnswer {
  /** The player who wins; null for a tie. */
  winner: 'Red' | 'Black' | null;
  /** Number of moves of both players until the game ends; null for a tie. */
  plies: number | null;
}

export const constraints: BoardLimits & { readonly cases: number } = {
  minRows: 2,
  maxRows: 10,
  minCols: 1,
  maxCols: 10,
  maxCells: 100,
  cases: 10,
};

const MAX_CELLS = 256;

/** The largest boards that the solvers can solve: any shape of at most 256 cells and at least 2 rows. */
export const supportedLimits: BoardLimits = {
  minRows: 2,
  maxRows: MAX_CELLS,
  minCols: 1,
  maxCols: MAX_CELLS / 2,
  maxCells: MAX_CELLS,
};

const MAX_PAIRS = (MAX_CELLS * (MAX_CELLS - 1)) / 2;
const MAX_STATES = MAX_PAIRS * MAX_CELLS;

// Every level before the last has at least one state, so a distance is smaller than the number of states, and both fit 31 bits.
// A distance does not always fit 8 bits: games of 261 plies are known on 10x10.
assertRelation(MAX_STATES < 2 ** 31, 'a state or a distance fits an Int32Array');
assertRelation(MAX_CELLS - 1 <= 0xff, 'a cell fits a Uint8Array');

/** The value of a cell in `Board.cells` that has an obstacle. */
export const OBSTACLE = 1;
const BLACK = 2;
const RED = 3;

/** Value of the index of a cell, square, pair or state if the cell, square, pair or state does not exist. */
const NO_INDEX = -1;

/** Value of the distance to the end of the game for a state that neither player can win. */
const TIE_DISTANCE = -1;

/** Value of `unrefutedMoves` for a state that the player to move wins. */
const WON_FOR_MOVER = -1;

const RED_DIRECTIONS = 4;
const MAX_RED_MOVES = 2 * RED_DIRECTIONS;
/** Largest number of squares from which Black can move to a square: the squares below, to the left and to the right. */
const MAX_BLACK_PREDECESSORS = 3;

/**
 * Numbers the positions that can be reached from the start of the game. The start is state 0, with Red to move.
 *
 *     state = pair * squareCount + square      pair: the two cells of the reds, unordered; square: the cell of Black
 *
 * Pairs and squares are numbered in the order in which a breadth-first search from the start finds them. The colour
 * of a pair (or square) is the parity of the number of moves of Red (or Black) that lead to it from the start. Red is
 * to move if the pair and the square have the same colour.
 */
class ReachableStates {
  rows = 0;
  cols = 0;
  squareCount = 0;
  pairCount = 0;

  // The index of these arrays is a cell.
  /** [cell]: the index of Black's square at this cell, or NO_INDEX if Black cannot reach the cell. */
  readonly squareOfCell = new Int16Array(MAX_CELLS);
  /** [cell * 4 + direction]: the free neighbour in this direction, or NO_INDEX. Directions: up, left, right, down. */
  readonly #freeNeighbours = new Int16Array(MAX_CELLS * RED_DIRECTIONS);

  // The index of these arrays is a square of Black.
  readonly cellOfSquare = new Uint8Array(MAX_CELLS);
  readonly squareColour = new Uint8Array(MAX_CELLS);
  /** [square]: number of moves that Black has from this square. */
  readonly blackMoveCount = new Uint8Array(MAX_CELLS);
  /** [square * 3 + i], i < predecessorCount[square]: the squares from which Black can move to this square. */
  readonly predecessorSquares = new Uint8Array(MAX_CELLS * MAX_BLACK_PREDECESSORS);
  readonly predecessorCount = new Uint8Array(MAX_CELLS);

  // The index of these arrays is a pair of cells of the two reds.
  /** The cells of the two reds, `red1` < `red2`. */
  readonly red1 = new Uint8Array(MAX_PAIRS);
  readonly red2 = new Uint8Array(MAX_PAIRS);
  readonly pairColour = new Uint8Array(MAX_PAIRS);
  /** [pair * 8 + i], i < redMoveCount[pair]: the pairs that one move of Red reaches from this pair, and vice versa. */
  readonly neighbourPairs = new Uint16Array(MAX_PAIRS * MAX_RED_MOVES);
  readonly redMoveCount = new Uint8Array(MAX_PAIRS);
  /** [red1 * rows * cols + red2], red1 < red2: the index of the pair, or NO_INDEX before the pair is found. */
  readonly #pairOfCells = new Int32Array(MAX_CELLS * MAX_CELLS);

  get cellCount(): number {
    return this.rows * this.cols;
  }

  get stateCount(): number {
    return this.pairCount * this.squareCount;
  }

  load(board: Board): void {
    this.rows = board.rows;
    this.cols = board.cols;
    this.#findFreeNeighbours(board);
    this.#findSquares(board);
    this.#findPairs(board);
  }

  /** Returns the state with the pieces on these cells, or NO_INDEX if it cannot be reached from the start. */
  stateOf(black: number, redOne: number, redTwo: number): number {
    const square = this.squareOfCell[black];
    const pair = this.#pairOfCells[Math.min(redOne, redTwo) * this.cellCount + Math.max(redOne, redTwo)];
    return square === NO_INDEX || pair === NO_INDEX ? NO_INDEX : pair * this.squareCount + square;
  }

  isRedToMove(pair: number, square: number): boolean {
    return this.pairColour[pair] === this.squareColour[square];
  }

  /** Writes the states from which one move leads to `state` into `predecessors`, and returns their number. */
  writePredecessors(state: number, predecessors: Int32Array): number {
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

  #findFreeNeighbours({ rows, cols, cells }: Board): void {
    const freeNeighbours = this.#freeNeighbours;
    const freeOrNone = (cell: number) => (cells[cell] === OBSTACLE ? NO_INDEX : cell);
    for (let row = 0, cell = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++, cell++) {
        const index = cell * RED_DIRECTIONS;
        freeNeighbours[index] = row > 0 ? freeOrNone(cell - cols) : NO_INDEX;
        freeNeighbours[index + 1] = col > 0 ? freeOrNone(cell - 1) : NO_INDEX;
        freeNeighbours[index + 2] = col < cols - 1 ? freeOrNone(cell + 1) : NO_INDEX;
        freeNeighbours[index + 3] = row < rows - 1 ? freeOrNone(cell + cols) : NO_INDEX;
      }
    }
  }

  /** Finds all squares that Black can reach. The game ends when Black is in row 1, so he never moves from row 1. */
  #findSquares({ rows, cols, cells }: Board): void {
    this.squareOfCell.fill(NO_INDEX, 0, rows * cols);
    this.squareCount = 0;
    this.#addSquare(cells.indexOf(BLACK), 0);
    for (let square = 0; square < this.squareCount; square++) {
      const cell = this.cellOfSquare[square];
      if (cell < cols) continue;
      for (let direction = 0; direction < MAX_BLACK_PREDECESSORS; direction++) {
        const to = this.#freeNeighbours[cell * RED_DIRECTIONS + direction];
        if (to === NO_INDEX) continue;
        if (this.squareOfCell[to] === NO_INDEX) this.#addSquare(to, this.squareColour[square] ^ 1);
        const toSquare = this.squareOfCell[to];
        this.predecessorSquares[toSquare * MAX_BLACK_PREDECESSORS + this.predecessorCount[toSquare]++] =
          square;
        this.blackMoveCount[square]++;
      }
    }
  }

  #addSquare(cell: number, colour: number): void {
    const square = this.squareCount++;
    this.squareOfCell[cell] = square;
    this.cellOfSquare[square] = cell;
    this.squareColour[square] = colour;
    this.predecessorCount[square] = 0;
    this.blackMoveCount[square] = 0;
  }

  #findPairs({ cells }: Board): void {
    this.#pairOfCells.fill(NO_INDEX, 0, this.cellCount ** 2);
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
    for (let index = movingCell * RED_DIRECTIONS; index < (movingCell + 1) * RED_DIRECTIONS; index++) {
      const to = this.#freeNeighbours[index];
      if (to === NO_INDEX || to === otherCell) continue;
      this.neighbourPairs[pair * MAX_RED_MOVES + this.redMoveCount[pair]++] =
        to < otherCell ? this.#findOrAddPair(to, otherCell, pair) : this.#findOrAddPair(otherCell, to, pair);
    }
  }

  /**
   * Returns the index of the pair of cells `firstCell` < `secondCell`. If the pair is new, the method gives it the next
   * index. `originPair` is a pair from which one move of Red leads to this pair.
   */
  #findOrAddPair(firstCell: number, secondCell: number, originPair: number): number {
    const index = firstCell * this.cellCount + secondCell;
    if (this.#pairOfCells[index] !== NO_INDEX) return this.#pairOfCells[index];
    const pair = this.pairCount++;
    this.#pairOfCells[index] = pair;
    this.red1[pair] = firstCell;
    this.red2[pair] = secondCell;
    this.pairColour[pair] = pair === 0 ? 0 : this.pairColour[originPair] ^ 1;
    return pair;
  }
}

/**
 * Decides the states of one board, level after level. Level d consists of the states in which the game ends after
 * exactly d more moves with best play.
 */
class RetrogradeAnalysis {
  readonly states = new ReachableStates();
  /**
   * [state]: WON_FOR_MOVER if the player to move wins, 0 if the player to move loses, otherwise the number of moves
   * that are not yet known to lose.
   */
  unrefutedMoves = new Int8Array(0);
  /** The first `decidedCount` elements are the decided states, in the order in which they were decided. */
  queue = new Int32Array(0);
  decidedCount = 0;
  /** [level]: the index in `queue` of the first state of this level. */
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

  /**
   * Decides the states of the next level. Returns false if the current level has no states: then all undecided states
   * are ties.
   */
  decideNextLevel(): boolean {
    const from = this.levelStarts.at(-1)!;
    const end = this.decidedCount;
    if (from === end) return false;
    this.levelStarts.push(end);
    // All states of a level are losses, or all are wins: losses have even distances, wins have odd distances.
    if (this.levelStarts.length % 2 === 0) this.#spreadLosses(from, end);
    else this.#spreadWins(from, end);
    return true;
  }

  /** Returns the number of plies from the start to the end of the game, or TIE_DISTANCE for a tie. */
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

  /**
   * Sets `unrefutedMoves` of all states with this pair to the number of moves of the player to move. If the game is
   * finished in a state, the method sets 0, because every finished game is lost for the player to move.
   */
  #initialiseStatesOf(pair: number): void {
    const { states, unrefutedMoves } = this;
    const { squareCount, squareColour, blackMoveCount, cellOfSquare, cols } = states;
    const colour = states.pairColour[pair];
    const redMoves = states.redMoveCount[pair];
    const first = pair * squareCount;
    for (let square = 0; square < squareCount; square++) {
      const isInRow1 = cellOfSquare[square] < cols;
      // A state with Black to move in row 1 cannot arise. The value 1 ensures that this state is never decided.
      if (squareColour[square] !== colour)
        unrefutedMoves[first + square] = isInRow1 ? 1 : blackMoveCount[square];
      else unrefutedMoves[first + square] = isInRow1 ? 0 : redMoves;
    }
    this.#setLostIfBlackOn(first, states.red1[pair]);
    this.#setLostIfBlackOn(first, states.red2[pair]);
  }

  #setLostIfBlackOn(firstState: number, cell: number): void {
    const square = this.states.squareOfCell[cell];
    if (square !== NO_INDEX && cell >= this.states.cols) this.unrefutedMoves[firstState + square] = 0;
  }

  #enqueueFinished(): void {
    const { unrefutedMoves, queue } = this;
    const states = this.states.stateCount;
    for (let state = 0; state < states; state++)
      if (unrefutedMoves[state] === 0) queue[this.decidedCount++] = state;
  }

  /** Decides the level after a level of losses: a player who can move to a state that is lost for the opponent wins. */
  #spreadLosses(from: number, end: number): void {
    const { states, unrefutedMoves, queue } = this;
    const predecessors = this.#predecessors;
    for (let i = from; i < end; i++) {
      for (let left = states.writePredecessors(queue[i], predecessors); left > 0; left--) {
        const state = predecessors[left - 1];
        if (unrefutedMoves[state] <= 0) continue;
        unrefutedMoves[state] = WON_FOR_MOVER;
        queue[this.decidedCount++] = state;
      }
    }
  }

  /** Decides the level after a level of wins: a player loses if all his moves lead to states that are won for the opponent. */
  #spreadWins(from: number, end: number): void {
    const { states, unrefutedMoves, queue } = this;
    const predecessors = this.#predecessors;
    for (let i = from; i < end; i++) {
      for (let left = states.writePredecessors(queue[i], predecessors); left > 0; left--) {
        const state = predecessors[left - 1];
        if (unrefutedMoves[state] > 0 && --unrefutedMoves[state] === 0) queue[this.decidedCount++] = state;
      }
    }
  }
}

/** All states that can be reached from the start of a game, with the outcome and the distance of each. */
export interface BoardAnalysis {
  readonly stateCount: number;
  /**
   * [state]: 1 if the player to move wins, -1 if he loses, 0 for a tie. The outcome is also 0 if Black is to move in
   * row 1, which cannot arise in a game.
   */
  readonly outcome: Int8Array;
  /** [state]: number of plies to the end of the game with best play, or TIE_DISTANCE for a tie. */
  readonly distance: Int32Array;
  /** Returns the state with the pieces on these cells, or NO_INDEX if no game reaches it. Reds may be in any order. */
  stateOf(black: number, red1: number, red2: number): number;
  /** Returns the player to move. Red is to move in state 0, the start of the game. */
  turnOf(state: number): 'Red' | 'Black';
  /** Returns the cell of Black in a state. */
  blackOf(state: number): number;
  /** Returns the cells of the two reds in a state. */
  redsOf(state: number): [red1: number, red2: number];
}

/** Decides all states of a board. Unlike a solver, it does not stop when the start is decided. */
export function analyse(board: Board): BoardAnalysis {
  const retrograde = new RetrogradeAnalysis();
  retrograde.load(board);
  while (retrograde.decideNextLevel());
  const { states } = retrograde;
  const pairOf = (state: number) => Math.floor(state / states.squareCount);
  const squareOf = (state: number) => state % states.squareCount;
  return {
    stateCount: states.stateCount,
    ...outcomesAndDistances(retrograde),
    stateOf: (black, red1, red2) => states.stateOf(black, red1, red2),
    turnOf: (state) => (states.isRedToMove(pairOf(state), squareOf(state)) ? 'Red' : 'Black'),
    blackOf: (state) => states.cellOfSquare[squareOf(state)],
    redsOf: (state) => [states.red1[pairOf(state)], states.red2[pairOf(state)]],
  };
}

/** Reads the outcome and distance of each state from `queue`, in which the states are sorted by distance. */
function outcomesAndDistances({
  states,
  queue,
  decidedCount,
  levelStarts,
}: RetrogradeAnalysis): Pick<BoardAnalysis, 'outcome' | 'distance'> {
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

/** Counts the work of the portable solver on a board. The counts are the same on every machine. */
export function countSolvingWork(board: Board): {
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

/** Converts a number of plies to an answer. Red moves first, so he wins exactly if the number is odd. */
export function answerOfPlies(plies: number): RiverPawnAnswer {
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
        answers[i] = answerOfPlies(retrograde.distanceOfStart());
      }
    },
  };
}
