/** Remembers right answers, because many mutants get the same cases. */
import type { ChunkTask } from '../../engine/messages.js';
import type { Recovery, TaskOutcome } from '../../engine/recover.js';

/** Largest number of tasks whose answers are remembered, and their largest size. */
const MAX_TASKS = 2000;
const MAX_TASK_BYTES = 2 ** 16;

export class RememberedAnswers implements Pick<Recovery, 'solve'> {
  readonly #solver: Pick<Recovery, 'solve'>;
  readonly #outcomes = new Map<string, Promise<TaskOutcome>>();

  constructor(solver: Pick<Recovery, 'solve'>) {
    this.#solver = solver;
  }

  solve(task: ChunkTask): Promise<TaskOutcome> {
    const { bytes, head, starts } = task;
    if (bytes.length > MAX_TASK_BYTES) return this.#solver.solve(task);
    const key = `${head.number} ${starts} ${Buffer.from(bytes).toString('latin1')}`;
    const known = this.#outcomes.get(key);
    if (known !== undefined) return known;
    const outcome = this.#solver.solve(task);
    if (this.#outcomes.size >= MAX_TASKS) this.#outcomes.delete(this.#outcomes.keys().next().value!);
    this.#outcomes.set(key, outcome);
    // A failure is not remembered, because its cause may be gone the next time.
    outcome.catch(() => this.#outcomes.delete(key));
    return outcome;
  }
}
