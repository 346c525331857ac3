/** Finds out whether what follows the cases of a grammar is the same whatever the input was. */
import { Regex } from './regex.js';
import { RegexTexts } from './regex-texts.js';
import type { GrammarCommand, GrammarExpression } from './syntax.js';
import { allGrammarCommands, blocksOf, conditionsOfCommand } from './walk.js';

/**
 * Returns the first command that reads tokens which the commands before it do not determine; null if there is none. Commands
 * that make an input of some cases write its tail anew, so they would lose such tokens.
 */
export function findUndeterminedCommand(commands: readonly GrammarCommand[]): GrammarCommand | null {
  return allGrammarCommands(commands).find(isFree) ?? null;
}

function isFree(command: GrammarCommand): boolean {
  switch (command.kind) {
    case 'int':
      return !isSame(command.min, command.max);
    case 'float-number':
      return true;
    case 'regex':
      return command.pattern.kind !== 'string' || new RegexTexts(new Regex(command.pattern.text)).size !== 1n;
    case 'loop':
    case 'if':
      return dependsOnText(command) && blocksOf(command).flat().some(readsToken);
    default:
      return false;
  }
}

/** Whether two expressions are written alike. */
function isSame(one: GrammarExpression, other: GrammarExpression): boolean {
  const write = (node: GrammarExpression) =>
    JSON.stringify(node, (name, value) => (name === 'at' ? undefined : value));
  return write(one) === write(other);
}

/** Whether a test of the command looks at the text of the input. */
function dependsOnText(command: GrammarCommand): boolean {
  return conditionsOfCommand(command).some(({ kind }) => kind === 'match' || kind === 'is-eof');
}

function readsToken(command: GrammarCommand): boolean {
  switch (command.kind) {
    case 'int':
    case 'float-number':
    case 'regex':
      return true;
    case 'text':
      return command.value.kind !== 'string' || command.value.text.trim() !== '';
    default:
      return blocksOf(command).flat().some(readsToken);
  }
}
