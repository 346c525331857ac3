/**
 * Makes a case simpler, for a counterexample that people can read: fewer iterations of its loops, smaller integers,
 * shorter texts. A simpler case is drawn from the derivation of the case, with changes, so that it obeys the grammar.
 */

import { Seed } from '../../../core/random.js';
import type { Regex } from '../language/regex.js';
import type { FloatCommand, IntCommand, LoopCommand, RegexCommand } from '../language/syntax.js';
import { RuntimeFailure } from '../language/values.js';
import {
  type GrammarCase,
  type GrammarFormat,
  GrammarParser,
  integersOf,
} from '../reading/grammar-format.js';
import { type FloatRange, StepLimitError } from '../reading/machine.js';
import { Reader } from '../reading/reader.js';
import type { CompiledDivision } from './cases.js';
import {
  type DecisionItem,
  type IntItem,
  type Item,
  type LoopItem,
  RecordingReader,
  type TextItem,
} from './derivation.js';
import { isAccepted } from './draw.js';
import { drawFloat, drawMatch, isInRange, isWholeMatch } from './draw-number.js';
import { type Choices, continuingDecision, Drawer, DrawFailure } from './drawer.js';

/** A change of a derivation. */
interface Change {
  /** New values of items. */
  readonly values?: ReadonlyMap<Item, number | bigint | string>;
  /** Whether every integer becomes the smallest one. */
  readonly isSmallest?: boolean;
  /** Where surplus iterations are left out: 0 is the start of a loop, 1 its end. */
  readonly position?: number;
  /** Iterations that a WHILE leaves out. */
  readonly cut?: { readonly loop: LoopItem; readonly from: number; readonly to: number };
}

/** How many places are tried to leave out iterations, for each number of iterations. */
const MAX_POSITIONS = 64;
/** A loop without recorded iterations may make so many. */
const MAX_NEW_ITERATIONS = 1000;

/** Simpler cases than `value`, those with the largest steps first. All are valid with this head. */
export function* simplerCases(
  format: GrammarFormat,
  value: GrammarCase,
  head: Uint8Array | null,
): Generator<GrammarCase> {
  const replayer = new Replayer(format.division, head, value.bytes);
  const items = replayer.record();
  if (items === null) return;
  for (const change of changes(items)) {
    const simpler = replayer.replay(items, change);
    if (simpler !== null) yield simpler;
  }
}

/** Records the derivation of a case and draws the case again with changes. */
class Replayer {
  readonly #division: CompiledDivision;
  readonly #bytes: Uint8Array;
  readonly #parser: GrammarParser;
  readonly #reader: Reader;

  constructor(division: CompiledDivision, head: Uint8Array | null, bytes: Uint8Array) {
    this.#division = division;
    this.#bytes = bytes;
    this.#parser = new GrammarParser(division);
    this.#parser.useHead(head);
    this.#reader = new Reader(division.compiler.slotCount, division.grammar.fileName, { isLenient: false });
  }

  /** Returns null if the case does not match the grammar. */
  record(): readonly Item[] | null {
    const { compiler, grammar, runBody } = this.#division;
    for (const beyondEnd of [null, true]) {
      const reader = new RecordingReader(compiler.slotCount, grammar.fileName, { isLenient: false });
      reader.beyondEnd = beyondEnd;
      const range = { bytes: this.#bytes, from: 0, end: this.#bytes.length, atEnd: true };
      reader.prepare(range, this.#parser.headVariables);
      const fault = reader.run(() => runBody(reader));
      if (fault === null) return reader.items;
    }
    return null;
  }

  replay(items: readonly Item[], change: Change): GrammarCase | null {
    const { compiler, runBody, continues } = this.#division;
    const head = this.#parser.headVariables;
    const drawer = new Drawer(compiler.slotCount, new ReplayChoices(items, change));
    try {
      const bytes = drawer.draw(() => runBody(drawer), head);
      if (this.#division.ending === 'until-terminator' && !continues!(drawer)) return null;
      if (Buffer.compare(bytes, this.#bytes) === 0) return null;
      if (!isAccepted(this.#reader, runBody, bytes, head)) return null;
      return { bytes, variables: integersOf(drawer.variables, compiler.names) };
    } catch (error) {
      if (error instanceof DrawFailure || error instanceof RuntimeFailure || error instanceof StepLimitError)
        return null;
      throw error;
    }
  }
}

/** Items of a block, in the order in which they are taken. */
class ItemQueue {
  readonly #items: readonly Item[];
  #next = 0;

  constructor(items: readonly Item[]) {
    this.#items = items;
  }

  /** Takes the next item if it has one of the kinds. */
  take<T extends Item>(...kinds: readonly T['kind'][]): T | null {
    const item = this.#items[this.#next];
    if (item === undefined || !(kinds as readonly string[]).includes(item.kind)) return null;
    this.#next++;
    return item as T;
  }
}

interface RunningLoop {
  readonly loop: LoopCommand;
  readonly item: LoopItem | null;
  /** The recorded iterations that are left, by their indices. */
  readonly selected: readonly number[];
  readonly outer: ItemQueue;
  iteration: number;
  isInCondition: boolean;
}

/** Chooses what a derivation says, with a change. Where the derivation does not fit any more, the smallest value. */
class ReplayChoices implements Choices {
  readonly isRandom = false;
  readonly depth = 0;
  readonly #change: Change;
  readonly #loops: RunningLoop[] = [];
  #queue: ItemQueue;

  constructor(items: readonly Item[], change: Change) {
    this.#queue = new ItemQueue(items);
    this.#change = change;
  }

  integer(min: number | bigint, max: number | bigint, { at }: IntCommand): number | bigint {
    if (min > max) throw new DrawFailure(at, 'a range that is not empty');
    const item = this.#queue.take<IntItem>('int');
    const isSmallest = item === null || this.#change.isSmallest === true;
    const value = isSmallest ? 0 : ((this.#change.values?.get(item) as number) ?? item.value);
    return value < min ? min : value > max ? max : value;
  }

  float(range: FloatRange, { at }: FloatCommand): string {
    const item = this.#queue.take<TextItem>('float');
    const text = item === null ? null : ((this.#change.values?.get(item) as string) ?? item.text);
    if (text !== null && isInRange(text, range)) return text;
    const drawn = drawFloat(fixedRandom(), range, 0);
    if (drawn === null) throw new DrawFailure(at, 'bounds with a number between them');
    return drawn;
  }

  regex(regex: Regex, { at }: RegexCommand): string {
    const item = this.#queue.take<TextItem>('regex');
    const text = item === null ? null : ((this.#change.values?.get(item) as string) ?? item.text);
    if (text !== null && isWholeMatch(regex, text)) return text;
    const drawn = drawMatch(fixedRandom(), regex, (min) => min);
    if (drawn === null) throw new DrawFailure(at, 'a regular expression that matches a whole text');
    return drawn;
  }

  decide(): boolean {
    const item = this.#queue.take<DecisionItem>('decision');
    if (item !== null) return item.value;
    const current = this.#loops.at(-1);
    return current?.isInCondition === true && !continuingDecision(current.loop.condition);
  }

  enterLoop(loop: LoopCommand, count: number | null): void {
    const item = this.#queue.take<LoopItem>('loop');
    const selected = item === null ? [] : this.#select(item, count);
    this.#loops.push({ loop, item, selected, outer: this.#queue, iteration: 0, isInCondition: false });
  }

  /** The recorded iterations that the loop makes again. */
  #select(item: LoopItem, count: number | null): number[] {
    const indices = [...item.iterations.keys()];
    const { cut } = this.#change;
    if (cut?.loop === item) return [...indices.slice(0, cut.from), ...indices.slice(cut.to)];
    const surplus = count === null ? 0 : Math.max(0, indices.length - count);
    const from = Math.min(
      indices.length - surplus,
      Math.round((this.#change.position ?? 1) * indices.length),
    );
    return [...indices.slice(0, from), ...indices.slice(from + surplus)];
  }

  beforeCondition(iteration: number): void {
    const current = this.#loops.at(-1)!;
    current.isInCondition = true;
    // The last condition is the one that ended the loop.
    const recorded = current.selected[iteration] ?? current.item?.iterations.length ?? 0;
    this.#queue = new ItemQueue(current.item?.conditions[recorded] ?? []);
    if (iteration > current.selected.length + MAX_NEW_ITERATIONS)
      throw new DrawFailure(current.loop.at, 'a WHILE that ends');
  }

  beforeIteration(iteration: number): void {
    const current = this.#loops.at(-1)!;
    current.isInCondition = false;
    const recorded = current.selected[iteration];
    if (iteration > current.selected.length + MAX_NEW_ITERATIONS)
      throw new DrawFailure(current.loop.at, 'a loop that ends');
    this.#queue = new ItemQueue(recorded === undefined ? [] : current.item!.iterations[recorded]);
  }

  leaveLoop(): void {
    this.#queue = this.#loops.pop()!.outer;
  }
}

function fixedRandom() {
  return new Seed('the smallest value').random(0);
}

/** The changes that make a case simpler, those with the largest steps first. */
function* changes(items: readonly Item[]): Generator<Change> {
  const all = [...flatten(items)];
  const loops = all.filter((item) => item.kind === 'loop');
  yield { isSmallest: true, position: 1 };
  for (const counter of new Set(loops.flatMap((loop) => loop.counters))) yield* shorterLoops(counter);
  for (const loop of loops) if (loop.isConditional) yield* shorterWhile(loop);
  for (const item of all) {
    if (item.kind === 'int') yield* smallerIntegers(item);
    if (item.kind === 'float') yield* simplerNumbers(item);
    if (item.kind === 'regex') yield* shorterTexts(item);
  }
}

function* flatten(items: readonly Item[]): Generator<Item> {
  for (const item of items) {
    yield item;
    if (item.kind !== 'loop') continue;
    for (const iteration of item.iterations) yield* flatten(iteration);
  }
}

/** Lowers the integer that counts iterations, and leaves out as many of them at each position. */
function* shorterLoops(counter: IntItem): Generator<Change> {
  const least = Number(counter.min) < 0 ? 0 : Number(counter.min);
  const count = Number(counter.value);
  for (const cut of halvings(count - least))
    for (const position of positions(count, cut))
      yield { values: new Map([[counter, count - cut]]), position: position / count };
}

function* shorterWhile(loop: LoopItem): Generator<Change> {
  const count = loop.iterations.length;
  for (const cut of halvings(count))
    for (const from of positions(count, cut)) yield { cut: { loop, from, to: from + cut } };
}

/** The number itself, then its half, its quarter and so on down to 1. */
function* halvings(value: number): Generator<number> {
  for (let part = value; part >= 1; part = Math.floor(part / 2)) yield part;
}

/** Where `cut` of `count` iterations can be left out: the last ones, the first ones, then pieces between them. */
function* positions(count: number, cut: number): Generator<number> {
  const last = count - cut;
  yield last;
  const step = Math.max(1, cut, Math.ceil(last / MAX_POSITIONS));
  for (let from = 0; from < last; from += step) yield from;
}

function* smallerIntegers(item: IntItem): Generator<Change> {
  const target = item.min > 0 ? item.min : item.max < 0 ? item.max : 0;
  const value = BigInt(item.value);
  for (let step = value - BigInt(target); step !== 0n; step /= 2n)
    yield { values: new Map([[item, toNumber(value - step)]]) };
  if (value < 0n && item.max >= -value) yield { values: new Map([[item, toNumber(-value)]]) };
}

function toNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function* simplerNumbers(item: TextItem): Generator<Change> {
  const whole = /^-?[0-9]+/.exec(item.text)![0];
  const texts = ['0', '1', whole, item.text.slice(0, -1)];
  for (const text of texts)
    if (text.length < item.text.length && /^-?[0-9]+(\.[0-9]+)?$/.test(text))
      yield { values: new Map([[item, text]]) };
}

function* shorterTexts(item: TextItem): Generator<Change> {
  const { length } = item.text;
  for (const cut of halvings(length))
    for (const from of positions(length, cut))
      yield { values: new Map([[item, item.text.slice(0, from) + item.text.slice(from + cut)]]) };
}
