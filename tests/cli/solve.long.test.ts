/** The layouts and settings that solve.test.ts leaves out, with all problems. */
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { bulkInput, STYLES } from '../support/inputs.js';
import { SEED } from '../support/random-tests.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { boardmill } from './in-turn.js';
import { expectSampleAnswers, isUsual, layoutsOf, settingsOf } from './solve-matrix.js';

allowSlowTests();

const CASES = 2000;

test.each(PROBLEMS.flatMap(({ name }, i) => layoutsOf(name).filter((_, k) => !isUsual(i, k))))(
  'solve prints the answers of the statement sample of $problem if its input is $layout',
  expectSampleAnswers,
);

describe.each(STYLES.map((style, i) => ({ ...settingsOf(style, CASES), name: style.name, i })))(
  'solve prints the same answers to $name with all settings',
  ({ settings, i, expectSameAnswers }) => {
    test.each(settings.filter((_, k) => k % STYLES.length !== i))(
      'the answers are the same with -j $jobs --chunk $chunk --solver $solver and input from $from',
      expectSameAnswers,
    );
  },
);

test.each(STYLES.filter(({ name }) => name !== 'darkraft'))(
  '--format ndjson prints one line for each case of $name, in the order of the input',
  async (style) => {
    const input = bulkInput(style, CASES, style.minCells > 1 ? 3 : 4, SEED);
    const args = ['solve', style.name, '--format', 'ndjson', '-j', '2', '--chunk', '4K'];
    const { code, stdout } = await boardmill(args, { stdin: input });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).case)).toEqual(
      Array.from({ length: CASES }, (_, i) => i + 1),
    );
    expect(code).toBe(0);
  },
);
