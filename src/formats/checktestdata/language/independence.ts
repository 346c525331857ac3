/**
 * Finds out whether the cases of a grammar are independent: whether valid cases form a valid input in any number and order, so
 * that no command needs to check the whole input. The answer may be no although the cases are independent.
 */
import type { GrammarDivision } from '../cases/cases.js';
import { CarriedValueFinder } from './carried-values.js';
import { accessesInExpressions, accessesOf, assignedNames, readsToEnd } from './names.js';
import type { GrammarCommand, GrammarCondition, LoopCommand } from './syntax.js';
import { allGrammarCommands, conditionsOfCommand, simpleConditions } from './walk.js';

export function areCasesIndependent(division: GrammarDivision): boolean {
  const { loop, head, body, tail, tailWithAsserts, caseCount, ending } = division;
  if (loop === null) return false;
  const { uses, certain } = new CarriedValueFinder(head, loop, tail, ending === 'until-terminator');
  return (
    uses.length === 0 &&
    allGrammarCommands(body).flatMap(conditionsOfCommand).every(dependsOnCase) &&
    endsConditionally(loop, ending, certain) &&
    !usesName(body, caseCount?.variable?.name) &&
    endsClearly(body, loop.separator !== null) &&
    isTailIndependent(tailWithAsserts, assignedNames([loop]))
  );
}

function usesName(commands: readonly GrammarCommand[], name: string | undefined): boolean {
  return accessesOf(commands).some((access) => access.kind === 'use' && access.name === name);
}

/** Whether a test depends only on the case. MATCH and ISEOF look at text after the case, and arrays may have older elements. */
function dependsOnCase({ kind }: GrammarCondition): boolean {
  return kind === 'compare';
}

/** Whether a loop ends only because of the end of the input, or of values that the last case has certainly set. */
function endsConditionally(
  { condition }: LoopCommand,
  ending: GrammarDivision['ending'],
  certain: ReadonlySet<string>,
): boolean {
  if (condition === null || readsToEnd(condition)) return true;
  return (
    ending === 'until-terminator' &&
    simpleConditions(condition).every(dependsOnCase) &&
    accessesInExpressions(condition).every(({ name }) => certain.has(name))
  );
}

/** Whether no text after these commands could be read as a part of what the last of them reads. */
function endsClearly(commands: readonly GrammarCommand[], isSeparated: boolean): boolean {
  const last = commands.findLast(({ kind }) => !['assert', 'set', 'unset'].includes(kind));
  switch (last?.kind) {
    case 'space':
    case 'newline':
      return true;
    case 'text':
      return last.value.kind === 'string' && last.value.text !== '';
    case 'int':
    case 'float-number':
      return isSeparated;
    case 'loop':
      return endsClearly(last.body, isSeparated);
    default:
      return false;
  }
}

function isTailIndependent(tail: readonly GrammarCommand[], inBody: ReadonlySet<string>): boolean {
  return (
    allGrammarCommands(tail).flatMap(conditionsOfCommand).length === 0 &&
    accessesOf(tail).every(({ kind, name }) => kind !== 'use' || !inBody.has(name))
  );
}
