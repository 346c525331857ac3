/** Measures the cases of a grammar: the integers that every case reads into variables without indices. */

import { type CaseMeasure, CaseMeasurement, type MeasuredNumber } from '../../cases/measure.js';
import type { ExactInteger } from '../../language/exact.js';
import { type CompiledGrammarExpression, GrammarCompiler, type GrammarScope } from '../language/compile.js';
import { namesInBoth, namesInLoopCounts } from '../language/names.js';
import type { GrammarCommand, GrammarExpression, IntCommand } from '../language/syntax.js';
import { isInteger, RuntimeFailure } from '../language/values.js';

/** The integers in the variables without indices, as they are after a case was read. */
type VariableValues = Readonly<Record<string, unknown>>;

interface MeasuredCase {
  readonly variables: VariableValues;
}

interface MeasuredVariable extends MeasuredNumber {
  /** The bounds of each command that reads the variable; null if a bound is not known after the case was read. */
  readonly limits: readonly {
    readonly low: CompiledGrammarExpression | null;
    readonly high: CompiledGrammarExpression | null;
  }[];
}

export class GrammarCaseMeasure implements CaseMeasure<MeasuredCase> {
  readonly numbers: readonly MeasuredVariable[];
  readonly #compiler = new GrammarCompiler();
  readonly #measurement: CaseMeasurement;

  /** `body` is the list of commands that read a case. */
  constructor(body: readonly GrammarCommand[]) {
    this.numbers = measuredVariables(body, this.#compiler);
    this.#measurement = new CaseMeasurement(this.numbers.length);
  }

  measure({ variables }: MeasuredCase): CaseMeasurement {
    this.#measurement.clear();
    const scope = { variables: this.#compiler.variablesOf(variables), charge: () => {} };
    for (const [index, { name, limits }] of this.numbers.entries()) {
      const value = variables[name];
      if (typeof value !== 'number' && typeof value !== 'bigint') continue;
      for (const { low, high } of limits)
        this.#measurement.add(index, value, value, { low: limitOf(low, scope), high: limitOf(high, scope) });
    }
    return this.#measurement;
  }
}

/**
 * Returns the variables in the order in which the grammar reads them. Variables that count something are sizes of the case; if
 * there is none, all are. What not every case reads is no size.
 */
function measuredVariables(body: readonly GrammarCommand[], compiler: GrammarCompiler): MeasuredVariable[] {
  const bound = (expression: GrammarExpression) =>
    textOfExpression(expression) === null ? null : compiler.expression(expression);
  const commands = new Map<string, IntCommand[]>();
  for (const command of intCommands(body)) {
    const { name } = command.variable!;
    commands.set(name, [...(commands.get(name) ?? []), command]);
  }
  const inAllCases = namesAlwaysRead(body);
  const counts = namesInBoth(inAllCases, namesInLoopCounts(body));
  const sizes = counts.size > 0 ? counts : inAllCases;
  return [...commands].map(([name, reads]) => ({
    name,
    role: sizes.has(name) ? 'size' : 'value',
    min: commonText(reads.map(({ min }) => min)),
    max: commonText(reads.map(({ max }) => max)),
    limits: reads.map(({ min, max }) => ({ low: bound(min), high: bound(max) })),
  }));
}

/** Returns the commands that read an integer at most once in a case, into a variable without indices. */
function intCommands(commands: readonly GrammarCommand[]): IntCommand[] {
  return commands.flatMap((command) => {
    if (command.kind === 'if') return intCommands([...command.then, ...command.otherwise]);
    const isMeasured = command.kind === 'int' && command.variable?.indices.length === 0;
    return isMeasured ? [command] : [];
  });
}

/** Returns the names of the integers that the commands read whatever the tests of their IFs say. */
function namesAlwaysRead(commands: readonly GrammarCommand[]): Set<string> {
  return new Set(
    commands.flatMap((command) => {
      if (command.kind !== 'if') return intCommands([command]).map(({ variable }) => variable!.name);
      return [...namesInBoth(namesAlwaysRead(command.then), namesAlwaysRead(command.otherwise))];
    }),
  );
}

/** Returns the common text of the expressions; null if they differ, or if one is not known after the case was read. */
function commonText(expressions: readonly GrammarExpression[]): string | null {
  const texts = new Set(expressions.map(textOfExpression));
  return texts.size === 1 ? [...texts][0] : null;
}

/** Returns the text of an expression; null if the expression uses elements of arrays, or texts. */
export function textOfExpression(expression: GrammarExpression): string | null {
  switch (expression.kind) {
    case 'integer':
      return expression.digits;
    case 'variable':
      return expression.indices.length === 0 ? expression.name : null;
    case 'negate': {
      const operand = textOfExpression(expression.operand);
      return operand === null ? null : `-${operand}`;
    }
    case 'binary': {
      const [left, right] = [textOfExpression(expression.left), textOfExpression(expression.right)];
      return left === null || right === null ? null : `${left}${expression.operator}${right}`;
    }
    default:
      return null;
  }
}

/** Returns the value of a bound after a case was read; null if the bound is not an integer. */
function limitOf(bound: CompiledGrammarExpression | null, scope: GrammarScope): ExactInteger | null {
  try {
    const value = bound === null ? null : bound(scope);
    return value !== null && isInteger(value) ? value : null;
  } catch (error) {
    if (error instanceof RuntimeFailure) return null;
    throw error;
  }
}
