/** Checks the arguments of the library's functions. A wrong argument leads to a BoardmillError of kind `usage`. */
import { closestName } from '../core/closest-name.js';
import { BoardmillError } from '../core/errors.js';

/** The rule for the value of an option: in words for messages, and as a function that tests a value. */
export interface OptionRule {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

/**
 * Reads each option once, and returns an object of them, with copies of arrays. So what is used is what was checked, also if an
 * option is inherited, has a getter, or is changed later. Fails if there is no rule for the name of an option, or if the rule
 * refuses its value. Every option may be undefined.
 */
export function readOptions<Options extends object>(
  given: Options,
  rules: Readonly<Record<keyof Options & string, OptionRule>>,
): Options {
  if (typeof given !== 'object' || given === null) throw wrongValue('`options`', 'an object', given);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(rules, name));
  if (unknown !== undefined) throw unknownOption(unknown, Object.keys(rules));
  const options: Partial<Options> = {};
  for (const name of Object.keys(rules) as (keyof Options & string)[]) {
    const value = copyOfArray(given[name]);
    if (value !== undefined) checkValue(`\`${name}\``, rules[name], value);
    options[name] = value;
  }
  return options as Options;
}

function copyOfArray<Value>(value: Value): Value {
  return Array.isArray(value) ? (Array.from(value) as Value) : value;
}

/** Fails if a rule refuses a value. `what` is the name of the value in the message. */
export function checkValue(what: string, { expected, accepts }: OptionRule, value: unknown): void {
  if (!accepts(value)) throw wrongValue(what, expected, value);
}

export const TEXT_RULE: OptionRule = { expected: 'a text', accepts: (value) => typeof value === 'string' };
/** An empty output would be found wrong only after the last case, when its file gets its name. */
export const NAME_RULE: OptionRule = {
  expected: 'a text without NUL characters that is not empty',
  accepts: (value) => typeof value === 'string' && value !== '' && !value.includes('\0'),
};
/** A text of an input. Half a surrogate pair has no bytes in UTF-8, and would become U+FFFD. */
export const INPUT_TEXT_RULE: OptionRule = {
  expected: 'a text without half a surrogate pair',
  accepts: (value) => typeof value !== 'string' || !/\p{Surrogate}/u.test(value),
};
export const FLAG_RULE: OptionRule = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};
export const FUNCTION_RULE: OptionRule = {
  expected: 'a function',
  accepts: (value) => typeof value === 'function',
};

export function wholeNumberRule(min: number): OptionRule {
  return {
    expected: `a whole number of at least ${min}`,
    accepts: (value) => Number.isSafeInteger(value) && (value as number) >= min,
  };
}

export function oneOfRule(values: readonly string[]): OptionRule {
  return {
    expected: `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
    accepts: (value) => values.includes(value as string),
  };
}

function unknownOption(name: string, names: readonly string[]): BoardmillError {
  const meant = closestName(name, names);
  const hint = meant === null ? '' : ` (did you mean \`${meant}\`?)`;
  return new BoardmillError('usage', `unknown option \`${name}\`${hint}`);
}

function wrongValue(what: string, expected: string, value: unknown): BoardmillError {
  return new BoardmillError('usage', `${what} must be ${expected}, got ${show(value)}`);
}

/** Shows a value of any kind in a message. */
function show(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return showArray(value);
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/** Shows an array of few elements as they are, because one of them may be what is wrong. */
function showArray(values: readonly unknown[]): string {
  const isShort = values.length <= 10 && !values.some(Array.isArray);
  return isShort ? `[${values.map(show).join(', ')}]` : 'an array';
}
