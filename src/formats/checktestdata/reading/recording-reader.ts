/** A reader that checks whether a text is read as it was written. */
import { isAccepted } from '../cases/draw.js';
import type { Regex } from '../language/regex.js';
import type { IntCommand, RegexCommand } from '../language/syntax.js';
import type { Value } from '../language/values.js';
import type { Variables } from '../language/variables.js';
import type { Machine } from './machine.js';
import { Reader } from './reader.js';

export class RecordingReader extends Reader {
  /** Where each INT and REGEX that was read ends. */
  #ends: number[] = [];

  constructor(slots: number, fileName: string) {
    super(slots, fileName, { isLenient: false });
  }

  /** Whether the body of a case reads the whole text, and every INT and REGEX ends where it was written to end. */
  readsAs(
    runBody: (machine: Machine) => void,
    text: string,
    ends: readonly number[],
    head: Variables,
  ): boolean {
    const run = (reader: Reader) => {
      this.#ends = [];
      runBody(reader);
    };
    if (!isAccepted(this, run, new Uint8Array(Buffer.from(text, 'latin1')), head)) return false;
    return this.#ends.length === ends.length && this.#ends.every((end, at) => end === ends[at]);
  }

  override integer(min: Value, max: Value, command: IntCommand): number | bigint {
    const value = super.integer(min, max, command);
    this.#ends.push(this.at);
    return value;
  }

  override regex(regex: Regex, command: RegexCommand): string {
    const text = super.regex(regex, command);
    this.#ends.push(this.at);
    return text;
  }
}
