/** Tests with hostile inputs. boardmill refuses each at once, with a clear message and in bounded memory. */
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { fixtureOf } from '../fixtures/problems.mjs';
import { allowSlowTests } from '../support/slow-tests.js';
import { type Endless, expectRefusal, expectSkippedLine } from './endless-input.js';
import { boardmill } from './in-turn.js';
import { solveHere } from './solve-here.js';
import { expectNamed, NOT_TEXT, PROBLEMS_OF_BYTES } from './strange-bytes.js';

allowSlowTests();

const solve = (problem: string, stdin: string | Uint8Array, ...args: string[]) =>
  boardmill(['solve', problem, '-j', '1', ...args], { stdin });

describe('a wrong number of rows', () => {
  const sizes = [
    '1000000000',
    '-1',
    '18446744073709551617',
    '1e1',
    '+1',
    '0x1',
    '٣',
    '１',
    '1\0',
    '9'.repeat(5000),
  ];
  const places = PROBLEMS.map(({ name }) => {
    const { text, nextLine } = fixtureOf(name).goodCase;
    return { problem: name, head: text, line: nextLine };
  });
  const table = [
    ...sizes.map((size) => ({ size, ...places[0] })),
    ...places.slice(1).flatMap((place) => sizes.slice(0, 2).map((size) => ({ size, ...place }))),
  ];

  const messageAt = (line: number) =>
    new RegExp(`^<stdin>:${line}:1: case 2: expected the number of rows \\(.*\\), got .*$`);

  test.each(table)('a board of $size rows is refused ($problem)', async ({ size, problem, head, line }) => {
    const input = Buffer.from(`${head}${size} 1\n`);
    const { messages } = await solveHere(problem, input, { name: '<stdin>', policy: 'stop' });
    expect(messages).toEqual([expect.stringMatching(messageAt(line))]);
    // The message is short even if the token is long.
    expect(messages[0].length).toBeLessThan(190);
  });

  test.each(places)('solve refuses a board of 10^9 rows ($problem)', async ({ problem, head, line }) => {
    const { code, stderr } = await solve(problem, `${head}1000000000 1\n`);
    expect(code).toBe(3);
    expect(stderr.replace('boardmill: ', '').trimEnd()).toMatch(messageAt(line));
  });
});

describe('a wrong number of cases', () => {
  test('solve refuses a number of cases above 2^53 before it answers any case', async () => {
    const { code, stdout, stderr } = await solve('bt', `1${'0'.repeat(30)}\n1 1\n.\n`);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('<stdin>:1:1: expected the number of cases (0 to 2^53 - 1), got "1000');
  });

  test('if T is 10^15, solve answers the cases in the input and then reports that the others are missing', async () => {
    const { code, stdout, stderr } = await solve('bt', '1000000000000000\n1 1\n.\n');
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'Case #1: 2\n' });
    expect(stderr).toContain(
      'case 2: expected 1000000000000000 cases, got the end of the input after 1 case',
    );
  });
});

describe('an input that is not text', () => {
  test.each(NOT_TEXT.map((input, i) => ({ ...input, problem: PROBLEMS_OF_BYTES[i % 2] })))(
    'solve names the file type of an input that is $what ($problem)',
    async ({ problem, ...input }) => {
      await expectNamed(problem, input);
    },
  );
});

describe('an endless input', () => {
  test.each<Endless>([
    { of: 'digits where T belongs', problem: 'bt', head: '', filling: '1' },
    { of: 'one row', problem: 'bt', head: `9\n4 4\n`, filling: '.' },
    { of: 'blanks between rows and columns', problem: 'darkraft', head: '4', filling: ' ' },
  ])('solve refuses an endless input of $of after a few MiB', async (endless) => {
    await expectRefusal(endless);
  });
});

test('--on-error mark skips a line of 300 MiB and needs less than 250 MiB of memory', async () => {
  await expectSkippedLine(300);
});
