/** Reads answers back from the bytes of an output, in each output format, without labels, case numbers and other columns. */
import { ByteWriter, decodeText } from '../../core/bytes.js';
import type { AnswerExtent } from '../../formats/answer-format.js';
import { printerFor } from '../../problems/output-formats.js';
import type { Problem } from '../../problems/problem.js';
import type { ChunkSettings } from '../output-settings.js';

/** An answer as it is read back; null for a case that was answered ERROR. */
type ReadAnswer = string | null;

/** Yields the answers in the bytes of an output, one for each case. */
type ReadAll = (bytes: Uint8Array) => Iterable<ReadAnswer>;

export class WrittenAnswerReader {
  readonly #problem: Problem;
  readonly #settings: ChunkSettings;

  /** `settings` are those with which the answers were printed. */
  constructor(problem: Problem, settings: ChunkSettings) {
    this.#problem = problem;
    this.#settings = settings;
  }

  /** Returns the answers with these indices, which are in ascending order. */
  read(bytes: Uint8Array, indices: readonly number[]): ReadAnswer[] {
    const found: ReadAnswer[] = [];
    let index = 0;
    for (const answer of this.#readAll(bytes)) {
      if (index++ === indices[found.length]) found.push(answer);
      if (found.length === indices.length) return found;
    }
    throw new Error(`${index} answers were written, and there is none for case ${indices[found.length]}`);
  }

  /** Returns an answer as `read` returns it. */
  print(answer: unknown): ReadAnswer {
    const out = new ByteWriter();
    const settings = { ...this.#settings, columns: [], fileFirst: false };
    printerFor(settings).printAnswer(this.#problem.answerFormat, answer, 1, out, null);
    const [printed] = new WrittenAnswerReader(this.#problem, settings).read(out.take(), [0]);
    return printed;
  }

  get #readAll(): ReadAll {
    const { outputFormat, fileFirst = false } = this.#settings;
    if (outputFormat === 'text') return (bytes) => readText(this.#problem, bytes);
    return outputFormat === 'ndjson' ? readJsonLines : (bytes) => readTable(bytes, fileFirst ? 2 : 1);
  }
}

function* readText({ answerFormat }: Problem, bytes: Uint8Array): Generator<ReadAnswer> {
  for (const extent of extentsIn({ answerFormat }, bytes))
    yield answerFormat.parse(bytes, extent, null) === null
      ? null
      : decodeText(bytes, extent.bodyStart, extent.end).trim();
}

/** Returns the values of all answers in an output of text; null for a malformed answer. */
export function parseAnswers({ answerFormat }: Pick<Problem, 'answerFormat'>, bytes: Uint8Array): unknown[] {
  return Array.from(extentsIn({ answerFormat }, bytes), (extent) => answerFormat.parse(bytes, extent, null));
}

function* extentsIn(
  { answerFormat }: Pick<Problem, 'answerFormat'>,
  bytes: Uint8Array,
): Generator<AnswerExtent> {
  const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  while (answerFormat.find(bytes, extent.end, bytes.length, true, extent, null)) yield extent;
}

function* readJsonLines(bytes: Uint8Array): Generator<ReadAnswer> {
  for (const line of decodeText(bytes).split('\n')) {
    if (line === '') continue;
    const { answer } = JSON.parse(line) as { answer?: unknown };
    yield answer === undefined ? null : JSON.stringify(answer);
  }
}

/** Matches a cell of a table as RFC 4180 quotes it, with what ends it. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/y;

/** Yields the cells of the column with this index. A first row with its name is passed over. */
function* readTable(bytes: Uint8Array, column: number): Generator<ReadAnswer> {
  const text = decodeText(bytes);
  let row: string[] = [];
  CELL.lastIndex = 0;
  for (let match = CELL.exec(text); match !== null; match = CELL.exec(text)) {
    const [, quoted, plain, end] = match;
    const { lastIndex } = CELL;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== '\n') continue;
    const answer = row[column];
    const isHeading = row[column - 1] === 'case' && answer === 'answer';
    row = [];
    if (!isHeading) yield answer === 'ERROR' ? null : answer;
    // The caller may read another table before it asks for the next row.
    CELL.lastIndex = lastIndex;
  }
}
