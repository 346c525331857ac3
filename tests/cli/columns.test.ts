/** Tests `solve --columns` and `--format csv` as a user runs them. */
import { expect, test } from 'vitest';
import { loadProblem } from '../../src/catalog/registry.js';
import { columnsOf } from '../../src/problems/output-columns.js';
import { program } from '../support/programs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const folder = folderForEachTest();
const { read, write } = folder;
const run = (...args: string[]) => boardmill(args, { cwd: folder.path });

const BOARDS = [['..', '..'], ['#.'], ['...', '.#.', '...'], ['.']];

const INPUT = `${BOARDS.length * 3}\n${BOARDS.map(
  (rows) => `${rows.length} ${rows[0].length}\n${rows.join('\n')}\n`,
)
  .join('')
  .repeat(3)}`;

test('a table has the same bytes with any number of workers and any chunks, and for each of several inputs', async () => {
  write('data/a.in', INPUT);
  write('data/b.in', `\n\n${INPUT}`);
  const columns = ['--format', 'csv', '--columns', 'nimber,board,line,file'];
  const tables = await Promise.all([
    run('solve', 'bt', 'data/a.in', ...columns, '-j', '1'),
    run('solve', 'bt', 'data/a.in', ...columns, '-j', '3', '--chunk', '9', '--solver', 'portable'),
    run('solve', 'bt', 'data', ...columns, '-j', '3', '--chunk', '20', '--ext', '.csv'),
  ]);
  expect(tables.map(({ code }) => code)).toEqual([0, 0, 0]);
  const table = tables[0].stdout;
  expect(table.startsWith('case,answer,nimber,board,line,file\n1,0,0,"..\n..",2,data/a.in\n')).toBe(true);
  expect(tables[1].stdout).toBe(table);
  expect(read('data/a.csv')).toBe(table);
  expect(read('data/b.csv')).toBe(
    table.replace(/,(\d+),data\/a\.in/g, (_, line) => `,${Number(line) + 2},data/b.in`),
  );
});

test('the cases of a program have the columns that they have without it, apart from seconds', async () => {
  write('a.in', INPUT);
  const all = columnsOf(await loadProblem('bacterial-tactics'), true);
  const columns = all.filter((name) => name !== 'seconds').join();
  const args = ['solve', 'bt', 'a.in', '--format', 'csv', '--columns', columns, '--chunk', '20'];
  const [own, others] = await Promise.all([
    run(...args),
    run(...args, '--exec', program('bacterial-tactics')),
  ]);
  expect(others).toEqual({ ...own, code: 0, stderr: '' });
});

test('--resume continues a table only with the same columns and, if a column names it, the same input', async () => {
  write('a.in', INPUT.replace(/\.\n$/, '?\n'));
  const table = ['--format', 'csv', '-o', 'a.csv', '--chunk', '1', '-j', '1'];
  const columns = [...table, '--columns', 'file,nimber'];
  expect((await run('solve', 'bt', 'a.in', ...columns)).code).toBe(3);
  const begun = read('a.csv.partial');
  expect(begun).toMatch(/^case,answer,file,nimber\n1,0,a.in,0\n/);
  write('a.in', INPUT);
  const [others, elsewhere] = [
    await run('solve', 'bt', 'a.in', ...table, '--resume', '--columns', 'file'),
    await run('solve', 'bt', './a.in', ...columns, '--resume'),
  ];
  expect(others).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--columns was file,nimber, is file'),
  });
  expect(elsewhere).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the name of the input was a.in'),
  });
  expect((await run('solve', 'bt', 'a.in', ...columns, '--resume')).code).toBe(0);
  expect(read('a.csv').startsWith(begun)).toBe(true);
  expect(read('a.csv').match(/case,answer/g)).toHaveLength(1);
  expect(read('a.csv').trimEnd().split('\n')).toHaveLength(1 + BOARDS.length * 3);
});

/** A module whose solver changes the grid that it gets, and then returns its lines. */
const STRIPS = `import { defineProblem, formats } from 'boardmill';
  const { counted, int, grid } = formats;
  export default defineProblem({
    name: 'strips',
    input: counted({ n: int(1, 9), strip: grid(1, 'n', '.#') }),
    solve: ({ strip }) => { strip.cells.fill(1); return strip.lines[0]; },
    nimber: async ({ n, strip }) => {
      if (n === 4) throw new Error('no idea');
      return n === 5 ? -1 : strip.cells.filter((cell) => cell === 0).length;
    },
  });`;

test('a module with one grid and nimber has the columns of boards, although its solver changes the grid', async () => {
  write('strips.mjs', STRIPS);
  write('strips.in', '3\n2\n.#\n\n3\n...\n1\n#\n');
  const columns = ['--format', 'csv', '--columns', 'board,nimber,rows,cols,line'];
  const [table, program] = await Promise.all([
    run('solve', './strips.mjs', 'strips.in', ...columns, '-j', '2', '--chunk', '1'),
    run('solve', './strips.mjs', 'strips.in', ...columns, '--exec', 'cat'),
  ]);
  expect(table.stderr).toBe('');
  expect(table.stdout).toBe(
    'case,answer,board,nimber,rows,cols,line\n1,##,.#,1,1,2,2\n2,###,...,3,1,3,5\n3,#,#,0,1,1,7\n',
  );
  expect(program).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a program behind --exec prints no nimbers'),
  });
});

test('a case on which nimber fails is a failed case, and the command that repeats it asks for nimbers', async () => {
  write('strips.mjs', STRIPS);
  write('strips.in', '2\n4\n....\n1\n#\n');
  write('negative.in', '1\n5\n.....\n');
  const args = ['solve', './strips.mjs', '--format', 'ndjson', '--columns', 'nimber', '--on-error', 'mark'];
  const marked = await run(...args, 'strips.in');
  expect(marked).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('"reason":"its nimber failed: no idea"},"nimber":null}\n{"case":2,'),
  });
  expect(await run(...args, 'negative.in')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('must return a whole number of at least 0, but returned -1'),
  });
  const repeat = /repeat with: boardmill (.*)/.exec(marked.stderr)![1].split(' ');
  expect(await run(...repeat)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('its nimber failed'),
  });
  expect(await run('solve', './strips.mjs', 'strips.in')).toMatchObject({
    code: 0,
    stdout: '####\n#\n',
  });
});

test('answers of a program, of a module and of a game with several lines fit into a table', async () => {
  write('zu.in', '0 2\n2 2\nOO\n.X\n\n2 2\nOO\nX.\n');
  write(
    'sums.mjs',
    `import { defineProblem, formats } from 'boardmill';
     export default defineProblem({
       name: 'sums',
       input: formats.counted({ a: formats.int(), b: formats.int() }),
       solve: ({ a, b }) => a + b,
       print: (sum, number) => 'Case #' + number + ': ' + sum,
       answer: formats.labelled('Case #'),
     });`,
  );
  write('sums.in', '2\n1 2\n\n3 4\n');
  const table = ['--format', 'csv', '--columns'];
  const [game, own, refused] = await Promise.all([
    run('solve', 'zu', 'zu.in', ...table, 'rows,line', '--exec', program('river-pawn')),
    run('solve', './sums.mjs', 'sums.in', ...table, 'line'),
    run('solve', './sums.mjs', 'sums.in', ...table, 'board'),
  ]);
  expect(game.stderr).toBe('');
  expect(game.stdout).toMatch(/^case,answer,rows,line\n1,.+,2,2\n2,.+,2,6\n$/);
  expect(own.stdout).toBe('case,answer,line\n1,3,2\n2,7,4\n');
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('sums has no column "board"; the columns are file, line, seconds'),
  });
});
