/** Tests the search for the slowest case with a clock that counts letters, and the clock itself with real programs. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Deadline, DeadlinePassedError } from '../../../src/core/deadline.js';
import { copyHeadToSharedMemory } from '../../../src/engine/cut/task-head.js';
import { problem as bacterialTactics } from '../../../src/games/bacterial-tactics/index.js';
import { problem } from '../../../src/games/darkraft/index.js';
import { ANY_BOARDS } from '../../../src/problems/problem.js';
import { type SlowestCaseSearchOptions, searchSlowestCase } from '../../../src/tools/bench/slow-search.js';
import {
  type CaseTiming,
  type CaseWithHead,
  ProgramStopwatch,
  type TimingFailure,
} from '../../../src/tools/bench/stopwatch.js';
import { createRandomCaseGenerator, drawRandomCases } from '../../../src/tools/cases/draw.js';
import { bytesOf } from '../../support/inputs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const NO_HEAD = copyHeadToSharedMemory(null);
const inputOf = (text: string): CaseWithHead => ({ head: NO_HEAD, bytes: bytesOf(text) });
const textOf = ({ bytes }: CaseWithHead) => Buffer.from(bytes).toString();
const countOf = (letter: string, text: string) => text.split(letter).length - 1;

const SIDE = { from: 8, to: 8 };

/** Draws 8x8 boards. */
async function draw(seed: number): Promise<CaseWithHead> {
  const boards = { ...ANY_BOARDS, rows: SIDE, cols: SIDE };
  const request = { seed: `${seed}`, profile: 'random', cases: 1, maxSize: null, set: null, boards } as const;
  const [bytes] = await drawRandomCases(createRandomCaseGenerator(problem, request), 0, 1);
  return { head: NO_HEAD, bytes };
}

/** A deadline of a clock that `tick` moves. */
function deadlineOf(seconds: number, stop = new AbortController().signal, clock = { seconds: 0 }): Deadline {
  return new Deadline(seconds, stop, () => clock.seconds * 1000);
}

function search(
  time: (text: string) => number | TimingFailure,
  options: Partial<SlowestCaseSearchOptions> = {},
) {
  const timing = (input: CaseWithHead): CaseTiming | TimingFailure => {
    const outcome = time(textOf(input));
    return typeof outcome === 'number' ? { seconds: outcome, noiseSeconds: 0 } : outcome;
  };
  return searchSlowestCase({
    problem,
    stopwatch: {
      measureStartUp: async (tiny) => {
        const outcome = timing(tiny);
        return 'kind' in outcome ? outcome : null;
      },
      time: async (input) => timing(input),
    },
    tiny: inputOf('1 1\nX\n'),
    draw,
    drawLike: async () => [await draw(1000), await draw(1001), await draw(1002)],
    isValid: async () => true,
    seed: '1',
    rounds: 400,
    searchSeconds: Number.POSITIVE_INFINITY,
    deadline: deadlineOf(Number.POSITIVE_INFINITY),
    onRound: () => {},
    ...options,
  });
}

describe('the search', () => {
  test('the climb finds boards that random boards do not come near, and compares with random boards', async () => {
    const { slowest, timing, random, rounds } = await search((text) => countOf('LR', text));
    expect(rounds).toBe(400);
    expect(timing).toEqual({ seconds: countOf('LR', textOf(slowest!)), noiseSeconds: 0 });
    const times = await Promise.all(
      [1000, 1001, 1002].map(async (seed) => countOf('LR', textOf(await draw(seed)))),
    );
    expect(random).toMatchObject({ seconds: times.sort((a, b) => a - b)[1] });
    const sampled = await Promise.all(
      Array.from({ length: 80 }, async (_, i) => countOf('LR', textOf(await draw(i)))),
    );
    expect(countOf('LR', textOf(slowest!))).toBeGreaterThan(Math.max(...sampled));
  });

  test('every case that is tried is valid', async () => {
    const parser = problem.inputFormat.createParser();
    parser.useHead(null);
    await search((text) => {
      const bytes = bytesOf(text);
      expect(parser.parse(bytes, 0, bytes.length, null)).not.toBeNull();
      return countOf('R', text) % 7;
    });
  });

  test('a case that times out ends the search, and is the slowest', async () => {
    const timeout: TimingFailure = { kind: 'timeout', reason: 'late' };
    const { slowest, timing } = await search((text) =>
      countOf('L', text) > 30 ? timeout : countOf('L', text),
    );
    expect(countOf('L', textOf(slowest!))).toBeGreaterThan(30);
    expect(timing).toEqual(timeout);
    expect(await search(() => timeout)).toMatchObject({ rounds: 0, timing: timeout });
  });

  test('crashes are counted, and are not slow', async () => {
    const crash: TimingFailure = { kind: 'crash', reason: 'died' };
    const some = await search((text) => (text.includes('LL') ? crash : 1));
    expect(textOf(some.slowest!)).not.toContain('LL');
    expect(some).toMatchObject({ crashReason: 'died', timing: { seconds: 1 } });
    expect(await search(() => crash)).toMatchObject({ slowest: null, timing: null, crashes: 1 });
  });

  test('after the deadline nothing is measured, and what was found by then is the result', async () => {
    for (const seconds of [1, 2, 7.5, 11]) {
      const clock = { seconds: 0 };
      const deadline = deadlineOf(seconds - 0.25, undefined, clock);
      const time = () => {
        if (deadline.isOver) throw new DeadlinePassedError();
        return ++clock.seconds;
      };
      const { slowest, timing } = await search(time, { searchSeconds: seconds - 0.25, deadline });
      expect(clock.seconds).toBe(Math.ceil(seconds));
      expect(slowest === null).toBe(seconds === 1);
      expect(timing).toEqual(slowest && expect.objectContaining({ seconds: expect.any(Number) }));
    }
  });

  test('a signal ends the search', async () => {
    const controller = new AbortController();
    const onRound = (round: number) => round === 5 && controller.abort();
    const result = await search(() => 1, {
      deadline: deadlineOf(Number.POSITIVE_INFINITY, controller.signal),
      onRound,
    });
    expect(result).toMatchObject({ rounds: 5, random: null });
  });
});

describe('the stopwatch', () => {
  const folder = temporaryFolder();
  const limits = { runs: 2, seconds: 9 };

  async function measure(script: string, options: { timeoutSeconds?: number; deadline?: Deadline } = {}) {
    const stopwatch = new ProgramStopwatch({
      problem: bacterialTactics,
      argv: ['sh', '-c', script, 'sh', join(folder, 'log')],
      maxCopies: 50,
      timeoutSeconds: 5,
      deadline: deadlineOf(Number.POSITIVE_INFINITY),
      ...options,
    });
    try {
      return (
        (await stopwatch.measureStartUp(inputOf('1 1\n.\n'))) ??
        (await stopwatch.time(inputOf('1 2\n..\n'), 0, limits))
      );
    } finally {
      stopwatch.close();
    }
  }

  test('a fast program gets many copies of the case, and no more than allowed', async () => {
    let copies: number[] = [];
    // On a busy machine, a run with one copy may take long enough to be measured, so that the program looks slow.
    for (let attempt = 0; attempt < 9 && (copies.at(-1) ?? 1) === 1; attempt++) {
      rmSync(join(folder, 'log'), { force: true });
      const timing = await measure('read -r cases; echo $cases >> "$1"');
      expect(timing).toMatchObject({ seconds: expect.any(Number), noiseSeconds: expect.any(Number) });
      copies = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n').map(Number);
      expect(copies.slice(0, 2)).toEqual([1, 1]);
    }
    expect(copies.at(-1)).toBeGreaterThan(1);
    expect(Math.max(...copies)).toBeLessThanOrEqual(50);
  });

  test('a program that crashes or hangs has no time', async () => {
    expect(await measure('exit 3')).toEqual({ kind: 'crash', reason: 'exited with code 3' });
    const hanging = { kind: 'timeout', reason: 'no answer within 0.1 s' };
    expect(await measure('exec sleep 100', { timeoutSeconds: 0.1 })).toEqual(hanging);
  });

  test('no run starts after the deadline, between the copies and the repetitions of a case as well', async () => {
    const log = join(folder, 'log');
    for (const allowed of [0, 1, 2, 3]) {
      writeFileSync(log, '');
      const clock = { seconds: 0 };
      const counted = new Deadline(allowed - 0.5, new AbortController().signal, () => {
        clock.seconds = readFileSync(log, 'utf8').split('\n').length - 1;
        return clock.seconds * 1000;
      });
      await measure('read -r cases; echo $cases >> "$1"', { deadline: counted }).catch((error) => error);
      expect(readFileSync(log, 'utf8').split('\n').length - 1).toBe(allowed);
    }
  });
});
