/** Turns the commands of a grammar into functions, once per grammar, so that running them is fast. */
import { normalizeExactInteger } from '../../language/exact.js';
import type { GrammarMachine } from '../reading/machine.js';
import { Regex, RegexError } from './regex.js';
import type {
  AssertCommand,
  FloatCommand,
  GrammarCommand,
  GrammarCondition,
  GrammarExpression,
  GrammarPlace,
  IntCommand,
  LoopCommand,
  RegexCommand,
  VariableExpression,
} from './syntax.js';
import {
  compileOperator,
  evaluateComparison,
  type GrammarValue,
  isInteger,
  keyOfValue,
  negateValue,
  parseFraction,
  parseInteger,
  RuntimeFailure,
  showElementKey,
  showGrammarValue,
  stepsToHash,
  stepsToTraverse,
} from './values.js';
import { type ElementKey, GrammarVariables } from './variables.js';
import { operandsOf } from './walk.js';

export type CompiledGrammarCommands = (machine: GrammarMachine) => void;
/** The part of a machine that expressions need: the values of variables, and the count of the work done. */
export type GrammarScope = Pick<GrammarMachine, 'variables' | 'charge'>;
export type CompiledGrammarExpression = (scope: GrammarScope) => GrammarValue;
type Check = (machine: GrammarMachine) => boolean;
type Store = (machine: GrammarMachine, value: GrammarValue) => void;

const MAX_LOOP_COUNT = 2n ** 64n - 1n;
const MAX_DECIMALS = 2 ** 31 - 1;
/** The number of steps that UNIQUE takes for each value. */
const UNIQUE_COST = 20;

/** Compiles blocks of commands of one grammar. All blocks share their variables. */
export class GrammarCompiler {
  readonly #slots = new Map<string, number>();

  get slotCount(): number {
    return this.#slots.size;
  }

  /** The names of the variables, indexed by slot. */
  get names(): readonly string[] {
    return [...this.#slots.keys()];
  }

  slot(name: string): number {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    this.#slots.set(name, this.#slots.size);
    return this.#slots.size - 1;
  }

  /** Returns variables with the values of those properties that are integers. All other variables have no value. */
  variablesOf(values: Readonly<Record<string, unknown>>): GrammarVariables {
    const variables = new GrammarVariables(this.slotCount);
    for (const [name, slot] of this.#slots) {
      const value = values[name];
      if (typeof value === 'bigint') variables.scalars[slot] = normalizeExactInteger(value);
      else if (Number.isSafeInteger(value)) variables.scalars[slot] = value as number;
    }
    return variables;
  }

  block(commands: readonly GrammarCommand[]): CompiledGrammarCommands {
    const runs = commands.map((command) => this.#command(command));
    if (runs.length === 1) return runs[0];
    return (machine) => {
      for (const run of runs) run(machine);
    };
  }

  #command(command: GrammarCommand): CompiledGrammarCommands {
    const { at } = command;
    switch (command.kind) {
      case 'space':
        return (machine) => machine.space(at);
      case 'newline':
        return (machine) => machine.newline(at);
      case 'eof':
        return (machine) => machine.endOfInput(at);
      case 'text':
        return this.#text(command.value, at);
      case 'int':
        return this.#int(command);
      case 'float-number':
        return this.#float(command);
      case 'regex':
        return this.#regexCommand(command);
      case 'assert':
        return this.#assert(command);
      case 'set':
        return this.#set(command.assignments);
      case 'unset':
        return this.#unset(command.names);
      case 'loop':
        return this.#loop(command);
      case 'if':
        return this.#if(this.test(command.test), this.block(command.then), this.block(command.otherwise));
    }
  }

  #text(text: GrammarExpression, at: GrammarPlace): CompiledGrammarCommands {
    const evaluate = this.#string(text);
    return (machine) => machine.text(evaluate(machine), at);
  }

  #int(command: IntCommand): CompiledGrammarCommands {
    const min = this.#integer(command.min);
    const max = this.#integer(command.max);
    const store = this.#optionalStore(command.variable);
    if (command.min.kind === 'integer' && command.max.kind === 'integer') {
      const least = parseInteger(command.min.digits);
      const most = parseInteger(command.max.digits);
      return (machine) => store(machine, machine.integer(least, most, command));
    }
    return (machine) => store(machine, machine.integer(min(machine), max(machine), command));
  }

  #float(command: FloatCommand): CompiledGrammarCommands {
    const min = this.expression(command.min);
    const max = this.expression(command.max);
    const decimals = command.decimals === null ? null : this.#decimals(command.decimals, command.at);
    const store = this.#optionalStore(command.variable);
    const { notation } = command;
    return (machine) => {
      const range = {
        min: min(machine),
        max: max(machine),
        decimals: decimals === null ? null : decimals(machine),
        notation,
      };
      if (typeof range.min === 'string' || typeof range.max === 'string')
        throw new RuntimeFailure(command.at, 'numbers as bounds', 'a string');
      machine.charge(stepsToTraverse(range.min) + stepsToTraverse(range.max));
      store(machine, machine.float(range, command));
    };
  }

  #decimals(range: { min: GrammarExpression; max: GrammarExpression }, at: GrammarPlace) {
    const min = this.#integer(range.min);
    const max = this.#integer(range.max);
    return (machine: GrammarMachine) => {
      const decimals = { min: Number(min(machine)), max: Number(max(machine)) };
      if (decimals.min < 0 || decimals.max < decimals.min || decimals.max >= MAX_DECIMALS)
        throw new RuntimeFailure(at, 'numbers of decimals in order', `${decimals.min} and ${decimals.max}`);
      return decimals;
    };
  }

  #regexCommand(command: RegexCommand): CompiledGrammarCommands {
    const regex = this.#regex(command.pattern);
    const store = this.#optionalStore(command.variable);
    return (machine) => store(machine, machine.regex(regex(machine), command));
  }

  #assert(command: AssertCommand): CompiledGrammarCommands {
    const test = this.test(command.test);
    return (machine) => {
      if (!test(machine)) machine.refuse(`${command.text} to be true`, 'false', command, command.at);
    };
  }

  #set(
    assignments: readonly { readonly variable: VariableExpression; readonly value: GrammarExpression }[],
  ): CompiledGrammarCommands {
    const runs = assignments.map(({ variable, value }): CompiledGrammarCommands => {
      const evaluate = this.expression(value);
      const store = this.#store(variable);
      return (machine) => store(machine, evaluate(machine));
    });
    return (machine) => {
      for (const run of runs) run(machine);
    };
  }

  #unset(names: readonly string[]): CompiledGrammarCommands {
    const slots = names.map((name) => this.slot(name));
    return (machine) => {
      for (const slot of slots) machine.unset(slot);
    };
  }

  #if(
    test: Check,
    then: CompiledGrammarCommands,
    otherwise: CompiledGrammarCommands,
  ): CompiledGrammarCommands {
    return (machine) => (test(machine) ? then(machine) : otherwise(machine));
  }

  #loop(loop: LoopCommand): CompiledGrammarCommands {
    const storeIndex = this.#optionalStore(loop.index);
    const separator = loop.separator === null ? () => {} : this.block([loop.separator]);
    const body = this.block(loop.body);
    const cost =
      countSteps([...loop.body, ...(loop.separator === null ? [] : [loop.separator])]) +
      Math.floor(countOperands(loop.condition) / OPERANDS_PER_STEP) +
      2;
    const run = (machine: GrammarMachine, iteration: number) => {
      if (iteration > 0) separator(machine);
      body(machine);
    };
    const step = (machine: GrammarMachine, iteration: number) => {
      machine.charge(cost);
      machine.beforeIteration(iteration);
      if (machine.retriesIterations) machine.runIteration(() => run(machine, iteration));
      else run(machine, iteration);
      storeIndex(machine, iteration + 1);
    };
    return loop.count === null
      ? this.#whileLoop(loop, this.test(loop.condition!), storeIndex, step)
      : this.#countedLoop(loop, this.count(loop.count), storeIndex, step);
  }

  #whileLoop(
    loop: LoopCommand,
    condition: Check,
    storeIndex: Store,
    step: LoopStep,
  ): CompiledGrammarCommands {
    return (machine) => {
      storeIndex(machine, 0);
      machine.enterLoop(loop, null);
      for (let iteration = 0; ; iteration++) {
        machine.beforeCondition(iteration);
        if (!condition(machine)) break;
        step(machine, iteration);
      }
      machine.leaveLoop();
    };
  }

  #countedLoop(
    loop: LoopCommand,
    count: (machine: GrammarMachine) => number,
    storeIndex: Store,
    step: LoopStep,
  ): CompiledGrammarCommands {
    return (machine) => {
      storeIndex(machine, 0);
      const times = count(machine);
      machine.enterLoop(loop, times);
      for (let iteration = 0; iteration < times; iteration++) step(machine, iteration);
      machine.leaveLoop();
    };
  }

  /** Compiles the count of a loop. */
  count(expression: GrammarExpression): (machine: GrammarMachine) => number {
    const evaluate = this.#integer(expression);
    return (machine) => {
      const count = evaluate(machine);
      if (count < 0 || count > MAX_LOOP_COUNT)
        throw new RuntimeFailure(
          expression.at,
          'a number of iterations from 0 to 2^64 - 1',
          showGrammarValue(count),
        );
      return Number(count);
    };
  }

  expression(expression: GrammarExpression): CompiledGrammarExpression {
    const { at } = expression;
    switch (expression.kind) {
      case 'integer': {
        const value = parseInteger(expression.digits);
        return () => value;
      }
      case 'float': {
        const value = parseFraction(expression.text);
        return () => value;
      }
      case 'string':
        return () => expression.text;
      case 'variable':
        return this.#variable(expression);
      case 'negate': {
        const operand = this.expression(expression.operand);
        return constantIf(expression, (scope) => {
          const value = operand(scope);
          if (typeof value !== 'number') scope.charge(stepsToTraverse(value));
          return negateValue(value, at);
        });
      }
      case 'length': {
        const operand = this.#string(expression.operand);
        return (scope) => operand(scope).length;
      }
      case 'binary':
        return constantIf(expression, this.#binary(expression));
    }
  }

  #binary({
    operator,
    left,
    right,
    at,
  }: Extract<GrammarExpression, { kind: 'binary' }>): CompiledGrammarExpression {
    const calculate = compileOperator(operator, at);
    const leftValue = this.expression(left);
    const rightValue = this.expression(right);
    return (scope) => calculate(leftValue(scope), rightValue(scope), scope.charge);
  }

  #variable({ name, indices, at }: VariableExpression): CompiledGrammarExpression {
    const slot = this.slot(name);
    if (indices.length === 0) return (scope) => scope.variables.scalars[slot] ?? undefinedVariable(name, at);
    const key = this.#key(indices);
    return (scope) =>
      scope.variables.arrays[slot]?.get(key(scope)) ??
      undefinedVariable(`${name}[${showElementKey(key(scope))}]`, at);
  }

  #store({ name, indices, at }: VariableExpression): Store {
    const slot = this.slot(name);
    if (indices.length === 0)
      return (machine, value) => {
        machine.variables.scalars[slot] = value;
      };
    const key = this.#key(indices);
    return (machine, value) => {
      // The key of the value is made when the elements are compared.
      if (typeof value !== 'number') machine.charge(stepsToHash(value));
      const element = key(machine);
      const growth = machine.variables.setElement(slot, element, value);
      if (growth > 0) machine.addElements(growth, element, value, at);
    };
  }

  #optionalStore(variable: VariableExpression | null): Store {
    return variable === null ? () => {} : this.#store(variable);
  }

  #key(indices: readonly GrammarExpression[]): (scope: GrammarScope) => ElementKey {
    const evaluates = indices.map((index) => this.#integer(index));
    const keys = evaluates.map((evaluate) => (scope: GrammarScope) => {
      const index = evaluate(scope);
      if (typeof index === 'number') return index;
      scope.charge(stepsToHash(index));
      const text = index.toString();
      scope.charge(text.length >> 2);
      return text;
    });
    return keys.length === 1 ? keys[0] : (scope) => keys.map((key) => key(scope)).join();
  }

  /** Compiles an expression that must be an integer. */
  #integer(expression: GrammarExpression): (scope: GrammarScope) => number | bigint {
    const evaluate = this.expression(expression);
    return (scope) => {
      const value = evaluate(scope);
      if (typeof value === 'number' || isInteger(value)) return value;
      throw new RuntimeFailure(
        expression.at,
        'an integer',
        typeof value === 'string' ? 'a string' : 'a float',
      );
    };
  }

  #string(expression: GrammarExpression): (scope: GrammarScope) => string {
    const evaluate = this.expression(expression);
    return (scope) => {
      const value = evaluate(scope);
      if (typeof value === 'string') return value;
      throw new RuntimeFailure(expression.at, 'a string', showGrammarValue(value));
    };
  }

  #regex(pattern: GrammarExpression): (machine: GrammarMachine) => Regex {
    if (pattern.kind === 'string') {
      const regex = new Regex(pattern.text);
      return () => regex;
    }
    const text = this.#string(pattern);
    return (machine) => {
      try {
        return machine.regexOf(text(machine));
      } catch (error) {
        if (!(error instanceof RegexError)) throw error;
        return machine.refuse(
          'a valid regular expression',
          showGrammarValue(text(machine)),
          null,
          pattern.at,
        );
      }
    };
  }

  test(test: GrammarCondition): Check {
    const { at } = test;
    switch (test.kind) {
      case 'not': {
        const operand = this.test(test.operand);
        return (machine) => !operand(machine);
      }
      case 'and':
      case 'or':
        return this.#logical(test.kind, this.test(test.left), this.test(test.right));
      case 'compare': {
        const { operator } = test;
        const left = this.expression(test.left);
        const right = this.expression(test.right);
        return (machine) => {
          const a = left(machine);
          const b = right(machine);
          if (typeof a !== 'number' || typeof b !== 'number')
            machine.charge(stepsToTraverse(a) + stepsToTraverse(b));
          return evaluateComparison(operator, a, b, at);
        };
      }
      case 'match': {
        const letters = this.#string(test.letters);
        return (machine) => {
          const text = letters(machine);
          machine.charge(text.length >> 6);
          return machine.matches(text, at);
        };
      }
      case 'is-eof':
        return (machine) => machine.isAtEnd(at);
      case 'unique':
        return this.#unique(test.names, at);
      case 'in-array':
        return this.#inArray(this.expression(test.value), test.name, at);
    }
  }

  #logical(kind: 'and' | 'or', left: Check, right: Check): Check {
    return kind === 'and'
      ? (machine) => left(machine) && right(machine)
      : (machine) => left(machine) || right(machine);
  }

  #inArray(value: CompiledGrammarExpression, name: string, at: GrammarPlace): Check {
    const slot = this.slot(name);
    return (machine) => {
      if (!machine.variables.exists(slot)) undefinedVariable(name, at);
      const wanted = value(machine);
      if (typeof wanted !== 'number') machine.charge(stepsToHash(wanted));
      return machine.variables.contains(slot, wanted);
    };
  }

  /** Compiles UNIQUE. Its test never returns false: like checktestdata, it refuses the input, even after a `!`. */
  #unique(names: readonly string[], at: GrammarPlace): Check {
    const slots = names.map((name) => this.slot(name));
    const text = `UNIQUE(${names.join()})`;
    return (machine) => {
      for (const [i, slot] of slots.entries())
        if (!machine.variables.exists(slot)) undefinedVariable(names[i], at);
      machine.charge(machine.variables.size(slots[0]) * slots.length * UNIQUE_COST);
      const difference = findDifference(machine.variables, slots);
      if (difference !== null) machine.refuse(`${text} to have equal indices`, difference, null, at);
      const repeated = findRepeated(machine, slots);
      if (repeated !== null) machine.refuse(`${text} to be true`, `${repeated} twice`, null, at);
      return true;
    };
  }
}

type LoopStep = (machine: GrammarMachine, iteration: number) => void;

/** Describes an index that exists in one of the variables but not in another; null if all have the same indices. */
function findDifference(variables: GrammarVariables, slots: readonly number[]): string | null {
  const [first, ...others] = slots;
  if (others.length === 0) return null;
  if (others.some((slot) => variables.size(slot) !== variables.size(first)))
    return 'arrays of different sizes';
  for (const [key] of variables.entries(first))
    if (others.some((slot) => variables.get(slot, key) === undefined))
      return `no index ${showElementKey(key)} in one of them`;
  return null;
}

/** Describes a tuple of values that stands at two indices; null if all tuples are different. */
function findRepeated({ variables, charge }: GrammarMachine, slots: readonly number[]): string | null {
  const seen = new Set<string | number>();
  for (const [index, value] of variables.entries(slots[0])) {
    const tuple = slots.length === 1 ? [value] : slots.map((slot) => variables.get(slot, index)!);
    for (const each of tuple) if (typeof each !== 'number') charge(stepsToHash(each));
    const key = tupleKey(tuple);
    if (seen.has(key)) return tuple.map(showGrammarValue).join();
    seen.add(key);
  }
  return null;
}

function tupleKey(tuple: readonly GrammarValue[]): string | number {
  if (tuple.length === 1) return keyOfValue(tuple[0]);
  return tuple.map((value) => `${String(keyOfValue(value)).length}:${keyOfValue(value)}`).join();
}

function undefinedVariable(name: string, at: GrammarPlace): never {
  throw new RuntimeFailure(at, 'a variable that has a value', name);
}

/** Evaluates an expression without variables only once. */
function constantIf(
  expression: GrammarExpression,
  evaluate: CompiledGrammarExpression,
): CompiledGrammarExpression {
  if (!isConstant(expression)) return evaluate;
  let value: GrammarValue | undefined;
  return (scope) => {
    value ??= evaluate(scope);
    return value;
  };
}

function isConstant(expression: GrammarExpression): boolean {
  const isCalculated = expression.kind === 'binary' || expression.kind === 'negate';
  if (isCalculated) return (operandsOf(expression) as readonly GrammarExpression[]).every(isConstant);
  return expression.kind === 'integer' || expression.kind === 'float';
}

/** The number of operands and operators that take about as long as the rest of a command. */
const OPERANDS_PER_STEP = 8;

/** Returns the number of steps that one run of the block takes at most, not counting those of the loops in it. */
function countSteps(commands: readonly GrammarCommand[]): number {
  let count = 0;
  for (const command of commands) {
    count += 1 + Math.floor(countOperands(command) / OPERANDS_PER_STEP);
    if (command.kind === 'if') count += countSteps(command.then) + countSteps(command.otherwise);
  }
  return count;
}

/** Returns the number of operands and operators of a command or an expression, not counting those of commands in blocks. */
function countOperands(node: unknown): number {
  if (Array.isArray(node)) return node.reduce<number>((sum, each) => sum + countOperands(each), 0);
  if (typeof node !== 'object' || node === null) return 0;
  let count = 1;
  for (const [name, part] of Object.entries(node))
    if (!['at', 'body', 'then', 'otherwise', 'separator'].includes(name)) count += countOperands(part);
  return count;
}
