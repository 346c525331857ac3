/** Chooses the values of fields at random, within their bounds. */
import type { Random } from '../../core/random.js';
import { type ExactInteger, SAFE_LIMITS } from '../language/exact.js';
import {
  ChoiceFailure,
  type Chooser,
  emptyRangeFailure,
  type GridSize,
  LOWER_CASE_LETTERS,
  type NumberQuestion,
  type TextRule,
} from './chooser.js';
import {
  callRepeatedly,
  drawRandomInteger,
  drawRandomLetterIndices,
  drawRandomNumber,
  drawRandomNumbers,
  drawRandomSize,
  type RandomCaseProfile,
} from './draw-numbers.js';
import {
  DEFAULT_DECIMALS,
  type DecimalUnits,
  type NumberRange,
  numberOfUnit,
  numbersOfUnits,
  unitsOfRange,
} from './number-range.js';

/** The settings that are the same for all draws of a source of random cases. */
export interface RandomCaseSettings {
  readonly profile: RandomCaseProfile;
  /** The largest value that is drawn for a size; null if only the bounds of the fields limit sizes. */
  readonly maxSize: number | null;
  /** The names of the sizes that the user has chosen. Neither the profile nor `maxSize` limits these sizes. */
  readonly chosenSizes: ReadonlySet<string>;
  /** The names that expressions use. A bigint with such a name must be a safe integer. */
  readonly namedNames: ReadonlySet<string>;
  /** The largest values of the numbers whose sum over all cases is limited, by their names. */
  readonly shares: ReadonlyMap<string, number>;
}

/** The largest size of the values of one draw, in bytes. */
export const MAX_DRAWN_BYTES = 16 << 20;
/** A rough estimate of the memory that a value takes apart from its elements, in bytes. */
const VALUE_BYTES = 32;
const NUMBER_BYTES = 8;
const LETTER_BYTES = 2;

/** The largest absolute value of a number without bounds. */
const MAX_UNBOUNDED = { int32: 1e9, 'safe-int': 1e9, number: 1e6, int64: 1e18, bigint: 1e18 } as const;
const MAX_UNBOUNDED_SIZE = { tiny: 4, random: 10, 'contest-max': 1000 } as const;
const MAX_WORD_LENGTH = { tiny: 3, random: 8, 'contest-max': 20 } as const;
/** The largest number of words on a line, and the probability that a line that may be empty is empty. */
const MAX_WORDS = 4;
const EMPTY_CHANCE = 0.1;
/** Under the profile `tiny`, a size is at most this much above its smallest allowed value. */
const TINY_SIZE_SPAN = 3;

/** The choices of one attempt to draw a case or a head. */
export class RandomChooser implements Chooser {
  /** The largest size drawn so far. */
  largestSize = 0;
  /** The memory that the drawn values take, in bytes. */
  drawnBytes = 0;

  /** No size above `sizeCap` is drawn, unless the lower bound of the size is larger. */
  constructor(
    readonly plan: RandomCaseSettings,
    readonly random: Random,
    readonly sizeCap: number,
  ) {}

  number(range: NumberRange, { name, purpose }: NumberQuestion): ExactInteger {
    this.#spend(VALUE_BYTES, name);
    if (purpose === 'tag') return drawRandomInteger(this.random, { low: 0, high: Number(range.high) });
    if (purpose === 'length' || purpose === 'width') return this.#drawLength(Number(range.low));
    if (purpose === 'size') return numberOfUnit(this.#drawSize(name, range), range, 1);
    const { range: units, scale } = this.#unitsOf(name, range);
    return numberOfUnit(drawRandomNumber(this.random, units, this.plan.profile), range, scale);
  }

  /** Draws the number of elements of an array whose length is not given by the case. */
  #drawLength(low: number): number {
    const { profile, maxSize } = this.plan;
    if (low === 0 && this.random.chance(EMPTY_CHANCE)) return 0;
    const high = Math.min(MAX_UNBOUNDED_SIZE[profile], maxSize ?? Number.POSITIVE_INFINITY);
    return drawRandomInteger(this.random, { low, high: Math.max(low, high) }) as number;
  }

  /** Draws a number that gives the length of something else. */
  #drawSize(name: string, range: NumberRange): number {
    const { profile, maxSize } = this.plan;
    const lowest = Number.isFinite(Number(range.low)) ? Number(range.low) : Math.min(0, Number(range.high));
    const low = Math.ceil(lowest);
    const isBounded = Number.isFinite(Number(range.high));
    const highest = Math.min(Number(range.high), SAFE_LIMITS.high);
    let high = Math.floor(isBounded ? highest : Math.max(low, MAX_UNBOUNDED_SIZE[profile]));
    if (low > high) throw emptyRangeFailure(name, low, high);
    if (!this.plan.chosenSizes.has(name)) {
      const tinyMax = profile === 'tiny' ? low + TINY_SIZE_SPAN : high;
      high = Math.min(high, Math.max(low, Math.min(tinyMax, maxSize ?? high)));
    }
    high = this.#limitSize(low, Math.min(high, this.plan.shares.get(name) ?? high));
    const size = this.#drawSizeBetween(low, high);
    this.largestSize = Math.max(this.largestSize, size);
    return size;
  }

  #drawSizeBetween(low: number, high: number): number {
    const { profile } = this.plan;
    if (profile === 'contest-max') return high;
    if (profile === 'tiny') return drawRandomInteger(this.random, { low, high }) as number;
    if (this.random.chance(0.1)) return this.random.chance(0.7) ? low : high;
    return drawRandomSize(this.random, low, high);
  }

  /** Lowers the upper bound of a number if the sum of the number over all cases, or the size of a case, is limited. */
  #limitSize(low: number, high: number): number {
    const limited = Math.max(low, Math.min(high, this.sizeCap));
    this.largestSize = Math.max(this.largestSize, limited);
    return limited;
  }

  numbers(
    { rows, cols }: GridSize,
    ranges: readonly NumberRange[],
    { name, purpose }: NumberQuestion,
  ): readonly ExactInteger[] {
    const width = cols * ranges.length;
    const isLetters = purpose === 'letter';
    this.#spend(
      rows * (cols === 1 ? 0 : VALUE_BYTES) + rows * width * (isLetters ? LETTER_BYTES : NUMBER_BYTES),
      name,
    );
    if (isLetters)
      return drawRandomLetterIndices(
        this.random,
        rows * width,
        ranges.map(({ high }) => Number(high) + 1),
      );
    const [range] = ranges;
    const { range: units, scale } = this.#unitsOf(name, range);
    const draw = (count: number) => drawRandomNumbers(this.random, count, units, this.plan.profile);
    const drawn = cols === 1 ? draw(rows) : callRepeatedly(rows, () => draw(cols)).flat();
    return numbersOfUnits(drawn, range, scale);
  }

  text(rule: TextRule, { name }: NumberQuestion): string {
    if (rule.kind === 'word') return this.#drawWord(name, rule.letters);
    if (rule.mayBeEmpty && this.random.chance(EMPTY_CHANCE)) return '';
    return callRepeatedly(this.random.between(1, MAX_WORDS), () => this.#drawWord(name, null)).join(' ');
  }

  #drawWord(name: string, letters: string | null): string {
    const { profile, maxSize } = this.plan;
    const alphabet = Array.from(letters ?? LOWER_CASE_LETTERS);
    if (alphabet.length === 0) throw new ChoiceFailure('empty-range', `"${name}" has no letters`);
    const max = Math.max(1, Math.min(MAX_WORD_LENGTH[profile], maxSize ?? Number.POSITIVE_INFINITY));
    const length = this.random.between(1, max);
    this.#spend(length, name);
    // Half of the words use only two letters, because words of few letters have more repetitions.
    const used = letters === null && this.random.chance(0.5) ? alphabet.slice(0, 2) : alphabet;
    return callRepeatedly(length, () => this.random.pick(used)).join('');
  }

  enter(name: string, count: number): void {
    this.#spend(count * VALUE_BYTES, name);
  }

  beforeElement(): void {}

  leave(): void {}

  #unitsOf(name: string, range: NumberRange): DecimalUnits {
    const bounded = this.#safeIfNamed(name, withDecimals(boundedRange(range)));
    const share = this.plan.shares.get(name);
    const isShared = share !== undefined && range.kind === 'safe-int';
    const high = isShared
      ? this.#limitSize(Math.ceil(Number(bounded.low)), Math.min(Number(bounded.high), share))
      : bounded.high;
    const units = unitsOfRange({ ...bounded, high });
    if (units === null) throw emptyRangeFailure(name, bounded.low, bounded.high);
    return units;
  }

  /** If an expression uses the name of this bigint, returns the safe integers of its range, provided that there are any. */
  #safeIfNamed(name: string, range: NumberRange): NumberRange {
    if (range.kind !== 'bigint' || !this.plan.namedNames.has(name)) return range;
    const low = Math.max(Number(range.low), SAFE_LIMITS.low);
    const high = Math.min(Number(range.high), SAFE_LIMITS.high);
    return low <= high ? { ...range, low, high } : range;
  }

  #spend(bytes: number, name: string): void {
    if (this.drawnBytes + bytes > MAX_DRAWN_BYTES) {
      throw new ChoiceFailure('too-large', `"${name}" makes a case larger than ${MAX_DRAWN_BYTES >> 20} MiB`);
    }
    this.drawnBytes += bytes;
  }
}

/** Replaces the infinite ends of a range by finite ones that are close to zero. The range does not become empty. */
function boundedRange(range: NumberRange): NumberRange {
  const max = MAX_UNBOUNDED[range.kind];
  let { low, high } = range;
  if (low === Number.NEGATIVE_INFINITY) low = high > -max ? -max : moved(high, -max);
  if (high === Number.POSITIVE_INFINITY) high = low < max ? max : moved(low, max);
  return low === range.low && high === range.high ? range : { ...range, low, high };
}

function moved(end: ExactInteger, by: number): ExactInteger {
  return typeof end === 'bigint' ? end + BigInt(by) : end + by;
}

/** Sets how many decimals are drawn: as many as the range allows, or fewer if its largest numbers cannot have that many. */
function withDecimals(range: NumberRange): NumberRange {
  if (range.kind !== 'number') return range;
  const largest = Math.max(1, Math.abs(Number(range.low)), Math.abs(Number(range.high)));
  let decimals = range.decimals ?? DEFAULT_DECIMALS;
  while (decimals > 0 && largest * 10 ** decimals > SAFE_LIMITS.high) decimals--;
  return { ...range, decimals };
}
