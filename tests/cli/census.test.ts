/** Tests of `boardmill census` that run the build. */
import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const folder = folderForEachTest();
const { at, read, write, names } = folder;
const run = (line: string) => boardmill(line.split(' '), { cwd: folder.path });

type Counts = Record<string, number>;

function countsOf(labels: readonly string[]): Counts {
  const counts: Counts = {};
  for (const label of labels) counts[label] = (counts[label] ?? 0) + 1;
  return counts;
}

interface SolvedCase {
  readonly answer: string | number | readonly string[] | { readonly winner: string; readonly plies: number };
  readonly nimber: number;
}

/** Lists all boards of a size as text, and solves them as any other input. */
async function solveAll(problem: string, rows: number, cols: number, columns = ''): Promise<SolvedCase[]> {
  const cases = [];
  for (let from = 1; ; from++) {
    const slice = problem === 'darkraft' ? `--cases ${from}..${from}` : '';
    if (slice !== '' && from > 3 ** (rows * cols)) return cases;
    await run(`generate ${problem} --profile all --rows ${rows} --cols ${cols} -o all.in -f ${slice}`.trim());
    const { stdout } = await run(`solve ${problem} all.in --format ndjson ${columns}`.trim());
    cases.push(
      ...stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    if (slice === '') return cases;
  }
}

describe('census counts what listing and solving all boards gives', () => {
  test('bacterial-tactics, by nimber and by answer', async () => {
    const cases = await solveAll('bt', 3, 3, '--columns nimber');
    const { code, stdout } = await run('census bt --rows 3 --cols 3 --json -j 2');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      problem: 'bacterial-tactics',
      rows: 3,
      cols: 3,
      boards: 512,
      classes: 102,
      nimbers: countsOf(cases.map(({ nimber }) => `${nimber}`)),
      answers: countsOf(cases.map(({ answer }) => `${answer}`)),
      largest: { nimber: 2, board: ['...', '..#', '#..'] },
    });
  });

  test('river-pawn, by winner and plies', async () => {
    const cases = await solveAll('zu', 2, 3);
    const answers = cases.map(({ answer }) => answer as { winner: string | null; plies: number });
    const { stdout } = await run('census zu --rows 2 --cols 3 --json -j 1');
    const counted = JSON.parse(stdout);
    const labels = answers.map(({ winner, plies }) => (winner === null ? 'Tie' : `${winner} ${plies}`));
    expect(counted).toMatchObject({ boards: 240, answers: countsOf(labels) });
    const reds = labels.filter((label) => label.startsWith('Red')).map((label) => label.slice(4));
    expect(counted.outcomes.Red).toEqual(countsOf(reds));
    expect(counted.largest.plies).toBe(Math.max(...answers.map(({ plies }) => plies ?? 0)));
  });

  test('link-and-pop, by the blocks that are left', async () => {
    const cases = await solveAll('link-and-pop', 1, 3);
    const left = cases.map(({ answer }) => `${(answer as string[]).join('').replaceAll('.', '').length}`);
    const { stdout } = await run('census link-and-pop --rows 1 --cols 3 --json -j 1');
    expect(JSON.parse(stdout)).toMatchObject({ boards: 625, classes: 625, left: countsOf(left) });
  });

  test('darkraft, by nimber and by answer', async () => {
    const { stdout } = await run('census darkraft --rows 1..2 --cols 1..2 --json -j 1');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ rows, cols, boards }) => [rows, cols, boards])).toEqual([
      [1, 1, 3],
      [1, 2, 9],
      [2, 1, 9],
      [2, 2, 81],
    ]);
    const cases = await solveAll('darkraft', 1, 2, '--columns nimber');
    expect(lines[1]).toMatchObject({
      nimbers: countsOf(cases.map(({ nimber }) => `${nimber}`)),
      answers: countsOf(cases.map(({ answer }) => `${answer}`)),
    });
  });

  test('a module, without the cases that its `valid` refuses', async () => {
    write(
      'sums.mjs',
      `import { defineProblem, formats } from 'boardmill';
      export default defineProblem({
        name: 'sums',
        input: formats.counted({ a: formats.int(0, 9), b: formats.int(0, 9) }),
        valid: ({ a, b }) => a <= b,
        solve: ({ a, b }) => a + b,
        print: (sum) => String(sum),
        answer: formats.int(),
      });`,
    );
    const { code, stdout, stderr } = await run('census ./sums.mjs --json -j 1');
    expect([code, stderr]).toEqual([0, '']);
    const sums = [];
    for (let b = 0; b <= 9; b++) for (let a = 0; a <= b; a++) sums.push(`${a + b}`);
    expect(JSON.parse(stdout)).toEqual({
      problem: 'sums',
      cases: 55,
      answers: countsOf(sums),
      largest: null,
    });
  });
});

test.each([
  ['link-and-pop --rows 3 --cols 3', 'the 41,302,734,375 boards of 3x3'],
  ['bt --rows 2 --cols 13', 'the 67,108,864 boards of 2x13'],
  ['bt --rows 1 --cols 30', 'the 1,073,741,824 boards of 1x30'],
])('a size that takes very long is noted, before it is counted: %s', async (words, boards) => {
  write('a.json', 'mine');
  const { code, stderr } = await run(`census ${words} -o a.json`);
  expect(code).toBe(2);
  const note = `${boards} are solved one by one, which may take very long`;
  expect(stderr.split('\n')[0]).toBe(`boardmill: ${note}`);
});

test('answers that are too long are not counted, and take no time', async () => {
  write(
    'long.mjs',
    `import { defineProblem, formats } from 'boardmill';
    export default defineProblem({
      name: 'long',
      input: formats.counted({ n: formats.int(1, 3000) }),
      solve: ({ n }) => '1'.repeat(20000) + n,
    });`,
  );
  const { code, stdout } = await run('census ./long.mjs --json -j 1');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ problem: 'long', cases: 3000, answers: null, largest: null });
});

test('a part of the next state, which a killed census has left, is no obstacle', async () => {
  write('a.json.census.new', '{"schema":"boardmill/cen');
  expect((await run('census bt --rows 2 --cols 2 -o a.json')).code).toBe(0);
  expect(names()).toEqual(['a.json']);
  write('b.json.census.new', 'mine');
  expect((await run('census bt --rows 2 --cols 2 -o b.json')).stderr).toContain('boardmill did not write it');
  expect(read('b.json.census.new')).toBe('mine');
});

test('a module gets the head of an input', async () => {
  write(
    'head.mjs',
    `import { defineProblem, formats } from 'boardmill';
    export default defineProblem({
      name: 'head',
      input: formats.counted({ a: formats.int(0, 9) }, { head: { k: formats.int(5, 5) } }),
      valid: ({ a }, head) => a < head.k,
      solve: ({ a }, head) => a * head.k,
    });`,
  );
  const { stdout } = await run('census ./head.mjs --json -j 1');
  expect(JSON.parse(stdout)).toMatchObject({ cases: 5, answers: { 0: 1, 5: 1, 10: 1, 15: 1, 20: 1 } });
});

test('a module with `nimber` is counted by nimber, too', async () => {
  write(
    'heap.mjs',
    `import { defineProblem, formats } from 'boardmill';
    export default defineProblem({
      name: 'heap',
      input: formats.counted({ r: formats.int(1, 2), g: formats.grid('r', 2, '.#') }),
      nimber: ({ g }) => g.cells.filter((cell) => cell === 0).length,
      solve: ({ g }) => g.cells.every((cell) => cell === 1) ? 'LOSE' : 'WIN',
    });`,
  );
  const { stdout } = await run('census ./heap.mjs --json -j 1');
  expect(JSON.parse(stdout)).toEqual({
    problem: 'heap',
    cases: 20,
    nimbers: { 0: 2, 1: 6, 2: 7, 3: 4, 4: 1 },
    answers: { LOSE: 2, WIN: 18 },
    largest: { nimber: 4, case: ['2', '..', '..'] },
  });
  const board = await run('census ./heap.mjs --rows 1 --cols 2 --json -j 1');
  expect(JSON.parse(board.stdout)).toMatchObject({ boards: 4, largest: { nimber: 2, board: ['..'] } });
  for (const [sizes, title] of [
    ['--rows 1', 'heap 1xany: 4 boards'],
    ['--cols 2', 'heap anyx2: 20 boards'],
    ['', 'heap: 20 cases'],
  ]) {
    expect((await run(`census ./heap.mjs ${sizes}`.trim())).stdout.split('\n')[0]).toBe(title);
  }
});

test('portable code gives the same counts as the kernel', async () => {
  const [kernel, portable] = await Promise.all(
    ['auto', 'portable'].map((solver) => run(`census bt --rows 1..4 --cols 3 --json --solver ${solver}`)),
  );
  expect(kernel.code).toBe(0);
  expect(portable.stdout).toBe(kernel.stdout);
});

test('tables show the counts and their shares', async () => {
  const { stdout } = await run('census bt --rows 1 --cols 2');
  expect(stdout).toBe(`bacterial-tactics 1x2: 4 boards, 3 up to turning and mirroring
  nimbers
    0  1   25.00 %
    1  2   50.00 %
    2  1   25.00 %
  answers: the same as the nimbers
  the first one of those with the largest value (nimber: 2)
    ..
`);
});

describe('a census that is counted', () => {
  const COUNTED = { code: 0, stdout: '', stderr: '' };
  const UP_TO_DATE = { ...COUNTED, stderr: 'boardmill: a.json is up to date\n' };

  test.each([
    ['a whole one', ''],
    ['a shard', ' --shard 1/2'],
  ])('%s is not counted again, unless it was changed or with --force', async (_, shard) => {
    const census = `census darkraft --rows 2 --cols 2 -o a.json${shard}`;
    expect(await run(census)).toEqual(COUNTED);
    const { ino } = statSync(at('a.json'));
    expect(await run(census)).toEqual(UP_TO_DATE);
    expect(await run(`${census} --resume -j 1`)).toEqual(UP_TO_DATE);
    expect(statSync(at('a.json')).ino).toBe(ino);
    expect(await run(`${census} --force`)).toEqual(COUNTED);
    expect(statSync(at('a.json')).ino).not.toBe(ino);
    write('a.json', `${read('a.json')}\n`);
    expect(await run(census)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('was changed since'),
    });
  });

  test('another census is counted', async () => {
    await run('census darkraft --rows 2 --cols 2 -o a.json');
    expect(await run('census darkraft --rows 1 --cols 2 -o a.json')).toEqual(COUNTED);
    expect(read('a.json')).toContain('"boards":9');
  });

  test('the state that it has left when it was killed at its end is removed, and that of another one is kept', async () => {
    const [one, other] = ['2', '1'].map((rows) => `census darkraft --rows ${rows} --cols 2 -o`);
    await run(`${one} a.json --shard 1/1`);
    const state = read('a.json');
    await run(`${one} a.json --force`);
    await run(`${other} b.json`);
    write('a.json.census', state);
    write('b.json.census', state);
    expect(await run(`${one} a.json`)).toEqual(UP_TO_DATE);
    expect((await run(`${other} b.json`)).stderr).toBe('boardmill: b.json is up to date\n');
    expect(names().sort()).toEqual(['a.json', 'b.json', 'b.json.census']);
  });
});

describe('mistakes', () => {
  test.each([
    ['census bt', 'census needs the sizes of the boards: --rows A..B --cols A..B'],
    ['census bt --rows 3', 'census needs the sizes of the boards: --rows A..B --cols A..B'],
    ['census bt --rows 3 --cols 3 --set 1', '--set is for modules: --rows and --cols say which boards'],
    ['census bt --rows 9 --cols 9', 'more than boardmill can count in a lifetime'],
    ['census bt --rows 1 --cols 1 --shard 1/2', '--shard needs --output FILE'],
    ['census bt --rows 5 --cols 5 --shard 1/2 -o -', '--shard needs --output FILE'],
    ['census bt --rows 5 --cols 5 --shard 1/2 -o /dev/null', '--shard needs --output FILE'],
    ['census bt --rows 5 --cols 5 --resume -o -', '--resume needs --output FILE'],
    ['census bt --rows 1 --cols 1 --resume', '--resume needs --output'],
  ])('%s', async (line, message) => {
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  test.each([
    ["solve: () => ''", 2, 'case 1 of `generate --profile all`: wrong printed an answer that its format'],
    ['nimber: () => 1.5, solve: ({ n }) => n', 2, 'nimber of wrong must return a whole number'],
    ['valid: () => 3, solve: ({ n }) => n', 2, 'could not be counted: problem wrong: `valid` must return'],
    ["solve: () => { throw new Error('no') }", 4, 'its solver failed: no'],
  ])('in a module, have the same exit codes as in solve: %s', async (functions, expected, message) => {
    write(
      'wrong.mjs',
      `import { defineProblem, formats } from 'boardmill';
      export default defineProblem({ name: 'wrong', input: formats.single({ n: formats.int(1, 9) }), ${functions} });`,
    );
    const { code, stderr } = await run('census ./wrong.mjs -j 1');
    expect([code, stderr]).toEqual([expected, expect.stringContaining(message)]);
  });

  test('a module has no kernel', async () => {
    write(
      'digits.mjs',
      `import { defineProblem, formats } from 'boardmill';
      export default defineProblem({ name: 'digits', input: formats.single({ n: formats.int(1, 9) }), solve: ({ n }) => n });`,
    );
    const { code, stderr } = await run('census ./digits.mjs --solver simd');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--solver simd is not available: digits has no kernel'),
    ]);
  });

  test('a grammar has no solver', async () => {
    write('pair.ctd', 'INT(0,9) SPACE INT(0,9) NEWLINE\n');
    const { code, stderr } = await run('census pair.ctd');
    expect(code).toBe(2);
    expect(stderr).toContain('census needs a problem with a solver');
  });

  test('a file that boardmill did not write is kept, and so is a state that is none', async () => {
    write('mine.json', 'mine');
    expect((await run('census bt --rows 1 --cols 1 -o mine.json')).code).toBe(2);
    expect(read('mine.json')).toBe('mine');
    write('a.json.census', 'mine');
    const { code, stderr } = await run('census bt --rows 1 --cols 1 -o a.json --resume');
    expect(code).toBe(2);
    expect(stderr).toContain('a.json.census is not the state of a census of this version, or was changed');
    expect(names().sort()).toEqual(['a.json.census', 'mine.json']);
    expect((await run('census bt --rows 1 --cols 1 -o a.json --force')).code).toBe(0);
    expect(names().sort()).toEqual(['a.json', 'mine.json']);
  });
});
