/**
 * The output formats that `--format` offers. To add an output format, add an entry to PRINTERS. The compiler then
 * requires the functions of `AnswerPrinter`, and `--format` offers the new output format.
 */
import { ByteWriter, decodeText } from '../core/bytes.js';
import { describeMismatch, type FaultReason } from '../core/errors.js';
import type { Location } from '../core/location.js';
import { printJson } from '../core/printable.js';
import type { AnswerFormat } from '../formats/answer-format.js';
import { csvRow } from './csv.js';
import type { Column, ColumnValues } from './output-columns.js';

/** Why a case was answered ERROR under `--on-error mark`, and the location of the fault in the input. */
export type MarkedFault = FaultReason & Location;

/** The part of an answer format that prints answers. */
export type AnswerPrinting<Answer> = Pick<AnswerFormat<unknown, Answer>, 'print' | 'toJson' | 'label'>;

interface AnswerPrinter {
  /** Optional. Returns the text before the first answer. */
  heading?(columns: readonly Column[]): string;
  /** Prints an answer. `values` are the columns of the case; null if the run has no columns. */
  printAnswer<Answer>(
    format: AnswerPrinting<Answer>,
    answer: Answer,
    caseNumber: number,
    out: ByteWriter,
    values: ColumnValues | null,
  ): void;
  /** Under `--on-error mark`, prints the text that replaces the answer to an invalid case. */
  printError(
    format: AnswerFormat,
    fault: MarkedFault,
    caseNumber: number,
    out: ByteWriter,
    values: ColumnValues | null,
  ): void;
}

/** Prints answers in the layout that the contest requires. */
const TEXT_PRINTER: AnswerPrinter = {
  printAnswer: (format, answer, caseNumber, out) => format.print(answer, caseNumber, out),
  printError: (format, _, caseNumber, out) => format.printError(caseNumber, out),
};

/** Prints one JSON object per case, each object on its own line. */
const NDJSON_PRINTER: AnswerPrinter = {
  printAnswer(format, answer, caseNumber, out, values) {
    const line = { case: caseNumber, answer: format.toJson(answer) };
    printJsonLine(values === null ? line : { ...line, ...values }, out);
  },
  printError(_, { kind, line, column, ...rest }, caseNumber, out, values) {
    printJsonLine({ case: caseNumber, error: { kind, line, column, ...rest }, ...values }, out);
  },
};

/** Prints a table with a row for each case. */
const CSV_PRINTER: AnswerPrinter = {
  heading: (columns) => csvRow(['case', 'answer', ...columns]),
  printAnswer(format, answer, caseNumber, out, values) {
    out.utf8(csvRow([caseNumber, answerText(format, answer, caseNumber), ...cellsOf(values)]));
  },
  printError() {
    throw new Error('only a run that marks errors prints them');
  },
};

/** Prints a table whose last column says what is wrong with a marked case. The column is empty for all other cases. */
const CSV_PRINTER_WITH_ERRORS: AnswerPrinter = {
  heading: (columns) => csvRow(['case', 'answer', ...columns, 'error']),
  printAnswer(format, answer, caseNumber, out, values) {
    out.utf8(csvRow([caseNumber, answerText(format, answer, caseNumber), ...cellsOf(values), null]));
  },
  printError(_, { line, column, ...reason }, caseNumber, out, values) {
    const description = reason.kind === 'input' ? describeMismatch(reason) : reason.reason;
    out.utf8(csvRow([caseNumber, 'ERROR', ...cellsOf(values), `${line}:${column}: ${description}`]));
  },
};

/** For each output format, the printers for runs with `--on-error stop` and with `--on-error mark`. */
const PRINTERS = {
  text: () => TEXT_PRINTER,
  ndjson: () => NDJSON_PRINTER,
  csv: (marksErrors) => (marksErrors ? CSV_PRINTER_WITH_ERRORS : CSV_PRINTER),
} as const satisfies Record<string, (marksErrors: boolean) => AnswerPrinter>;

export type OutputFormat = keyof typeof PRINTERS;

/** The settings that choose a printer. */
interface PrinterSettings {
  readonly outputFormat: OutputFormat;
  readonly onError: 'stop' | 'mark';
}

export const OUTPUT_FORMATS = Object.keys(PRINTERS) as OutputFormat[];

/** Whether answers in this output format can have further columns. */
export function hasColumns(outputFormat: OutputFormat): boolean {
  return outputFormat !== 'text';
}

/** Returns the printer of an output format. `onError` decides whether a table has a column for errors. */
export function printerFor({ outputFormat, onError }: PrinterSettings): AnswerPrinter {
  return PRINTERS[outputFormat](onError === 'mark');
}

function printJsonLine(value: unknown, out: ByteWriter): void {
  out.utf8(`${printJson(value)}\n`);
}

/** Returns the text of an answer as the contest wants it, without its label and its last line end. */
function answerText<Answer>(format: AnswerPrinting<Answer>, answer: Answer, caseNumber: number): string {
  const out = new ByteWriter(64);
  format.print(answer, caseNumber, out);
  const bytes = out.take();
  const text = decodeText(bytes).replace(/\r?\n$/, '');
  const label = format.label(caseNumber);
  return label !== '' && text.startsWith(label) ? text.slice(label.length).replace(/^\s/, '') : text;
}

function cellsOf(values: ColumnValues | null): (string | number | null)[] {
  return Object.values(values ?? {}).map((value) =>
    Array.isArray(value) ? value.join('\n') : (value as string | number | null),
  );
}
