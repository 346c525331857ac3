/** A machine that writes the listed cases of a grammar. The value of each INT and REGEX is a choice between all its values. */
import type { ChoiceReceiver } from '../../cases/case-list.js';
import { normalizeExactInteger } from '../../language/exact.js';
import type { Regex } from '../language/regex.js';
import { RegexTexts } from '../language/regex-texts.js';
import type { GrammarPlace, IntCommand, RegexCommand } from '../language/syntax.js';
import { type GrammarValue, keyOfValue } from '../language/values.js';
import type { GrammarVariables } from '../language/variables.js';
import type { GrammarMachine } from '../reading/machine.js';
import type { CompiledGrammar } from './cases.js';
import type { ListedValueCommand, NamesUsedLater } from './later-uses.js';
import { GrammarChoiceFailure, TextWritingMachine } from './writing-machine.js';

const BYTES = 256;
const DIGITS = Uint8Array.from({ length: BYTES }, (_, byte) => (byte >= 0x30 && byte <= 0x39 ? 1 : 0));
const STARTS_OF_INTEGERS = DIGITS.with('-'.charCodeAt(0), 1);

/** Writes the listed cases of a grammar, or the head of their input. */
export class ListedCaseWriter extends TextWritingMachine {
  /** The values of INT and REGEX commands in the text written so far. */
  values: string[] = [];
  /** Whether text after an INT or REGEX could be read as a part of its value. */
  isAmbiguous = false;
  /** The smallest and the largest number of cases; null before the head was written. */
  caseBounds: { readonly min: number; readonly max: number } | null = null;
  readonly #division: CompiledGrammar;
  readonly #uses: NamesUsedLater;
  /** The bytes that a reader would add to the value before them. Null if the text so far does not end with a value. */
  #open: Uint8Array | null = null;
  readonly #texts = new Map<Regex, RegexTexts>();
  #choices!: ChoiceReceiver;

  constructor(division: CompiledGrammar, uses: NamesUsedLater) {
    super(division.compiler.slotCount);
    this.#division = division;
    this.#uses = uses;
  }

  /** Runs a part of the grammar with these variables and choices. Throws a `GrammarChoiceFailure` if they lead to no case. */
  write(part: (machine: GrammarMachine) => void, variables: GrammarVariables, choices: ChoiceReceiver): void {
    this.restart(variables);
    this.values = [];
    this.#open = null;
    this.#choices = choices;
    part(this);
  }

  override integer(min: number | bigint, max: number | bigint, command: IntCommand): number | bigint {
    const isCaseCount = command === this.#division.caseCount;
    // The head is written with the smallest number of cases. The right number replaces it later.
    if (isCaseCount) this.caseBounds = { min: Number(min), max: Number(max) };
    const size = BigInt(max) - BigInt(min) + 1n;
    const index = isCaseCount ? 0n : this.#choose(size, command);
    const value = normalizeExactInteger(BigInt(min) + index);
    this.#writeToken(String(value), STARTS_OF_INTEGERS, DIGITS, command.at);
    return value;
  }

  override regex(regex: Regex, command: RegexCommand): string {
    let texts = this.#texts.get(regex);
    if (texts === undefined) {
      texts = new RegexTexts(regex);
      this.#texts.set(regex, texts);
    }
    if (texts.size === null) throw new InfiniteTextsError(command.at);
    const text = texts.at(this.#choose(texts.size, command));
    this.#writeToken(text, texts.bytes, texts.bytes, command.at);
    return text;
  }

  #choose(size: bigint, command: ListedValueCommand): bigint {
    const { at, variable } = command;
    if (size <= 0n) throw new GrammarChoiceFailure(at, 'a value that is possible');
    return this.#choices.choose(size, () => ({
      name: `${this.#division.grammar.fileName}:${at.line}:${at.column}`,
      isDeciding: variable !== null && this.#uses.usesAfter(command, variable.name, this.loops),
      key: this.#keyOf(command),
    }));
  }

  /** Returns the key of a choice: the place of its command, and the values that the commands after it use. */
  #keyOf(command: ListedValueCommand): string {
    const { compiler } = this.#division;
    const parts = [this.#uses.placeOf(command, this.loops)];
    for (const name of this.#uses.namesFrom(command, this.loops)) {
      for (const [index, value] of this.variables.entries(compiler.slot(name))) {
        const key = String(keyOfValue(value));
        parts.push(`${name}[${index}]=${key.length}:${key}`);
      }
    }
    return parts.join(' ');
  }

  /** Writes a value that may begin with the bytes `starts`. A byte of `open` after the value would be read as a part of it. */
  #writeToken(text: string, starts: Uint8Array, open: Uint8Array, at: GrammarPlace): void {
    const before = this.#open;
    if (before?.some((isOpen, byte) => isOpen === 1 && starts[byte] === 1)) this.isAmbiguous = true;
    this.append(text, at);
    this.values.push(text);
    // If the text is empty, a byte after it may still belong to the value before.
    this.#open = before === null ? open : open.map((isOpen, byte) => isOpen | before[byte]);
  }

  override text(text: string, at: GrammarPlace): void {
    if (text === '') return;
    if (this.#open?.[text.charCodeAt(0)] === 1) this.isAmbiguous = true;
    this.append(text, at);
    this.#open = null;
  }

  override endOfInput(): void {}

  override float(): GrammarValue {
    return impossible();
  }

  override matches(): boolean {
    return impossible();
  }

  override isAtEnd(): boolean {
    return impossible();
  }
}

/** Thrown if a REGEX matches infinitely many texts. */
export class InfiniteTextsError {
  constructor(readonly at: GrammarPlace) {}
}

/** Grammars with FLOAT, MATCH or ISEOF are refused before the machine runs. */
function impossible(): never {
  throw new Error('this command is no part of a listing');
}
