/**
 * Finds commands whose value an ASSERT after them decides, so that whoever draws an input need not wait for chance to find
 * it: after `INT(1,9,n)`, `ASSERT(STRLEN(s) == n)` decides the length of the text that `REGEX("[a-z]+",s)` reads.
 *
 * A demand is necessary: the ASSERT runs whenever the command has run, and nothing in between changes what the ASSERT
 * compares. So a draw that obeys it loses no input. It is not sufficient: whoever draws still evaluates each ASSERT.
 */
import type { Compiler } from './compile.js';
import type { Machine } from './machine.js';
import { assignedNames, namesIn } from './names.js';
import type {
  Command,
  Expression,
  FloatCommand,
  IntCommand,
  Place,
  RegexCommand,
  Test,
  VariableExpression,
} from './syntax.js';
import { RuntimeFailure, type Value } from './values.js';

type ReadingCommand = IntCommand | FloatCommand | RegexCommand;

/** An equation that an ASSERT solves for a variable, or for the length of one. */
interface Equation {
  readonly what: Demand['what'];
  readonly variable: VariableExpression;
  readonly value: Expression;
}

interface Demand {
  readonly what: 'value' | 'length';
  readonly evaluate: (machine: Machine) => Value;
}

/** What the ASSERTs of a grammar demand of its commands. */
export class Demands {
  readonly #compiler: Compiler;
  readonly #demands = new Map<ReadingCommand, Demand[]>();

  constructor(commands: readonly Command[], compiler: Compiler) {
    this.#compiler = compiler;
    this.#collect(commands);
  }

  /** The values that the command must read, as far as the values that the machine has now say. */
  valuesOf(command: ReadingCommand, machine: Machine): readonly Value[] {
    return this.#evaluate('value', command, machine);
  }

  /** The lengths that the text must have which the command reads. */
  lengthsOf(command: RegexCommand, machine: Machine): readonly Value[] {
    return this.#evaluate('length', command, machine);
  }

  #evaluate(what: Demand['what'], command: ReadingCommand, machine: Machine): Value[] {
    const demands = this.#demands.get(command) ?? [];
    return demands.flatMap((demand) => {
      const value = demand.what === what ? valueOrNull(demand.evaluate, machine) : null;
      return value === null ? [] : [value];
    });
  }

  #collect(commands: readonly Command[]): void {
    for (const [index, command] of commands.entries()) {
      if (command.kind === 'loop') this.#collect(command.body);
      if (command.kind === 'if')
        for (const branch of [command.then, command.otherwise]) this.#collect(branch);
      if (command.kind !== 'assert') continue;
      for (const equation of equationsIn(command.test)) this.#add(equation, commands.slice(0, index));
    }
  }

  /** Gives the equation to the commands that read its variable, if all other values in it are known before. */
  #add(equation: Equation, before: readonly Command[]): void {
    const { variable, value, what } = equation;
    const fixed = namesIn(...variable.indices, value);
    if (fixed.has(variable.name)) return;
    for (const command of lastReaders(variable, before, fixed)) {
      const demands = this.#demands.get(command) ?? [];
      demands.push({ what, evaluate: this.#compiler.expression(value) });
      this.#demands.set(command, demands);
    }
  }
}

function valueOrNull(evaluate: Demand['evaluate'], machine: Machine): Value | null {
  try {
    return evaluate(machine);
  } catch (error) {
    if (error instanceof RuntimeFailure) return null;
    throw error;
  }
}

/** The commands, one for each branch, that read the variable last, unless one of the fixed names changes after them. */
function lastReaders(
  variable: VariableExpression,
  commands: readonly Command[],
  fixed: ReadonlySet<string>,
): ReadingCommand[] {
  for (const command of commands.toReversed()) {
    if (command.kind === 'if') {
      const branches = [command.then, command.otherwise];
      const readers = branches.flatMap((branch) => lastReaders(variable, branch, fixed));
      if (readers.length > 0) return readers;
    } else if (isReading(command) && command.variable !== null && isSame(command.variable, variable)) {
      return [command];
    }
    const changed = changedNames([command]);
    if (changed.has(variable.name) || [...fixed].some((name) => changed.has(name))) return [];
  }
  return [];
}

function isReading(command: Command): command is ReadingCommand {
  return command.kind === 'int' || command.kind === 'float-number' || command.kind === 'regex';
}

function changedNames(commands: readonly Command[]): Set<string> {
  return new Set([...assignedNames(commands), ...unsetNames(commands)]);
}

function unsetNames(commands: readonly Command[]): Set<string> {
  return new Set(
    commands.flatMap((command) => {
      if (command.kind === 'unset') return command.names;
      if (command.kind === 'loop') return [...unsetNames(command.body)];
      return command.kind === 'if' ? [...unsetNames([...command.then, ...command.otherwise])] : [];
    }),
  );
}

/** Whether two variables are written in the same way: `a[i+1]` is the same as `a[i + 1]`. */
function isSame(one: VariableExpression, other: VariableExpression): boolean {
  return one.name === other.name && textOf(one) === textOf(other);
}

function textOf(expression: Expression): string {
  return JSON.stringify(expression, (key, value: unknown) => (key === 'at' ? null : value));
}

/** The equations without which the test is false. */
function equationsIn(test: Test): Equation[] {
  if (test.kind === 'and') return [...equationsIn(test.left), ...equationsIn(test.right)];
  if (test.kind !== 'compare' || test.operator !== '==') return [];
  return [...solve(test.left, test.right), ...solve(test.right, test.left)];
}

/** Solves `side == value` for each variable, or length of one, that is an operand of the sums in `side`. */
function solve(side: Expression, value: Expression): Equation[] {
  const { at } = side;
  if (side.kind === 'variable') return [{ what: 'value', variable: side, value }];
  if (side.kind === 'length') {
    return side.operand.kind === 'variable' ? [{ what: 'length', variable: side.operand, value }] : [];
  }
  if (side.kind === 'negate') return solve(side.operand, { kind: 'negate', at, operand: value });
  if (side.kind !== 'binary') return [];
  const { left, right } = side;
  if (side.operator === '+')
    return [...solve(left, sum(value, '-', right, at)), ...solve(right, sum(value, '-', left, at))];
  if (side.operator === '-')
    return [...solve(left, sum(value, '+', right, at)), ...solve(right, sum(left, '-', value, at))];
  return [];
}

function sum(left: Expression, operator: '+' | '-', right: Expression, at: Place): Expression {
  return { kind: 'binary', at, operator, left, right };
}
