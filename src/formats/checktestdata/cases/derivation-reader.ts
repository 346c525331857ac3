/** A reader that records the derivation of a case from a grammar: the values that commands read, and iterations of loops. */
import { type Item, Recorder } from '../../cases/derivation.js';
import type { NumberRange } from '../../cases/number-range.js';
import { countNames } from '../language/names.js';
import type { Regex } from '../language/regex.js';
import type {
  FloatCommand,
  IntCommand,
  LoopCommand,
  Place,
  RegexCommand,
  VariableExpression,
} from '../language/syntax.js';
import type { Value } from '../language/values.js';
import type { Variables } from '../language/variables.js';
import type { FloatRange } from '../reading/machine.js';
import { Reader, type ReadRange } from '../reading/reader.js';
import type { CompiledDivision } from './cases.js';

/** Reads a case of a grammar, and records its derivation. */
export class DerivationReader extends Reader {
  #recorder = new Recorder();
  readonly #counts: ReadonlySet<string>;

  constructor({ compiler, grammar, body }: CompiledDivision) {
    super(compiler.slotCount, grammar.fileName, { isLenient: false });
    this.#counts = countNames(body);
  }

  /** The items recorded since `prepare` was called. */
  get items(): readonly Item[] {
    return this.#recorder.items;
  }

  override prepare(range: ReadRange, variables: Variables): void {
    this.#recorder = new Recorder();
    super.prepare(range, variables);
  }

  override integer(min: Value, max: Value, command: IntCommand): number | bigint {
    const value = super.integer(min, max, command);
    const range = { low: min, high: max, kind: 'bigint', decimals: null } as NumberRange;
    const name = nameOf(command);
    const purpose = this.#counts.has(name) ? 'size' : 'value';
    this.#recorder.items.push({ kind: 'number', name, purpose, value: BigInt(value), range });
    return value;
  }

  override float(range: FloatRange, command: FloatCommand): Value {
    const from = this.at;
    const value = super.float(range, command);
    const text = this.textBetween(from, this.at);
    this.#recorder.items.push({ kind: 'text', name: nameOf(command), text, rule: { kind: 'float' } });
    return value;
  }

  override regex(regex: Regex, command: RegexCommand): string {
    const text = super.regex(regex, command);
    this.#recorder.items.push({ kind: 'text', name: nameOf(command), text, rule: { kind: 'regex' } });
    return text;
  }

  override matches(letters: string, at: Place): boolean {
    return this.#decided('match', super.matches(letters, at));
  }

  override isAtEnd(at: Place): boolean {
    return this.#decided('is-eof', super.isAtEnd(at));
  }

  #decided(name: string, isTrue: boolean): boolean {
    this.#recorder.items.push({ kind: 'decision', name, isTrue });
    return isTrue;
  }

  override enterLoop(_loop: LoopCommand, count: number | null): void {
    this.#recorder.enter('', count === null);
  }

  override beforeCondition(): void {
    this.#recorder.beforeCondition();
  }

  override beforeIteration(): void {
    this.#recorder.beforeElement();
  }

  override leaveLoop(): void {
    this.#recorder.leave();
  }
}

/** Returns the name under which the value of a command is recorded. */
export function nameOf({ variable }: { readonly variable: VariableExpression | null }): string {
  return variable?.name ?? '';
}

/** Returns the recorded numbers and texts as texts, in the order in which they were read. */
export function textsOf(items: readonly Item[]): string[] {
  return items.flatMap((item) => {
    if (item.kind === 'elements') return item.elements.flatMap(textsOf);
    if (item.kind === 'number') return [String(item.value)];
    return item.kind === 'text' ? [item.text] : [];
  });
}
