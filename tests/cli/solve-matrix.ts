/** The statement samples in all layouts, and runs with all settings that do not change the answers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bulkInput, type Style } from '../support/inputs.js';
import { SEED } from '../support/random-tests.js';
import { createFolder } from '../support/temporary-folder.js';
import { ROOT } from './boardmill.js';
import { boardmill } from './in-turn.js';

/** Returns the text of the input or the answers of a problem's statement sample. */
export function readSample(problem: string, ending: 'in' | 'ans'): string {
  return readFileSync(join(ROOT, 'data', problem, 'sample', `statement.${ending}`), 'utf8');
}

/** The input of a statement sample, in one of the layouts in which people save it. */
interface SampleInput {
  readonly problem: string;
  readonly layout: string;
  readonly text: string;
}

/** Returns the statement sample of a problem in all layouts. */
export function layoutsOf(problem: string): SampleInput[] {
  const text = readSample(problem, 'in');
  const layouts: [string, string][] = [
    ['unchanged', text],
    ['with CRLF', text.replaceAll('\n', '\r\n')],
    ['after a BOM', `\ufeff${text}`],
    ['with blank lines and trailing whitespace', `\n \n${text.replaceAll('\n', ' \t\n\n')}\n\n`],
    ['in one line, without a final newline', text.trim().split(/\s+/).join(' ')],
  ];
  return layouts.map(([layout, text]) => ({ problem, layout, text }));
}

/** Whether npm test tries a layout with a problem: the first layout with each problem, each other one with one problem. */
export function isUsual(problemIndex: number, layoutIndex: number): boolean {
  return layoutIndex === 0 || layoutIndex - 1 === problemIndex;
}

export async function expectSampleAnswers({ problem, text }: SampleInput): Promise<void> {
  const outcome = await boardmill(['solve', problem, '-j', '1'], { stdin: text });
  expect(outcome).toEqual({ code: 0, stdout: readSample(problem, 'ans'), stderr: '' });
}

/** Settings of `solve` that do not change the answers. */
interface Settings {
  readonly jobs: string;
  /** The size of chunks; null if boardmill chooses it. */
  readonly chunk: string | null;
  readonly from: 'file' | 'stdin';
  readonly solver: 'auto' | 'portable';
}

/** Returns all settings, and what expects that an input of this many cases has the same answers with them. */
export function settingsOf(style: Style, cases: number) {
  const settings = ['1', '2', '3'].flatMap((jobs, i) =>
    ['1', '64', '4K', null].map(
      (chunk, k): Settings => ({
        jobs,
        chunk,
        from: (i + k) % 2 === 0 ? 'file' : 'stdin',
        solver: (i + (k >> 1)) % 2 === 0 ? 'auto' : 'portable',
      }),
    ),
  );
  const text = bulkInput(style, cases, style.minCells > 1 ? 3 : 4, SEED);
  const file = join(createFolder(), 'many.in');
  writeFileSync(file, text);
  let answers: Promise<string> | null = null;
  const expected = () => {
    answers ??= solve(['-j', '1', '--solver', 'portable', file]).then(({ stdout }) => stdout);
    return answers;
  };
  const solve = (args: readonly string[], stdin = '') => boardmill(['solve', style.name, ...args], { stdin });

  async function expectSameAnswers({ jobs, chunk, from, solver }: Settings): Promise<void> {
    const args = ['-j', jobs, '--solver', solver, ...(chunk === null ? [] : ['--chunk', chunk])];
    const outcome = await solve([...args, from === 'file' ? file : '-'], from === 'file' ? '' : text);
    expect(outcome.stderr).toBe('');
    expect(outcome.stdout === (await expected()), 'the same bytes').toBe(true);
    expect(outcome.stdout.length).toBeGreaterThan(cases);
    expect(outcome.code).toBe(0);
  }
  return { settings, expectSameAnswers };
}
