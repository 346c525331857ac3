/** Tests of `solve --out-dir`: answers in another folder, below which they have the same folders as the inputs. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type FilePlan, planFiles } from '../../src/cli/solve/plan-files.js';
import { runs } from '../support/random-tests.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest, temporaryFolder } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const ONE_CASE = '1\n1 1\n.\n';
const ONE_ANSWER = 'Case #1: 2\n';
const BAD_INPUT = '2\n1 1\n.\n1 2\n#?\n';

const folder = folderForEachTest();
const { at, read, write } = folder;

const solve = (...args: string[]) => boardmill(['solve', 'bt', '-j', '1', ...args], { cwd: folder.path });

/** Returns the paths of all files below a folder, sorted. */
function filesBelow(path: string): string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1)).sort();
}

beforeEach(() => {
  write('data/sample/1.in', ONE_CASE);
  write('data/secret/group/b.in', ONE_CASE);
});

describe('solve --out-dir', () => {
  test('makes the folder, and writes all answers there', async () => {
    expect(await solve('data', '--out-dir', 'new/answers')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'boardmill: 2 files solved\n',
    });
    expect(filesBelow(at('new/answers'))).toEqual(['sample/1.ans', 'secret/group/b.ans']);
    expect(read('new/answers/secret/group/b.ans')).toBe(ONE_ANSWER);
    expect(filesBelow(at('data'))).toEqual(['sample/1.in', 'secret/group/b.in']);
  });

  test.each([
    ['a single file', ['data/sample/1.in'], ['1.ans']],
    ['a folder and a file', ['data/sample', 'data/secret/group/b.in'], ['1.ans', 'b.ans']],
    [
      'a format and an ending',
      ['data', '--format', 'csv', '--ext', '.t'],
      ['sample/1.t', 'secret/group/b.t'],
    ],
    ['a format', ['data/sample/', '--format', 'ndjson'], ['1.ndjson']],
    ['a folder with dots', ['./data/secret/../secret'], ['group/b.ans']],
  ])('takes %s', async (_, words, files) => {
    expect((await solve(...words, '--out-dir', 'out')).code).toBe(0);
    expect(filesBelow(at('out'))).toEqual(files);
  });

  test('what is up to date there is not made again, and what a user wrote there is not replaced', async () => {
    await solve('data', '--out-dir', 'out');
    expect((await solve('data', '--out-dir', 'out')).stderr).toBe(
      'boardmill: 0 files solved, 2 up to date\n',
    );
    write('out/sample/1.ans', 'my notes');
    const { code, stderr } = await solve('data', '--out-dir', 'out');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('out/sample/1.ans exists') });
    expect((await solve('data', '--out-dir', 'out', '-f')).stderr).toBe('boardmill: 2 files solved\n');
    expect(read('out/sample/1.ans')).toBe(ONE_ANSWER);
  });

  test('an input that fails keeps no other from being solved, and --resume continues it', async () => {
    write('data/bad.in', BAD_INPUT);
    const { code, stderr } = await solve('data', '--out-dir', 'out', '--chunk', '1');
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('2 files solved, 1 failed'),
    });
    expect(filesBelow(at('out'))).toEqual([
      'bad.ans.checkpoint',
      'bad.ans.partial',
      'sample/1.ans',
      'secret/group/b.ans',
    ]);
    expect((await solve('data', '--out-dir', 'out')).stderr).toContain(
      'out/bad.ans.checkpoint is left from a run that failed; --resume continues after 1 case',
    );
    write('data/bad.in', BAD_INPUT.replace('?', '#'));
    expect((await solve('data', '--out-dir', 'out', '--resume', '-q')).code).toBe(0);
    expect(read('out/bad.ans')).toBe('Case #1: 2\nCase #2: 0\n');
  });

  test('a file in the place of a folder costs only the answers below it; if none can be written, one message says so', async () => {
    write('out/secret', 'mine');
    expect(await solve('data', '--out-dir', 'out')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'boardmill: cannot create out/secret/group/b.ans: not a directory\nboardmill: 1 file solved, 1 failed\n',
    });
    expect(read('out/sample/1.ans')).toBe(ONE_ANSWER);
    rmSync(at('out/sample'), { recursive: true });
    write('out/sample', 'mine');
    expect((await solve('data', '--out-dir', 'out')).stderr).toBe(
      'boardmill: cannot create out/sample/1.ans: not a directory (and 1 other file like it); no file was solved\n',
    );
  });

  test('links that form a loop cost only the answers that have their name', async () => {
    mkdirSync(at('out/sample'), { recursive: true });
    symlinkSync('1.ans', at('out/sample/1.ans'));
    expect(await solve('data', '--out-dir', 'out')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'boardmill: cannot create out/sample/1.ans: too many symbolic links encountered\nboardmill: 1 file solved, 1 failed\n',
    });
  });

  test('the folder may lie in that of the inputs', async () => {
    for (const summary of ['2 files solved', '0 files solved, 2 up to date'])
      expect((await solve('data', '--out-dir', 'data/out')).stderr).toBe(`boardmill: ${summary}\n`);
    expect(existsSync(at('data/out/out'))).toBe(false);
  });

  test.each<[string, string[], RegExp]>([
    [
      'that cannot be made',
      ['data', '--out-dir', '/proc/x'],
      /^boardmill: cannot create \/proc\/x: [^\n]*\n$/,
    ],
    ['with --output', ['data', '-o', 'x', '--out-dir', 'out'], /out-dir/],
    ['for standard input', ['-', '--out-dir', 'out'], /standard input \(-\) must be solved separately/],
    ['with --shard', ['data/sample/1.in', '--out-dir', 'out', '--shard', '1/2'], /--shard takes one input/],
    [
      'if two inputs have the same output',
      ['data/sample', 'copy', '--out-dir', 'out'],
      /out\/1\.ans would be written twice: for data\/sample\/1\.in and for copy\/1\.in/,
    ],
    [
      'if an input is named twice',
      ['data', 'data/sample/1.in', '--out-dir', 'out'],
      /sample\/1\.in is named twice/,
    ],
    [
      'if folders that are missing would hide that',
      ['data/sample', 'copy/1.in', '--out-dir', 'out/a/b'],
      /out\/a\/b\/1\.ans would be written twice/,
    ],
    [
      'if the answers would be the next inputs',
      ['data', '--ext', '.in', '--out-dir', 'data/out'],
      /data\/out\/sample\/1\.in would be an input of the next run/,
    ],
    ['if it is a file', ['data', '--out-dir', 'notes.txt'], /cannot create notes\.txt/],
    ['if it is empty', ['data', '--out-dir', ''], /--out-dir/],
    ['if it may not be made', ['data', '--out-dir', '/proc/out'], /cannot create \/proc\/out/],
  ])('is refused %s, and nothing is written', async (_, words, message) => {
    write('copy/1.in', ONE_CASE);
    write('notes.txt', 'mine');
    const before = filesBelow(folder.path);
    const { code, stderr } = await solve(...words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    expect(filesBelow(folder.path)).toEqual(before);
    expect(existsSync(at('out'))).toBe(false);
  });

  test('links below the folder do not make two outputs one', async () => {
    mkdirSync(at('out/sample'), { recursive: true });
    symlinkSync('sample', at('out/secret'));
    mkdirSync(at('out/sample/group'));
    write('data/sample/group/b.in', ONE_CASE);
    const { code, stderr } = await solve('data', '--out-dir', 'out');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('written twice') });
  });
});

describe('any tree of inputs', () => {
  const root = temporaryFolder();

  const NAMES = ['a', 'b', 'c'] as const;
  const pathArbitrary = fc
    .tuple(fc.array(fc.constantFrom(...NAMES), { maxLength: 2 }), fc.constantFrom(...NAMES))
    .map(([folders, name]) => ['data', ...folders, `${name}.in`].join('/'));
  const treeArbitrary = fc.uniqueArray(pathArbitrary, { minLength: 1, maxLength: 6 });
  /** A tree, and the places in it that are arguments: an input, or a folder above it. */
  const runArbitrary = treeArbitrary.chain((tree) => {
    const places = tree.flatMap((path) => {
      const parts = path.split('/');
      return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    });
    return fc.record({
      tree: fc.constant(tree),
      args: fc.uniqueArray(fc.constantFrom(...new Set(places)), { minLength: 1, maxLength: 3 }),
    });
  });

  /**
   * Returns the answer files below the output folder, as the page about outputs says; null if an input is named twice, or if
   * two inputs have the same answer file.
   */
  function expectedFiles(tree: readonly string[], args: readonly string[]): string[] | null {
    const named = args.flatMap((arg) =>
      tree.filter((path) => path === arg || path.startsWith(`${arg}/`)).map((path) => ({ arg, path })),
    );
    const files = named.map(({ arg, path }) => {
      const from = path === arg ? path.lastIndexOf('/') : arg.length;
      return `${path.slice(from + 1, -'.in'.length)}.ans`;
    });
    const counts = [new Set(named.map(({ path }) => path)).size, new Set(files).size];
    return counts.every((count) => count === named.length) ? files.sort() : null;
  }

  const pathsBelow = (out: string, { outputs }: FilePlan) =>
    outputs.map(({ path }) => relative(out, path)).sort();

  function makeTree(tree: readonly string[]): string {
    const cwd = mkdtempSync(join(root, 'tree-'));
    for (const path of tree) {
      mkdirSync(join(cwd, path, '..'), { recursive: true });
      writeFileSync(join(cwd, path), ONE_CASE);
    }
    return cwd;
  }

  test('each input has its place below the folder, or the run is refused', async () => {
    const options = { output: null, ext: null, outDir: 'out', format: 'text', resume: false } as const;
    await fc.assert(
      fc.asyncProperty(runArbitrary, async ({ tree, args }) => {
        const cwd = makeTree(tree);
        const files = expectedFiles(tree, args);
        const inputs = args.map((arg) => join(cwd, arg));
        const plan = planFiles({ ...options, inputs, outDir: join(cwd, 'out') });
        if (files === null) await expect(plan).rejects.toThrow(/would be written twice|is named twice/);
        else expect(pathsBelow(join(cwd, 'out'), await plan)).toEqual(files);
        rmSync(cwd, { recursive: true });
      }),
      { numRuns: runs(50) },
    );
  });

  test('the program writes exactly these files', async () => {
    await fc.assert(
      fc.asyncProperty(runArbitrary, async ({ tree, args }) => {
        const cwd = makeTree(tree);
        const files = expectedFiles(tree, args);
        const { code } = await boardmill(['solve', 'bt', '-j', '1', ...args, '--out-dir', 'out'], { cwd });
        expect(code).toBe(files === null ? 2 : 0);
        expect(existsSync(join(cwd, 'out'))).toBe(files !== null);
        if (files !== null) expect(filesBelow(join(cwd, 'out'))).toEqual(files);
      }),
      { numRuns: runs(3) },
    );
  });
});
