/** Cuts inputs of their own out of a large one, at case boundaries. Nothing is held but the chunk at hand. */
import { ByteWriter, LF } from '../../core/bytes.js';
import { BoardmillError, CaseError, describeMismatch, type Fault, pluralize } from '../../core/errors.js';
import { advance, type Location, measureSpan, TEXT_START } from '../../core/location.js';
import type { InputFormat, Preamble } from '../../problems/input-format.js';
import type { Board } from '../../problems/problem.js';
import { MAX_CASES_OF_UNKNOWN_SIZE, MIN_CASE_BYTES, READ_BYTES } from '../limits.js';
import type { Source } from '../read.js';
import { type Chunk, scan } from '../scan.js';
import type { Sink } from '../sink.js';

/** Inclusive, from 1. */
export interface CaseRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Writes those cases as they stand, between a head and a tail of their own. Fails with a CaseError where a
 * case up to the last one wanted is bad: behind it, which case is which would be a guess. What comes after is
 * not read. Fails with kind `usage` where the input has no such cases.
 */
export async function extract(
  source: Source,
  format: InputFormat,
  { from, to }: CaseRange,
  sink: Sink,
): Promise<void> {
  const reader = new GoodCases(source, format);
  let input: InputWriter | null = null;
  for await (const run of reader.runs()) {
    if (reader.promised < to) throw pastTheEnd(source, reader.promised);
    if (run.lastCase >= from) {
      input ??= new InputWriter(sink, format, to - from + 1, reader.id);
      await input.add(casesOf(run, Math.max(from, run.firstCase), Math.min(to, run.lastCase)));
    }
    if (run.lastCase < to) continue;
    await input?.finish();
    return;
  }
  throw pastTheEnd(source, reader.cases);
}

/** Where a part goes; `most`: no part has a larger number. */
export type OpenPart = (number: number, most: number) => Promise<Sink>;

/**
 * Writes all cases to parts of `every` cases each, the last one of what is left; returns how many. Each part
 * comes to be when it is whole. Fails with a CaseError at the first bad case: the parts before it are there.
 */
export async function splitIntoParts(
  source: Source,
  format: InputFormat,
  every: number,
  openPart: OpenPart,
): Promise<{ parts: number; cases: number }> {
  const reader = new GoodCases(source, format);
  let parts = 0;
  let part: InputWriter | null = null;
  let next = 1;
  try {
    for await (const run of reader.runs()) {
      while (next <= run.lastCase) {
        const isFirst = (next - 1) % every === 0;
        const last = next - 1 + every - ((next - 1) % every);
        if (isFirst) {
          const sink = await openPart(++parts, Math.ceil(reader.mostCases / every));
          part = new InputWriter(sink, format, Math.min(last, reader.promised) - next + 1, reader.id);
        }
        const to = Math.min(last, run.lastCase);
        await part?.add(casesOf(run, next, to));
        next = to + 1;
        if (to < last) continue;
        await part?.finish();
        part = null;
      }
    }
    await part?.finish();
    part = null;
  } finally {
    await part?.abandon();
  }
  return { parts, cases: reader.cases };
}

/** Cases that lie one behind another. */
interface CaseRun {
  readonly bytes: Uint8Array;
  /** Where each starts, and where the last one ends. */
  readonly starts: Uint32Array;
  readonly firstCase: number;
  readonly lastCase: number;
}

function casesOf({ bytes, starts, firstCase }: CaseRun, from: number, to: number): Uint8Array {
  return bytes.subarray(starts[from - firstCase], starts[to - firstCase + 1]);
}

/** The cases of an input, parsed: all that are handed out are good. */
class GoodCases {
  cases = 0;
  id: string | null = null;
  /** Infinity where the format does not say. */
  promised = Number.POSITIVE_INFINITY;
  readonly #source: Source;
  readonly #format: InputFormat;
  readonly #board: Board = { rows: 0, cols: 0, cells: new Uint8Array(0) };
  #position: Location = TEXT_START;

  constructor(source: Source, format: InputFormat) {
    this.#source = source;
    this.#format = format;
  }

  /** The input has no more. */
  get mostCases(): number {
    if (Number.isFinite(this.promised)) return this.promised;
    const { size } = this.#source;
    return size === null ? MAX_CASES_OF_UNKNOWN_SIZE : Math.ceil(size / MIN_CASE_BYTES);
  }

  /** Throws a CaseError at what is wrong, behind the good cases before it. */
  async *runs(): AsyncGenerator<CaseRun> {
    const items = scan(this.#source.pieces, {
      inputFormat: this.#format,
      onError: 'stop',
      chunkBytes: () => READ_BYTES,
      onPreamble: (preamble) => this.#keep(preamble),
      hash: null,
      from: null,
    });
    for await (const item of items) {
      this.#position = advance(this.#position, item.before);
      if (item.kind === 'chunk') yield* this.#parse(item);
      else if (item.fault !== null) throw this.#failure(item.fault, item.fault.caseNumber, this.#position);
    }
  }

  #keep({ cases, id }: Preamble): void {
    this.promised = cases ?? Number.POSITIVE_INFINITY;
    this.id = id;
  }

  *#parse({ bytes, starts, firstCase }: Chunk): Generator<CaseRun> {
    const fault = this.#firstFault(bytes, starts);
    const good = fault === null ? starts.length - 1 : fault.index;
    this.cases += good;
    if (good > 0) {
      const lastCase = firstCase + good - 1;
      yield { bytes, starts: starts.subarray(0, good + 1), firstCase, lastCase };
    }
    if (fault !== null) {
      const place = advance(this.#position, measureSpan(bytes, 0, fault.offset));
      throw this.#failure(fault, firstCase + fault.index, place);
    }
    this.#position = advance(this.#position, measureSpan(bytes, 0, starts[starts.length - 1]));
  }

  #firstFault(bytes: Uint8Array, starts: Uint32Array): (Fault & { index: number }) | null {
    for (let index = 0; index + 1 < starts.length; index++) {
      const fault = this.#format.parseCase(bytes, starts[index], starts[index + 1], this.#board);
      if (fault !== null) return { ...fault, index };
    }
    return null;
  }

  #failure(fault: Omit<Fault, 'offset'>, caseNumber: number | null, place: Location): CaseError {
    return new CaseError('input', {
      input: this.#source.name,
      caseNumber,
      what: describeMismatch(fault),
      ...place,
    });
  }
}

/** Writes cases as an input of their own. */
class InputWriter {
  readonly #sink: Sink;
  readonly #format: InputFormat;
  /** What is written with the next cases. */
  readonly #out = new ByteWriter();

  constructor(sink: Sink, format: InputFormat, count: number, id: string | null) {
    this.#sink = sink;
    this.#format = format;
    format.printPreamble(count, id, this.#out);
  }

  async add(cases: Uint8Array): Promise<void> {
    this.#out.append(cases);
    // The blanks behind the last case of a run are not handed out with it.
    if (cases[cases.length - 1] !== LF) this.#out.byte(LF);
    await this.#sink.write(this.#out.take(), null);
  }

  async finish(): Promise<void> {
    this.#format.printTerminator(this.#out);
    await this.#sink.write(this.#out.take(), null);
    await this.#sink.finish();
  }

  abandon(): Promise<boolean> {
    return this.#sink.abandon();
  }
}

function pastTheEnd(source: Source, cases: number): BoardmillError {
  return new BoardmillError('usage', `${source.name} has ${pluralize(cases, 'case')}, and no more`);
}
