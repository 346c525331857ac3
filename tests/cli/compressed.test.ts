/** Inputs that end in .gz, .zst or .br: every command reads them as if they were not compressed. */
import { writeFileSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { folderForEachTest } from '../support/temporary-folder.js';
import { MAIN } from './boardmill.js';
import { ANSWERS, THREE, testCommands, writeCompressed } from './compressed-input.js';
import { boardmill } from './in-turn.js';

const folder = folderForEachTest();
const { at, read, write } = folder;
const run = (...args: string[]) => boardmill(args, { cwd: folder.path });

describe.each(['three.in.gz', 'three.in.br'])('%s', (input) => {
  beforeEach(() => writeCompressed(folder, input, THREE));

  test('is solved, and its answers have the name of the input without both endings', async () => {
    expect(await run('solve', 'zu', input)).toEqual({ code: 0, stdout: ANSWERS, stderr: '' });
    expect((await run('solve', 'zu', input, '--ext', '.out')).code).toBe(0);
    expect(read('three.out')).toBe(ANSWERS);
  });
});

describe('three.in.gz', () => testCommands(folder, 'three.in.gz'));

test('bench gives a compressed input to other programs in decompressed form', async () => {
  writeCompressed(folder, 'three.in.gz', THREE);
  const other = `${process.execPath} ${MAIN} solve zu -`;
  const words = ['bench', 'zu', 'three.in.gz', '--jobs', '1', '--runs', '1', '--warmup', '0', '--vs', other];
  expect(await run(...words)).toMatchObject({ code: 0 });
});

describe('a compressed input that is cut off', () => {
  /** Boards that compress badly, so that the cut lies far from the end of the text. */
  const generate = async () => (await run('generate', 'bt', '--cases', '3000', '--seed', '7')).stdout;

  test('has its whole cases answered, and --resume continues when the file is complete', async () => {
    const text = await generate();
    const whole = gzipSync(text);
    writeFileSync(at('big.in.gz'), whole.subarray(0, whole.length * 0.7));
    const cut = await run('solve', 'bt', 'big.in.gz', '-o', 'big.ans');
    expect(cut.code).toBe(3);
    expect(cut.stderr).toMatch(/^boardmill: big\.in\.gz: the gzip data is damaged or cut off: .*\n$/);
    const partial = read('big.ans.partial');
    expect(partial.split('\n').length).toBeGreaterThan(1000);
    writeFileSync(at('big.in.gz'), whole);
    expect(await run('solve', 'bt', 'big.in.gz', '-o', 'big.ans', '--resume')).toMatchObject({ code: 0 });
    write('big.in', text);
    const { stdout } = await run('solve', 'bt', 'big.in');
    expect(read('big.ans')).toBe(stdout);
    expect(stdout.startsWith(partial)).toBe(true);
  });

  test('of a format without a number of cases is an error, not a shorter input', async () => {
    const text = (await run('generate', 'darkraft', '--cases', '300', '--seed', '7', '--rows', '5')).stdout;
    const whole = brotliCompressSync(text);
    writeFileSync(at('d.in.br'), whole.subarray(0, whole.length - 100));
    expect(await run('solve', 'darkraft', 'd.in.br')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^boardmill: d\.in\.br: the Brotli data is damaged or cut off: .*\n$/),
    });
  });
});

test('validate reports a damaged input as one of its errors, and continues with the next input', async () => {
  writeFileSync(at('a.in.gz'), gzipSync(THREE.replace('.X', '.Y')).subarray(0, -3));
  write('b.in', '7 1\n2 2\nOO\nZ.\n');
  const text = await run('validate', 'zu', 'a.in.gz', 'b.in', '-q');
  expect(text.code).toBe(3);
  expect(text.stdout).toMatch(
    /^a\.in\.gz:7:2: case 2: .*\na\.in\.gz:\d+:\d+: the gzip data is .*\nb\.in:4:1: .*\n$/,
  );
  const json = JSON.parse((await run('validate', 'zu', 'a.in.gz', 'b.in', '--json', '-q')).stdout);
  expect(json).toMatchObject({ valid: false, files: [{ file: 'a.in.gz' }, { file: 'b.in', cases: 1 }] });
  expect(json.files[0].errors.at(-1)).toMatchObject({ rule: 'damaged', case: null });
});

test.each([
  ['generate', 'zu', '--cases', '1', '--seed', '1', '-o', 'x.in.gz'],
  ['solve', 'zu', 'three.in', '-o', 'x.ans.br'],
  ['extract', 'zu', 'three.in', '--cases', '1', '-o', 'x.in.zst'],
])('an output with the name of a compressed file is refused: %s', async (...words) => {
  write('three.in', THREE);
  expect(await run(...words)).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^boardmill: cannot create x\.\S+: boardmill does not compress its outputs; use a name without \.\w+\n$/,
    ),
  });
  expect(folder.names()).toEqual(['three.in']);
});

describe('a folder', () => {
  test('with an input and a compressed input of the same name is refused: both have the same answer file', async () => {
    write('data/a.in', THREE);
    writeCompressed(folder, 'data/a.in.gz', THREE);
    expect(await run('solve', 'zu', 'data')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^boardmill: data\/a\.ans would be written twice/),
    });
    expect(folder.names()).toEqual(['data']);
  });

  test('may hold compressed inputs, and unchanged ones are not solved again', async () => {
    writeCompressed(folder, 'data/a.in.gz', THREE);
    write('data/b.in', THREE);
    expect(await run('solve', 'zu', 'data')).toMatchObject({
      code: 0,
      stderr: 'boardmill: 2 files solved\n',
    });
    expect(read('data/a.ans') + read('data/b.ans')).toBe(ANSWERS + ANSWERS);
    const again = await run('solve', 'zu', 'data');
    expect(again).toMatchObject({ code: 0, stderr: 'boardmill: 0 files solved, 2 up to date\n' });
    writeCompressed(folder, 'data/a.in.gz', '7 1\n2 2\nOO\nX.\n');
    const changed = await run('solve', 'zu', 'data');
    expect(changed).toMatchObject({ code: 0, stderr: 'boardmill: 1 file solved, 1 up to date\n' });
    expect(read('data/a.ans')).toBe('Red 1\n');
  });
});

test('zstd is decompressed where Node.js can do it, and is refused elsewhere', async () => {
  const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: string) => Uint8Array };
  writeFileSync(at('three.in.zst'), zstdCompressSync?.(THREE) ?? 'cannot be read here');
  const { code, stdout, stderr } = await run('solve', 'zu', 'three.in.zst');
  if (zstdCompressSync === undefined) {
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^boardmill: cannot open three\.in\.zst: Node\.js v20\S* cannot read zstd data; use /,
    );
  } else expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: ANSWERS, stderr: '' });
});
