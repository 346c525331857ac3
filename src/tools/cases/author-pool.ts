/** Calls `generate` and `valid` of a module in worker threads, for the commands that draw or check cases. */
import { DEFAULT_JUDGING_SECONDS } from '../../engine/limits.js';
import { LocalPool } from '../../engine/local-pool.js';
import type { InputHeadOfTask } from '../../engine/messages.js';
import type { Problem, RandomCasesRequest } from '../../problems/problem.js';
import type { CasesAsBytes } from '../stress/shrink.js';
import { createRandomCaseGenerator, type DrawnCases, type RandomCaseGenerator } from './draw.js';

export class AuthorFunctionPool {
  readonly #problem: Problem;
  readonly #jobs: number;
  readonly #timeoutSeconds: number;
  #pool: LocalPool | null = null;

  /**
   * Creates a pool that starts its threads when a function of the module is called for the first time. A function may take
   * `timeoutSeconds` for a case.
   */
  constructor(problem: Problem, jobs: number, timeoutSeconds = DEFAULT_JUDGING_SECONDS) {
    this.#problem = problem;
    this.#jobs = jobs;
    this.#timeoutSeconds = timeoutSeconds;
  }

  /** Opens a source of random cases: the module's, if it has `generate` or `valid`. */
  async openDrawer(request: RandomCasesRequest): Promise<RandomCaseGenerator> {
    const { author } = this.#problem;
    if (!author?.hasGenerate && !author?.hasValid) return createRandomCaseGenerator(this.#problem, request);
    const pool = this.#open();
    const draw = (from: number, count: number) =>
      pool.callAuthor('callGenerate', { request, from, count }, (index) => from + index + 1);
    const first = await draw(0, Math.max(1, request.cases));
    return {
      head: first.head,
      draw: async (from, count): Promise<DrawnCases> =>
        from === 0 && count >= first.starts.length - 1 ? first : draw(from, count),
    };
  }

  /**
   * Asks `valid` of the module about each case. Returns null for a valid case, and for another case what is wrong with it, or
   * an empty text if `valid` does not say. `numberOf` returns the number of a case for a message about `valid`.
   */
  async findInvalid(
    head: InputHeadOfTask,
    cases: CasesAsBytes,
    numberOf: (index: number) => number = (index) => index + 1,
  ): Promise<readonly (string | null)[]> {
    if (!this.#problem.author?.hasValid) return cases.map(() => null);
    return this.#open().callAuthor('callValid', { head, cases }, numberOf);
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }

  #open(): LocalPool {
    const options = { jobs: this.#jobs, timeoutSeconds: this.#timeoutSeconds };
    this.#pool ??= LocalPool.of(this.#problem, { solver: 'auto' }, options);
    return this.#pool;
  }
}
