/**
 * Measures boardmill from inside, with the engine in this process: where the time of a run goes, how fast the
 * coordinator is without any solving, and how long single cases take.
 */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Interrupted } from '../../core/errors.js';
import type { GracefulStop } from '../../core/stop.js';
import { openSolver } from '../../engine/exec/open-solver.js';
import { withSource } from '../../engine/input/with-source.js';
import { LocalPool } from '../../engine/local-pool.js';
import { streamSink } from '../../engine/output/open-sink.js';
import { type NonSolvingJob, PLAIN_SETTINGS } from '../../engine/output-settings.js';
import { solveInput } from '../../engine/run.js';
import type { Sink } from '../../engine/sink.js';
import { STAGES, type Stage } from '../../engine/stage-times.js';
import { RunTally } from '../../engine/tally.js';
import type { Problem } from '../../problems/problem.js';
import type { BenchSetting, NamedSolvingProgram } from './measured-command.js';

export interface BreakdownRequest extends GracefulStop {
  readonly problem: Problem;
  /** The program of `--exec`; null if boardmill's solver solves. */
  readonly program: NamedSolvingProgram | null;
  /** Path of the input file. */
  readonly input: string;
  /** Path of an existing folder, in which the file with the answers is written. */
  readonly folder: string;
}

/** Where the time of one run went. All times are in seconds. */
export interface TimeBreakdown {
  readonly setting: BenchSetting;
  /** Duration of the run. */
  readonly seconds: number;
  /**
   * The time of each stage. The times of stages that chunks pass through are sums over all chunks, so these times may
   * exceed `seconds`.
   */
  readonly stages: Readonly<Record<Stage, number>>;
  /** How long the coordinator's thread was busy. */
  readonly busySeconds: number;
  /** The share of the workers' time in which they parsed, solved and printed: 0 to 1. */
  readonly utilization: number;
  readonly cases: number;
  readonly bytes: number;
  readonly chunks: number;
}

/** The settings of a run of the engine in this process, which bench measures. */
interface RunToMeasure {
  readonly request: BreakdownRequest;
  readonly setting: BenchSetting;
  readonly sink: Sink;
  /** What workers do instead of solving; missing if they solve. */
  readonly job?: NonSolvingJob;
  /** Size of the chunks in bytes. If `chunkBytes` is missing, the size of chunks adapts to the cost of the cases. */
  readonly chunkBytes?: number;
  readonly stop: AbortSignal;
}

/** Measures one run of the engine with the given setting. The run has the same steps as `boardmill solve`. */
export async function measureTimeBreakdown(
  request: BreakdownRequest,
  setting: BenchSetting,
): Promise<TimeBreakdown> {
  const output = createWriteStream(join(request.folder, 'answers'));
  try {
    return await measureRun({ request, setting, sink: streamSink(output), stop: request.stop });
  } finally {
    output.end();
  }
}

/** Solves the input with the given setting, and writes the answers to the sink. The caller finishes the sink. */
export async function solveIntoSink(
  sink: Sink,
  request: BreakdownRequest,
  setting: BenchSetting,
): Promise<void> {
  await measureRun({ request, setting, sink, stop: request.stop });
}

/**
 * Measures the coordinator alone: the worker solves nothing, and the chunks have the average chunk size of `breakdown`.
 * The result's `busySeconds` is the time that the coordinator needs for the input, with any number of workers.
 */
export function measureCoordinator(
  request: BreakdownRequest,
  breakdown: TimeBreakdown,
): Promise<TimeBreakdown> {
  const output = new Writable({ write: (_bytes, _encoding, done) => done() });
  return measureRun({
    request,
    setting: { jobs: 1, solver: 'auto' },
    sink: streamSink(output),
    job: { kind: 'skip' },
    chunkBytes: Math.ceil(breakdown.bytes / breakdown.chunks),
    stop: request.stop,
  });
}

/**
 * Solves each case alone, and calls `onCaseTime` with the nanoseconds that the case took, in input order. Stops after
 * `seconds`, even if some cases have not been solved. If `seconds` is Infinity, all cases are solved.
 */
export async function streamCaseTimes(
  request: BreakdownRequest,
  setting: BenchSetting,
  seconds: number,
  onCaseTime: (nanoseconds: number) => void,
): Promise<void> {
  const timeLimit = new AbortController();
  const stop = AbortSignal.any([request.stop, timeLimit.signal]);
  const timer = Number.isFinite(seconds)
    ? setTimeout(() => timeLimit.abort('SIGALRM'), seconds * 1000)
    : null;
  try {
    await measureRun({
      request,
      setting,
      sink: streamSink(parseNumberLines(onCaseTime)),
      job: { kind: 'time' },
      stop,
    });
  } catch (error) {
    if (!(error instanceof Interrupted) || request.stop.aborted) throw error;
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}

async function measureRun({
  request,
  setting,
  sink,
  job,
  chunkBytes,
  stop,
}: RunToMeasure): Promise<TimeBreakdown> {
  const { problem, program, input, giveUp } = request;
  const { jobs, solver } = setting;
  const pool =
    job === undefined
      ? await openSolver({ problem, jobs, solver, program })
      : LocalPool.of(problem, { solver, job }, { jobs });
  const giveUpChunks = () => pool.giveUp();
  giveUp.addEventListener('abort', giveUpChunks);
  const tally = new RunTally();
  const options = {
    problem,
    settings: PLAIN_SETTINGS,
    chunkBytes: chunkBytes ?? null,
    retries: 0,
    warn: () => {},
    note: () => {},
    stop,
  };
  const utilizationBefore = performance.eventLoopUtilization();
  try {
    await withSource(input, stop, (source) => solveInput(source, sink, pool, options, tally));
    return breakdownOf(setting, tally, performance.eventLoopUtilization(utilizationBefore).active);
  } finally {
    giveUp.removeEventListener('abort', giveUpChunks);
    await pool.close();
  }
}

function breakdownOf(setting: BenchSetting, tally: RunTally, busyMs: number): TimeBreakdown {
  const { seconds, cases, bytesRead, chunks } = tally;
  const stages = Object.fromEntries(STAGES.map((stage) => [stage, tally.stages[stage] / 1000]));
  const workSeconds = stages.parse + stages.solve + stages.print;
  return {
    setting,
    seconds,
    stages: stages as Record<Stage, number>,
    busySeconds: busyMs / 1000,
    utilization: workSeconds / (setting.jobs * seconds),
    cases,
    bytes: bytesRead,
    chunks,
  };
}

/** Returns a stream that expects one decimal number per line and calls `onNumber` with each number. */
function parseNumberLines(onNumber: (value: number) => void): Writable {
  let unfinishedLine = '';
  return new Writable({
    write(bytes: Buffer, _, done) {
      const lines = (unfinishedLine + bytes.toString('latin1')).split('\n');
      unfinishedLine = lines.pop() as string;
      for (const line of lines) onNumber(Number(line));
      done();
    },
  });
}
