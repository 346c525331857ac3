/** Checkpoints that are read or refused, and whether an input is still the same. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Checkpoint,
  CheckpointFile,
  type InputStamp,
  isSameInput,
  readCheckpoint,
  stampOfInput,
} from '../../../src/engine/output/checkpoint.js';
import type { InputsBefore, RunPosition, ScanPosition } from '../../../src/engine/position.js';
import { temporaryFolder, workingIn } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const file = join(folder, 'a.ans');

const SCAN: ScanPosition = {
  offset: 40,
  digest: 'of the input',
  cases: 3,
  promised: 4,
  head: '4\n',
  searching: 'no',
  next: '',
};
const BEFORE: InputsBefore = { inputs: 2, cases: 5, failedCases: 1, bytes: 90, digest: 'of the inputs' };
const POSITION: RunPosition = { scan: SCAN, failedCases: 2, line: 8, column: 1, before: BEFORE };
const CHECKPOINT: Checkpoint = {
  terms: { '--format': 'text' },
  runId: '01234567-89ab-cdef-0123-456789abcdef',
  input: { bytes: 60, mtimeMs: 1.5 },
  position: POSITION,
  outputBytes: 30,
  outputDigest: 'of the answers',
};

interface Changes {
  readonly checkpoint?: Partial<Checkpoint>;
  readonly position?: Partial<RunPosition>;
  readonly scan?: Partial<ScanPosition>;
  readonly before?: Partial<InputsBefore>;
}

function write({ terms, runId, input, ...progress }: Checkpoint): Promise<void> {
  return new CheckpointFile(file, { terms, runId, input }).write(progress);
}

/** Writes the checkpoint with some changes, and reads it. */
async function readChanged({ checkpoint, position, scan, before }: Changes): Promise<void> {
  const changed: Checkpoint = {
    ...CHECKPOINT,
    position: { ...POSITION, scan: { ...SCAN, ...scan }, before: { ...BEFORE, ...before }, ...position },
    ...checkpoint,
  };
  await write(changed);
  const read = await readCheckpoint(file);
  expect(read).toEqual(changed);
}

test.each<[string, Changes]>([
  ['as a run writes it', {}],
  ['before the head was read', { scan: { promised: null, head: null } }],
  ['after all promised cases', { scan: { cases: 4 } }],
  ['when all cases have failed', { position: { failedCases: 3 } }],
  [
    'before the first answer',
    { checkpoint: { outputBytes: 0 }, scan: { cases: 0 }, position: { failedCases: 0 } },
  ],
  ['at the start of the input', { scan: { offset: 0 }, position: { line: 1, column: 1 } }],
])('a checkpoint %s is read', async (_, changes) => {
  await readChanged(changes);
});

// Anyone can compute a digest, so a checkpoint whose digest is right may contain numbers that contradict each other.
describe('a checkpoint is refused if', () => {
  const COUNTS: readonly [string, (value: number) => Changes][] = [
    ['the size of the answers', (outputBytes) => ({ checkpoint: { outputBytes } })],
    ['the offset', (offset) => ({ scan: { offset } })],
    // What else is in these checkpoints contradicts no large number.
    ['the number of cases', (cases) => ({ scan: { cases, promised: null }, position: { failedCases: 0 } })],
    [
      'the number of promised cases',
      (promised) => ({ scan: { promised, cases: 0 }, position: { failedCases: 0 } }),
    ],
    ['the number of failed cases', (failedCases) => ({ position: { failedCases } })],
    ['the number of inputs before', (inputs) => ({ before: { inputs } })],
    ['the number of cases before', (cases) => ({ before: { cases } })],
    ['the number of failed cases before', (failedCases) => ({ before: { failedCases } })],
    ['the number of bytes before', (bytes) => ({ before: { bytes } })],
  ];
  const NO_COUNTS = [-1, 0.5, 2 ** 53];

  test.each(COUNTS)('%s is not a count', async (_, change) => {
    for (const value of NO_COUNTS)
      await expect(readChanged(change(value)), `${value}`).rejects.toThrow('or was changed');
  });

  test.each<[string, Changes]>([
    ['more cases have failed than were answered', { position: { failedCases: 4 } }],
    ['more cases were answered than the head promises', { scan: { cases: 5 } }],
    ['the line is 0', { position: { line: 0 } }],
    ['the head is no text', { scan: { head: {} as never } }],
    ['it searches in another way', { scan: { searching: 'yes' as never } }],
    ['the next token is no text', { scan: { next: 5 as never } }],
    ['the time of the input is no number', { checkpoint: { input: { bytes: 60, mtimeMs: null as never } } }],
    ['it has another field', { checkpoint: { x: 1 } as never }],
    ['its position has another field', { position: { x: 1 } as never }],
    ['its place in the input has another field', { scan: { x: 1 } as never }],
    ['the column is 0', { position: { column: 0 } }],
    ['the name of the run is not a UUID', { checkpoint: { runId: '0123' } }],
    ['the name of the run begins with something else', { checkpoint: { runId: `x${CHECKPOINT.runId}` } }],
    ['the name of the run ends with something else', { checkpoint: { runId: `${CHECKPOINT.runId}/..` } }],
  ])('%s', async (_, changes) => {
    await expect(readChanged(changes)).rejects.toThrow('or was changed');
  });
});

describe('a checkpoint that cannot be read', () => {
  test('tells of another version of boardmill if that has written it', async () => {
    await write(CHECKPOINT);
    const text = readFileSync(`${file}.checkpoint`, 'utf8');
    writeFileSync(`${file}.checkpoint`, text.replace('boardmill/checkpoint/3', 'boardmill/checkpoint/2'));
    await expect(readCheckpoint(file)).rejects.toThrow(
      'is a checkpoint of another version of boardmill; --force',
    );
    writeFileSync(`${file}.checkpoint`, text.replace('"cases":3', '"cases":2'));
    await expect(readCheckpoint(file)).rejects.toThrow(
      'is not a checkpoint of boardmill, or was changed; --force',
    );
  });

  test('is torn if a power loss has left its beginning, nothing, or zeros', async () => {
    await write(CHECKPOINT);
    const text = readFileSync(`${file}.checkpoint`, 'utf8');
    for (let length = 0; length < text.length; length++) {
      for (const rest of ['', '\0', '\0'.repeat(text.length - length)]) {
        writeFileSync(`${file}.checkpoint`, text.slice(0, length) + rest);
        expect(await readCheckpoint(file), `${length} and ${rest.length}`).toBe('torn');
      }
    }
  });

  test.each(['mine', '{"schema":"mine"}', ' ', '\n', '\0mine'])(
    'is refused if it contains %j',
    async (text) => {
      writeFileSync(`${file}.checkpoint`, text);
      await expect(readCheckpoint(file)).rejects.toThrow('is not a checkpoint of boardmill, or was changed');
    },
  );

  test('may be replaced with --force, also if it is no file', async () => {
    mkdirSync(join(folder, 'b.ans.checkpoint'));
    await expect(readCheckpoint(join(folder, 'b.ans'))).rejects.toThrow(
      /b\.ans\.checkpoint.*; --force starts over$/,
    );
  });

  test('is missing', async () => {
    expect(await readCheckpoint(join(folder, 'none'))).toBeNull();
  });
});

describe('the stamp of an input', () => {
  test('is its size and the time of its last change, if it is a regular file', () => {
    writeFileSync(join(folder, 'a.in'), 'abc');
    const { mtimeMs } = statSync(join(folder, 'a.in'));
    expect(stampOfInput(join(folder, 'a.in'))).toEqual({ bytes: 3, mtimeMs });
    for (const other of ['-', folder, '/dev/null', join(folder, 'none')])
      expect(stampOfInput(other)).toBeNull();
  });

  test('standard input has none, whatever file is called as boardmill calls it', async () => {
    writeFileSync(join(folder, '-'), 'abc');
    expect(await workingIn(folder, async () => stampOfInput('-'))).toBeNull();
  });

  const STAMP: InputStamp = { bytes: 3, mtimeMs: 1.5 };

  test.each<[InputStamp | null, InputStamp | null, boolean]>([
    [STAMP, { ...STAMP }, true],
    [STAMP, { ...STAMP, bytes: 4 }, false],
    [STAMP, { ...STAMP, mtimeMs: 1.6 }, false],
    [STAMP, null, false],
    [null, STAMP, false],
    [null, null, false],
  ])('%o and %o are of the same input: %s', (one, other, isSame) => {
    expect(isSameInput(one, other)).toBe(isSame);
  });
});
