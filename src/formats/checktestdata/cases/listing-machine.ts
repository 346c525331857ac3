/** A machine that writes one case after the other. Each INT and REGEX is a choice between all that it may be. */
import type { Choices } from '../../cases/case-list.js';
import { normalize } from '../../language/exact.js';
import type { Regex } from '../language/regex.js';
import { RegexTexts } from '../language/regex-texts.js';
import type { IntCommand, Place, RegexCommand } from '../language/syntax.js';
import { keyOf, type Value } from '../language/values.js';
import type { Variables } from '../language/variables.js';
import type { Machine } from '../reading/machine.js';
import type { CompiledDivision } from './cases.js';
import type { ChoosingCommand, LaterUses } from './later-uses.js';
import { DrawFailure, WritingMachine } from './writing-machine.js';

const BYTES = 256;
const DIGITS = Uint8Array.from({ length: BYTES }, (_, byte) => (byte >= 0x30 && byte <= 0x39 ? 1 : 0));
const STARTS_OF_INTEGERS = DIGITS.with('-'.charCodeAt(0), 1);

/** Writes the cases of a list, or its head. */
export class ListingMachine extends WritingMachine {
  /** The values of INT and REGEX in what has been written. */
  values: string[] = [];
  /** Whether an INT or REGEX may be followed by text that a reader would take for a part of it. */
  isAmbiguous = false;
  /** The smallest and largest number of cases, once the head has run. */
  caseBounds: { readonly min: number; readonly max: number } | null = null;
  readonly #division: CompiledDivision;
  readonly #uses: LaterUses;
  /** The bytes with which a reader would make the last INT or REGEX longer; null if the text ends with something else. */
  #open: Uint8Array | null = null;
  readonly #texts = new Map<Regex, RegexTexts>();
  #choices!: Choices;

  constructor(division: CompiledDivision, uses: LaterUses) {
    super(division.compiler.slotCount);
    this.#division = division;
    this.#uses = uses;
  }

  /** Runs a part of the grammar with these variables and choices. Throws a `DrawFailure` if that leads to no case. */
  write(part: (machine: Machine) => void, variables: Variables, choices: Choices): void {
    this.restart(variables);
    this.values = [];
    this.#open = null;
    this.#choices = choices;
    part(this);
  }

  override integer(min: number | bigint, max: number | bigint, command: IntCommand): number | bigint {
    const isCaseCount = command === this.#division.caseCount;
    // In place of the number of cases, which the head gets later, stands the smallest one.
    if (isCaseCount) this.caseBounds = { min: Number(min), max: Number(max) };
    const size = BigInt(max) - BigInt(min) + 1n;
    const index = isCaseCount ? 0n : this.#choose(size, command);
    const value = normalize(BigInt(min) + index);
    this.#writeToken(String(value), STARTS_OF_INTEGERS, DIGITS, command.at);
    return value;
  }

  override regex(regex: Regex, command: RegexCommand): string {
    let texts = this.#texts.get(regex);
    if (texts === undefined) {
      texts = new RegexTexts(regex);
      this.#texts.set(regex, texts);
    }
    if (texts.size === null) throw new EndlessTexts(command.at);
    const text = texts.at(this.#choose(texts.size, command));
    this.#writeToken(text, texts.bytes, texts.bytes, command.at);
    return text;
  }

  #choose(size: bigint, command: ChoosingCommand): bigint {
    const { at, variable } = command;
    if (size <= 0n) throw new DrawFailure(at, 'a value that is possible');
    return this.#choices.choose(size, () => ({
      name: `${this.#division.grammar.fileName}:${at.line}:${at.column}`,
      isDeciding: variable !== null && this.#uses.usesAfter(command, variable.name, this.loops),
      key: this.#keyOf(command),
    }));
  }

  /** The commands that are still to run, and the values that they use. */
  #keyOf(command: ChoosingCommand): string {
    const { compiler } = this.#division;
    const parts = [this.#uses.placeOf(command, this.loops)];
    for (const name of this.#uses.namesFrom(command, this.loops)) {
      for (const [index, value] of this.variables.entries(compiler.slot(name))) {
        const key = String(keyOf(value));
        parts.push(`${name}[${index}]=${key.length}:${key}`);
      }
    }
    return parts.join(' ');
  }

  /** Writes a value that begins with one of `starts`, and that one of `open` would make longer. */
  #writeToken(text: string, starts: Uint8Array, open: Uint8Array, at: Place): void {
    const before = this.#open;
    if (before?.some((isOpen, byte) => isOpen === 1 && starts[byte] === 1)) this.isAmbiguous = true;
    this.append(text, at);
    this.values.push(text);
    // The text may be empty, so what was open before may still be.
    this.#open = before === null ? open : open.map((isOpen, byte) => isOpen | before[byte]);
  }

  override text(text: string, at: Place): void {
    if (text === '') return;
    if (this.#open?.[text.charCodeAt(0)] === 1) this.isAmbiguous = true;
    this.append(text, at);
    this.#open = null;
  }

  override endOfInput(): void {}

  override float(): Value {
    return impossible();
  }

  override matches(): boolean {
    return impossible();
  }

  override isAtEnd(): boolean {
    return impossible();
  }
}

/** Thrown by a REGEX that matches texts without end. */
export class EndlessTexts {
  constructor(readonly at: Place) {}
}

/** FLOAT, MATCH and ISEOF are refused before the machine runs. */
function impossible(): never {
  throw new Error('this command is no part of a listing');
}
