/**
 * The default output validator of the package formats: compares an output with the answer file token by token. Its flags say
 * whether case and blanks matter, and how far numbers may differ.
 */
import { isBlank, latin1, quoteToken, skipBlanks, tokenEnd } from '../../../core/bytes.js';
import { BoardmillError } from '../../../core/errors.js';

interface ComparisonFlags {
  readonly isCaseSensitive: boolean;
  readonly isSpaceSensitive: boolean;
  /** Null if numbers are compared as texts. */
  readonly absoluteTolerance: number | null;
  readonly relativeTolerance: number | null;
}

/** What each flag with a number sets. */
const TOLERANCE_FLAGS: Readonly<Record<string, readonly ('absoluteTolerance' | 'relativeTolerance')[]>> = {
  float_tolerance: ['absoluteTolerance', 'relativeTolerance'],
  float_absolute_tolerance: ['absoluteTolerance'],
  float_relative_tolerance: ['relativeTolerance'],
};

const SWITCH_FLAGS: Readonly<Record<string, 'isCaseSensitive' | 'isSpaceSensitive'>> = {
  case_sensitive: 'isCaseSensitive',
  space_change_sensitive: 'isSpaceSensitive',
};

/** Only one way leads through this expression, so a long token takes time linear in its length. */
const DECIMAL_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads the validator's flags for a data file. The last of several flags counts. */
export function parseComparisonFlags(words: readonly string[], dataFile: string): ComparisonFlags {
  const flags = {
    isCaseSensitive: false,
    isSpaceSensitive: false,
    absoluteTolerance: null as number | null,
    relativeTolerance: null as number | null,
  };
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (Object.hasOwn(SWITCH_FLAGS, word)) flags[SWITCH_FLAGS[word]] = true;
    else if (Object.hasOwn(TOLERANCE_FLAGS, word)) {
      const tolerance = parseTolerance(word, words[++index], dataFile);
      for (const name of TOLERANCE_FLAGS[word]) flags[name] = tolerance;
    } else throw badFlag(dataFile, `the default validator has no flag ${JSON.stringify(word)}`);
  }
  return flags;
}

function parseTolerance(flag: string, value: string | undefined, dataFile: string): number {
  if (value !== undefined && DECIMAL_NUMBER.test(value) && Number(value) >= 0) return Number(value);
  const got = value === undefined ? 'nothing' : JSON.stringify(value);
  throw badFlag(dataFile, `expected a number after the validator's flag ${flag}, got ${got}`);
}

function badFlag(dataFile: string, reason: string): BoardmillError {
  return new BoardmillError('input', `${dataFile}: ${reason}`);
}

/** Returns why the output is wrong, or null if it is right. */
export function compareOutput(answer: Uint8Array, output: Uint8Array, flags: ComparisonFlags): string | null {
  let answerAt = 0;
  let outputAt = 0;
  for (let token = 1; ; token++) {
    const answerStart = skipBlanks(answer, answerAt, answer.length);
    const outputStart = skipBlanks(output, outputAt, output.length);
    if (
      flags.isSpaceSensitive &&
      latin1(answer, answerAt, answerStart) !== latin1(output, outputAt, outputStart)
    )
      return `the blanks before token ${token} differ`;
    const isEnd = answerStart === answer.length && outputStart === output.length;
    if (isEnd) return null;
    answerAt = tokenEnd(answer, answerStart, answer.length);
    outputAt = tokenEnd(output, outputStart, output.length);
    const wanted = latin1(answer, answerStart, answerAt);
    const given = latin1(output, outputStart, outputAt);
    if (!isSameToken(wanted, given, flags))
      return `token ${token}: expected ${describeToken(answer, answerStart)}, got ${describeToken(output, outputStart)}`;
  }
}

function isSameToken(wanted: string, given: string, flags: ComparisonFlags): boolean {
  if (wanted === given) return true;
  const { absoluteTolerance, relativeTolerance } = flags;
  if ((absoluteTolerance !== null || relativeTolerance !== null) && DECIMAL_NUMBER.test(wanted)) {
    const difference = DECIMAL_NUMBER.test(given) ? Math.abs(Number(given) - Number(wanted)) : Number.NaN;
    return (
      (absoluteTolerance !== null && difference <= absoluteTolerance) ||
      (relativeTolerance !== null && difference <= relativeTolerance * Math.abs(Number(wanted)))
    );
  }
  return !flags.isCaseSensitive && lowerCase(wanted) === lowerCase(given);
}

/** Only the letters of ASCII have two cases here. */
function lowerCase(token: string): string {
  return token.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function describeToken(bytes: Uint8Array, at: number): string {
  return at < bytes.length && !isBlank(bytes[at]) ? quoteToken(bytes, at, bytes.length) : 'the end';
}
