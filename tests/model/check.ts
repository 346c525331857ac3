/** Plays random scenarios until one differs from the model, and makes that one smaller. */
import fc from 'fast-check';
import type { Scenario, Story } from './stories/story.js';
import { Difference, World } from './world.js';

/** How a search is done. `path` is that of a failure which fast-check has reported: then only this failure is played. */
export interface Search {
  readonly seed: number;
  readonly runs: number;
  readonly path?: string;
  /** Returns whether a scenario shall be played. If missing, every scenario is played. */
  readonly isWanted?: (scenario: Scenario) => boolean;
}

/** Collects what the scenarios of a test show. */
export class Coverage {
  readonly #missing: Set<string>;

  constructor(stories: readonly Story[]) {
    this.#missing = new Set(
      stories.flatMap(({ name, features }) => features.map((feature) => `${name}: ${feature}`)),
    );
  }

  /** The features that no scenario has shown so far. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  /** Returns whether the scenario shows at least this many features that no scenario before it has shown. If so, adds them. */
  add({ story, features }: Scenario, least: number): boolean {
    const added = features.map((feature) => `${story}: ${feature}`).filter((each) => this.#missing.has(each));
    if (added.length < least) return false;
    for (const each of added) this.#missing.delete(each);
    return true;
  }
}

/** Plays scenarios of these stories. Throws a Difference with the smallest scenario that was found to fail. */
export async function playScenarios(stories: readonly Story[], root: string, search: Search): Promise<void> {
  const { seed, runs, path, isWanted = () => true } = search;
  const anyScenario = fc.oneof(...stories.map(({ weight, scenarios }) => ({ weight, arbitrary: scenarios })));
  let firstFailure: unknown = null;
  const property = fc.asyncProperty(anyScenario, async (scenario) => {
    if (firstFailure === null && !isWanted(scenario)) return;
    const failure = await failureOf(scenario, root);
    // Making a scenario smaller may take long, and whoever waits can already see what was found.
    if (firstFailure === null && failure !== null)
      console.error(`seed ${seed}: ${scenario}\n${failure}\nnow the scenario is made smaller`);
    firstFailure ??= failure;
    if (failure !== null) throw failure;
  });
  const details = await fc.check(property, { seed, numRuns: runs, ...(path === undefined ? {} : { path }) });
  if (!details.failed) return;
  const only = stories.length === 1 ? ` --only ${stories[0].name}` : '';
  const again = `--seed ${details.seed} --path ${details.counterexamplePath}${only}`;
  throw new Difference(
    `run ${details.numRuns} of seed ${seed}, ${details.numShrinks} times made smaller: ${details.counterexample?.[0]}\n` +
      `${details.errorInstance instanceof Error ? (details.errorInstance.stack ?? details.errorInstance.message) : details.errorInstance}\n` +
      `Repeat with: npm run test:model -- ${again}`,
  );
}

/** Plays a scenario in a new folder. Returns what failed, or null. */
async function failureOf(scenario: Scenario, root: string): Promise<unknown> {
  const world = new World(root);
  try {
    await scenario.play(world);
    return null;
  } catch (error) {
    return error;
  } finally {
    world.remove();
  }
}
