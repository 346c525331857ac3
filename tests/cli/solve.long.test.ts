/** The layouts and settings that solve.test.ts leaves out, with all problems. */
import { describe, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { STYLES } from '../support/inputs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { expectSampleAnswers, isUsual, layoutsOf, settingsOf } from './solve-matrix.js';

allowSlowTests();

test.each(PROBLEMS.flatMap(({ name }, i) => layoutsOf(name).filter((_, k) => !isUsual(i, k))))(
  'solve prints the answers of the statement sample of $problem if its input is $layout',
  expectSampleAnswers,
);

describe.each(STYLES.map((style, i) => ({ ...settingsOf(style, 2000), name: style.name, i })))(
  'solve prints the same answers to $name with all settings',
  ({ settings, i, expectSameAnswers }) => {
    test.each(settings.filter((_, k) => k % STYLES.length !== i))(
      'the answers are the same with -j $jobs --chunk $chunk --solver $solver and input from $from',
      expectSameAnswers,
    );
  },
);
