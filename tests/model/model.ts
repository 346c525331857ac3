/**
 * The model of `boardmill solve`: the contract in code. From the bytes of an input and the options of a run it says what the
 * run prints, which files it leaves and with which exit code it ends. It solves case after case with the slow oracles, and
 * knows nothing of chunks, workers, scanners and checkpoints, because none of them may change what a user sees.
 *
 * Where the contract leaves several outcomes open, the model allows each of them.
 */
import type { Style } from '../support/inputs.js';
import { type MarkedCase, type Reading, readPlainly } from '../support/plain-reader.js';
import { answerTo, type Column, type GoodCase, headingOf, type Look, printRow, type Row } from './answers.js';

/** What a run must answer to an input, whatever it does with the answers. */
export interface Verdict {
  /** The answers, as bytes of the output; up to the first fault if that ends the run. Words of errors are hidden. */
  readonly answers: string;
  /** Numbers of cases that are answered, and how many of them are marked. */
  readonly cases: number;
  readonly marked: number;
  /** Numbers of the cases on which the program of `--exec` fails, as far as the run comes. */
  readonly failed: readonly number[];
  /** The exit codes that the run may end with. */
  readonly codes: readonly number[];
  /** How each line of standard error begins that reports a fault, in order. */
  readonly errors: readonly string[];
  /** Whether the run comes to the end of its input. `unknown`: the contract does not say where the next case begins. */
  readonly end: 'reached' | 'fault' | 'unknown';
  /** The offset at which the bad case starts; the end of the input if there is none. */
  readonly badStart: number;
}

/** Says on which good cases the program of `--exec` fails. */
export type Fails = (each: GoodCase) => boolean;

/** What the plain reader has found, and on which cases the program fails. */
interface Outcome extends Reading {
  readonly failed: ReadonlySet<number>;
}

/** Says what a run must answer to an input that messages call `name`. */
export function judge(
  style: Style,
  look: Look,
  name: string,
  bytes: Uint8Array,
  fails: Fails = () => false,
): Verdict {
  const reading = withFailures(readPlainly(style, bytes, look.onError === 'mark'), look, fails);
  const rows = rowsOf(style, look, name, bytes, reading);
  const { fault, marked } = reading;
  const isUnknown =
    fault !== null && look.onError === 'mark' && fault.caseNumber !== null && !fault.endsInput;
  const faults = isUnknown || fault === null ? marked : [...marked, fault];
  return {
    answers: headingOf(look) + rows.map((row) => printRow(style, look, row)).join(''),
    cases: rows.length,
    marked: marked.length,
    failed: faults.filter(({ offset }) => reading.failed.has(offset)).map(({ caseNumber }) => caseNumber!),
    codes: isUnknown ? [1, 3] : [endCode(reading)],
    errors: faults.map(({ caseNumber, offset }) => {
      const { line, column } = placeOf(bytes, offset);
      const words = reading.failed.has(offset) ? 'the program ' : 'expected ';
      return `${name}:${line}:${column}: ${caseNumber === null ? '' : `case ${caseNumber}: ${words}`}`;
    }),
    end: fault === null ? 'reached' : isUnknown ? 'unknown' : 'fault',
    badStart: fault?.start ?? bytes.length,
  };
}

function endCode({ fault, marked, failed }: Outcome): number {
  if (fault === null) return marked.length > 0 ? 1 : 0;
  return failed.has(fault.offset) ? 4 : 3;
}

/** Makes faults of the good cases on which the program fails. The first one ends the run, if it does not mark them. */
function withFailures(reading: Reading, { onError }: Look, fails: Fails): Outcome {
  const starts = [...reading.cases.map(({ offset }) => offset), ...reading.marked.map(({ start }) => start)];
  const failures: MarkedCase[] = reading.cases.filter(fails).map(({ offset }) => ({
    caseNumber: starts.filter((start) => start <= offset).length,
    start: offset,
    offset,
  }));
  const failed = new Set(failures.map(({ offset }) => offset));
  if (failures.length === 0) return { ...reading, failed };
  if (onError === 'mark') {
    const cases = reading.cases.filter((each) => !fails(each));
    return { ...reading, cases, marked: [...reading.marked, ...failures], failed };
  }
  const [first] = failures;
  const cases = reading.cases.filter(({ offset }) => offset < first.start);
  return { cases, marked: [], fault: { ...first, endsInput: false }, failed };
}

/** Returns what is printed for each case, good or marked, in the order of the input. */
function rowsOf(style: Style, look: Look, file: string, bytes: Uint8Array, reading: Outcome): Row[] {
  const lineOf = lineCounter(bytes);
  const good = reading.cases.map((each) => ({ start: each.offset, each, offset: null }));
  const bad = reading.marked.map(({ start, offset }) => ({ start, each: null, offset }));
  const inOrder = [...good, ...bad].sort((a, b) => a.start - b.start);
  return inOrder.map(({ start, each, offset }, index) => {
    const answer = each === null ? null : answerTo(style, each);
    const board =
      answer === null ? null : { rows: each!.rows, cols: colsOf(style, each!), board: answer.board };
    const line = look.columns.includes('line') ? lineOf(start) : 0;
    const values: Record<Column, unknown> = {
      file,
      line,
      rows: board?.rows,
      cols: board?.cols,
      board: board?.board,
      nimber: answer?.nimber ?? null,
    };
    return {
      caseNumber: index + 1,
      answer,
      fault: offset === null ? null : placeOf(bytes, offset),
      isFailure: offset !== null && reading.failed.has(offset),
      values,
    };
  });
}

const colsOf = ({ letters }: Style, { rows, cells }: { rows: number; cells: string }) =>
  cells.length / rows / letters.length;

/** Returns the line and the column of a byte, both from 1. */
function placeOf(bytes: Uint8Array, offset: number): { line: number; column: number } {
  const before = Buffer.from(bytes.subarray(0, offset)).toString('latin1').split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** Returns a function that returns the lines of bytes, if it is asked in the order of the bytes. */
function lineCounter(bytes: Uint8Array): (offset: number) => number {
  let [line, at] = [1, 0];
  return (offset) => {
    for (; at < offset; at++) if (bytes[at] === 0x0a) line++;
    return line;
  };
}

/** The files that a run with `-o FILE` leaves: their bytes, or null where the contract does not settle the bytes. */
export function filesAfter(verdict: Verdict, file: string): Readonly<Record<string, string | null>> {
  if (verdict.end === 'reached') return { [file]: verdict.answers };
  if (verdict.cases === 0) return {};
  return { [`${file}.partial`]: verdict.answers, [`${file}.checkpoint`]: null };
}

/** Whether some bytes are what an undisturbed run has written up to the end of one of its cases, or of its heading. */
export function isWholeCases(text: string, verdict: Verdict): boolean {
  return verdict.answers.startsWith(text) && (text === '' || text.endsWith('\n'));
}
