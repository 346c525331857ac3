/**
 * The default output validator of the package formats: compares an output with the answer file token by token. Its flags say
 * whether case and whitespace matter, and how far numbers may differ.
 */
import { BoardmillError } from '../../../../core/errors.js';
import {
  type ComparisonRules,
  findTokenDifference,
  isDecimalNumber,
} from '../../../../formats/answers/compare-answers.js';

/** For each flag that is followed by a number, the tolerances that the number sets. */
const TOLERANCE_FLAGS: Readonly<Record<string, readonly ('absoluteTolerance' | 'relativeTolerance')[]>> = {
  float_tolerance: ['absoluteTolerance', 'relativeTolerance'],
  float_absolute_tolerance: ['absoluteTolerance'],
  float_relative_tolerance: ['relativeTolerance'],
};

const SWITCH_FLAGS: Readonly<Record<string, 'isCaseSensitive' | 'isSpaceSensitive'>> = {
  case_sensitive: 'isCaseSensitive',
  space_change_sensitive: 'isSpaceSensitive',
};

/** Reads the validator's flags for a data file. If a flag is repeated, its last value counts. */
export function parseComparisonFlags(words: readonly string[], dataFile: string): ComparisonRules {
  const rules = {
    knowsSpecialNumbers: false,
    isCaseSensitive: false,
    isSpaceSensitive: false,
    absoluteTolerance: null as number | null,
    relativeTolerance: null as number | null,
  };
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (Object.hasOwn(SWITCH_FLAGS, word)) rules[SWITCH_FLAGS[word]] = true;
    else if (Object.hasOwn(TOLERANCE_FLAGS, word)) {
      const tolerance = parseTolerance(word, words[++index], dataFile);
      for (const name of TOLERANCE_FLAGS[word]) rules[name] = tolerance;
    } else throw badFlag(dataFile, `the default validator has no flag ${JSON.stringify(word)}`);
  }
  return rules;
}

function parseTolerance(flag: string, value: string | undefined, dataFile: string): number {
  // `1e999` is infinite as a double, and every number would be right.
  if (value !== undefined && isDecimalNumber(value) && Number(value) >= 0 && Number.isFinite(Number(value)))
    return Number(value);
  const got = value === undefined ? 'nothing' : JSON.stringify(value);
  throw badFlag(dataFile, `expected a number after the validator's flag ${flag}, got ${got}`);
}

function badFlag(dataFile: string, reason: string): BoardmillError {
  return new BoardmillError('input', `${dataFile}: ${reason}`);
}

/** Returns why the output is wrong, or null if it is right. */
export function compareOutput(answer: Uint8Array, output: Uint8Array, rules: ComparisonRules): string | null {
  const difference = findTokenDifference(answer, output, rules);
  if (difference === null) return null;
  const { isInWhitespace, expected, got, tokens } = difference;
  const token = `token ${tokens + 1}`;
  if (isInWhitespace) return `the whitespace before ${token} differ`;
  return `${token}: expected ${expected ?? 'the end'}, got ${got ?? 'the end'}`;
}
