import { expect, test } from 'vitest';
import { threadOptions } from '../../../src/problems/modules/thread-options.js';

test.each([
  [[], undefined],
  [['--conditions=x', '--max-old-space-size=500'], undefined],
  [['--input-type=module'], []],
  [
    ['--conditions=x', '--input-type', 'module', '--no-warnings', '-e', 'a b', '-r', 'c'],
    ['--conditions=x', '--no-warnings', '-r', 'c'],
  ],
  [
    ['-pe', 'a', '--print', 'b', '--eval=c', '--import', 'd'],
    ['--import', 'd'],
  ],
  // These hold for the whole process, and Node refuses them for a thread.
  [['--expose-gc', '--title=x', '-p', 'a', '--stack_size=900', '--no-deprecation'], ['--no-deprecation']],
])('%j', (own, expected) => {
  expect(threadOptions(own).execArgv).toEqual(expected);
});
