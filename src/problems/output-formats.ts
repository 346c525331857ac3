/**
 * The output formats that `--format` offers. To add an output format, add an entry to PRINTERS. The compiler then
 * requires the functions of `AnswerPrinter`, and `--format` offers the new output format.
 */
import { ByteWriter, decodeText } from '../core/bytes.js';
import { describeMismatch, type FaultReason } from '../core/errors.js';
import type { Location } from '../core/location.js';
import { escapeLines, printJson } from '../core/printable.js';
import type { AnswerFormat } from '../formats/answer-format.js';
import { csvRow } from './csv.js';
import type { Column, ColumnValues } from './output-columns.js';

/** Why a case was answered ERROR under `--on-error mark`, and the location of the fault in the input. */
export type MarkedFault = Exclude<FaultReason, { readonly kind: 'author' }> & Location;

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

/** The settings on which the form of the output depends. */
interface PrinterSettings {
  readonly onError: 'stop' | 'mark';
  /** Whether the first column, which is `file`, comes before the number of the case, as in the output of several inputs. */
  readonly fileFirst?: boolean;
}

type Cell = string | number | null;

/** Prints answers in the layout that the contest requires. */
const TEXT_PRINTER: AnswerPrinter = {
  printAnswer: (format, answer, caseNumber, out) => format.print(answer, caseNumber, out),
  printError: (format, _, caseNumber, out) => format.printError(caseNumber, out),
};

/** Returns a printer of one JSON object per case, each object on its own line. */
function ndjsonPrinter({ fileFirst }: PrinterSettings): AnswerPrinter {
  // A key stays where an object got it first.
  const begin = (values: ColumnValues | null) => (fileFirst ? { file: values?.file ?? null } : {});
  return {
    printAnswer(format, answer, caseNumber, out, values) {
      printJsonLine({ ...begin(values), case: caseNumber, answer: format.toJson(answer), ...values }, out);
    },
    printError(_, { kind, line, column, ...rest }, caseNumber, out, values) {
      const error = { kind, line, column, ...rest };
      printJsonLine({ ...begin(values), case: caseNumber, error, ...values }, out);
    },
  };
}

/**
 * Returns a printer of a table with a row for each case. If the run marks errors, the last column says what is wrong with a
 * marked case, and is empty for all other cases.
 */
function csvPrinter({ onError, fileFirst }: PrinterSettings): AnswerPrinter {
  const row = (caseAndAnswer: Cell[], columns: readonly Cell[], error: Cell) => {
    const [before, after] = fileFirst ? [columns.slice(0, 1), columns.slice(1)] : [[], columns];
    return csvRow([...before, ...caseAndAnswer, ...after, ...(onError === 'mark' ? [error] : [])]);
  };
  return {
    heading: (columns) => row(['case', 'answer'], columns, 'error'),
    printAnswer(format, answer, caseNumber, out, values) {
      out.utf8(row([caseNumber, answerText(format, answer, caseNumber)], cellsOf(values), null));
    },
    printError(_, { line, column, ...reason }, caseNumber, out, values) {
      const description = escapeLines(reason.kind === 'input' ? describeMismatch(reason) : reason.reason);
      out.utf8(row([caseNumber, 'ERROR'], cellsOf(values), `${line}:${column}: ${description}`));
    },
  };
}

interface OutputFormatEntry {
  /** Returns the printer of a run. */
  readonly printer: (settings: PrinterSettings) => AnswerPrinter;
  /**
   * Whether the printer prints the columns. If so, the answers to several inputs can go to one file, in which the column `file`
   * comes first.
   */
  readonly hasColumns: boolean;
}

const PRINTERS = {
  text: { printer: () => TEXT_PRINTER, hasColumns: false },
  ndjson: { printer: ndjsonPrinter, hasColumns: true },
  csv: { printer: csvPrinter, hasColumns: true },
} as const satisfies Record<string, OutputFormatEntry>;

export type OutputFormat = keyof typeof PRINTERS;

export const OUTPUT_FORMATS = Object.keys(PRINTERS) as OutputFormat[];

/** Whether answers in this output format can have further columns. */
export function hasColumns(outputFormat: OutputFormat): boolean {
  return PRINTERS[outputFormat].hasColumns;
}

/** Returns the printer of a run with these settings. */
export function printerFor(settings: PrinterSettings & { outputFormat: OutputFormat }): AnswerPrinter {
  return PRINTERS[settings.outputFormat].printer(settings);
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

function cellsOf(values: ColumnValues | null): Cell[] {
  return Object.values(values ?? {}).map((value) =>
    Array.isArray(value) ? value.join('\n') : (value as Cell),
  );
}
