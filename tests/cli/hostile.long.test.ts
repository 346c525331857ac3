/** More endless inputs than those of hostile.test.ts, a longer line, and more inputs that are not text. */
import { describe, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { type Endless, expectRefusal, expectSkippedLine } from './endless-input.js';
import { expectNamed, NOT_TEXT, PROBLEMS_OF_BYTES } from './strange-bytes.js';

allowSlowTests();

describe('an input that is not text', () => {
  test.each(NOT_TEXT.map((input, i) => ({ ...input, problem: PROBLEMS_OF_BYTES[(i + 1) % 2] })))(
    'solve names the file type of an input that is $what ($problem)',
    async ({ problem, ...input }) => {
      await expectNamed(problem, input);
    },
  );
});

describe('an endless input', () => {
  const header = '4 4\n';
  test.each<Endless>([
    { of: 'digits where a header belongs', problem: 'darkraft', head: '', filling: '1' },
    { of: 'letters where a header belongs', problem: 'darkraft', head: '', filling: 'L' },
    { of: 'one row of blocks', problem: 'link-and-pop', head: header, filling: 'AS' },
    { of: 'NUL bytes', problem: 'zu', head: '', filling: '\0' },
    { of: 'blanks before the first case', problem: 'bt', head: '', filling: ' ' },
    { of: 'blanks within a case', problem: 'bt', head: `9\n${header}`, filling: '\n' },
  ])('solve refuses an endless input of $of after a few MiB', async (endless) => {
    await expectRefusal(endless);
  });
});

test('--on-error mark skips a line of one gigabyte and needs less than 250 MiB of memory', async () => {
  await expectSkippedLine(1024);
});
