/** Tests of `solve --shard` and `merge`: together they give what one run gives, or say why they do not. */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bulkInput, styleOf } from '../support/inputs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const folder = folderForEachTest();
const { at, read, write, names } = folder;
const run = (...args: string[]) => boardmill(args, { cwd: folder.path });
const runLine = (line: string) => run(...line.split(' '));

/** Solves all shards of an input; the answers to shard I are in PREFIX.I. Returns the exit codes. */
async function solveShards(
  count: number,
  problem: string,
  args: string,
  prefix = 'part',
): Promise<unknown[]> {
  const codes: unknown[] = [];
  for (let i = 1; i <= count; i++) {
    const { code, stderr } = await runLine(
      `solve ${problem} ${args} --shard ${i}/${count} -o ${prefix}.${i} -j 1`,
    );
    codes.push(code);
    if (code !== 0 && code !== 1) codes.push(stderr);
  }
  return codes;
}

/** Returns the text of all parts, one after another. */
const joined = (count: number) => Array.from({ length: count }, (_, i) => read(`part.${i + 1}`)).join('');

const bt = styleOf('bacterial-tactics');
const INPUT = bulkInput(bt, 300, 5, 1);

describe('the shards of an input', () => {
  test('give together the table and the exit code of one run, with marked cases and a terminator', async () => {
    const text = bulkInput(styleOf('link-and-pop'), 60, 4, 3).replaceAll('\n', '\r\n').replace(/A./g, '?$&');
    write('a.in', text);
    const options = '--on-error mark --format csv --columns line -q';
    const whole = await runLine(`solve link-and-pop a.in ${options}`);
    expect(whole.code).toBe(1);
    expect(await solveShards(3, 'link-and-pop', `a.in ${options}`)).toContain(1);
    expect(joined(3)).toBe(whole.stdout);
    const merged = await runLine('merge part.3 part.1 part.2');
    expect(merged).toMatchObject({ code: 1, stdout: whole.stdout });
    expect(merged.stderr).toMatch(/^boardmill: \d+ cases of the input are marked\n$/);
  });

  test('may be more than there are cases, and the input may be compressed', async () => {
    const text = '2\n1 1\n.\n1 2\n.#\n';
    writeFileSync(at('a.in.gz'), gzipSync(text));
    write('empty.in', '0\n');
    expect(await solveShards(5, 'bt', 'a.in.gz')).toEqual([0, 0, 0, 0, 0]);
    expect(await runLine('merge part.1 part.2 part.3 part.4 part.5 -o all')).toMatchObject({
      code: 0,
      stderr: '',
    });
    write('b.in', text);
    expect(read('all')).toBe((await runLine('solve bt b.in')).stdout);
    expect(await solveShards(2, 'bt', 'empty.in', 'none')).toEqual([0, 0]);
    expect(await runLine('merge none.1 none.2 -o nothing')).toMatchObject({ code: 0 });
    expect(read('nothing')).toBe('');
  });

  test('have statistics of their own cases, and a record beside the answers', async () => {
    write('a.in', INPUT);
    await solveShards(2, 'bt', 'a.in --stats stats -f');
    const { cases, resumedCases } = JSON.parse(read('stats'));
    const record = JSON.parse(read('part.2.shard'));
    expect(record).toMatchObject({ shard: 2, shards: 2, firstCase: 301 - cases, cases });
    expect([record.input.isEndVerified, resumedCases]).toEqual([true, 0]);
    expect(names()).not.toContain('part.2.checkpoint');
  });

  test('report an invalid case that the scanner meets before them as one run does, and leave no file', async () => {
    write('a.in', INPUT.replace('\n', '\n1 x\n'));
    const whole = await runLine('solve bt a.in');
    expect(whole).toMatchObject({ code: 3 });
    expect(await runLine('solve bt a.in --shard 3/3 -o part')).toEqual({ ...whole, stdout: '' });
    expect(names()).toEqual(['a.in']);
  });

  test('continue after an error with --resume, but only as the same shard', async () => {
    const bad = INPUT.lastIndexOf('.\n');
    write('a.in', `${INPUT.slice(0, bad)}?${INPUT.slice(bad + 1)}`);
    expect((await solveShards(2, 'bt', 'a.in --chunk 100'))[1]).toBe(3);
    expect(existsSync(at('part.2.shard'))).toBe(false);
    write('a.in', INPUT);
    const other = await runLine('solve bt a.in --shard 1/2 -o part.2 --resume');
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('--shard was 2/2, is 1/2') });
    expect((await runLine('solve bt a.in -o part.2 --resume')).stderr).toContain('is not set');
    expect(await runLine('solve bt a.in --shard 2/2 -o part.2 --resume --stats s')).toMatchObject({
      code: 0,
    });
    const { cases, resumedCases } = JSON.parse(read('s'));
    expect(resumedCases).toBeGreaterThan(0);
    expect(cases).toBe(JSON.parse(read('part.2.shard')).cases);
    expect((await runLine('merge part.1 part.2')).stdout).toBe((await runLine('solve bt a.in')).stdout);
  });

  test.each([
    ['a.in --shard 0/4 -o x', '--shard needs I/N'],
    ['a.in --shard 5/4 -o x', '--shard needs I/N'],
    ['a.in --shard a/b -o x', '--shard needs I/N'],
    ['a.in --shard 1/1000001 -o x', 'N at most 1,000,000'],
    ['a.in --shard 1/2 --shard 2/2 -o x', '--shard was given 2 times'],
    ['a.in --shard 1/2', '--shard needs --output FILE'],
    ['a.in --shard 1/2 -o /dev/null', '--shard needs --output FILE'],
    ['- --shard 1/2 -o x', '--shard needs a file as its input'],
    ['a.in b.in --shard 1/2', '--shard takes one input'],
    ['a.in --shard 1/2 -o x --stats x.shard', 'is both the record of the shard and --stats'],
    ['a.in --shard 1/2 -o mine', 'mine.shard exists and is not the record of a shard'],
    ['a.in --shard 1/2 -o folder -f', 'cannot create folder.shard: it is a directory'],
  ])('solve bt %s is refused', async (words, message) => {
    write('a.in', INPUT);
    write('mine.shard', 'of the user');
    mkdirSync(at('folder.shard'));
    const { code, stderr } = await runLine(`solve bt ${words}`);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(names()).toEqual(['a.in', 'folder.shard', 'mine.shard']);
  });
});

describe('merge', () => {
  /** Changes the record of a part, and writes it with the right digest. */
  function changeRecord(name: string, change: (record: Record<string, unknown>) => void): void {
    const { digest: _, ...content } = JSON.parse(read(name));
    change(content);
    const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
    write(name, `${JSON.stringify({ ...content, digest })}\n`);
  }

  async function expectRefusal(words: string, message: string): Promise<void> {
    const outcome = await runLine(`merge ${words}`);
    expect({ words, ...outcome }).toEqual({
      words,
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
    expect(existsSync(at('all'))).toBe(false);
    expect(existsSync(at('all.partial'))).toBe(false);
  }

  test('refuses parts that do not belong together, and takes them in any order', async () => {
    write('a.in', INPUT);
    write('b.in', INPUT.replace('.', '#'));
    await solveShards(4, 'bt', 'a.in');
    await solveShards(2, 'bt', 'a.in', 'half');
    await solveShards(4, 'bt', 'b.in', 'other');
    await runLine('solve bt a.in --shard 2/4 --format ndjson -o json.2');
    for (const ending of ['', '.shard']) copyFileSync(at(`part.2${ending}`), at(`copy${ending}`));
    await expectRefusal('part.1 part.4 -o all', 'parts 2 and 3 of 4 are missing');
    await expectRefusal('part.1 part.2 part.4', 'part 3 of 4 is missing');
    await expectRefusal('part.1 part.2 part.2 part.3 part.4', 'part 2 of 4 was given twice');
    await expectRefusal('part.1 part.2 part.3 part.4 copy', 'part 2 of 4 was given twice');
    await expectRefusal('part.1 half.2', 'the parts do not belong together');
    await expectRefusal('part.1 json.2 part.3 part.4', '--format was text, is ndjson');
    await expectRefusal('part.1 part.2 other.3 part.4', 'was made from another input');
    await expectRefusal('part.1 a.in -o all', 'a.in has no record');
    await expectRefusal('part.1 missing', 'cannot open missing');
    mkdirSync(at('folder'));
    await expectRefusal('part.1 folder', 'cannot open folder: it is not a regular file');
    await expectRefusal('part.1 part.2 part.3 part.4 -o part.1', 'is both a part and output');
    await expectRefusal('part.1 part.2 part.3 part.4 -o a.in', 'a.in exists and is not an answer file');
    symlinkSync('part.3', at('linked'));
    const whole = (await runLine('solve bt a.in')).stdout;
    const all = 'part.4 part.2 part.2.shard linked part.1.shard part.1';
    expect(await runLine(`merge ${all} -o all`)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(read('all')).toBe(whole);
    expect(await runLine(`merge ${all} -o all`)).toMatchObject({ code: 0 });
  });

  test('refuses changed parts and records', async () => {
    write('a.in', INPUT);
    await solveShards(2, 'bt', 'a.in');
    const answers = read('part.2');
    write('part.2', answers.replace(/\d\n$/, '99\n'));
    await expectRefusal('part.1 part.2 -o all', 'part.2 was changed');
    write('part.2', answers.replace(/.\n$/, '?\n'));
    await expectRefusal('part.1 part.2 -o all', 'part.2 was changed');
    await expectRefusal('part.1 part.2', 'part.2 was changed');
    write('part.2', answers);
    const record = read('part.2.shard');
    write('part.2.shard', record.replace('"failedCases":0', '"failedCases":1'));
    await expectRefusal('part.1 part.2', 'part.2.shard is not the record of a shard, or was changed');
    changeRecord('part.2.shard', (content) => {
      content.firstCase = 'x';
    });
    await expectRefusal('part.1 part.2', 'part.2.shard is not the record of a shard, or was changed');
    write('part.2.shard', record);
    changeRecord('part.2.shard', (content) => {
      content.firstCase = Number(content.firstCase) + 1;
    });
    await expectRefusal('part.1 part.2', 'part.2 does not continue part.1: part 1 ends with case');
    write('part.2.shard', record);
    renameSync(at('part.2.shard'), at('elsewhere'));
    await expectRefusal('part.1 part.2', 'part.2 has no record part.2.shard');
  });
});
