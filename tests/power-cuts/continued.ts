/** Runs boardmill in a folder, cuts the power at any point, and looks at what a later run makes of what is left. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { environment } from '../cli/boardmill.js';
import { boardmill } from '../cli/in-turn.js';
import type { Random } from '../support/random.js';
import { type CutState, statesAfter, statesOf } from './cuts.js';
import type { DiskState } from './disk.js';
import { type FileOperation, record } from './record.js';
import { INPUTS } from './scenarios.js';

/** A run that is cut, and the run that continues it. */
export interface Scenario {
  /** The command lines that prepare the folder. */
  readonly before?: readonly (readonly string[])[];
  /** The command line of the recorded run. */
  readonly args: readonly string[];
  /** The command line that continues it; without it, that of the recorded run with `--resume`. */
  readonly next?: readonly string[];
  /** Writes the standard input of the recorded run, which works in `folder`. */
  readonly feed?: (folder: string, write: (text: string) => void) => Promise<void>;
  /** The files that must be there, as they are, when the run has ended. */
  readonly outputs: readonly string[];
}

/** What came of the states of a scenario. */
export interface Findings {
  /** Descriptions of wrong results, of finished files that were lost, and of refusals that changed something. */
  readonly faults: string[];
  /** Descriptions of refusals. */
  readonly refusals: { killed: string[]; cut: string[] };
  readonly states: { killed: number; cut: number };
}

/** The folder of boardmill's ledger. All test files of a process share it. */
const LEDGER = join(environment().XDG_STATE_HOME!, 'boardmill', 'answers');

/** The time of modification of all files, by which a run recognises that an input has not changed. */
const TIME = new Date('2026-01-01');

export class PowerCuts {
  readonly #folder: string;
  readonly #scenario: Scenario;
  readonly #before: DiskState;
  /** What the recorded run did. Tests change it, to see that the check notices. */
  readonly operations: readonly FileOperation[];
  readonly #code: number;
  readonly #after: DiskState;

  private constructor(
    folder: string,
    scenario: Scenario,
    before: DiskState,
    operations: readonly FileOperation[],
    code: number,
  ) {
    this.#folder = folder;
    this.#scenario = scenario;
    this.#before = before;
    this.operations = operations;
    this.#code = code;
    this.#after = readState([folder, LEDGER]);
  }

  /** Records a scenario in an empty folder. */
  static async record(folder: string, scenario: Scenario): Promise<PowerCuts> {
    for (const [name, text] of Object.entries(INPUTS)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    mkdirSync(LEDGER, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(LEDGER)) rmSync(join(LEDGER, name));
    for (const args of scenario.before ?? []) await boardmill(args, { cwd: folder });
    const before = readState([folder, LEDGER]);
    writeState(before, [folder, LEDGER]);
    const { operations, code } = await record(scenario.args, folder, async (write) =>
      scenario.feed?.(folder, write),
    );
    return new PowerCuts(folder, scenario, before, operations, code);
  }

  /** Continues the run from at most `limit` states of each kind, which are drawn if there are more. */
  async check(random: Random, limit: number, operations = this.operations): Promise<Findings> {
    const roots = [this.#folder, LEDGER];
    const findings: Findings = {
      faults: [],
      refusals: { killed: [], cut: [] },
      states: { killed: 0, cut: 0 },
    };
    for (const state of statesAfter(this.#before, roots, operations, random))
      for (const name of this.#scenario.outputs)
        if (!this.#isAsAfterwards(state, name))
          findings.faults.push(`${name} is lost after the end of the run`);
    const states = statesOf(this.#before, roots, operations, random);
    for (const cause of ['killed', 'cut'] as const) {
      const drawn = drawSome(
        states.filter((state) => state.cause === cause),
        limit,
        random,
      );
      findings.states[cause] = drawn.length;
      for (const state of drawn) await this.#continue(state, findings);
    }
    return findings;
  }

  async #continue({ state, cause, operations }: CutState, { faults, refusals }: Findings): Promise<void> {
    const roots = [this.#folder, LEDGER];
    writeState(state, roots);
    const next = this.#scenario.next ?? [...this.#scenario.args, '--resume'];
    const { code, stderr } = await boardmill(next, { cwd: this.#folder });
    const found = readState(roots);
    const names = [...state.keys()]
      .filter((path) => path.startsWith(this.#folder))
      .map((path) => path.slice(this.#folder.length + 1));
    const place = `${cause} after ${operations} operations, with ${names.join(' ')}: ${stderr.trim()}`;
    if (code === 2) {
      refusals[cause].push(place);
      if (
        ![...state.keys()].some(
          (path) => !path.startsWith(LEDGER) && !sameBytes(state.get(path), found.get(path)),
        )
      )
        return;
      faults.push(`refused, but changed something: ${place}`);
      return;
    }
    if (code !== this.#code) faults.push(`exit code ${code} in place of ${this.#code}: ${place}`);
    for (const name of this.#scenario.outputs)
      if (!this.#isAsAfterwards(found, name)) faults.push(`${name} differs: ${place}`);
    const left = [...found.keys()].filter(
      (path) => !path.startsWith(LEDGER) && /\.(partial|checkpoint|new)$/.test(path),
    );
    if (left.length > 0) faults.push(`${left.join(' ')} is left: ${place}`);
  }

  #isAsAfterwards(state: DiskState, name: string): boolean {
    const path = join(this.#folder, name);
    return sameBytes(state.get(path), this.#after.get(path)) && state.has(path);
  }
}

function drawSome<T>(from: readonly T[], count: number, random: Random): T[] {
  const rest = [...from];
  return Array.from(
    { length: Math.min(count, from.length) },
    () => rest.splice(random.below(rest.length), 1)[0],
  );
}

function sameBytes(one: Buffer | null | undefined, other: Buffer | null | undefined): boolean {
  return one === other || (one != null && other != null && one.equals(other));
}

function readState(roots: readonly string[]): DiskState {
  const state = new Map<string, Buffer | null>();
  const add = (path: string) => {
    state.set(path, null);
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const below = join(path, entry.name);
      if (entry.isDirectory()) add(below);
      else state.set(below, readFileSync(below));
    }
  };
  for (const root of roots) add(root);
  return state;
}

function writeState(state: DiskState, roots: readonly string[]): void {
  for (const root of roots)
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
  for (const [path, bytes] of state) {
    if (roots.includes(path)) continue;
    if (bytes === null) mkdirSync(path);
    else {
      writeFileSync(path, bytes, { mode: 0o600 });
      utimesSync(path, TIME, TIME);
    }
  }
  chmodSync(LEDGER, 0o700);
}
