/** More redirections, and more changes during a run, than those of ownership.test.ts. */
import { appendFileSync, linkSync } from 'node:fs';
import { beforeEach, describe, test } from 'vitest';
import { ownedFolder } from './owned-folder.js';

const { folder, expectRefusal, expectSilentRefusal, expectNoOutputAfter } = ownedFolder();
const { at, write } = folder;

describe('an output that is also an input or another output of the same run', () => {
  beforeEach(() => {
    linkSync(at('g.in'), at('hard.in'));
  });

  test.each([
    ['input and standard output', 'boardmill solve bt < g.in >> g.in'],
    ['input and standard output', 'boardmill validate bt g.in >> g.in'],
    ['input and --stats', 'boardmill solve bt -f --stats g.in < g.in'],
    ['output and standard output', 'boardmill solve bt hard.in -f -o out > out'],
    ['input and output', 'boardmill extract bt --cases 1 -f -o g.in < g.in'],
  ])('boardmill refuses a file that is both %s: %s', expectRefusal);

  test.each([['validate bt g.in 2>> g.in'], ['solve bt 2>> g.in < g.in']])(
    'if standard error is redirected to the input, boardmill refuses without a message: %s',
    expectSilentRefusal,
  );
});

test.each<[string, () => void]>([
  ['truncated', () => write('out.partial', '')],
  ['extended', () => appendFileSync(at('out.partial'), 'more\n'.repeat(20))],
])('if FILE.partial is %s by another program, FILE does not appear and the exit code is 4', (_, change) =>
  expectNoOutputAfter(change),
);
