/** Cuts a large input at case boundaries into new inputs. Only the current chunk is kept in memory. */
import { BoardmillError, CaseError, describeMismatch, type Fault, pluralize } from '../../core/errors.js';
import { type Location, locationAfter, measureSpan, TEXT_START } from '../../core/location.js';
import type { CaseRange } from '../../core/range.js';
import { type Chunk, scanIntoChunks } from '../../engine/cut/scan.js';
import type { Source } from '../../engine/input/source.js';
import { MAX_BYTES_PER_READ } from '../../engine/limits.js';
import type { Sink } from '../../engine/sink.js';
import { assertCasesSeparable, InputAssembly, splitAtOffsets } from '../../formats/assemble-input.js';
import type { CaseParser, HeadExtent, InputFormat } from '../../formats/input-format.js';

/** Bytes of the shortest case: `1 1` and a row of one cell, each with a line end. */
const MIN_CASE_BYTES = 6;

/** Assumed upper bound for the number of cases of an input, if neither its size nor its head limits the number. */
const MAX_CASES_OF_UNKNOWN_SIZE = 1e9;

/**
 * Writes the cases of the range in canonical layout, with a new head and tail. Fails with a CaseError if a case up to
 * the end of the range is bad, because the cases after it could not be numbered with certainty. Cases after the range
 * are not read. Fails with kind `usage` if the input does not have all cases of the range, or cannot be cut.
 */
export async function extractCases(
  source: Source,
  format: InputFormat,
  { from, to }: CaseRange,
  sink: Sink,
): Promise<void> {
  assertCasesSeparable(format);
  const reader = new GoodCaseReader(source, format);
  let input: InputWriter | null = null;
  for await (const group of reader.readCases()) {
    if (reader.promisedCases < to) throw noSuchCasesError(source, reader.promisedCases);
    if (group.lastCase >= from) {
      input ??= new InputWriter(sink, new InputAssembly(format, to - from + 1, reader.head));
      await input.add(casesOf(group, Math.max(from, group.firstCase), Math.min(to, group.lastCase)));
    }
    if (group.lastCase < to) continue;
    await input?.finish();
    return;
  }
  throw noSuchCasesError(source, reader.cases);
}

/**
 * Opens the sink for the part with this number. `maxNumber` is the largest number that a part of the input can have.
 */
type OpenPartSink = (number: number, maxNumber: number) => Promise<Sink>;

/**
 * Writes all cases to parts of `casesPerPart` cases each; the last part may have fewer. Returns the number of parts
 * and of cases. The file of a part appears when the part is complete. Fails with a CaseError at the first invalid case;
 * the parts before that case are complete then.
 */
export async function splitIntoParts(
  source: Source,
  format: InputFormat,
  casesPerPart: number,
  openPart: OpenPartSink,
): Promise<{ parts: number; cases: number }> {
  assertCasesSeparable(format);
  const reader = new GoodCaseReader(source, format);
  let parts = 0;
  let part: InputWriter | null = null;
  let next = 1;
  try {
    for await (const group of reader.readCases()) {
      while (next <= group.lastCase) {
        const isFirst = (next - 1) % casesPerPart === 0;
        const last = next - 1 + casesPerPart - ((next - 1) % casesPerPart);
        if (isFirst) {
          const count = Math.min(last, reader.promisedCases) - next + 1;
          const input = new InputAssembly(format, count, reader.head);
          part = new InputWriter(await openPart(++parts, Math.ceil(reader.maxCases / casesPerPart)), input);
        }
        const to = Math.min(last, group.lastCase);
        await part?.add(casesOf(group, next, to));
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

/** Consecutive good cases of the input. */
interface ConsecutiveCases {
  readonly bytes: Uint8Array;
  /** Offset of each case in `bytes`, then the offset at which the last case ends. */
  readonly starts: Uint32Array;
  readonly firstCase: number;
  readonly lastCase: number;
}

function casesOf({ bytes, starts, firstCase }: ConsecutiveCases, from: number, to: number): Uint8Array[] {
  return splitAtOffsets(bytes, starts.subarray(from - firstCase, to - firstCase + 2));
}

/** Reads and parses the cases of an input. It returns only good cases. */
export class GoodCaseReader {
  cases = 0;
  head: Uint8Array | null = null;
  /** Number of cases that the head promises; Infinity if the head states no number. */
  promisedCases = Number.POSITIVE_INFINITY;
  readonly #source: Source;
  readonly #format: InputFormat;
  readonly #parser: CaseParser<unknown>;
  /** The value of the last case that was parsed. The parser may reuse this object for the next case. */
  #parsedCase: unknown = null;
  #location: Location = TEXT_START;

  constructor(source: Source, format: InputFormat) {
    this.#source = source;
    this.#format = format;
    this.#parser = format.createParser();
  }

  /** An upper bound for the number of cases in the input. */
  get maxCases(): number {
    if (Number.isFinite(this.promisedCases)) return this.promisedCases;
    const { size } = this.#source;
    return size === null ? MAX_CASES_OF_UNKNOWN_SIZE : Math.ceil(size / MIN_CASE_BYTES);
  }

  /**
   * Reads all good cases. At the first error it throws a CaseError, after it has returned the good cases before the
   * error.
   */
  async *readCases(): AsyncGenerator<ConsecutiveCases> {
    const items = scanIntoChunks(this.#source.pieces, {
      inputFormat: this.#format,
      onError: 'stop',
      chunkBytes: () => MAX_BYTES_PER_READ,
      onHead: (head) => this.#useHead(head),
      hash: null,
      startPosition: null,
    });
    for await (const item of items) {
      this.#location = locationAfter(this.#location, item.spanBefore);
      if (item.kind === 'chunk') yield* this.#parse(item);
      else if (item.fault !== null) throw this.#caseError(item.fault, item.fault.caseNumber, this.#location);
    }
  }

  #useHead({ cases, head }: HeadExtent): void {
    this.promisedCases = cases ?? Number.POSITIVE_INFINITY;
    this.head = head;
    this.#parser.useHead(head);
  }

  *#parse({ bytes, starts, firstCase }: Chunk): Generator<ConsecutiveCases> {
    const fault = this.#firstFault(bytes, starts, firstCase);
    const goodCases = fault === null ? starts.length - 1 : fault.index;
    this.cases += goodCases;
    if (goodCases > 0) {
      const lastCase = firstCase + goodCases - 1;
      yield { bytes, starts: starts.subarray(0, goodCases + 1), firstCase, lastCase };
    }
    if (fault !== null) {
      const location = locationAfter(this.#location, measureSpan(bytes, 0, fault.offset));
      throw this.#caseError(fault, firstCase + fault.index, location);
    }
    this.#location = locationAfter(this.#location, measureSpan(bytes, 0, starts[starts.length - 1]));
  }

  #firstFault(bytes: Uint8Array, starts: Uint32Array, firstCase: number): (Fault & { index: number }) | null {
    for (let index = 0; index + 1 < starts.length; index++) {
      this.#parser.useIndex?.(firstCase + index - 1);
      const parsed = this.#parser.parse(bytes, starts[index], starts[index + 1], this.#parsedCase);
      if (parsed === null) return { ...this.#parser.fault!, index };
      this.#parsedCase = parsed;
    }
    return null;
  }

  #caseError(fault: Omit<Fault, 'offset'>, caseNumber: number | null, location: Location): CaseError {
    return new CaseError('input', {
      input: this.#source.name,
      caseNumber,
      description: describeMismatch(fault),
      ...location,
    });
  }
}

/** Writes a new input to a sink. */
class InputWriter {
  readonly #sink: Sink;
  readonly #input: InputAssembly;

  constructor(sink: Sink, input: InputAssembly) {
    this.#sink = sink;
    this.#input = input;
  }

  async add(cases: readonly Uint8Array[]): Promise<void> {
    for (const bytes of cases) this.#input.add(bytes);
    const written = this.#input.take();
    if (written.length > 0) await this.#sink.write(written, null);
  }

  async finish(): Promise<void> {
    await this.#sink.write(this.#input.finish(), null);
    await this.#sink.finish();
  }

  abandon(): Promise<boolean> {
    return this.#sink.abandon();
  }
}

function noSuchCasesError(source: Source, cases: number): BoardmillError {
  return new BoardmillError('usage', `${source.name} has only ${pluralize(cases, 'case')}`);
}
