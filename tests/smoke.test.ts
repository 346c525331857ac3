/** The few tests that CI runs on every supported version of Node: the build solves the samples of the statements. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../src/catalog/registry.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const boardmill = `${root}/dist/src/cli/main.js`;

describe.each(PROBLEMS)('$name', ({ name: problem }) => {
  test.each(['auto', 'portable'])(
    'the build answers the sample of the statement with --solver %s',
    (solver) => {
      const sample = `${root}/data/${problem}/sample/statement`;
      const args = [boardmill, 'solve', problem, `${sample}.in`, '--solver', solver];
      expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe(
        readFileSync(`${sample}.ans`, 'utf8'),
      );
    },
  );
});
