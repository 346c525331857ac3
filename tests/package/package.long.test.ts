/** The package as users install it: packed, installed into an empty project without a network, and used there. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../cli/boardmill.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

const runFile = promisify(execFile);
/**
 * Largest size of the package. Before it had `judge` and `stats`, the bound was 400,000 bytes; before it had explanations,
 * proofs and pages, 460,000.
 */
const MAX_PACKED_BYTES = 700_000;
const TOOLS = join(ROOT, 'node_modules/.bin');

const folder = mkdtempSync(join(tmpdir(), 'boardmill-package-'));
const project = join(folder, 'project');
const BINARY = join(project, 'node_modules/.bin/boardmill');
let tarball: string;

/** Runs a program in the project, and returns what it prints. */
async function run(program: string, ...args: string[]): Promise<string> {
  try {
    const { stdout, stderr } = await runFile(program, args, { cwd: project });
    return stdout + stderr;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  }
}

const write = (name: string, text: string) => writeFileSync(join(project, name), text);
const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(path, name)).isFile(),
  );

beforeAll(async () => {
  mkdirSync(project);
  // The build is current, because the tests refuse to run on an old one.
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  tarball = join(folder, (await runFile('npm', pack, { cwd: ROOT })).stdout.trim());
  write('package.json', '{ "name": "user", "private": true, "type": "module" }');
  await run('npm', 'install', '--offline', '--no-audit', '--no-fund', tarball);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package is light: no other package, no sources, tests or source maps', () => {
  expect(statSync(tarball).size).toBeLessThanOrEqual(MAX_PACKED_BYTES);
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'boardmill',
  ]);
  const files = filesIn(join(project, 'node_modules/boardmill'));
  expect(
    files.filter((name) => /\.map$|(?<!\.d)\.ts$|^(tests|bench|src|workers|scripts|build)\//.test(name)),
  ).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/LICENCES.txt']));
});

test('the program begins to load with one small file, before it knows the command', () => {
  const dist = join(project, 'node_modules/boardmill/dist/src');
  const main = readFileSync(join(dist, 'cli/main.js'), 'utf8');
  expect([...main.matchAll(/^import\b[^;]*?"(\.[^"]*)"/gm)].map(([, path]) => path)).toEqual([
    '../shared/version.js',
  ]);
  expect(statSync(join(dist, 'shared/version.js')).size).toBeLessThan(4000);
});

test('the licence of every library in the bundle is in the package', () => {
  const licences = readFileSync(join(project, 'node_modules/boardmill/dist/LICENCES.txt'), 'utf8');
  for (const name of ['piscina', 'yargs', 'cli-progress', 'shell-quote'])
    expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
});

test('its binary solves an input, also one of a module in the project', async () => {
  write('bt.in', '1\n2 2\n..\n.#\n');
  expect(await run(BINARY, 'solve', 'bt', 'bt.in')).toBe('Case #1: 0\n');
  write('sums.mjs', MODULE);
  write('sums.in', '2\n1 5\n3 1 2 3\n');
  expect(await run(BINARY, 'solve', './sums.mjs', 'sums.in')).toBe('5\n6\n');
  const sample = await run(BINARY, 'problems', 'darkraft', '--json');
  expect(JSON.parse(sample)).toMatchObject({ name: 'darkraft', sample: expect.stringContaining('\n') });
});

const MODULE = `
  import { defineProblem, formats } from 'boardmill';
  const { counted, int, ints } = formats;
  export default defineProblem({
    name: 'sums',
    input: counted({ n: int(1, 9), a: ints('n') }),
    solve: ({ a }) => a.reduce((sum, value) => sum + value, 0),
  });
`;

test('its library is imported by a program, in Node and as browsers get it', async () => {
  write(
    'program.mjs',
    `import { solveFile, solveOne, solveStream } from 'boardmill';
     import * as browser from 'boardmill/browser';
     import problem from './sums.mjs';
     const stats = await solveFile('bt', 'bt.in', 'bt.ans');
     const answers = [];
     for await (const { answer } of solveStream('./sums.mjs', 'sums.in', { jobs: 1 })) answers.push(answer);
     console.log(stats.cases, answers, await solveOne(problem, '2\\n4 5'), await browser.solveOne('bt', '..'));`,
  );
  write('sums.mjs', MODULE);
  write('sums.in', '2\n1 5\n3 1 2 3\n');
  write('bt.in', '1\n2 2\n..\n.#\n');
  expect(await run(process.execPath, 'program.mjs')).toBe("1 [ '5', '6' ] 9 2\n");
});

/** A program in TypeScript. Each line after \`@ts-expect-error\` must not compile. */
const TYPED_PROGRAM = `
  import { CaseError, defineProblem, formats, type SolveOptions, type Stats, solveFile, solveOne, solveStream } from 'boardmill';
  import * as browser from 'boardmill/browser';
  const { counted, int, ints } = formats;
  const problem = defineProblem({
    name: 'sums',
    input: counted({ n: int(1, 9), a: ints('n') }),
    solve: ({ a }): number => a.reduce((sum, value) => sum + value, 0),
  });
  export default problem;
  const options: SolveOptions = { jobs: 2, onError: 'mark' };
  const stats: Stats = await solveFile('bt', 'a.in', 'a.ans', options);
  const cases: number = stats.cases;
  for await (const { case: number, answer } of solveStream('bt', 'a.in')) console.log(number + cases, answer);
  const sum: number = await solveOne(problem, { n: 1, a: Int32Array.of(1) });
  const other: number = await browser.solveOne(browser.defineProblem({ name: 'n', input: counted({ n: int() }), solve: ({ n }) => n }), '1');
  // @ts-expect-error
  const wrong: string = await solveOne(problem, '1 5');
  // @ts-expect-error
  solveFile('bt', 'a.in', 'a.ans', { job: 2 });
  try { console.log(sum + other, wrong); } catch (error) { if (error instanceof CaseError) console.log(error.line); }
`;

describe('a strict program in TypeScript compiles', () => {
  test.each([
    ['NodeNext', 'NodeNext'],
    ['ESNext', 'bundler'],
  ])('with --module %s --moduleResolution %s', async (module, moduleResolution) => {
    write('program.ts', TYPED_PROGRAM);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'ES2023',
      types: [],
      module,
      moduleResolution,
    };
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    const output = await run(join(TOOLS, 'tsc'));
    expect(output).toBe('');
  });
});

/** Exports of modules whose declarations must name the types of fields, of each kind. */
const EXPORTED_FIELDS = `
  import { defineProblem, formats } from 'boardmill';
  const { bigint, counted, either, grid, int, ints, labelled, line, list, many, number, table, until, untilEnd, words } = formats;
  export const n = int(1, 3);
  export const other = bigint();
  export const queries = list(many, either('kind', { A: { x: int() }, B: { y: line() } }));
  export const choice = either('kind', { A: { x: int() }, 'B C': {} });
  export const layout = counted({ n, g: grid('n', 'n', '.#'), t: table('n', 2), rest: words(until('end')) });
  export const open = untilEnd({ r: int(), b: other, f: number(), q: queries }, { head: { k: int() } });
  export const end = until('x');
  export const answer = labelled('Case #', { result: either('found', { NO: {}, YES: { x: int() } }) });
  export const result = labelled('Case #', ints('n'));
  export const single = defineProblem({ name: 'b', input: open, answer: result as never });
  export default defineProblem({ name: 'a', input: layout, answer: int(), solve: ({ n, g, t }) => n + g.rows + t.cols });
`;

test('a module in TypeScript may have its declarations emitted', async () => {
  write('fields.ts', EXPORTED_FIELDS);
  const emitted = { strict: true, declaration: true, outDir: 'out', types: [] };
  const compilerOptions = { ...emitted, target: 'ES2023', module: 'NodeNext', moduleResolution: 'NodeNext' };
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['fields.ts'] }));
  expect(await run(join(TOOLS, 'tsc'))).toBe('');
});

test('publint finds nothing', async () => {
  expect(await run(join(TOOLS, 'publint'), 'run', tarball, '--strict')).toContain('All good!');
});

test('Are the Types Wrong? finds nothing', async () => {
  const output = await run(
    join(TOOLS, 'attw'),
    tarball,
    '--profile',
    'esm-only',
    '--no-emoji',
    '--format',
    'ascii',
  );
  // The tool fails if it finds something. It must also have looked at all that the package exports.
  expect(output).toContain('"boardmill/browser"');
});
