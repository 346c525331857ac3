/** Fields of a module that are there only if a comparison is true, in every command that derives something from the format. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const folder = temporaryFolder();
writeFileSync(
  join(folder, 'optional.mjs'),
  `import { defineProblem, formats } from 'boardmill';
  const { untilEnd, int, lines, list, word } = formats;
  export default defineProblem({
    name: 'optional',
    input: untilEnd({ w: int(0, 2), note: lines('w = 1'), edge: list('w > 1', { u: int(1, 2), s: word('ab') }) }),
    solve: ({ w, note, edge }) => w + ':' + (note[0] ?? edge[0]?.s ?? '-'),
  });`,
);
const run = (words: string[], stdin = '') => boardmill(words, { cwd: folder, stdin });

test('an optional line and an optional record are read, and a missing one is reported', async () => {
  const good = await run(['solve', './optional.mjs'], '1\n2 a\n0\n2\n1 ab\n');
  expect(good).toMatchObject({ code: 0, stdout: '1:2 a\n0:-\n2:ab\n' });
  const missing = await run(['solve', './optional.mjs'], '0\n2\n');
  expect(missing).toMatchObject({ code: 3, stdout: '0:-\n' });
  const described = await run(['problems', './optional.mjs']);
  expect(described.stdout).toContain('note  lines: 1 if w==1, else 0');
});

test('drawn cases are valid, and have every kind of line', async () => {
  const drawn = await run(['generate', './optional.mjs', '--cases', '40', '--seed', '1']);
  expect(drawn.code).toBe(0);
  const valid = await run(['validate', './optional.mjs', '-'], drawn.stdout);
  expect(valid).toMatchObject({ code: 0, stderr: expect.stringContaining('no error in 40 cases') });
  const answers = await run(['solve', './optional.mjs'], drawn.stdout);
  expect(answers.stdout).toMatch(/^0:-$/m);
  expect(answers.stdout).toMatch(/^1:.*[a-z]/m);
  expect(answers.stdout).toMatch(/^2:[ab]+$/m);
});

test('a counterexample is shrunk to the smallest optional record', async () => {
  writeFileSync(
    join(folder, 'wrong.awk'),
    `$1 == 0 { print "0:-"; next }
    $1 == 1 { getline; gsub(/^ +| +$/, ""); print "1:" $0; next }
    { w = $1; getline; sub(/b/, "a", $2); print w ":" $2 }\n`,
  );
  const words = ['stress', './optional.mjs', '--exec', 'awk -f wrong.awk', '--seed', '1', '--rounds', '30'];
  const found = await run(words);
  expect(found.stdout).toContain('shrunk from a batch of');
  expect(found.stdout).toContain('  2\n  1 b\nsaved');
  expect(found.code).toBe(1);
});
