/** Measures the cases of a grammar: the integers that every case reads into variables without indices. */

import { type CaseMeasure, type MeasuredNumber, Measurement } from '../../cases/measure.js';
import { calculate, type WholeNumber } from '../../language/exact.js';
import { countNames } from '../language/names.js';
import type { Command, Expression, IntCommand } from '../language/syntax.js';
import { parseInteger } from '../language/values.js';

/** The integers that the variables without indices hold after a case. */
type VariableValues = Readonly<Record<string, unknown>>;

interface MeasuredCase {
  readonly variables: VariableValues;
}

interface MeasuredVariable extends MeasuredNumber {
  readonly commands: readonly IntCommand[];
}

export class GrammarMeasure implements CaseMeasure<MeasuredCase> {
  readonly numbers: readonly MeasuredVariable[];
  readonly #measurement: Measurement;

  /** `body` are the commands that read a case. */
  constructor(body: readonly Command[]) {
    this.numbers = measuredVariables(body);
    this.#measurement = new Measurement(this.numbers.length);
  }

  measure({ variables }: MeasuredCase): Measurement {
    this.#measurement.clear();
    for (const [index, { name, commands }] of this.numbers.entries()) {
      const value = variables[name];
      if (typeof value !== 'number' && typeof value !== 'bigint') continue;
      for (const { min, max } of commands) {
        const limits = { low: evaluate(min, variables), high: evaluate(max, variables) };
        this.#measurement.add(index, value, value, limits);
      }
    }
    return this.#measurement;
  }
}

/** The variables in the order in which the grammar reads them. Those that count something are the size of a case. */
function measuredVariables(body: readonly Command[]): MeasuredVariable[] {
  const commands = new Map<string, IntCommand[]>();
  for (const command of intCommands(body)) {
    const { name } = command.variable!;
    commands.set(name, [...(commands.get(name) ?? []), command]);
  }
  const counts = countNames(body);
  const hasCounts = [...commands.keys()].some((name) => counts.has(name));
  return [...commands].map(([name, reads]) => ({
    name,
    role: counts.has(name) || !hasCounts ? 'size' : 'value',
    min: commonText(reads.map(({ min }) => min)),
    max: commonText(reads.map(({ max }) => max)),
    commands: reads,
  }));
}

/** The commands that read an integer at most once in a case, into a variable without indices. */
function intCommands(commands: readonly Command[]): IntCommand[] {
  return commands.flatMap((command) => {
    if (command.kind === 'if') return intCommands([...command.then, ...command.otherwise]);
    const isMeasured = command.kind === 'int' && command.variable?.indices.length === 0;
    return isMeasured ? [command] : [];
  });
}

/** The text of the expressions; null if they differ, or if one of them is not known when the case has been read. */
function commonText(expressions: readonly Expression[]): string | null {
  const texts = new Set(expressions.map(textOf));
  return texts.size === 1 ? [...texts][0] : null;
}

/** Returns the text of an expression; null if it uses elements of arrays, or texts. */
export function textOf(expression: Expression): string | null {
  switch (expression.kind) {
    case 'integer':
      return expression.digits;
    case 'variable':
      return expression.indices.length === 0 ? expression.name : null;
    case 'negate': {
      const operand = textOf(expression.operand);
      return operand === null ? null : `-${operand}`;
    }
    case 'binary': {
      const [left, right] = [textOf(expression.left), textOf(expression.right)];
      return left === null || right === null ? null : `${left}${expression.operator}${right}`;
    }
    default:
      return null;
  }
}

/** Returns the value of an expression after a case was read; null if it is no integer, or not known any more. */
function evaluate(expression: Expression, variables: VariableValues): WholeNumber | null {
  switch (expression.kind) {
    case 'integer':
      return parseInteger(expression.digits);
    case 'variable': {
      const value = expression.indices.length === 0 ? variables[expression.name] : null;
      return typeof value === 'number' || typeof value === 'bigint' ? value : null;
    }
    case 'negate': {
      const operand = evaluate(expression.operand, variables);
      return operand === null ? null : calculate('-', 0, operand);
    }
    case 'binary': {
      const left = evaluate(expression.left, variables);
      const right = left === null ? null : evaluate(expression.right, variables);
      return left === null || right === null ? null : calculate(expression.operator, left, right);
    }
    default:
      return null;
  }
}
