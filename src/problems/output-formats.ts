/**
 * The output formats that `--format` offers. To add an output format, add an entry to PRINTERS. The compiler then
 * requires the two functions of `AnswerPrinter` in the entry, and `--format` offers the new output format.
 */
import type { ByteWriter } from '../core/bytes.js';
import type { FaultReason } from '../core/errors.js';
import type { Location } from '../core/location.js';
import type { AnswerFormat } from '../formats/answer-format.js';

/** Why a case was answered ERROR under `--on-error mark`, and the location of the fault in the input. */
export type MarkedFault = FaultReason & Location;

/** The part of an answer format that prints answers. */
export type AnswerPrinting<Answer> = Pick<AnswerFormat<unknown, Answer>, 'print' | 'toJson'>;

interface AnswerPrinter {
  printAnswer<Answer>(
    format: AnswerPrinting<Answer>,
    answer: Answer,
    caseNumber: number,
    out: ByteWriter,
  ): void;
  /** Under `--on-error mark`, prints the text that replaces the answer to a bad case. */
  printError(format: AnswerFormat, fault: MarkedFault, caseNumber: number, out: ByteWriter): void;
}

const PRINTERS = {
  /** Prints answers in the layout that the contest requires. */
  text: {
    printAnswer: (format, answer, caseNumber, out) => format.print(answer, caseNumber, out),
    printError: (format, _, caseNumber, out) => format.printError(caseNumber, out),
  },
  /** Prints one JSON object per case, each object on its own line. */
  ndjson: {
    printAnswer(format, answer, caseNumber, out) {
      printJsonLine({ case: caseNumber, answer: format.toJson(answer) }, out);
    },
    printError(_, { kind, line, column, ...rest }, caseNumber, out) {
      printJsonLine({ case: caseNumber, error: { kind, line, column, ...rest } }, out);
    },
  },
} as const satisfies Record<string, AnswerPrinter>;

export type OutputFormat = keyof typeof PRINTERS;

export const OUTPUT_FORMATS = Object.keys(PRINTERS) as OutputFormat[];

export function printerFor(outputFormat: OutputFormat): AnswerPrinter {
  return PRINTERS[outputFormat];
}

function printJsonLine(value: unknown, out: ByteWriter): void {
  out.utf8(`${JSON.stringify(value)}\n`);
}
