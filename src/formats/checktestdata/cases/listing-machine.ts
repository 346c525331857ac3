/** A machine that writes text, and whose state can be saved and loaded again. Something else makes the choices. */

import type { AssertCommand, Place } from '../language/syntax.js';
import { RuntimeFailure, type Value } from '../language/values.js';
import { Variables } from '../language/variables.js';
import { Machine } from '../reading/machine.js';
import { DrawFailure, MAX_CASE_BYTES } from './drawer.js';

/** Text, and where each INT and REGEX in it ends. */
export interface Written {
  readonly text: string;
  /** The ends, the last one first; null if there is none. */
  readonly ends: { readonly end: number; readonly before: Written['ends'] } | null;
  /** The bytes with which a reader would make the last INT or REGEX longer; null if the text ends with something else. */
  readonly open: Uint8Array | null;
}

const BYTES = 256;
const DIGITS = Uint8Array.from({ length: BYTES }, (_, byte) => (byte >= 0x30 && byte <= 0x39 ? 1 : 0));
const STARTS_OF_INTEGERS = DIGITS.with('-'.charCodeAt(0), 1);

export class ListingMachine extends Machine {
  readonly nothing: Written = { text: '', ends: null, open: null };
  #written: Written = this.nothing;
  /** Whether an INT or REGEX may be followed by text that a reader would take for a part of it. */
  isAmbiguous = false;

  load(variables: Variables, written: Written): void {
    this.begin(variables);
    this.#written = written;
  }

  save(isRejected: boolean): { variables: Variables; written: Written; isRejected: boolean } {
    const variables = new Variables(this.variables.scalars.length);
    variables.restore(this.variables);
    return { variables, written: this.#written, isRejected };
  }

  protected override get progress(): number {
    return this.#written.text.length;
  }

  writeInteger(value: bigint): void {
    this.#writeToken(String(value), STARTS_OF_INTEGERS, DIGITS);
  }

  /** Writes a text of a regular expression. All its texts consist of these bytes. */
  writeMatch(text: string, bytes: Uint8Array): void {
    this.#writeToken(text, bytes, bytes);
  }

  #writeToken(text: string, starts: Uint8Array, open: Uint8Array): void {
    const before = this.#written;
    if (before.open?.some((isOpen, byte) => isOpen === 1 && starts[byte] === 1)) this.isAmbiguous = true;
    this.#append(text);
    const ends = { end: this.#written.text.length, before: before.ends };
    // The text may be empty, so what was open before may still be.
    const allOpen = before.open === null ? open : open.map((isOpen, byte) => isOpen | before.open![byte]);
    this.#written = { text: this.#written.text, ends, open: allOpen };
  }

  #append(text: string): void {
    this.#written = { ...this.#written, text: this.#written.text + text };
  }

  override text(text: string, at: Place): void {
    if (text === '') return;
    if (this.#written.open?.[text.charCodeAt(0)] === 1) this.isAmbiguous = true;
    this.#append(text);
    this.#written = { ...this.#written, open: null };
    if (this.#written.text.length > MAX_CASE_BYTES)
      throw new RuntimeFailure(at, `text of at most ${MAX_CASE_BYTES} bytes`, 'more');
  }

  override space(at: Place): void {
    this.text(' ', at);
  }

  override newline(at: Place): void {
    this.text('\n', at);
  }

  override endOfInput(): void {}

  override refuse(expected: string, _got: string, command: AssertCommand | null, at: Place): never {
    throw new DrawFailure(command?.at ?? at, expected);
  }

  override integer(): number {
    return impossible();
  }

  override float(): Value {
    return impossible();
  }

  override regex(): string {
    return impossible();
  }

  override matches(): boolean {
    return impossible();
  }

  override isAtEnd(): boolean {
    return impossible();
  }
}

/** Choices are made outside of the machine, and FLOAT, MATCH and ISEOF are refused before it runs. */
function impossible(): never {
  throw new Error('this command is no part of a listing');
}
