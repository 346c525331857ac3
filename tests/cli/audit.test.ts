/** `solve --audit`: a sample of the answers is compared with those to symmetric twins. */
import { beforeEach, expect, test } from 'vitest';
import { program } from '../support/programs.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

const folder = folderForEachTest();
const { at, read, write } = folder;
const INPUT = `40\n${'2 3\n.#.\n...\n'.repeat(40)}`;
const solve = (...args: string[]) => boardmill(['solve', 'bt', ...args], { cwd: folder.path });

beforeEach(() => write('a.in', INPUT));

test('the answers are those without it, and the run says how many were compared', async () => {
  const plain = await solve('a.in');
  const audited = await solve('a.in', '--audit', '100%', '--stats', 'stats');
  expect(audited).toEqual({
    code: 0,
    stdout: plain.stdout,
    stderr:
      'boardmill: fewer than 1 wrong in 13 at 95 %: 40 answers were compared with those to symmetric twins\n',
  });
  const { audit } = JSON.parse(read('stats'));
  expect(audit).toEqual({ pairs: 40, differences: 0, uncompared: 0, bound: 1 - 0.05 ** (1 / 40) });
  expect(await solve('a.in', '--audit', '100%', '-q')).toEqual({ ...plain, stderr: '' });
});

test('the inputs of a folder and of a table share one audit', async () => {
  write('b.in', INPUT);
  const words = '80 answers were compared with those to symmetric twins\n';
  expect((await solve('.', '--audit', '100%')).stderr).toContain(words);
  expect((await solve('.', '--audit', '100%', '--format', 'csv', '-o', 'all')).stderr).toContain(words);
});

test('a difference ends the run with exit code 4, saves both boards, and no answer is kept', async () => {
  // It answers 8 to the last case of its first run.
  write('liar', `${program('bacterial-tactics')} | if mkdir lied; then sed '$ s/: .*/: 8/'; else cat; fi`);
  const { code, stderr } = await solve(
    'a.in',
    '-o',
    'a.ans',
    '--audit',
    '100%',
    '--exec',
    'sh liar',
    '-j',
    '1',
  );
  expect(code).toBe(4);
  expect(stderr).toMatch(
    /^boardmill: a\.in: case (\d+): its answer "\d" does not fit the answer to its symmetric twin, from which "\d" follows; one of them is wrong, so no answer of this run can be trusted; both boards are saved as audit-bacterial-tactics-\1\.in and audit-bacterial-tactics-\1-twin\.in\n$/,
  );
  const saved = folder.names().filter((name) => name.startsWith('audit-'));
  expect(saved).toHaveLength(2);
  expect(folder.names()).toEqual(['a.in', ...saved, 'liar', 'lied']);
  for (const name of saved) expect((await boardmill(['validate', 'bt', at(name)])).code).toBe(0);
});

test.each(['3', '0%', '101%', '3 %', '-1%', '%', ''])('the percentage %j is refused', async (text) => {
  const { code, stderr } = await solve('a.in', `--audit=${text}`);
  expect(code).toBe(2);
  expect(stderr).toContain('--audit needs a percentage');
});

test('a problem without known symmetries is refused', async () => {
  write('own.ctd', 'INT(1, 9) NEWLINE');
  const { code, stderr } = await boardmill(
    ['solve', at('own.ctd'), 'a.in', '--exec', 'cat', '--audit', '3%'],
    {
      cwd: folder.path,
    },
  );
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(
      '--audit needs a problem whose symmetries boardmill knows, and it knows none of own',
    ),
  });
});
