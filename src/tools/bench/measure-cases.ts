/** Measures a program that reads one case at a time, because a file of its contest has one case: a run for each case. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { piecesOfRegularFile } from '../../core/files/regular-files.js';
import type { GracefulStop } from '../../core/stop.js';
import { assembleInput } from '../../formats/assemble-input.js';
import type { InputFormat } from '../../formats/input-format.js';
import { measureProgram, type ProgramMeasurement } from './measure.js';
import { singleCases } from './single-cases.js';

interface SplitRun {
  readonly inputFormat: InputFormat;
  /** Path of the input with all cases. */
  readonly input: string;
  /** The file that receives the answers to all cases, one after another. */
  readonly output: string;
  /** A folder for the input and the output of a single run. */
  readonly folder: string;
  /** Returns the number of bytes that a run may print for an input of this size. */
  readonly maxOutputBytes: (inputBytes: number) => number;
}

/** Runs the program once for each case, and adds up what the runs take. Between the runs, the clock is stopped. */
export async function measureCaseByCase(
  argv: readonly string[],
  { inputFormat, input, output, folder, maxOutputBytes }: SplitRun,
  stops: GracefulStop,
): Promise<ProgramMeasurement> {
  const part = { input: join(folder, 'case.in'), output: join(folder, 'case.out') };
  let total: ProgramMeasurement | null = null;
  for await (const { bytes, head } of singleCases(input, inputFormat)) {
    const ownInput = assembleInput(inputFormat, [bytes], head);
    await writeFile(part.input, ownInput);
    const limit = { maxOutputBytes: maxOutputBytes(ownInput.length) };
    const measurement = await measureProgram(argv, { ...part, ...limit }, stops);
    // Each piece is written before the next one is read.
    await writeFile(output, piecesOfRegularFile(part.output), { flag: total === null ? 'w' : 'a' });
    total = total === null ? measurement : addMeasurements(total, measurement);
  }
  return total!;
}

function addMeasurements(one: ProgramMeasurement, other: ProgramMeasurement): ProgramMeasurement {
  const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return {
    seconds: one.seconds + other.seconds,
    userSeconds: sum(one.userSeconds, other.userSeconds),
    systemSeconds: sum(one.systemSeconds, other.systemSeconds),
    peakBytes: Math.max(one.peakBytes ?? 0, other.peakBytes ?? 0) || null,
    processes: one.processes + other.processes,
  };
}
