/** Walks over the syntax tree of a grammar. */
import type { Command, Expression, Test } from './syntax.js';

/** The blocks of a command, whose commands may run or not. */
export function blocksOf(command: Command): readonly (readonly Command[])[] {
  if (command.kind === 'loop') return [command.body];
  return command.kind === 'if' ? [command.then, command.otherwise] : [];
}

/** The commands, each before those of its blocks. */
export function allCommands(commands: readonly Command[]): Command[] {
  return commands.flatMap((command) => [command, ...blocksOf(command).flatMap(allCommands)]);
}

/** The tests of a command without those in its blocks. A test that is made of others is divided into them. */
export function testsOf(command: Command): Test[] {
  if (command.kind === 'assert' || command.kind === 'if') return simpleTests(command.test);
  return command.kind === 'loop' && command.condition !== null ? simpleTests(command.condition) : [];
}

/** The tests of which a test is made. */
export function simpleTests(test: Test): Test[] {
  const isMadeOfTests = test.kind === 'not' || test.kind === 'and' || test.kind === 'or';
  return isMadeOfTests ? (operandsOf(test) as readonly Test[]).flatMap(simpleTests) : [test];
}

/** What an expression or a test is made of, in the order in which it is evaluated. */
export function operandsOf(node: Expression | Test): readonly (Expression | Test)[] {
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
