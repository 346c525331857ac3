/** Divides the boards of a batch into groups that are solved together, and chooses the solver of each group. */

/** Boards that are solved together: `count` boards from position `first` of the sorted boards on. */
export interface BoardGroup {
  /**
   * `bits`: the kernel, with one board in each bit of its vectors. `bytes`: the kernel, with one board in each byte.
   * `portable`: the portable solver, one board after another.
   */
  readonly solver: 'bits' | 'bytes' | 'portable';
  readonly first: number;
  readonly count: number;
  readonly frame: Frame;
  /** Whether the kernel tests which rectangles it can skip. */
  readonly skipsRectangles: boolean;
}

/** The smallest grid that contains all boards of a group, and the mean number of radioactive cells of these boards. */
interface Frame {
  readonly rows: number;
  readonly cols: number;
  readonly radioactiveCells: number;
}

/** What the groups depend on: the sides and the number of radioactive cells of a board. */
export interface BoardGroupKey {
  rows(position: number): number;
  cols(position: number): number;
  radioactiveCells(position: number): number;
}

/**
 * The estimated times of the solvers, in microseconds. They were measured with Node 20 on an Intel Xeon (2.1 GHz, AVX-512), for
 * square boards with sides from 4 to 32: see bench/log-bacterial-tactics.md. Only their ratios matter.
 */
const BITS_US = { perGroup: 6, perSplit: 0.0039 };
const BYTES_US = { perGroup: 2, perSplit: 0.00083 };
const PORTABLE_US = { perBoard: 3, perSplit: 0.0044 };
/** Each further radioactive cell per line divides the number of splits that the portable solver searches by e to this power. */
const PORTABLE_DECAY = 1.15;
/** Share of the splits that the portable solver searches on boards with very many radioactive cells. */
const PORTABLE_LEAST_SHARE = 0.005;
/** If lines have at least this many radioactive cells on average, testing which rectangles can be skipped saves time. */
const SKIPPING_DENSITY = 2;
/** How much each further radioactive cell per line decreases the share of the splits that remain, and the least share. */
const SKIPPING = { decrease: 0.27, least: 0.3 };

interface PlannerOptions {
  /** Largest number of boards in a group that the kernel solves with one board in each byte, and in each bit. */
  readonly byteLanes: number;
  readonly bitLanes: number;
  /** Whether the planner may give boards to the portable solver that the kernel could solve. */
  readonly usesPortable: boolean;
}

/** Chooses the groups of the boards of a batch. */
export interface BoardGroupPlanner {
  /**
   * Calls `solve` for each group of `count` boards. The boards are sorted: by their long side, then by their short side, then
   * by their number of radioactive cells.
   */
  forEachGroup(count: number, boards: BoardGroupKey, solve: (group: BoardGroup) => void): void;
}

/**
 * Chooses the groups that take least time. It groups the largest boards first, so only groups of the smallest boards may not be
 * full.
 */
export class FastestBoardGroupPlanner implements BoardGroupPlanner {
  readonly #options: PlannerOptions;

  constructor(options: PlannerOptions) {
    this.#options = options;
  }

  forEachGroup(count: number, boards: BoardGroupKey, solve: (group: BoardGroup) => void): void {
    for (let end = count; end > 0; ) {
      const group = this.#lastGroup(end, boards);
      solve(group);
      end = group.first;
    }
  }

  /** Returns the group of the last boards before position `end` that takes least time. */
  #lastGroup(end: number, boards: BoardGroupKey): BoardGroup {
    const first = Math.max(0, end - this.#options.bitLanes);
    const frame = measureBoards(first, end, boards);
    const skipsRectangles = densityOf(frame) >= SKIPPING_DENSITY;
    const bits: BoardGroup = { solver: 'bits', first, count: end - first, frame, skipsRectangles };
    return bitsTime(bits) <= this.#timeWithout(first, end, boards) ? bits : this.#lastSmallGroup(end, boards);
  }

  #lastSmallGroup(end: number, boards: BoardGroupKey): BoardGroup {
    const first = Math.max(0, end - this.#options.byteLanes);
    const frame = measureBoards(first, end, boards);
    const solver = this.#portableTime(frame, end - first) < bytesTime(frame) ? 'portable' : 'bytes';
    return { solver, first, count: end - first, frame, skipsRectangles: false };
  }

  /** Returns the estimated time of these boards without the solver `bits`. */
  #timeWithout(first: number, end: number, boards: BoardGroupKey): number {
    let time = 0;
    for (let to = end; to > first; to -= this.#options.byteLanes) {
      const from = Math.max(first, to - this.#options.byteLanes);
      const frame = measureBoards(from, to, boards);
      time += Math.min(bytesTime(frame), this.#portableTime(frame, to - from));
    }
    return time;
  }

  #portableTime(frame: Frame, boards: number): number {
    return this.#options.usesPortable ? portableTime(frame, boards) : Number.POSITIVE_INFINITY;
  }
}

/** Returns the frame of the boards at the positions from `first` to `end - 1`. */
export function measureBoards(first: number, end: number, boards: BoardGroupKey): Frame {
  let rows = 0;
  let radioactiveCells = 0;
  for (let position = first; position < end; position++) {
    rows = Math.max(rows, boards.rows(position));
    radioactiveCells += boards.radioactiveCells(position);
  }
  // The last board has the longest side.
  return { rows, cols: boards.cols(end - 1), radioactiveCells: radioactiveCells / (end - first) };
}

/** Returns the mean number of radioactive cells on a line. */
function densityOf({ rows, cols, radioactiveCells }: Frame): number {
  return (2 * radioactiveCells) / (rows + cols);
}

/** Returns in how many ways the rectangles of a frame can be divided at a row or a column. */
function splitsOf({ rows, cols }: Frame): number {
  return rangesOf(rows) * rangeLengths(cols) + rangeLengths(rows) * rangesOf(cols);
}

/** Returns the number of ranges of adjacent lines. */
function rangesOf(lines: number): number {
  return (lines * (lines + 1)) / 2;
}

/** Returns the sum of the lengths of all ranges of adjacent lines. */
function rangeLengths(lines: number): number {
  return (lines * (lines + 1) * (lines + 2)) / 6;
}

function bitsTime({ frame, skipsRectangles }: BoardGroup): number {
  const { decrease, least } = SKIPPING;
  const remaining = skipsRectangles
    ? Math.max(least, 1 - decrease * (densityOf(frame) - SKIPPING_DENSITY))
    : 1;
  return BITS_US.perGroup + BITS_US.perSplit * splitsOf(frame) * remaining;
}

function bytesTime(frame: Frame): number {
  return BYTES_US.perGroup + BYTES_US.perSplit * splitsOf(frame);
}

function portableTime(frame: Frame, boards: number): number {
  const share = Math.exp(-PORTABLE_DECAY * densityOf(frame)) + PORTABLE_LEAST_SHARE;
  return boards * (PORTABLE_US.perBoard + PORTABLE_US.perSplit * splitsOf(frame) * share);
}
