/** Tests `solve --columns` and `--format csv` as a user runs them. */
import { expect, test } from 'vitest';
import { program } from '../support/programs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from './boardmill.js';
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
