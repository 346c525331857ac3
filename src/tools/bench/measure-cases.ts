/** Measures a program that reads one case at a time, because a file of its contest has one case: a run for each case. */
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { piecesOfRegularFile } from '../../core/files/regular-files.js';
import type { GracefulStop } from '../../core/stop.js';
import { scanIntoChunks } from '../../engine/cut/scan.js';
import { openSource } from '../../engine/input/read.js';
import { MAX_BYTES_PER_READ } from '../../engine/limits.js';
import { assembleInput } from '../../formats/assemble-input.js';
import type { InputFormat } from '../../formats/input-format.js';
import { type Measurement, measureProgram } from './measure.js';

interface SplitRun {
  readonly inputFormat: InputFormat;
  /** Path of the input with all cases. */
  readonly input: string;
  /** The file that receives the answers to all cases, one after another. */
  readonly output: string;
  /** A folder for the input and the output of a single run. */
  readonly folder: string;
}

/** Runs the program once for each case, and adds up what the runs take. Between the runs, the clock is stopped. */
export async function measureCaseByCase(
  argv: readonly string[],
  { inputFormat, input, output, folder }: SplitRun,
  stops: GracefulStop,
): Promise<Measurement> {
  const part = { input: join(folder, 'case.in'), output: join(folder, 'case.out') };
  let total: Measurement | null = null;
  for await (const bytes of singleCases(input, inputFormat)) {
    await writeFile(part.input, bytes);
    const measurement = await measureProgram(argv, part, stops);
    await pipeline(
      piecesOfRegularFile(part.output),
      createWriteStream(output, { flags: total === null ? 'w' : 'a' }),
    );
    total = total === null ? measurement : addMeasurements(total, measurement);
  }
  return total!;
}

/** Yields each case of a good input as an input of its own. */
async function* singleCases(path: string, inputFormat: InputFormat): AsyncGenerator<Uint8Array> {
  const source = await openSource(path);
  const options = {
    inputFormat,
    onError: 'stop',
    chunkBytes: () => MAX_BYTES_PER_READ,
    hash: null,
    startPosition: null,
  } as const;
  try {
    for await (const item of scanIntoChunks(source.pieces, options)) {
      if (item.kind === 'end') return;
      const { bytes, starts, head } = item;
      for (let i = 0; i + 1 < starts.length; i++)
        yield assembleInput(inputFormat, [bytes.subarray(starts[i], starts[i + 1])], head);
    }
  } finally {
    await source.close();
  }
}

function addMeasurements(one: Measurement, other: Measurement): Measurement {
  const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return {
    seconds: one.seconds + other.seconds,
    userSeconds: sum(one.userSeconds, other.userSeconds),
    systemSeconds: sum(one.systemSeconds, other.systemSeconds),
    peakBytes: Math.max(one.peakBytes ?? 0, other.peakBytes ?? 0) || null,
    processes: one.processes + other.processes,
  };
}
