/**
 * Makes an input from cases. Every command that copies, draws, lists or shrinks cases uses this code, so that `validate`
 * accepts every input that boardmill writes.
 */
import { ByteWriter } from '../core/bytes.js';
import { BoardmillError, describeMismatch, type Fault, pluralize } from '../core/errors.js';
import type { CaseParser, InputFormat } from './input-format.js';
import { withCanonicalWhitespace } from './tree/canonical-whitespace.js';

/** Fails with kind `usage` if an input of this format cannot be made from some cases of another input. */
export function assertCasesSeparable({ indivisibleReason = null }: InputFormat): void {
  if (indivisibleReason !== null) throw new BoardmillError('usage', indivisibleReason);
}

/** Fails because cases that are valid alone are not a valid input together. */
export class UnfitCasesError extends BoardmillError {
  constructor(count: number, fault: Fault) {
    super('usage', `${pluralize(count, 'case')} cannot make an input: ${describeMismatch(fault)}`);
  }
}

/** Returns a well-formed input that consists of the head `head` and these cases. */
export function assembleInput(
  format: InputFormat,
  cases: readonly Uint8Array[],
  head: Uint8Array | null,
): Uint8Array<ArrayBuffer> {
  const input = new InputAssembly(format, cases.length, head);
  for (const bytes of cases) input.add(bytes);
  return input.finish();
}

/** Returns a well-formed input that consists of these cases. `printCase` has printed each of them. */
export function assemblePrintedCases(
  format: InputFormat,
  cases: readonly Uint8Array[],
  head: Uint8Array | null,
): Uint8Array<ArrayBuffer> {
  const input = new InputAssembly(format, cases.length, head);
  for (const bytes of cases) input.addPrinted(bytes);
  return input.finish();
}

/** Returns the cases that begin at the offsets `starts`, each as its own bytes. The last offset is the end of the last case. */
export function splitAtOffsets(bytes: Uint8Array, starts: ArrayLike<number>): Uint8Array[] {
  return Array.from({ length: starts.length - 1 }, (_, i) => bytes.subarray(starts[i], starts[i + 1]));
}

const ONE_CASE_FAULT: Fault = { offset: 0, expected: 'an input that is one case', got: 'several cases' };

/** An input to which cases are added one by one. All methods may fail with an `UnfitCasesError`. */
export class InputAssembly {
  readonly #format: InputFormat;
  readonly #head: Uint8Array | null;
  readonly #count: number;
  readonly #parser: CaseParser<unknown>;
  /** The bytes of the input that `take` has not returned yet. */
  readonly #out = new ByteWriter();
  readonly #printed = new ByteWriter();
  /** The offsets where the cases begin. Filled only if the format must see the whole input. */
  readonly #starts: number[] = [];
  readonly #needsWhole: boolean;
  #cases = 0;

  /** Begins an input of `count` cases. If `head` is null, the input gets the smallest head that the format allows. */
  constructor(format: InputFormat, count: number, head: Uint8Array | null) {
    this.#format = format;
    this.#head = head;
    this.#count = count;
    this.#needsWhole = format.joint?.needsWhole === true;
    if (format.ending === 'single' && count > 1) this.#refuse(ONE_CASE_FAULT);
    this.#parser = format.createParser();
    this.#parser.useHead(head);
    format.printHead(head, count, this.#printed);
    const printed = this.#printed.take();
    this.#refuse(format.joint?.findHeadFault(printed) ?? null);
    this.#out.append(printed);
  }

  /** Adds the bytes of a case of another input, with the whitespace after the case. */
  add(bytes: Uint8Array): void {
    this.#parser.useIndex?.(this.#cases);
    this.addValue(this.#parser.parse(bytes, 0, bytes.length, null), bytes);
  }

  /** Adds a case whose value is known. If the case is invalid, `value` is null, and its bytes are copied unchanged. */
  addValue(value: unknown, bytes: Uint8Array): void {
    if (value === null) this.addPrinted(bytes);
    else {
      this.#format.printCase(value, this.#printed);
      this.addPrinted(withCanonicalWhitespace(bytes, this.#printed.take()));
    }
  }

  /**
   * Adds cases from bytes that consist of canonical cases, each with the text of `printSeparator` after it. Only for formats
   * that need not see the whole input.
   */
  addCanonical(bytes: Uint8Array, count: number): void {
    if (count === 0) return;
    this.#format.printSeparator?.(this.#printed);
    const separator = this.#printed.take();
    if (this.#cases > 0) this.#out.append(separator);
    this.#out.append(bytes.subarray(0, bytes.length - separator.length));
    this.#cases += count;
  }

  /** Adds a case from bytes that `printCase` has printed. */
  addPrinted(bytes: Uint8Array): void {
    if (this.#cases++ > 0) this.#format.printSeparator?.(this.#out);
    if (this.#needsWhole) this.#starts.push(this.#out.length);
    this.#out.append(bytes);
  }

  /** Returns the bytes added since the last call, or no bytes if the format must see the whole input before it is written. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#needsWhole ? new Uint8Array(0) : this.#out.take();
  }

  /** Adds the tail of the input, and returns all bytes that `take` has not returned. */
  finish(): Uint8Array<ArrayBuffer> {
    const { joint, ending } = this.#format;
    if (ending === 'until-terminator' && this.#cases > 0) this.#format.printSeparator?.(this.#out);
    if (joint === undefined || !this.#needsWhole) {
      this.#format.printTail(this.#head, this.#out);
      return this.#out.take();
    }
    const beginning = this.#out.take();
    const tail = joint.findTail(beginning, this.#starts);
    if ('expected' in tail) this.#refuse(tail);
    else this.#out.append(tail.bytes);
    return new Uint8Array(Buffer.concat([beginning, this.#out.take()]));
  }

  #refuse(fault: Fault | null): void {
    if (fault !== null) throw new UnfitCasesError(this.#count, fault);
  }
}
