/** Kills runs of `solve -o` in the current test's folder, and compares what --resume makes of them with undisturbed runs. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bulkInput, type Style, styleOf } from '../support/inputs.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { exitOf, type Outcome, start } from './boardmill.js';
import { boardmill } from './in-turn.js';

export const FILE = 'all.ans';

/** The number of cases of `input`, an input of bacterial-tactics of less than 32 KiB. */
export const CASES = 1200;
export const input = bulkInput(styleOf('bacterial-tactics'), CASES, 5, 1);

/** A run that is killed: its problem, its options, and whether its input has invalid cases. */
export interface KilledRun {
  readonly style: Style;
  readonly args: readonly string[];
  readonly isDamaged?: boolean;
}

/** Functions for tests of interrupted runs, with a folder for each test of the calling file. */
export function createRuns() {
  const folder = folderForEachTest();
  const { at, read } = folder;

  /** Runs solve in the current test's folder. Inputs of up to 32 KiB need no process of their own: see in-turn.ts. */
  const solve = (problem: string, args: readonly string[], stdin = ''): Promise<Outcome> =>
    boardmill(['solve', problem, '-j', '1', ...args], { cwd: folder.path, stdin });

  /** Returns the number of answered cases in the checkpoint, or 0 if there is no checkpoint yet. */
  const checkpointedCases = (): number => {
    if (!existsSync(at(`${FILE}.checkpoint`))) return 0;
    return JSON.parse(read(`${FILE}.checkpoint`)).position.scan.cases as number;
  };

  /** Resolves when the checkpoint contains at least this number of answered cases. */
  const untilCheckpointed = async (cases: number): Promise<void> => {
    await until(() => checkpointedCases() >= cases);
  };

  /**
   * Starts a run, writes `part` to its input, and kills it with SIGKILL when it has written `cases` answers to a checkpoint.
   * Returns the number of answered cases in the checkpoint.
   */
  const killRun = async (
    problem: string,
    args: readonly string[],
    part: string,
    cases = 1,
  ): Promise<number> => {
    const child = start(['solve', problem, '-', '-o', FILE, '-j', '2', '--chunk', '1K', ...args], {
      cwd: folder.path,
    });
    const ended = exitOf(child);
    child.stdin.on('error', () => {});
    child.stdin.write(part);
    await untilCheckpointed(cases);
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    expect(existsSync(at(FILE))).toBe(false);
    return checkpointedCases();
  };

  const undisturbed = new Map<string, Promise<{ code: Outcome['code']; answers: string }>>();
  /** Returns the exit code and the answers of a run that is not interrupted. Equal runs are made once. */
  const outcomeWithoutInterruption = (problem: string, args: readonly string[], text: string) => {
    const key = JSON.stringify([problem, args, text]);
    const outcome =
      undisturbed.get(key) ??
      solve(problem, ['-', ...args], text).then(({ code, stdout }) => ({ code, answers: stdout }));
    undisturbed.set(key, outcome);
    return outcome;
  };

  return { folder, solve, checkpointedCases, untilCheckpointed, killRun, outcomeWithoutInterruption };
}

/** Declares a test for each run: after SIGKILL, --resume gives the bytes and the exit code of a run that was not interrupted. */
export function testKilledRuns(
  runs: readonly KilledRun[],
  { folder, ...of }: ReturnType<typeof createRuns>,
): void {
  const { at, read } = folder;
  test.each(runs)('a killed run of $style.name with $args is resumed from standard input', async (run) => {
    const { name } = run.style;
    const text = run.isDamaged ? damage(bulkInput(run.style, 600, 4, 2)) : bulkInput(run.style, 600, 4, 2);
    // With --on-error stop, the part must end before the first invalid case, because the run would end there.
    const part = text.slice(0, text.length / (run.isDamaged && run.args.includes('stop') ? 4 : 2));
    const done = await of.killRun(name, run.args, part);
    const args = ['-', '-o', FILE, '--resume', '--stats', 'stats.json', ...run.args];
    const { code } = await of.solve(name, args, text);
    const answers = read(existsSync(at(FILE)) ? FILE : `${FILE}.partial`);
    expect({ code, answers }).toEqual(await of.outcomeWithoutInterruption(name, run.args, text));
    expect(code).toBe(!run.isDamaged ? 0 : run.args.includes('stop') ? 3 : 1);
    expect(JSON.parse(read('stats.json'))).toMatchObject({ resumedCases: done });
  });
}

/** Makes two cases of an input invalid: one after a third of its lines, and one near its end. */
function damage(text: string): string {
  const lines = text.split('\n');
  const rows = [Math.floor(lines.length / 3), lines.length - 4];
  return lines.map((line, i) => (rows.includes(i) ? `${line}?` : line)).join('\n');
}

/** Text behind the last case of an input: what it is, the text, and what is left when it is removed. */
export type Stray = readonly [what: string, stray: string, left: string];

/** Declares a test for each stray text. */
export function testStrays(strays: readonly Stray[], { folder, ...of }: ReturnType<typeof createRuns>): void {
  const { read } = folder;
  test.each(strays)(
    'after %s behind the last case was removed, --resume continues',
    async (_, stray, left) => {
      expect((await of.solve('bt', ['-', '-o', FILE, '--chunk', '1K'], input + stray)).code).toBe(3);
      const done = of.checkpointedCases();
      expect(done).toBeGreaterThan(CASES / 2);
      const { code } = await of.solve(
        'bt',
        ['-', '-o', FILE, '--resume', '--stats', 'stats.json'],
        input + left,
      );
      expect({ code, answers: read(FILE) }).toEqual(await of.outcomeWithoutInterruption('bt', [], input));
      expect(JSON.parse(read('stats.json'))).toMatchObject({ cases: CASES, resumedCases: done });
    },
  );
}
