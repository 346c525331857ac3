/** A small problem, right programs for it, and the command that grades tests with them. */
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

/** Ten times the larger of two numbers, and how far apart they are. All cases can be listed. */
const MODULE = `
  import { defineProblem, formats } from 'boardmill';
  export default defineProblem({
    name: 'larger',
    input: formats.counted({ a: formats.int(0, 5), b: formats.int(0, 5) }),
    solve: ({ a, b }) => 10 * Math.max(a, b) + Math.abs(a - b),
    print: (answer, number) => \`Case #\${number}: \${answer}\`,
    answer: formats.labelled('Case #', formats.int()),
  });`;

export const C_PROGRAM = `#include <stdio.h>
int main(void) {
  int cases, a, b;
  scanf("%d", &cases);
  for (int i = 1; i <= cases; i++) {
    scanf("%d %d", &a, &b);
    int larger = a;
    if (b > a) larger = b;
    printf("Case #%d: %d\\n", i, 11 * larger - (a + b - larger));
  }
  return 0;
}
`;

const PYTHON_PROGRAM = `import sys
numbers = list(map(int, sys.stdin.read().split()))
for case in range(numbers[0]):
    a, b = numbers[2 * case + 1], numbers[2 * case + 2]
    larger = a if a > b else b
    print("Case #%d: %d" % (case + 1, 10 * larger + abs(a - b)))
`;

/** A mutant in the report. */
export interface Survivor {
  readonly line: number;
  readonly operator: string;
  readonly from: string;
  readonly to: string;
  readonly status: string;
}

/** Creates a folder before each test. `prepare` writes the problem, the programs and a weak test into it. */
export function createGradings() {
  const folder = folderForEachTest();
  const prepare = () => {
    folder.write('larger.mjs', MODULE);
    folder.write('right.c', C_PROGRAM);
    folder.write('right.py', PYTHON_PROGRAM);
    folder.write('weak.in', '1\n3 3\n');
  };
  const grade = (...args: string[]) =>
    boardmill(['grade', './larger.mjs', ...args, '--seed', '7', '-j', '1'], { cwd: folder.path });
  return { folder, prepare, grade };
}
