/** Walks over the syntax tree of a grammar. */
import type { GrammarCommand, GrammarCondition, GrammarExpression } from './syntax.js';

/** Returns the blocks inside a command. The commands in a block may run or not. */
export function blocksOf(command: GrammarCommand): readonly (readonly GrammarCommand[])[] {
  if (command.kind === 'loop') return [command.body];
  return command.kind === 'if' ? [command.then, command.otherwise] : [];
}

/** Returns all commands, including those in blocks. Each command comes before those in its own blocks. */
export function allGrammarCommands(commands: readonly GrammarCommand[]): GrammarCommand[] {
  return commands.flatMap((command) => [command, ...blocksOf(command).flatMap(allGrammarCommands)]);
}

/** Returns the tests of a command, without the tests in its blocks. A combined test is divided into simple ones. */
export function conditionsOfCommand(command: GrammarCommand): GrammarCondition[] {
  if (command.kind === 'assert' || command.kind === 'if') return simpleConditions(command.test);
  return command.kind === 'loop' && command.condition !== null ? simpleConditions(command.condition) : [];
}

/** Returns the simple tests that a combined test consists of. */
export function simpleConditions(test: GrammarCondition): GrammarCondition[] {
  const isMadeOfTests = test.kind === 'not' || test.kind === 'and' || test.kind === 'or';
  return isMadeOfTests ? (operandsOf(test) as readonly GrammarCondition[]).flatMap(simpleConditions) : [test];
}

/** Returns the operands of an expression or a test, in the order in which they are evaluated. */
export function operandsOf(
  node: GrammarExpression | GrammarCondition,
): readonly (GrammarExpression | GrammarCondition)[] {
  switch (node.kind) {
    case 'variable':
      return node.indices;
    case 'negate':
    case 'length':
    case 'not':
      return [node.operand];
    case 'binary':
    case 'compare':
    case 'and':
    case 'or':
      return [node.left, node.right];
    case 'match':
      return [node.letters];
    case 'in-array':
      return [node.value];
    default:
      return [];
  }
}
