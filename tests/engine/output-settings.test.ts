/** Tests which settings must be the same if `--resume` is to continue a run. */
import { describe, expect, test } from 'vitest';
import { differingSettings, fingerprintOf, type OutputSettings } from '../../src/engine/output-settings.js';

const PROGRAM = { commandLine: 'python3 mine.py', digests: new Map([['mine.py', 'a']]) };

const SETTINGS: OutputSettings = {
  version: '1.0.0',
  problem: { name: 'darkraft', identity: new Map() },
  solver: 'auto',
  program: null,
  outputFormat: 'text',
  columns: [],
  onError: 'stop',
  shard: null,
};

/** A second value of each setting that is a term by itself. The compiler reports a setting that is missing in this object. */
const OTHERS: Required<Omit<OutputSettings, 'solver' | 'fileFirst'>> = {
  version: '1.0.1',
  problem: { name: 'darkraft', identity: new Map([['the content of sums.mjs', 'a']]) },
  program: PROGRAM,
  outputFormat: 'ndjson',
  columns: ['line', 'nimber'],
  onError: 'mark',
  shard: { number: 2, count: 5 },
};

const differing = (one: Partial<OutputSettings>, other: Partial<OutputSettings>) =>
  differingSettings(
    fingerprintOf({ ...SETTINGS, ...one }, ['a.in']),
    fingerprintOf({ ...SETTINGS, ...other }, ['a.in']),
  );

test('equal settings have equal terms', () => {
  expect(differing({}, {})).toEqual([]);
  expect(differing({ program: PROGRAM }, { program: PROGRAM })).toEqual([]);
});

describe('settings and their terms', () => {
  test.each(Object.keys(OTHERS) as (keyof typeof OTHERS)[])(
    'another value of the setting %s changes the terms',
    (name) => {
      const changed = { [name]: OTHERS[name] };
      expect(differing({}, changed)).not.toEqual([]);
      expect(differing(changed, {}).sort()).toEqual(differing({}, changed).sort());
    },
  );

  test('the terms of a program contain its command line and the content of each of its files', () => {
    const recompiled = { ...PROGRAM, digests: new Map([['mine.py', 'b']]) };
    expect(differing({ program: PROGRAM }, { program: recompiled })).toEqual(['the content of mine.py']);
    const renamed = { ...PROGRAM, commandLine: 'python3 -O mine.py' };
    expect(differing({ program: PROGRAM }, { program: renamed })).toEqual(['--exec']);
    expect(differing({}, { program: PROGRAM })).toEqual(['--exec', 'the content of mine.py']);
  });
});

describe('the setting of the solver', () => {
  test.each(['auto', 'portable', 'simd'] as const)(
    'under --on-error stop, --solver %s leaves the terms as they are',
    (solver) => {
      expect(differing({}, { solver })).toEqual([]);
    },
  );

  test('under --on-error mark, only --solver simd changes the terms, because only simd refuses boards', () => {
    const marking = { onError: 'mark' } as const;
    expect(differing(marking, { ...marking, solver: 'portable' })).toEqual([]);
    expect(differing(marking, { ...marking, solver: 'simd' })).toEqual(['--solver']);
  });
});

test('the name of the input is a term only if a column shows it', () => {
  const named = (columns: OutputSettings['columns'], input: string) =>
    fingerprintOf({ ...SETTINGS, columns }, [input]);
  expect(differingSettings(named(['line'], 'a.in'), named(['line'], 'b.in'))).toEqual([]);
  expect(differingSettings(named(['file'], 'a.in'), named(['file'], 'b.in'))).toEqual([
    'the name of the input',
  ]);
});

test('a term that only one of two runs has counts as a difference', () => {
  expect(differingSettings({}, { '--new': 'x' })).toEqual(['--new']);
  expect(differingSettings({ '--old': 'x' }, {})).toEqual(['--old']);
});
