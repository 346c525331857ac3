/**
 * Makes random boards. Board i depends on the seed, on i and on the request, but not on the number of boards. So a
 * longer input begins with the boards of a shorter one.
 */
import { BoardmillError } from '../../core/errors.js';
import { Seed } from '../../core/random.js';
import type { Board } from '../../formats/boards/board.js';
import { assertSizesInRange } from '../../problems/board-sizes.js';
import { findContestSet } from '../../problems/contest-sets.js';
import type { RandomCaseSource, RandomCasesRequest } from '../../problems/problem.js';
import type { BoardContestSet, BoardGenerator, BoardProblemParts, RandomBoardStyle } from './board-parts.js';
import { createContestViolationFinder, type ViolationFinder } from './board-sets.js';

interface Shape {
  readonly rows: number;
  readonly cols: number;
}

/**
 * Largest number of rows and columns of a `tiny` board. The oracles, slow solvers that the tests compare with, can
 * solve such boards.
 */
const MAX_TINY_SIDE = 4;

/** Largest number of boards that are drawn until one is in the wanted set. */
const MAX_DRAWS = 1000;
/** Number of draws after which a board of the profile `tiny` gets another shape: some shapes have no board in a set. */
const DRAWS_PER_SHAPE = 50;

/** The set of the contest that the boards belong to. */
interface WantedSet {
  /** The name of the set in messages. */
  readonly name: string;
  readonly findViolation: ViolationFinder;
}

/** The random boards of one seed. Fails with kind `usage` if no board can have the requested sizes. */
export class RandomBoardSource implements RandomCaseSource<Board> {
  /** The head of the input, whose id is the first test of the wanted set. Null if no set is wanted; the id is then 0. */
  readonly head: Uint8Array | null;
  readonly #style: RandomBoardStyle;
  readonly #seed: Seed;
  readonly #generator: BoardGenerator;
  readonly #set: WantedSet | null;
  readonly #shapes: readonly Shape[];
  readonly #largestShapes: readonly Shape[];
  readonly #board: Board;

  constructor(problem: BoardProblemParts<unknown>, request: RandomCasesRequest) {
    this.#style = { profile: request.profile, density: request.boards.density };
    this.#seed = new Seed(request.seed);
    const set = findContestSet(problem.name, problem.contest.sets, request.set);
    if (set?.hasFixedDensity && request.boards.density !== null) throw densityError(problem.name, request);
    this.#generator = set?.createGenerator?.() ?? problem.createGenerator();
    this.#set = set && {
      name: `the set ${request.set} of ${problem.name}`,
      findViolation: createContestViolationFinder(problem, set),
    };
    this.head = set?.ids === undefined ? null : problem.inputFormat.headWithId(set.ids.from);
    this.#shapes = listShapes(problem, set, request, this.#generator.minCells);
    const maxCells = Math.max(...this.#shapes.map(cellsOf));
    this.#largestShapes = this.#shapes.filter((shape) => cellsOf(shape) === maxCells);
    this.#board = {
      rows: 0,
      cols: 0,
      cells: new Uint8Array(maxCells * problem.inputFormat.cellBytes),
    };
  }

  /** Returns the board with this index, counted from 0. Every board is the same object, so the caller must not keep it. */
  caseAt(index: number): Board {
    const random = this.#seed.random(index);
    for (let draw = 0; draw < MAX_DRAWS; draw++) {
      const { rows, cols } = random.pick(this.#shapesFor(index + Math.floor(draw / DRAWS_PER_SHAPE)));
      this.#board.rows = rows;
      this.#board.cols = cols;
      this.#generator.fillBoard(this.#board, this.#style, index, random);
      if (this.#set === null || this.#set.findViolation(this.#board) === null) return this.#board;
    }
    throw new BoardmillError(
      'usage',
      `none of ${MAX_DRAWS} random boards is in ${this.#set!.name}; try other sizes, another density or another profile`,
    );
  }

  /**
   * The shapes that the board with this index may have. The profile `tiny` uses all shapes in turn, so that none is missing;
   * every second board of `hard` has the largest size.
   */
  #shapesFor(index: number): readonly Shape[] {
    switch (this.#style.profile) {
      case 'tiny':
        return [this.#shapes[index % this.#shapes.length]];
      case 'contest-max':
        return this.#largestShapes;
      case 'hard':
        return index % 2 === 0 ? this.#largestShapes : this.#shapes;
      default:
        return this.#shapes;
    }
  }
}

function cellsOf({ rows, cols }: Shape): number {
  return rows * cols;
}

/** Lists all pairs of numbers of rows and columns that the request and the limits of the problem allow. */
function listShapes(
  problem: BoardProblemParts<unknown>,
  set: BoardContestSet | null,
  { profile, maxSize, boards }: Pick<RandomCasesRequest, 'profile' | 'maxSize' | 'boards'>,
  minCells: number,
): Shape[] {
  const constraints = set?.limits ?? problem.constraints;
  const supportedLimits = set?.limits ?? problem.supportedLimits;
  const maxSide = maxSize ?? (profile === 'tiny' ? MAX_TINY_SIDE : Number.POSITIVE_INFINITY);
  const upTo = (min: number, max: number) => ({ from: min, to: Math.max(min, Math.min(max, maxSide)) });
  const rowRange = boards.rows ?? upTo(constraints.minRows, constraints.maxRows);
  const colRange = boards.cols ?? upTo(constraints.minCols, constraints.maxCols);
  assertSizesInRange('--rows', rowRange, { from: supportedLimits.minRows, to: supportedLimits.maxRows });
  assertSizesInRange('--cols', colRange, { from: supportedLimits.minCols, to: supportedLimits.maxCols });
  const shapes: Shape[] = [];
  for (let height = rowRange.from; height <= rowRange.to; height++) {
    for (let width = colRange.from; width <= colRange.to; width++) {
      const cells = height * width;
      if (cells >= minCells && cells <= supportedLimits.maxCells) shapes.push({ rows: height, cols: width });
    }
  }
  if (shapes.length > 0) return shapes;
  // A single row of few columns may have too few cells.
  if (maxSize !== null) return listShapes(problem, set, { profile, maxSize: null, boards }, minCells);
  const size = `${rowRange.from}x${colRange.from} to ${rowRange.to}x${colRange.to}`;
  throw new BoardmillError(
    'usage',
    `a board of ${problem.name} has ${minCells} to ${supportedLimits.maxCells} cells, but no size from ${size} has that many`,
  );
}

function densityError(name: string, { set }: RandomCasesRequest): BoardmillError {
  return new BoardmillError(
    'usage',
    `--density cannot be used with the set ${set} of ${name}, which fixes it`,
  );
}
