/** A sink around another one, which takes a sample of the answers that pass, and compares them with those to twins. */
import { ByteWriter, KIB, quoteText } from '../../core/bytes.js';
import { WrongAnswerError } from '../../core/errors.js';
import type { CaseParser } from '../../formats/input-format.js';
import type { SymmetricCase } from '../../problems/problem.js';
import type { Dispatcher } from '../dispatcher.js';
import { DEFAULT_RETRIES } from '../limits.js';
import type { ChunkTask, InputHeadOfTask, RunName } from '../messages.js';
import type { ChunkSettings } from '../output-settings.js';
import type { RunPosition } from '../position.js';
import { GivenUpError, Recovery } from '../recover.js';
import type { CasesWithoutAnswers, Sink } from '../sink.js';
import type { Audit } from './audit.js';
import { parseAnswers, WrittenAnswerReader } from './written-answers.js';

/** Twins are solved together, up to this number and this many bytes of them. */
const MAX_BATCH_CASES = 1024;
const MAX_BATCH_BYTES = 64 * KIB;

/** Largest number of batches that are being solved. Further answers wait. */
const MAX_OPEN_BATCHES = 2;

/** The settings of the tasks with twins. */
const TWIN_SETTINGS: ChunkSettings = { outputFormat: 'text', columns: [], onError: 'mark' };

/** A case of the sample. */
interface Pair {
  readonly caseNumber: number;
  readonly bytes: Uint8Array;
  /** The answer as it was written, without label and columns. */
  readonly written: string;
  readonly twin: SymmetricCase;
  readonly twinBytes: Uint8Array;
}

/** Cases of the sample that the same worker has answered. */
interface Batch {
  readonly head: InputHeadOfTask;
  readonly solvedBy: string | undefined;
  readonly pairs: Pair[];
  bytes: number;
}

export class AuditedSink implements Sink {
  readonly keepsPositions?: boolean;
  readonly wantsCases = true;
  readonly resumePosition?: RunPosition | null;
  readonly run?: RunName;
  readonly #inner: Sink;
  readonly #audit: Audit;
  readonly #recovery: Recovery;
  readonly #maxBatchCases: number;
  readonly #input: string;
  readonly #answers: WrittenAnswerReader;
  readonly #parser: CaseParser<unknown>;
  /** Number of the head that the parser has parsed last. */
  #headNumber = 0;
  readonly #batches = new Map<string | undefined, Batch>();
  readonly #open = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | null = null;
  #hasDifference = false;
  /** Number of answers to pass over before the next one of the sample. */
  #skip: number;

  /** `input` is the name of the input, and `settings` are those with which its answers are printed. */
  constructor(inner: Sink, audit: Audit, dispatcher: Dispatcher, input: string, settings: ChunkSettings) {
    const { keepsPositions, resumePosition, run } = inner;
    if (keepsPositions !== undefined) this.keepsPositions = keepsPositions;
    if (resumePosition !== undefined) this.resumePosition = resumePosition;
    if (run !== undefined) this.run = run;
    this.#inner = inner;
    this.#audit = audit;
    this.#recovery = new Recovery(dispatcher, { retries: DEFAULT_RETRIES, onRetry: () => {} });
    this.#maxBatchCases = Math.min(MAX_BATCH_CASES, dispatcher.maxCasesPerChunk ?? MAX_BATCH_CASES);
    this.#input = input;
    const { problem } = audit.options;
    this.#answers = new WrittenAnswerReader(problem, settings);
    this.#parser = problem.inputFormat.createParser();
    this.#skip = this.#drawSkip();
  }

  async write(bytes: Uint8Array, position: RunPosition | null, cases?: CasesWithoutAnswers): Promise<void> {
    if (this.#failure !== null) throw this.#failure.error;
    await this.#inner.write(bytes, position, cases);
    if (cases === undefined) return;
    const sample = this.#drawFrom(cases.count);
    if (sample.length === 0) return;
    const written = this.#answers.read(bytes, sample);
    sample.forEach((index, i) => {
      const answer = written[i];
      if (answer !== null) this.#addPair(index, answer, cases);
    });
    while (this.#open.size >= MAX_OPEN_BATCHES) await Promise.race(this.#open);
  }

  /** Resolves when all answers of the sample are compared. Fails if one differed, and with a GivenUpError after a signal. */
  async settle(): Promise<void> {
    for (const batch of this.#batches.values()) this.#begin(batch);
    this.#batches.clear();
    while (this.#open.size > 0) await Promise.race(this.#open);
    if (this.#failure !== null) throw this.#failure.error;
  }

  finish: Sink['finish'] = (outcome) => this.#inner.finish(outcome);

  abandon: Sink['abandon'] = (reason) => this.#inner.abandon(reason);

  /** Number of answers between two of the sample, which is distributed as if each answer were drawn on its own. */
  #drawSkip(): number {
    const { share, random } = this.#audit.options;
    return share >= 1 ? 0 : Math.floor(Math.log(1 - random()) / Math.log(1 - share));
  }

  #drawFrom(count: number): number[] {
    const sample: number[] = [];
    for (; this.#skip < count; this.#skip += 1 + this.#drawSkip()) sample.push(this.#skip);
    this.#skip -= count;
    return sample;
  }

  #addPair(index: number, written: string, cases: CasesWithoutAnswers): void {
    const { problem, random } = this.#audit.options;
    const { head, firstCase, solvedBy } = cases;
    const bytes = cases.bytes.slice(cases.starts[index], cases.starts[index + 1]);
    const value = this.#parse(bytes, head);
    // An invalid case has no answer.
    if (value === null) return;
    const twin = problem.cases.symmetries!.twinOf(value, (bound) => Math.floor(random() * bound));
    const out = new ByteWriter(bytes.length);
    problem.inputFormat.printCase(twin.value, out);
    const batch = this.#batchFor(head, solvedBy);
    const pair = { caseNumber: firstCase + index, bytes, written, twin, twinBytes: out.take() };
    batch.pairs.push(pair);
    batch.bytes += pair.twinBytes.length;
    if (batch.pairs.length < this.#maxBatchCases && batch.bytes < MAX_BATCH_BYTES) return;
    this.#batches.delete(solvedBy);
    this.#begin(batch);
  }

  #parse(bytes: Uint8Array, head: InputHeadOfTask): unknown {
    if (this.#headNumber !== head.number) this.#parser.useHead(head.bytes);
    this.#headNumber = head.number;
    return this.#parser.parse(bytes, 0, bytes.length, null);
  }

  #batchFor(head: InputHeadOfTask, solvedBy: string | undefined): Batch {
    const found = this.#batches.get(solvedBy);
    if (found !== undefined) return found;
    const batch: Batch = { head, solvedBy, pairs: [], bytes: 0 };
    this.#batches.set(solvedBy, batch);
    return batch;
  }

  #begin(batch: Batch): void {
    const work = this.#compare(batch)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#open.delete(work));
    this.#open.add(work);
  }

  async #compare(batch: Batch): Promise<void> {
    const { problem } = this.#audit.options;
    const { result, isGivenUp } = await this.#recovery.solve(taskOf(batch));
    if (isGivenUp || result === null) throw new GivenUpError();
    const failed = new Set(result.faults.map(({ index }) => index));
    const answered = batch.pairs.filter((_, index) => !failed.has(index));
    this.#audit.addUncompared(failed.size);
    const answers = parseAnswers(problem, result.output);
    if (answers.length !== answered.length) throw new Error('an answer to a twin is missing');
    for (const [index, pair] of answered.entries()) {
      const answer = answers[index];
      const expected = answer === null ? null : this.#answers.print(pair.twin.answerFrom(answer));
      this.#audit.addPair(expected === pair.written);
      if (expected === pair.written) continue;
      // Of several differences, one is saved and named.
      if (this.#hasDifference) return;
      this.#hasDifference = true;
      throw await this.#difference(pair, expected, batch.head);
    }
  }

  async #difference(pair: Pair, expected: string | null, head: InputHeadOfTask): Promise<WrongAnswerError> {
    const { caseNumber, bytes, twinBytes, written } = pair;
    const saved = await this.#audit.options.save({
      input: this.#input,
      caseNumber,
      bytes,
      twin: twinBytes,
      head: head.bytes,
    });
    return new WrongAnswerError(
      `${this.#input}: case ${caseNumber}: its answer ${quoteText(written)} does not fit the answer to its symmetric twin, from ` +
        `which ${expected === null ? 'none' : quoteText(expected)} follows; one of them is wrong, so no answer of this run can be trusted; ${saved}`,
    );
  }
}

/** Returns the twins of a batch as a task. Another worker than the one that has answered the cases is to solve it. */
function taskOf({ head, solvedBy, pairs }: Batch): ChunkTask {
  const starts = new Uint32Array(pairs.length + 1);
  pairs.forEach(({ twinBytes }, i) => {
    starts[i + 1] = starts[i] + twinBytes.length;
  });
  const bytes = new Uint8Array(new SharedArrayBuffer(starts[pairs.length]));
  for (const [i, { twinBytes }] of pairs.entries()) bytes.set(twinBytes, starts[i]);
  return {
    bytes,
    starts,
    firstCase: 1,
    head,
    settings: TWIN_SETTINGS,
    origin: null,
    isSolvedOneByOne: false,
    ...(solvedBy === undefined ? {} : { notBy: solvedBy }),
  };
}
