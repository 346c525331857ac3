/**
 * Lists every case of a layout. A case is a sequence of choices: one for each number, array, grid and tag. A number is a
 * deciding choice if a count or a bound of another field depends on it. All other choices are independent of each other.
 */
import { splitIntoWords } from '../../core/words.js';
import type { ExactInteger } from '../language/exact.js';
import { namesIn } from '../language/expression.js';
import type { NameScope } from '../language/expression-values.js';
import { leadingNumbers } from '../language/shapes.js';
import { expressionsOfLayout } from '../language/size-names.js';
import type { Layout, RecordValue } from '../language/tree.js';
import {
  type ChoiceDescription,
  type ChoiceReceiver,
  countArrays,
  digitsInBase,
  EnumeratedCases,
  EnumerationError,
  NO_CASE_FROM_CHOICES,
} from './case-list.js';
import { ChoiceFailure, type Chooser, type GridSize, type NumberQuestion, type TextRule } from './chooser.js';
import { type NumberRange, numberOfUnit, unitsOfRange } from './number-range.js';
import { LayoutCaseMaker } from './tree-maker.js';

/** The cases of a layout. */
interface TreeCases {
  /** The value of the head without its number of cases. */
  readonly head: RecordValue;
  readonly count: bigint;
  /** Whether every candidate is a case. If not, some candidates are the terminator of the input. */
  readonly isExact: boolean;
  /** Yields the candidates from this index on; null stands for a candidate that is not a case. */
  candidatesFrom(index: bigint): Iterable<RecordValue | null>;
}

/**
 * Lists the cases of a layout. Fails with an `EnumerationError` if that is impossible; the message names the field that
 * prevents it.
 */
export function enumerateLayoutCases(layout: Layout): TreeCases {
  const maker = new LayoutCaseMaker(layout);
  const dependences = findDependences(layout);
  const head = onlyHead(layout, maker, dependences);
  const { knowsTerminator } = dependences;
  const list = new EnumeratedCases<RecordValue | null>((choices) =>
    unlessDeadEnd(() => {
      const made = maker.makeCase(new ListChooser(choices, dependences), head);
      if (choices.isCounting && !knowsTerminator) return made;
      if (!maker.isTerminator(made, head)) return made;
      return knowsTerminator ? NO_CASE_FROM_CHOICES : null;
    }),
  );
  return {
    head,
    count: list.count,
    isExact: knowsTerminator,
    candidatesFrom: (index) => list.madeFrom(index),
  };
}

function unlessDeadEnd<Made>(make: () => Made): Made | typeof NO_CASE_FROM_CHOICES {
  try {
    return make();
  } catch (thrown) {
    if (thrown instanceof ChoiceFailure) return NO_CASE_FROM_CHOICES;
    throw thrown;
  }
}

/** What the choices of a layout depend on. */
interface Dependences {
  /** The names of the fields on which other fields, or the end of the input, depend. */
  readonly deciding: ReadonlySet<string>;
  /** The lists whose tags are counted by expressions. */
  readonly countedLists: readonly string[];
  /** Whether deciding numbers tell the terminator of the input from a case. */
  readonly knowsTerminator: boolean;
}

function findDependences(layout: Layout): Dependences {
  const used = expressionsOfLayout(layout).flatMap(namesIn);
  const { names, isEnough } = namesOfTerminator(layout);
  const byName = used.flatMap((use) => (use.kind === 'name' ? [use.name] : []));
  const countedLists = new Set(used.flatMap((use) => (use.kind === 'count' ? [use.list] : [])));
  return {
    deciding: new Set([...byName, ...names]),
    countedLists: [...countedLists],
    knowsTerminator: isEnough,
  };
}

/** Returns the names of the numbers at the start of a case that tell a terminator, and whether these numbers are enough. */
function namesOfTerminator({ ending, shape }: Layout): { names: readonly string[]; isEnough: boolean } {
  if (ending.kind !== 'until-terminator' || ending.when !== null) return { names: [], isEnough: true };
  const tokens = splitIntoWords(ending.text).length;
  const names = leadingNumbers(shape).map(({ name }) => name);
  return { names: names.slice(0, tokens), isEnough: names.length >= tokens };
}

/** Returns the only value that a head can have. Fails if heads may differ, because an input has only one head. */
function onlyHead({ head, ending }: Layout, maker: LayoutCaseMaker, dependences: Dependences): RecordValue {
  if (head === null) return {};
  const countName = ending.kind === 'counted' ? ending.name : null;
  if (countName !== null && dependences.deciding.has(countName)) {
    throw new EnumerationError(`the cases depend on "${countName}", which is the number of cases`);
  }
  const choices: ChoiceReceiver = { isCounting: false, choose: chooseOnly };
  const given = countName === null ? {} : { [countName]: null };
  const made = unlessDeadEnd(() => maker.makeHead(new ListChooser(choices, dependences), given));
  if (made === NO_CASE_FROM_CHOICES) return {};
  return Object.fromEntries(Object.entries(made).filter(([name]) => name !== countName));
}

function chooseOnly(size: bigint, describe: () => ChoiceDescription): bigint {
  if (size === 1n) return 0n;
  throw new EnumerationError(
    `${describe().name} of the head has ${size} values, but all cases of an input have the same head; bounds that allow one value, such as those of a set (--set), help`,
  );
}

/** Answers each question by a choice between a known number of alternatives, in ascending order. */
class ListChooser implements Chooser {
  readonly #choices: ChoiceReceiver;
  readonly #dependences: Dependences;
  /** The lists and alternatives that are being made. Each place has the index of its current element and the element's tag. */
  readonly #places: { readonly name: string; index: number; tag: bigint }[] = [];

  constructor(choices: ChoiceReceiver, dependences: Dependences) {
    this.#choices = choices;
    this.#dependences = dependences;
  }

  number(range: NumberRange, question: NumberQuestion, scope: NameScope): ExactInteger {
    const { name, purpose } = question;
    if (purpose === 'length' || purpose === 'width') {
      throw cannotList(name, 'may have any number of elements');
    }
    const alternatives = alternativesOf(name, range);
    const isDeciding = purpose === 'tag' || this.#dependences.deciding.has(name);
    const index = this.#choose(name, alternatives.count, isDeciding, scope);
    if (purpose === 'tag') this.#places.at(-1)!.tag = index;
    return numberAt(alternatives, index);
  }

  /** Chooses all numbers of an array at once. */
  numbers(
    { rows, cols }: GridSize,
    ranges: readonly NumberRange[],
    { name }: NumberQuestion,
    scope: NameScope,
  ): readonly ExactInteger[] {
    const length = rows * cols;
    const parts = ranges.map((range) => alternativesOf(name, range));
    const perElement = parts.length === 1 ? parts[0].count : productOf(parts);
    const index = this.#choose(name, countArrays(quoted(name), perElement, length), false, scope);
    if (this.#choices.isCounting) return [];
    const elements = digitsInBase(index, perElement, length);
    return parts.length === 1
      ? elements.map((element) => numberAt(parts[0], element))
      : elements.flatMap((element) => numbersOf(element, parts));
  }

  text({ kind }: TextRule, { name }: NumberQuestion): never {
    throw cannotList(name, `may have ${kind}s of any length`);
  }

  enter(name: string): void {
    this.#places.push({ name, index: 0, tag: -1n });
  }

  beforeElement(index: number): void {
    const place = this.#places.at(-1)!;
    place.index = index;
    place.tag = -1n;
  }

  leave(): void {
    this.#places.pop();
  }

  #choose(name: string, size: bigint, isDeciding: boolean, scope: NameScope): bigint {
    if (size === 0n) throw new ChoiceFailure('empty-range', `${quoted(name)} has no values`);
    const describe = () => ({ name: quoted(name), isDeciding, key: this.#keyOf(name, scope) });
    return this.#choices.choose(size, describe);
  }

  /** Returns the key of a choice: the place in the case, and all earlier values on which later choices may depend. */
  #keyOf(field: string, scope: NameScope): string {
    const { deciding, countedLists } = this.#dependences;
    const path = this.#places.map(({ name, index, tag }) => `${name}[${index}]=${tag}/`).join('');
    const values = [...deciding].map((name) => scope.wholeOf(name));
    const tags = countedLists.map((list) => tagsOf(scope, list));
    return `${path}${field} ${values.join()} ${tags.join()}`;
  }
}

function quoted(name: string): string {
  return `"${name}"`;
}

function cannotList(name: string, reason: string): EnumerationError {
  return new EnumerationError(`${quoted(name)} ${reason}`);
}

/** Counts, for each tag, the elements of a list that have this tag so far. */
function tagsOf(scope: NameScope, list: string): string {
  const elements = scope.valueOf(list);
  const tagName = scope.tagNames.get(list);
  if (!Array.isArray(elements) || tagName === undefined) return '';
  return `:${elements.map((element: RecordValue) => element[tagName]).sort()}`;
}

/** The numbers of a range in ascending order: `first` and the numbers after it, as units. */
interface Alternatives {
  readonly range: NumberRange;
  readonly count: bigint;
  readonly first: bigint;
  readonly scale: number;
}

/** Powers of ten up to this exponent are exact. */
const MAX_DECIMALS = 15;

/** Returns the numbers of a range. Fails if the range is infinite. */
function alternativesOf(name: string, range: NumberRange): Alternatives {
  const { low, high, kind, decimals } = range;
  if (low === Number.NEGATIVE_INFINITY || high === Number.POSITIVE_INFINITY) {
    throw cannotList(name, 'has no smallest or no largest value');
  }
  if (kind === 'number') {
    if (decimals === null) throw cannotList(name, 'may have any number of decimals');
    const largest = Math.max(Math.abs(Number(low)), Math.abs(Number(high))) * 10 ** decimals;
    if (largest > Number.MAX_SAFE_INTEGER || decimals > MAX_DECIMALS) {
      throw cannotList(name, 'has too many digits to list its values');
    }
  }
  const units = unitsOfRange(range);
  if (units === null) return { range, count: 0n, first: 0n, scale: 1 };
  const first = BigInt(units.range.low);
  return { range, count: BigInt(units.range.high) - first + 1n, first, scale: units.scale };
}

function numberAt({ range, first, scale }: Alternatives, index: bigint): ExactInteger {
  return numberOfUnit(first + index, range, scale);
}

function productOf(parts: readonly Alternatives[]): bigint {
  return parts.reduce((product, { count }) => product * count, 1n);
}

/** Returns the numbers that one element stands for, such as two letters. */
function numbersOf(element: bigint, parts: readonly Alternatives[]): ExactInteger[] {
  let rest = element;
  const numbers = parts.toReversed().map((part) => {
    const number = numberAt(part, rest % part.count);
    rest /= part.count;
    return number;
  });
  return numbers.reverse();
}
