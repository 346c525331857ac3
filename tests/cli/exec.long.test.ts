/** Tests of `solve --exec`: the problems and options that exec.test.ts leaves out, and a program that must be compiled. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bulkInput, STYLES, styleOf } from '../support/inputs.js';
import { compile, hasCompiler, program } from '../support/programs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testInvalidCase, testRightPrograms } from './exec-answers.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const folder = temporaryFolder();

describe('--exec with a right program', () => {
  testRightPrograms((problem, args) => (problem + args) % 3 !== 0);
});

for (const style of STYLES.filter(({ name }) => name !== 'bacterial-tactics')) testInvalidCase(style);

test('a run of several cases that takes too long is cut in halves, until only the case that hangs has no answer', async () => {
  const stdin = '4\n1 2\n..\n1 2\n.#\n1 1\n.\n1 2\n##\n';
  const exec = ['--exec', program('bacterial-tactics', 'hang-on-1x1'), '--exec-cases', '4', '--timeout', '2'];
  const args = ['solve', 'bt', ...exec, '--retries', '0'];
  const [marking, stopping] = await Promise.all([
    boardmill([...args, '--on-error', 'mark', '-j', '1'], { cwd: folder, stdin }),
    boardmill(args, { cwd: folder, stdin }),
  ]);
  expect(marking).toMatchObject({
    code: 1,
    stdout: 'Case #1: 2\nCase #2: 1\nCase #3: ERROR\nCase #4: 0\n',
  });
  expect(stopping).toMatchObject({ code: 4, stdout: 'Case #1: 2\nCase #2: 1\n' });
  expect(marking.stderr).toContain('<stdin>:6:1: case 3: no answer within 2 s');
  expect(stopping.stderr).toContain('<stdin>:6:1: case 3: no answer within 2 s; case saved; repeat with: ');
});

describe.skipIf(!hasCompiler)('a compiled C++ program (needs g++)', () => {
  test('solve accepts a C++ program that uses booleans as nimbers, and check finds its wrong answers', async () => {
    const command = compile('booleans', folder);
    const style = styleOf('bacterial-tactics');
    const input = join(folder, 'boards.in');
    writeFileSync(input, bulkInput(style, 400, 6, 20));
    const wrong = await boardmill([
      'solve',
      'bt',
      input,
      '--exec',
      command,
      '--exec-cases',
      '50',
      '-o',
      `${input}.wrong`,
    ]);
    expect(wrong).toEqual({ code: 0, stdout: '', stderr: '' });
    const check = await boardmill(['check', 'bt', input, `${input}.wrong`]);
    expect(check.code).toBe(1);
    expect(check.stdout).toMatch(/\n400 cases: \d+ differ/);
    expect(await boardmill(['check', 'bt', input, `${input}.wrong`, '--exec', command])).toEqual({
      code: 0,
      stdout: '400 cases: all answers agree\n',
      stderr: '',
    });
  });
});
