/** The cases that the search for the slowest case begins with and compares with. */

import { Seed } from '../../core/random.js';
import { copyHeadToSharedMemory } from '../../engine/cut/task-head.js';
import type { InputGenerator } from '../../engine/exec/generator.js';
import { ANY_BOARDS, type CaseProfile, type RandomCasesRequest } from '../../problems/problem.js';
import type { CaseWithHead } from '../bench/stopwatch.js';
import type { AuthorFunctionPool } from '../cases/author-pool.js';
import { LargestSizeTracker } from '../cases/case-sizes.js';
import { drawRandomCases } from '../cases/draw.js';
import type { StressPlan } from './plan.js';
import { generateRoundInput, openInputGenerator } from './printed-input.js';

interface SlowCases {
  drawTiny(): Promise<CaseWithHead>;
  draw(index: number): Promise<CaseWithHead>;
  drawLike(slowest: CaseWithHead): Promise<CaseWithHead[]>;
  close(): void;
}

/** Number of tiny cases of which the shortest is taken. */
const TINY_CASES = 8;
/** One of this many boards is of the profile `hard`. */
const ROUNDS_PER_HARD_BOARD = 12;
/** Number of random cases of the size of the slowest one. */
const LIKE_CASES = 9;
/** Number of cases from which those are chosen if a size cannot be wished for. */
const LIKE_CANDIDATES = 60;

export async function openSlowSearchCases(plan: StressPlan, author: AuthorFunctionPool): Promise<SlowCases> {
  const drawer = new SlowCaseDrawer(plan, author);
  const drawTiny = () => drawer.drawTiny();
  const generator = await openInputGenerator(plan);
  if (generator === null)
    return {
      drawTiny,
      draw: (index) => drawer.draw(index),
      drawLike: (slowest) => drawer.drawLike(slowest),
      close: () => {},
    };
  const printed = new PrintedCases(plan, author, generator);
  return {
    drawTiny,
    draw: () => printed.next(),
    drawLike: async (slowest) => nearestInLength(slowest, printed.seen),
    close: () => generator.close(),
  };
}

class SlowCaseDrawer {
  readonly #plan: StressPlan;
  readonly #author: AuthorFunctionPool;
  #likes = 0;

  constructor(plan: StressPlan, author: AuthorFunctionPool) {
    this.#plan = plan;
    this.#author = author;
  }

  async drawTiny(): Promise<CaseWithHead> {
    const cases = await this.#drawMany({ seed: 'tiny', profile: 'tiny', maxSize: 1 }, TINY_CASES);
    return cases.reduce((shortest, each) => (each.bytes.length < shortest.bytes.length ? each : shortest));
  }

  async draw(index: number): Promise<CaseWithHead> {
    const profile = this.#profileOf(index);
    const seed = `${this.#plan.seed}/${profile}/${index}`;
    return (await this.#drawMany({ seed, profile }, 1))[0];
  }

  /** The profiles take turns. A hard board takes long to draw, so there are few. */
  #profileOf(index: number): CaseProfile {
    const hasBoards = this.#plan.problem.boardLines !== undefined;
    if (hasBoards && index % ROUNDS_PER_HARD_BOARD === 2) return 'hard';
    return index % 2 === 0 ? 'contest-max' : 'random';
  }

  async drawLike(slowest: CaseWithHead): Promise<CaseWithHead[]> {
    const seed = `${this.#plan.seed}/like/${this.#likes++}`;
    const { board, numbers } = this.#sizesOf(slowest);
    if (board !== null) {
      const rows = { from: board.rows, to: board.rows };
      const cols = { from: board.cols, to: board.cols };
      const boards = { ...ANY_BOARDS, rows, cols };
      return this.#drawMany({ seed, profile: 'random', boards }, LIKE_CASES);
    }
    const maxSize = numbers.size === 0 ? null : Math.max(1, ...numbers.values());
    const drawn = await Promise.all(
      (['random', 'contest-max'] as const).map((profile) =>
        this.#drawMany({ seed, profile, maxSize }, LIKE_CANDIDATES),
      ),
    );
    return nearestInLength(slowest, drawn.flat());
  }

  #sizesOf({ head, bytes }: CaseWithHead): LargestSizeTracker {
    const sizes = new LargestSizeTracker(this.#plan.problem);
    sizes.add(head, [bytes]);
    return sizes;
  }

  async #drawMany(
    wishes: Pick<RandomCasesRequest, 'seed' | 'profile'> & Partial<RandomCasesRequest>,
    count: number,
  ): Promise<CaseWithHead[]> {
    const cases = this.#plan.problem.inputFormat.ending === 'single' ? 1 : this.#plan.casesPerRun;
    const request = { cases, maxSize: null, set: null, boards: ANY_BOARDS, ...wishes };
    const drawer = await this.#author.openDrawer(request);
    const head = copyHeadToSharedMemory(drawer.head);
    return (await drawRandomCases(drawer, 0, count)).map((bytes) => ({ head, bytes }));
  }
}

/** The cases of the inputs that a generator prints, one after another. */
class PrintedCases {
  /** The last cases that were printed. */
  readonly seen: CaseWithHead[] = [];
  readonly #plan: StressPlan;
  readonly #author: AuthorFunctionPool;
  readonly #generator: InputGenerator;
  #round = 0;

  constructor(plan: StressPlan, author: AuthorFunctionPool, generator: InputGenerator) {
    this.#plan = plan;
    this.#author = author;
    this.#generator = generator;
  }

  /** Returns a random case of the next input. */
  async next(): Promise<CaseWithHead> {
    this.#round++;
    const { head, cases } = await generateRoundInput(this.#plan, this.#generator, this.#author, this.#round);
    const random = new Seed(`${this.#plan.seed}/printed`).random(this.#round);
    const input = { head, bytes: cases[random.below(Math.min(cases.length, 2 ** 20))] };
    this.seen.push(input);
    if (this.seen.length > LIKE_CANDIDATES) this.seen.shift();
    return input;
  }
}

/** The cases whose lengths in bytes are nearest to that of the slowest case. */
function nearestInLength(slowest: CaseWithHead, cases: readonly CaseWithHead[]): CaseWithHead[] {
  const distance = ({ bytes }: CaseWithHead) => Math.abs(bytes.length - slowest.bytes.length);
  return [...cases].sort((a, b) => distance(a) - distance(b)).slice(0, LIKE_CASES);
}
