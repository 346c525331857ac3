/**
 * The interface between the engine and the answer format of a problem: how answers are laid out in an output. `--exec` and the
 * commands that compare answers read outputs through this interface.
 */
import type { ByteWriter } from '../core/bytes.js';

/** The case that an answer belongs to. Numbers of the case may say how long the answer is. */
export interface AnswerScope<Case = unknown> {
  readonly value: Case;
  /** The value of the head of the input, as `CaseParser.headValue` returns it. */
  readonly head: unknown;
}

/** The range of bytes of an answer in an output. Callers reuse one such object for many answers. */
export interface AnswerExtent {
  /** Index of the first byte of the answer. If the answer has a label, this byte is the first byte of the label. */
  start: number;
  /** Index of the byte after the label; equal to `start` if the answer has no label. */
  bodyStart: number;
  /** Index of the byte after the last token of the answer. */
  end: number;
  /** The number in the label; null if the answer has no label. */
  caseNumber: number | null;
}

/** Reads and prints the answers of a problem. Answers are read as contest checkers read them: as tokens between whitespace. */
export interface AnswerFormat<Case = unknown, Answer = unknown> {
  /** The largest size of an answer, in bytes. A longer answer is cut off at this size and counts as malformed. */
  readonly maxAnswerBytes: number;
  readonly hasLabels: boolean;
  /** Whether the length of an answer depends on its case. If so, answers can be found only if the cases are known. */
  readonly needsCase: boolean;
  /** Returns the label of the answer to this case, or an empty string if answers have no labels. */
  label(caseNumber: number): string;
  /** Describes a valid answer to the case, or to any case if `scope` is null. Messages show this description. */
  describe(scope: AnswerScope<Case> | null): string;
  /**
   * Finds the first answer in bytes[from, end) and writes its range into `extent`. Returns true if it found an answer,
   * false if only whitespace remains, and null if the caller must provide more bytes first. If `atEnd` is true, no bytes follow
   * bytes[end - 1], and the method never returns null. The result depends only on the bytes of the output, never on how
   * many bytes are available at this call. Text that is not an answer counts as one malformed answer. `scope` is the case that
   * the answer belongs to; null if the case is not known, which is allowed only if `needsCase` is false.
   */
  find(
    bytes: Uint8Array,
    from: number,
    end: number,
    atEnd: boolean,
    extent: AnswerExtent,
    scope: AnswerScope<Case> | null,
  ): boolean | null;
  /** Parses the answer in the range `extent`. Returns null if the answer is malformed. */
  parse(bytes: Uint8Array, extent: AnswerExtent, scope: AnswerScope<Case> | null): Answer | null;
  /**
   * Optional. Whether an output has exactly this number of answers, and is byte for byte what `print` would write for them.
   * This is a fast look at some layouts: the result may be false although the output is like that.
   */
  isAsPrinted?(output: Uint8Array, answers: number): boolean;
  /** Writes the answer to the case with this number, with a line end after it. */
  print(answer: Answer, caseNumber: number, out: ByteWriter): void;
  /** Under `--on-error mark`, writes the text `ERROR` in place of the answer to an invalid case. */
  printError(caseNumber: number, out: ByteWriter): void;
  /** Converts an answer to the JSON value that `--format ndjson` prints. */
  toJson(answer: Answer): unknown;
}

/**
 * The largest size of an answer of a board game. boardmill cuts a longer answer off at this size and treats it as
 * malformed.
 */
export const MAX_BOARD_ANSWER_BYTES = 1 << 20;

/** The largest size of an answer to a problem that a user has defined, in bytes. */
export const MAX_CUSTOM_ANSWER_BYTES = 1 << 24;

/** The token that stands in an output in place of a missing answer. */
export const ERROR_MARK = 'ERROR';
