/** Records of shards whose digest is right, but whose numbers contradict each other: anyone can compute a digest. */
import { describe, expect, test } from 'vitest';
import { printSealedJson } from '../../../src/core/files/sealed-json.js';
import { parseShardRecord } from '../../../src/engine/output/shard-record.js';

const STORED = {
  terms: { version: '1', '--format': 'text' },
  shard: 2,
  shards: 3,
  firstCase: 11,
  cases: 5,
  failedCases: 1,
  input: {
    start: { offset: 100, digest: 'of the bytes before' },
    end: { offset: 160, digest: 'of the bytes up to here' },
    isEndVerified: false,
  },
  outputBytes: 50,
  outputDigest: 'of the answers',
};

type Stored = typeof STORED;

/** Parses a record with some changes. */
function parseWith(changes: object) {
  return parseShardRecord(printSealedJson('boardmill/shard/2', { ...STORED, ...changes }));
}

/** Returns the input of a record with a change of its start or its end. */
function inputWith(place: 'start' | 'end', change: object): Pick<Stored, 'input'> {
  return { input: { ...STORED.input, [place]: { ...STORED.input[place], ...change } } };
}

test('a record says where the shard begins and ends', () => {
  expect(parseWith({})).toEqual({
    settingsFingerprint: STORED.terms,
    shard: { number: 2, count: 3 },
    failedCases: 1,
    extent: {
      start: { offset: 100, digest: 'of the bytes before', cases: 10 },
      end: { offset: 160, digest: 'of the bytes up to here', cases: 15 },
      isInputEnd: false,
    },
    outputBytes: 50,
    outputDigest: 'of the answers',
  });
});

test.each([
  ['the first shard', { shard: 1 }],
  ['the last shard', { shard: 3 }],
  ['no cases', { cases: 0, failedCases: 0, outputBytes: 0 }],
])('a record of %s is possible', (_, changes) => {
  expect(parseWith(changes)).not.toBeNull();
});

describe('a record is refused if', () => {
  const COUNTS: readonly [string, (value: number) => object][] = [
    ['the number of the shard', (shard) => ({ shard, shards: 2 ** 53 - 1 })],
    ['the number of shards', (shards) => ({ shard: 1, shards })],
    ['the first case', (firstCase) => ({ firstCase })],
    ['the number of cases', (cases) => ({ cases })],
    ['the number of failed cases', (failedCases) => ({ failedCases })],
    ['the size of the answers', (outputBytes) => ({ outputBytes })],
    ['the offset of the start', (offset) => inputWith('start', { offset })],
    ['the offset of the end', (offset) => inputWith('end', { offset })],
  ];

  test.each(COUNTS)('%s is not a count', (_, change) => {
    for (const value of [-1, 1.5, 2 ** 53]) expect(parseWith(change(value)), `${value}`).toBeNull();
  });

  test.each<[string, object]>([
    ['the shards do not begin with 1', { shard: 0 }],
    ['there are fewer shards', { shard: 4 }],
    ['more cases have failed than there are', { failedCases: 6 }],
    ['it does not say whether the input ends', { input: { ...STORED.input, isEndVerified: 'no' } }],
    ['it has another field', { another: 1 }],
    ['its input has another field', { input: { ...STORED.input, another: 1 } }],
    ['a place has another field', inputWith('end', { another: 1 })],
    ['one of several settings is not a text', { terms: { ...STORED.terms, '--on-error': 1 } }],
    ['the hash of the bytes before is missing', inputWith('start', { digest: undefined })],
    ['the hash of the bytes up to the end is missing', inputWith('end', { digest: undefined })],
    ['the hash of the answers is missing', { outputDigest: null }],
  ])('%s', (_, changes) => {
    expect(parseWith(changes)).toBeNull();
  });
});
