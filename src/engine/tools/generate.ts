/**
 * Makes inputs. Board i depends on the seed, on i and on what is asked of the boards, not on how many there
 * are: a longer input goes on where a shorter one ends.
 */
import { ByteWriter } from '../../core/bytes.js';
import { BoardmillError } from '../../core/errors.js';
import { Seed } from '../../core/random.js';
import type { Board, BoardStyle, Problem } from '../../problems/problem.js';
import { GENERATED_BYTES } from '../limits.js';

/** Inclusive. */
export interface SizeRange {
  readonly from: number;
  readonly to: number;
}

export interface BoardRequest extends BoardStyle {
  readonly problem: Problem<unknown>;
  readonly seed: string;
  /** Null: as the profile has them, within the contest's limits; else up to the engine's. */
  readonly rows: SizeRange | null;
  readonly cols: SizeRange | null;
}

interface Shape {
  readonly rows: number;
  readonly cols: number;
}

/** Side of the largest `tiny` boards: small enough for oracles. */
const TINY_SIDE = 4;

/** The boards of one seed. Fails with kind `usage` where no board can have the sizes. */
export class BoardSource {
  readonly #style: BoardStyle;
  readonly #seed: Seed;
  readonly #generator;
  readonly #shapes: readonly Shape[];
  readonly #largest: readonly Shape[];
  readonly #board: Board;

  constructor(request: BoardRequest) {
    this.#style = request;
    this.#seed = new Seed(request.seed);
    this.#generator = request.problem.createGenerator();
    this.#shapes = listShapes(request, this.#generator.minCells);
    const mostCells = Math.max(...this.#shapes.map(cellsOf));
    this.#largest = this.#shapes.filter((shape) => cellsOf(shape) === mostCells);
    this.#board = {
      rows: 0,
      cols: 0,
      cells: new Uint8Array(mostCells * request.problem.inputFormat.cellBytes),
    };
  }

  /** The board of this index, from 0. The object is reused: read it, never keep it. */
  board(index: number): Board {
    const random = this.#seed.random(index);
    const { rows, cols } = random.pick(this.#shapesFor(index));
    this.#board.rows = rows;
    this.#board.cols = cols;
    this.#generator.fillBoard(this.#board, this.#style, index, random);
    return this.#board;
  }

  /** `tiny` takes the shapes in turn, so that none is missing; every other `hard` board is of the largest. */
  #shapesFor(index: number): readonly Shape[] {
    switch (this.#style.profile) {
      case 'tiny':
        return [this.#shapes[index % this.#shapes.length]];
      case 'contest-max':
        return this.#largest;
      case 'hard':
        return index % 2 === 0 ? this.#largest : this.#shapes;
      default:
        return this.#shapes;
    }
  }
}

/** A whole input of `cases` boards, in pieces of some GENERATED_BYTES. */
export function* generateInput(request: BoardRequest, cases: number): Generator<Uint8Array> {
  const { inputFormat } = request.problem;
  const source = new BoardSource(request);
  const out = new ByteWriter(GENERATED_BYTES * 2);
  inputFormat.printPreamble(cases, null, out);
  for (let index = 0; index < cases; index++) {
    inputFormat.printCase(source.board(index), out);
    if (out.length >= GENERATED_BYTES) yield out.take();
  }
  inputFormat.printTerminator(out);
  yield out.take();
}

function cellsOf({ rows, cols }: Shape): number {
  return rows * cols;
}

function listShapes({ problem, profile, rows, cols }: BoardRequest, minCells: number): Shape[] {
  const { contestLimits, limits } = problem;
  const most = profile === 'tiny' ? TINY_SIDE : Number.POSITIVE_INFINITY;
  const heights = rows ?? { from: contestLimits.minRows, to: Math.min(contestLimits.maxRows, most) };
  const widths = cols ?? { from: contestLimits.minCols, to: Math.min(contestLimits.maxCols, most) };
  checkRange('--rows', heights, { from: limits.minRows, to: limits.maxRows });
  checkRange('--cols', widths, { from: limits.minCols, to: limits.maxCols });
  const shapes: Shape[] = [];
  for (let height = heights.from; height <= heights.to; height++) {
    for (let width = widths.from; width <= widths.to; width++) {
      const cells = height * width;
      if (cells >= minCells && cells <= limits.maxCells) shapes.push({ rows: height, cols: width });
    }
  }
  if (shapes.length > 0) return shapes;
  const size = `${heights.from}x${widths.from} to ${heights.to}x${widths.to}`;
  throw new BoardmillError(
    'usage',
    `a board of ${problem.name} has ${minCells} to ${limits.maxCells} cells, none of ${size} does`,
  );
}

function checkRange(option: string, wanted: SizeRange, allowed: SizeRange): void {
  if (wanted.from >= allowed.from && wanted.to <= allowed.to) return;
  throw new BoardmillError(
    'usage',
    `${option} needs sizes from ${allowed.from} to ${allowed.to}, got ${wanted.from}..${wanted.to}`,
  );
}
