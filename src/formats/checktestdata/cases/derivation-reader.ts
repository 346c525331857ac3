/** A reader that records the derivation of a case from a grammar: the values that commands read, and iterations of loops. */
import { type DerivationItem, DerivationRecorder } from '../../cases/derivation.js';
import type { NumberRange } from '../../cases/number-range.js';
import { namesInLoopCounts } from '../language/names.js';
import type { Regex } from '../language/regex.js';
import type {
  FloatCommand,
  GrammarPlace,
  IntCommand,
  LoopCommand,
  RegexCommand,
  VariableExpression,
} from '../language/syntax.js';
import type { GrammarValue } from '../language/values.js';
import type { GrammarVariables } from '../language/variables.js';
import type { FloatRange } from '../reading/machine.js';
import { GrammarInputReader, type ReadRange } from '../reading/reader.js';
import type { CompiledGrammar } from './cases.js';

/** Reads a case of a grammar, and records its derivation. */
export class DerivationReader extends GrammarInputReader {
  #recorder = new DerivationRecorder();
  readonly #counts: ReadonlySet<string>;

  constructor({ compiler, grammar, body }: CompiledGrammar) {
    super(compiler.slotCount, grammar.fileName, { isLenient: false });
    this.#counts = namesInLoopCounts(body);
  }

  /** The items recorded since `prepare` was called. */
  get items(): readonly DerivationItem[] {
    return this.#recorder.items;
  }

  override prepare(range: ReadRange, variables: GrammarVariables): void {
    this.#recorder = new DerivationRecorder();
    super.prepare(range, variables);
  }

  override integer(min: GrammarValue, max: GrammarValue, command: IntCommand): number | bigint {
    const value = super.integer(min, max, command);
    const range = { low: min, high: max, kind: 'bigint', decimals: null } as NumberRange;
    const name = nameOfValue(command);
    const purpose = this.#counts.has(name) ? 'size' : 'value';
    this.#recorder.items.push({ kind: 'number', name, purpose, value: BigInt(value), range });
    return value;
  }

  override float(range: FloatRange, command: FloatCommand): GrammarValue {
    const from = this.at;
    const value = super.float(range, command);
    const text = this.textBetween(from, this.at);
    this.#recorder.items.push({ kind: 'text', name: nameOfValue(command), text, rule: { kind: 'float' } });
    return value;
  }

  override regex(regex: Regex, command: RegexCommand): string {
    const text = super.regex(regex, command);
    this.#recorder.items.push({ kind: 'text', name: nameOfValue(command), text, rule: { kind: 'regex' } });
    return text;
  }

  override matches(letters: string, at: GrammarPlace): boolean {
    return this.#decided('match', super.matches(letters, at));
  }

  override isAtEnd(at: GrammarPlace): boolean {
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
export function nameOfValue({ variable }: { readonly variable: VariableExpression | null }): string {
  return variable?.name ?? '';
}

/** Returns the recorded numbers and texts as texts, in the order in which they were read. */
export function recordedTexts(items: readonly DerivationItem[]): string[] {
  return items.flatMap((item) => {
    if (item.kind === 'elements') return item.elements.flatMap(recordedTexts);
    if (item.kind === 'number') return [String(item.value)];
    return item.kind === 'text' ? [item.text] : [];
  });
}
