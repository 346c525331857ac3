/**
 * Says what to type in place of a refused command line. Each rule recognizes one mistake that people make before they have
 * read the help, by the words of the command line and the files that they name. To add a mistake, add a row to a table or a
 * rule to a list of the files beside this one. They are loaded only for a command line that has been refused.
 */
import { BoardmillError } from '../../core/errors.js';
import { COMMAND_ADVICE_RULES } from './commands.js';
import { INPUT_ADVICE_RULES } from './inputs.js';
import { OPTION_ADVICE_RULES } from './options.js';
import { PROBLEM_ADVICE_RULES } from './problems.js';
import { PROGRAM_ADVICE_RULES } from './programs.js';
import { stdinRedirectionOf } from './redirection.js';
import {
  type AdviceRule,
  type Correction,
  formatCommand,
  parseTypedLine,
  type TypedLine,
  textsOfWords,
} from './typed-line.js';

const RULES_FOR_OPTIONS: readonly AdviceRule[] = [...COMMAND_ADVICE_RULES, ...OPTION_ADVICE_RULES];

/** The rules in the order in which they are tried: what names the command and the problem comes before the rest. */
const RULES: readonly AdviceRule[] = [
  ...RULES_FOR_OPTIONS,
  ...PROGRAM_ADVICE_RULES,
  ...PROBLEM_ADVICE_RULES,
  ...INPUT_ADVICE_RULES,
];

/** A command line with more mistakes than this is not one that anyone would type. */
const MAX_CORRECTIONS = 6;

/**
 * Returns an error that says what is wrong with a refused command line, and shows the corrected one; null if no rule
 * recognizes a mistake. A line with several mistakes is corrected until it has none, and the error names the first of them.
 */
export async function adviseOnCommandLine(args: readonly string[]): Promise<BoardmillError | null> {
  let line = await parseTypedLine(args);
  let mistake = '';
  let type = 'type';
  for (let corrections = 0; corrections < MAX_CORRECTIONS; corrections++) {
    const found = await firstCorrection(line);
    if (found === null) break;
    if (mistake === '') mistake = found.mistake;
    if ('advice' in found) return new BoardmillError('usage', `${mistake}; ${found.advice}`);
    if (found.choices !== undefined) type = `${found.choices}; type, for example`;
    line = await parseTypedLine(found.args, line.before + (found.before ?? ''));
  }
  if (mistake === '') return null;
  const command = line.before + formatCommand(textsOfWords(line)) + stdinRedirectionOf(line);
  return new BoardmillError('usage', `${mistake}; ${type}: ${command}`);
}

/** Whether an option is unknown. Then the word behind it may be its value, or an argument. */
function hasUnknownOption({ words }: TypedLine): boolean {
  return words.some(({ role, option }) => role === 'option' && option === undefined);
}

async function firstCorrection(line: TypedLine): Promise<Correction | null> {
  for (const rule of hasUnknownOption(line) ? RULES_FOR_OPTIONS : RULES) {
    const found = await rule(line);
    if (found !== null) return found;
  }
  return null;
}
