/**
 * How answers are printed (`--format`). To add an output format, add an entry to PRINTERS: the compiler then asks for
 * both of its functions, and `--format` offers it.
 */
import type { ByteWriter } from '../core/bytes.js';
import type { FaultReason } from '../core/errors.js';
import type { Location } from '../core/location.js';
import type { Problem } from './problem.js';

/** A case that was answered ERROR: why, and where in the input. */
export type MarkedFault = FaultReason & Location;

interface AnswerPrinter {
  printAnswer<Answer>(problem: Problem<Answer>, answer: Answer, caseNumber: number, out: ByteWriter): void;
  /** Prints what takes the place of an answer under `--on-error mark`. */
  printError(problem: Problem<unknown>, fault: MarkedFault, caseNumber: number, out: ByteWriter): void;
}

const PRINTERS = {
  /** As the contest wants it. */
  text: {
    printAnswer: (problem, answer, caseNumber, out) => problem.printAnswer(answer, caseNumber, out),
    printError: (problem, _, caseNumber, out) => problem.printError(caseNumber, out),
  },
  /** One JSON object per case, each on a line of its own. */
  ndjson: {
    printAnswer(problem, answer, caseNumber, out) {
      printLine({ case: caseNumber, answer: problem.answerToJson(answer) }, out);
    },
    printError(_, { kind, line, column, ...rest }, caseNumber, out) {
      printLine({ case: caseNumber, error: { kind, line, column, ...rest } }, out);
    },
  },
} as const satisfies Record<string, AnswerPrinter>;

export type OutputFormat = keyof typeof PRINTERS;

export const OUTPUT_FORMATS = Object.keys(PRINTERS) as OutputFormat[];

export function printerFor(outputFormat: OutputFormat): AnswerPrinter {
  return PRINTERS[outputFormat];
}

function printLine(value: unknown, out: ByteWriter): void {
  out.utf8(`${JSON.stringify(value)}\n`);
}
