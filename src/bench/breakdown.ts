/** Looks into boardmill itself: where its time goes, what the coordinator can bear, what single cases cost. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Interrupted } from '../core/errors.js';
import { LocalPool } from '../engine/local-pool.js';
import { streamSink } from '../engine/output/open-sink.js';
import { openSource } from '../engine/read.js';
import { run } from '../engine/run.js';
import { STAGES, type Stage } from '../engine/stage-times.js';
import { Tally } from '../engine/tally.js';
import type { Problem } from '../problems/problem.js';
import type { Setting } from './contender.js';

export interface BreakdownRequest {
  readonly problem: Problem;
  readonly input: string;
  /** For answers. */
  readonly folder: string;
  readonly stop: AbortSignal;
}

/** One run, seen from inside. Times in seconds. */
export interface Breakdown {
  readonly setting: Setting;
  readonly seconds: number;
  readonly stages: Readonly<Record<Stage, number>>;
  /** The coordinator's thread was busy. */
  readonly busySeconds: number;
  /** 0 to 1: the share of all workers' time that was work. */
  readonly utilization: number;
  readonly cases: number;
  readonly bytes: number;
  readonly chunks: number;
}

interface TrackedRun {
  readonly request: BreakdownRequest;
  readonly setting: Setting;
  readonly output: Writable;
  readonly workerFile?: string;
  readonly chunkBytes?: number;
  readonly stop: AbortSignal;
}

/** The run that a user would make, once. */
export function measureBreakdown(request: BreakdownRequest, setting: Setting): Promise<Breakdown> {
  const output = createWriteStream(join(request.folder, 'answers'));
  return track({ request, setting, output, stop: request.stop });
}

const SKIP_WORKER = new URL('../../workers/skip-chunk.js', import.meta.url).href;
const TIME_WORKER = new URL('../../workers/time-chunk.js', import.meta.url).href;

/**
 * The coordinator alone: a worker that solves nothing, chunks of the size that real ones have. `busySeconds` is
 * what the input costs the coordinator, however many workers there are.
 */
export function measureCoordinator(
  request: BreakdownRequest,
  { bytes, chunks }: Breakdown,
): Promise<Breakdown> {
  const output = new Writable({ write: (_bytes, _encoding, done) => done() });
  return track({
    request,
    setting: { jobs: 1, solver: 'auto' },
    output,
    workerFile: SKIP_WORKER,
    chunkBytes: Math.ceil(bytes / chunks),
    stop: request.stop,
  });
}

/**
 * Solves each case alone, and hands over the nanoseconds it took, case after case. Ends early after `seconds`;
 * Infinity: never.
 */
export async function timeCases(
  request: BreakdownRequest,
  setting: Setting,
  seconds: number,
  take: (nanoseconds: number) => void,
): Promise<void> {
  const enough = new AbortController();
  const stop = AbortSignal.any([request.stop, enough.signal]);
  const timer = Number.isFinite(seconds) ? setTimeout(() => enough.abort('SIGALRM'), seconds * 1000) : null;
  try {
    await track({ request, setting, output: numberStream(take), workerFile: TIME_WORKER, stop });
  } catch (error) {
    if (!(error instanceof Interrupted) || request.stop.aborted) throw error;
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}

async function track({
  request,
  setting,
  output,
  workerFile,
  chunkBytes,
  stop,
}: TrackedRun): Promise<Breakdown> {
  const { problem, input } = request;
  const { jobs, solver } = setting;
  const pool = new LocalPool(
    { problem: problem.name, solver },
    { jobs, ...(workerFile === undefined ? {} : { workerFile }) },
  );
  const source = await openSource(input);
  const closeSource = () => void source.close();
  stop.addEventListener('abort', closeSource);
  const tally = new Tally();
  const busy = performance.eventLoopUtilization();
  try {
    await run(
      source,
      streamSink(output),
      pool,
      {
        problem,
        settings: { outputFormat: 'text', onError: 'stop' },
        chunkBytes: chunkBytes ?? null,
        jobs,
        retries: 0,
        warn: () => {},
        stop,
      },
      tally,
    );
    return breakdownOf(setting, tally, performance.eventLoopUtilization(busy).active);
  } finally {
    stop.removeEventListener('abort', closeSource);
    output.end();
    await source.close();
    await pool.close();
  }
}

function breakdownOf(setting: Setting, tally: Tally, busyMs: number): Breakdown {
  const { seconds, cases, bytes, chunks } = tally;
  const stages = Object.fromEntries(STAGES.map((stage) => [stage, tally.stages[stage] / 1000]));
  const worked = stages.parse + stages.solve + stages.print;
  return {
    setting,
    seconds,
    stages: stages as Record<Stage, number>,
    busySeconds: busyMs / 1000,
    utilization: worked / (setting.jobs * seconds),
    cases,
    bytes,
    chunks,
  };
}

/** Takes decimal numbers, one a line, however they are cut. */
function numberStream(take: (value: number) => void): Writable {
  let open = '';
  return new Writable({
    write(bytes: Buffer, _, done) {
      const lines = (open + bytes.toString('latin1')).split('\n');
      open = lines.pop() as string;
      for (const line of lines) take(Number(line));
      done();
    },
  });
}
