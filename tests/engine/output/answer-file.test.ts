/** What a run makes of files that another run has left beside FILE when it, or the machine, stopped. */
import { appendFileSync, existsSync, linkSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createDigest } from '../../../src/core/digest.js';
import { type AnswerFileOptions, openAnswerFile } from '../../../src/engine/output/answer-file.js';
import { CheckpointFile } from '../../../src/engine/output/checkpoint.js';
import { recordUnfinishedOutput } from '../../../src/engine/output/ledger.js';
import type { SettingsFingerprint } from '../../../src/engine/output-settings.js';
import { RUN_START } from '../../../src/engine/position.js';
import { folderForEachTest } from '../../support/temporary-folder.js';

const folder = folderForEachTest();
const { at, read, write } = folder;
const FINGERPRINT = { '--format': 'text' } as SettingsFingerprint;
const RUN_ID = '01234567-89ab-cdef-0123-456789abcdef';
/** More answers than what is held in memory. */
const MANY = 'Case #1: 1\n'.repeat(400);

let notes: string[];

beforeEach(() => {
  notes = [];
  vi.stubEnv('XDG_STATE_HOME', at('state'));
});

function open(changes: Partial<AnswerFileOptions> = {}) {
  return openAnswerFile(at('out'), {
    force: false,
    resume: false,
    settingsFingerprint: FINGERPRINT,
    isRepeatable: true,
    inputStamp: null,
    isOneOfMany: false,
    note: (message) => notes.push(message.replaceAll(`${folder.path}/`, '')),
    ...changes,
  });
}

/** Writes answers to FILE. */
async function solve(answers: string, changes: Partial<AnswerFileOptions> = {}): Promise<void> {
  const sink = await open(changes);
  expect(sink.resumePosition ?? RUN_START).toEqual(RUN_START);
  await sink.write(Buffer.from(answers), RUN_START);
  await sink.finish();
  expect(read('out')).toBe(answers);
  expect(folder.names().filter((name) => name !== 'state')).toEqual(['out']);
}

/** Leaves a checkpoint that covers no answers. */
const claim = () => new CheckpointFile(at('out'), { terms: FINGERPRINT, runId: RUN_ID, input: null }).claim();

describe('a checkpoint that a power loss has left empty, zeroed or torn', () => {
  test.each(['', '\0'.repeat(99), '{"schema":"boardmill/checkpoint/3","terms":{"ver', '{"sch\0\0'])(
    'counts as lost if it contains %j: FILE is solved from the beginning, with a note',
    async (text) => {
      for (const resume of [true, false]) {
        await recordUnfinishedOutput(at('out'), 'answers');
        write('out.checkpoint', text);
        write('out.partial', 'Case #1: 1\nCas');
        await solve('new\n', { resume });
      }
      const note =
        'out.checkpoint is damaged, as it may be after a power loss: out is solved from the beginning';
      expect(notes).toEqual([note, note]);
    },
  );

  test.each(['', '\0', '{'])(
    'vouches for no FILE.partial of somebody else if it contains %j',
    async (text) => {
      write('out.checkpoint', text);
      write('out.partial', 'mine\n');
      for (const resume of [true, false])
        await expect(open({ resume })).rejects.toThrow(
          text === ''
            ? 'out.partial exists without a checkpoint'
            : 'out.checkpoint is not a checkpoint of boardmill',
        );
      expect([read('out.partial'), read('out.checkpoint')]).toEqual(['mine\n', text]);
    },
  );

  test('keeps nothing of somebody else: a FILE that boardmill did not write is refused', async () => {
    write('out.checkpoint', '');
    write('out', 'mine\n');
    await expect(open({ resume: true })).rejects.toThrow(
      'out exists and is not an answer file that boardmill wrote',
    );
    expect(folder.names()).toEqual(['out', 'out.checkpoint']);
  });
});

test('a checkpoint of more answers than FILE.partial has is refused, although their digest is right', async () => {
  const sink = await open();
  await sink.write(Buffer.from(MANY), RUN_START);
  await sink.abandon();
  const partial = read('out.partial');
  const digest = createDigest().update(partial).digest('hex');
  const checkpoint = new CheckpointFile(at('out'), { terms: FINGERPRINT, runId: RUN_ID, input: null });
  const scan = { ...RUN_START.scan, offset: 400, cases: 100 };
  for (const outputBytes of [partial.length + 1, Number.MAX_SAFE_INTEGER]) {
    await checkpoint.write({ position: { ...RUN_START, scan }, outputBytes, outputDigest: digest });
    await expect(open({ resume: true })).rejects.toThrow('out.partial does not match its checkpoint');
    expect(read('out.partial')).toBe(partial);
  }
});

describe('a FILE that is finished, beside a checkpoint with answers,', () => {
  /** Leaves what SIGKILL leaves between the new name of FILE and the end of the run; FILE.partial may be a second name of it. */
  async function leave(isLinked: boolean): Promise<void> {
    await solve(MANY);
    const digest = createDigest().update(MANY.slice(0, 1100)).digest('hex');
    const checkpoint = new CheckpointFile(at('out'), { terms: FINGERPRINT, runId: RUN_ID, input: null });
    const scan = { ...RUN_START.scan, offset: 400, cases: 100 };
    await checkpoint.write({ position: { ...RUN_START, scan }, outputBytes: 1100, outputDigest: digest });
    if (isLinked) linkSync(at('out'), at('out.partial'));
  }

  test.each([true, false])('stays until it is replaced (FILE.partial is FILE: %s)', async (isLinked) => {
    await leave(isLinked);
    linkSync(at('out'), at('mine'));
    const sink = await open({ resume: true });
    expect(sink.resumePosition).toBeNull();
    expect(read('out')).toBe(MANY);
    await sink.write(Buffer.from('new\n'), RUN_START);
    await sink.finish();
    expect([read('out'), read('mine')]).toEqual(['new\n', MANY]);
    expect(folder.names()).toEqual(['mine', 'out', 'state']);
  });

  test.each([true, false])(
    'is refused if it was edited since (FILE.partial is FILE: %s)',
    async (isLinked) => {
      await leave(isLinked);
      appendFileSync(at('out'), 'mine\n');
      await expect(open({ resume: true })).rejects.toThrow(
        'out exists: it was an answer file that boardmill wrote, and was',
      );
      expect(read('out')).toBe(`${MANY}mine\n`);
    },
  );
});

describe('a checkpoint without answers and without FILE.partial', () => {
  test.each([true, false])(
    'keeps no run from starting, and only --resume takes its name (%s)',
    async (resume) => {
      await claim();
      const sink = await open({ resume });
      expect(sink.run?.id === RUN_ID).toBe(resume);
      await sink.abandon();
      expect(existsSync(at('out.checkpoint'))).toBe(resume);
    },
  );

  test('is what a run writes at once whose name matters', async () => {
    const sink = await open({ isNamedAtOnce: true });
    expect(JSON.parse(read('out.checkpoint'))).toMatchObject({ runId: sink.run?.id, outputBytes: 0 });
    await sink.abandon();
    expect(existsSync(at('out.checkpoint'))).toBe(false);
  });

  test('is dropped if the FILE beside it is what boardmill wrote', async () => {
    await solve(MANY);
    await claim();
    await solve('new\n', { resume: true });
  });

  test('is refused if FILE is somebody else’s', async () => {
    await claim();
    write('out', 'mine\n');
    await expect(open({ resume: true })).rejects.toThrow(
      'out exists and is not an answer file that boardmill wrote',
    );
    expect(read('out')).toBe('mine\n');
  });
});

test('a checkpoint without answers claims FILE.partial, whatever is in it', async () => {
  await claim();
  write('out.partial', 'Case #1');
  const sink = await open({ resume: true });
  await sink.write(Buffer.from(MANY), RUN_START);
  await sink.finish();
  expect(read('out')).toBe(MANY);
});

test('FILE.partial has no answers before a checkpoint claims it', async () => {
  const sink = await open();
  await sink.write(Buffer.from(MANY.slice(0, 99)), RUN_START);
  expect([existsSync(at('out.partial')), existsSync(at('out.checkpoint'))]).toEqual([false, false]);
  await sink.write(Buffer.from(MANY.slice(99)), RUN_START);
  expect(read('out.partial')).toBe(MANY);
  expect(read('out.checkpoint')).toContain('"outputBytes":0');
  await sink.finish();
});

describe.each([
  ['is a file', () => writeFileSync(at('state'), 'not a folder')],
  ['cannot be looked at', () => symlinkSync('state', at('state'))],
])('without a ledger, because its folder %s', (_, spoil) => {
  beforeEach(spoil);

  /** Leaves what SIGKILL leaves after FILE has its name, and returns the last checkpoint. */
  async function leaveFinished(): Promise<void> {
    const remove = vi.spyOn(CheckpointFile.prototype, 'remove').mockResolvedValue();
    const sink = await open();
    // The end of an input has no position.
    await sink.write(Buffer.from('Case #1: 1\n'), null);
    await sink.finish();
    remove.mockRestore();
    expect(folder.names()).toEqual(['out', 'out.checkpoint', 'state']);
  }

  test('the checkpoint says what FILE is about to become, so that a later run may replace it', async () => {
    await leaveFinished();
    expect(JSON.parse(read('out.checkpoint'))).toMatchObject({ outputBytes: 0, whole: { bytes: 11 } });
    await solve('new\n', { resume: true });
    expect(notes).toEqual([]);
  });

  test('a FILE that was changed since is refused', async () => {
    await leaveFinished();
    write('out', 'Case #1: 9\n');
    await expect(open({ resume: true })).rejects.toThrow(
      'out exists and is not an answer file that boardmill wrote',
    );
  });
});
