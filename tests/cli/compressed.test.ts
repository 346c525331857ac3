/** Inputs that end in .gz, .zst or .br: every command reads them as if they were not compressed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import * as zlib from 'node:zlib';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill as boardmillInOwnProcess, MAIN } from './boardmill.js';
import { boardmill } from './in-turn.js';

const THREE = '7 3\n2 2\nOO\nX.\n2 2\nOO\n.X\n3 1\nO\nO\nX\n';
const ANSWERS = 'Red 1\nRed 1\nRed 1\n';

const folder = folderForEachTest();
const { at, read, write } = folder;
const run = (...args: string[]) => boardmill(args, { cwd: folder.path });

function writeCompressed(name: string, text: string): void {
  const bytes = Buffer.from(text);
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), name.endsWith('.gz') ? gzipSync(bytes) : brotliCompressSync(bytes));
}

describe.each(['three.in.gz', 'three.in.br'])('%s', (input) => {
  beforeEach(() => writeCompressed(input, THREE));

  test('is solved, and its answers have the name of the input without both endings', async () => {
    expect(await run('solve', 'zu', input)).toEqual({ code: 0, stdout: ANSWERS, stderr: '' });
    expect((await run('solve', 'zu', input, '--ext', '.out')).code).toBe(0);
    expect(read('three.out')).toBe(ANSWERS);
  });

  test('is cut by extract and split', async () => {
    const extracted = await run('extract', 'zu', input, '--cases', '3');
    expect(extracted).toEqual({ code: 0, stdout: '7 1\n3 1\nO\nO\nX\n', stderr: '' });
    expect((await run('split', 'zu', input, '--every', '2', '--dir', 'parts')).code).toBe(0);
    expect(read('parts/part-0002.in')).toBe('7 1\n3 1\nO\nO\nX\n');
  });

  test('is validated, with lines and columns of the decompressed text', async () => {
    writeCompressed(input, THREE.replace('.X', '.Y'));
    const { code, stdout } = await run('validate', 'zu', input);
    expect(code).toBe(3);
    expect(stdout).toMatch(new RegExp(`^${input}:7:2: case 2: expected one of `));
  });

  test('is checked, also against compressed answers', async () => {
    writeCompressed('three.ans.gz', ANSWERS.replace('Red', 'Black'));
    const { code, stdout } = await run('check', 'zu', input, 'three.ans.gz');
    expect(code).toBe(1);
    expect(stdout).toContain('three.ans.gz:1:1: case 1: expected "Red 1", got "Black 1"'.replaceAll('"', ''));
  });
});

test('bench gives a compressed input to other programs in decompressed form', async () => {
  writeCompressed('three.in.gz', THREE);
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
    writeCompressed('data/a.in.gz', THREE);
    expect(await run('solve', 'zu', 'data')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^boardmill: data\/a\.ans would be written twice/),
    });
    expect(folder.names()).toEqual(['data']);
  });

  test('may hold compressed inputs, and unchanged ones are not solved again', async () => {
    writeCompressed('data/a.in.gz', THREE);
    write('data/b.in', THREE);
    expect(await run('solve', 'zu', 'data')).toMatchObject({
      code: 0,
      stderr: 'boardmill: 2 files solved\n',
    });
    expect(read('data/a.ans') + read('data/b.ans')).toBe(ANSWERS + ANSWERS);
    const again = await run('solve', 'zu', 'data');
    expect(again).toMatchObject({ code: 0, stderr: 'boardmill: 0 files solved, 2 up to date\n' });
    writeCompressed('data/a.in.gz', '7 1\n2 2\nOO\nX.\n');
    const changed = await run('solve', 'zu', 'data');
    expect(changed).toMatchObject({ code: 0, stderr: 'boardmill: 1 file solved, 1 up to date\n' });
    expect(read('data/a.ans')).toBe('Red 1\n');
  });
});

/** More than the memory that a run may take. */
const MEGABYTES = 300;

test('a small file that decompresses to a large input takes no more memory than the large input', async () => {
  const whitespace = '\n'.repeat(1 << 20);
  const gzip = zlib.createGzip({ level: 1 });
  const compressed = buffer(gzip);
  gzip.write('7 1\n2 2\nOO\nX.\n');
  for (let megabyte = 0; megabyte < MEGABYTES; megabyte++) {
    await new Promise((resolve) => gzip.write(whitespace, resolve));
  }
  gzip.end();
  writeFileSync(at('bomb.in.gz'), await compressed);
  const args = ['solve', 'zu', 'bomb.in.gz', '-q', '--stats', '-'];
  const { code, stdout, stderr } = await boardmillInOwnProcess(args, { cwd: folder.path });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Red 1\n' });
  const { bytes, peakRssBytes } = JSON.parse(stderr) as { bytes: number; peakRssBytes: number };
  expect(bytes).toBeGreaterThan(MEGABYTES << 20);
  expect(peakRssBytes).toBeLessThan(250 << 20);
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
