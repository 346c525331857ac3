/** A problem of a user, whose cases are pairs of integers, for tests of what its author or a program does wrong. */
import { folderForEachTest } from '../support/temporary-folder.js';
import type { Outcome } from './boardmill.js';
import { boardmill } from './in-turn.js';

/** An input of four cases. Their sums are 3, 7, 26 and 11. */
export const INPUT = '4\n1 2\n3 4\n13 13\n5 6\n';

/** Members of the module that make its answers the sums. */
export const SUMS = 'solve: ({ a, b }) => a + b,';

/** Members of the module with a comparison that has every outcome. */
export const EQUAL = `${SUMS} answer: int(),
  equal(expected, got, { a }) {
    if (got === 100) throw new Error('a hundred');
    if (got === 50) return 'fifty is too much';
    if (got === 60) return 1;
    return a === 1 && got > expected;
  },`;

/** Members of the module whose answers are fractions. */
export const FRACTIONS = 'solve: ({ a, b }) => a / b, answer: formats.number(),';

/** Answers that are nearly the fractions of INPUT. */
export const NEAR = '0.5000001\n0.7500001\n1.0\n0.8333333\n';

/** A checker that accepts answers of the right length, but for some. It exits with code 3 if an answer is 9. */
const CHECKER = `
  output=$(cat "$2") answer=$(cat "$3")
  case $output in
    7) echo 'seven is never right' >&2; exit 1 ;;
    8) exit 2 ;;
    9) echo 'who is nine?' >&2; exit 3 ;;
  esac
  [ "$(head -n 1 "$1")" = 1 ] && [ \${#output} = \${#answer} ]
`;

/** Returns functions that write the module sums.mjs into the folder of the current test, and run boardmill there. */
export function createSums() {
  const folder = folderForEachTest();
  const { write } = folder;
  const run = (args: readonly string[], stdin = ''): Promise<Outcome> =>
    boardmill(args, { cwd: folder.path, stdin });

  /** Writes the module. `members` are what it defines apart from its format. */
  const writeModule = (members: string): void =>
    write(
      'sums.mjs',
      `import { defineProblem, formats } from 'boardmill';
       const { int, line, lines, counted, labelled } = formats;
       export default defineProblem({
         name: 'sums',
         input: counted({ a: int(), b: int() }),
         ${members}
       });`,
    );

  const solve = (members: string, args: readonly string[] = [], input = INPUT): Promise<Outcome> => {
    writeModule(members);
    write('all.in', input);
    return run(['solve', './sums.mjs', 'all.in', '-j', '1', ...args]);
  };

  const check = (members: string, answers: string, args: readonly string[] = []): Promise<Outcome> => {
    writeModule(members);
    write('all.in', INPUT);
    write('mine.ans', answers);
    return run(['check', './sums.mjs', 'all.in', 'mine.ans', '-j', '1', ...args]);
  };

  /** Writes the checker. Returns the options that use it. */
  const withChecker = (): string[] => {
    write('checker.sh', CHECKER);
    return ['--checker', 'sh checker.sh'];
  };

  /** Runs stress with the comparison EQUAL. `answer` is what the program prints, an expression of awk with a and b. */
  const stress = (answer: string, args: readonly string[] = []): Promise<Outcome> => {
    writeModule(`${EQUAL} valid: ({ a, b }) => a > 0 && b > 0 || 'not positive',
      generate: ({ index }) => ({ a: index === 0 ? 2 : 1, b: 3 }),`);
    const exec = `awk 'NR > 1 { a = $1; b = $2; print ${answer} }'`;
    return run(['stress', './sums.mjs', '--exec', exec, '--seed', '1', '--rounds', '2', '-j', '1', ...args]);
  };

  return { folder, run, writeModule, solve, check, withChecker, stress };
}
