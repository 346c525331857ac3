/**
 * Compiles expressions over the integers of a head and a case into functions. The values of these integers are in an
 * environment: an array with one slot for each name, which a reader fills while it reads.
 */
import { calculateBigints, SAFE_OPERATIONS, safeOrNaN, toBigInt } from '../language/exact.js';
import { constantValue, type NameInExpression } from '../language/expression.js';
import type { Bound, Expression } from '../language/tree.js';

export type SlotValues = Float64Array;
/** Returns the value of an expression: NaN if there is none (`n / 0`), and a number beyond 2^53 if it is not a safe integer. */
export type CompiledExpression = (environment: SlotValues) => number;
/** Returns the value of an expression; null if it has no value. */
export type CompiledLargeBound = (environment: SlotValues) => bigint | null;

/** The names that an expression may use, and their slots in the environment. An inner scope includes the names of `outer`. */
export class SlotScope {
  readonly #slots = new Map<string, number>();
  readonly #outer: SlotScope | null;
  readonly #total: { slots: number; readonly named: Set<number> };

  constructor(outer: SlotScope | null = null) {
    this.#outer = outer;
    this.#total = outer === null ? { slots: 0, named: new Set() } : outer.#total;
  }

  /** Adds a name and returns its slot. */
  declare(name: string): number {
    const slot = this.#total.slots++;
    this.#slots.set(name, slot);
    return slot;
  }

  /** Returns the slot of a name that an expression uses, and remembers that the name is used. */
  find(name: string): number {
    const slot = this.#slots.get(name) ?? this.#outer?.find(name);
    if (slot === undefined)
      throw new Error(`no integer "${name}" is read before the expression that names it`);
    this.#total.named.add(slot);
    return slot;
  }

  /**
   * Whether an expression uses the value in the slot. If so, that value must be a safe integer. The answer is final only when
   * the whole format is compiled, so readers ask while they read.
   */
  isNamed(slot: number): boolean {
    return this.#total.named.has(slot);
  }

  /** Returns an environment with a slot for each name of this scope, of its outer scopes and of all their inner scopes. */
  createEnvironment(): SlotValues {
    return new Float64Array(this.#total.slots);
  }
}

/** Returns the name of the slot that counts the records of a list with a certain tag. */
export function slotNameOfTagCount(list: string, tag: string): string {
  return `count(${list}, ${tag})`;
}

export function compileExpression(expression: Expression, scope: SlotScope): CompiledExpression {
  const evaluate = compileFast(expression, scope);
  if (expression.kind !== 'binary') return evaluate;
  const evaluateExactly = compileExact(expression, scope);
  return (environment) => {
    const value = evaluate(environment);
    return Number.isNaN(value) ? Number(evaluateExactly(environment) ?? Number.NaN) : value;
  };
}

/** Returns a function that evaluates a bound which may be larger than 2^53; null if there is no bound. */
export function compileLargeBound(bound: Bound, scope: SlotScope): CompiledLargeBound | null {
  if (bound === null) return null;
  if (bound.kind === 'large-constant') {
    const value = BigInt(bound.digits);
    return () => value;
  }
  return compileExact(bound, scope);
}

/** Compiles an expression to JavaScript numbers. The result is NaN if an intermediate result is not a safe integer. */
function compileFast(expression: Expression, scope: SlotScope): CompiledExpression {
  if (expression.kind === 'constant') {
    const { value } = expression;
    return () => value;
  }
  if (expression.kind === 'binary') {
    const constant = constantValue(expression);
    if (typeof constant === 'number') return () => constant;
    const left = compileFast(expression.left, scope);
    const right = compileFast(expression.right, scope);
    const combine = SAFE_OPERATIONS[expression.operator];
    return (environment) => safeOrNaN(combine(left(environment), right(environment)));
  }
  const slot = findSlot(expression, scope);
  return (environment) => environment[slot];
}

function compileExact(expression: Expression, scope: SlotScope): CompiledLargeBound {
  if (expression.kind === 'constant') {
    const value = toBigInt(expression.value);
    return () => value;
  }
  if (expression.kind === 'binary') {
    const left = compileExact(expression.left, scope);
    const right = compileExact(expression.right, scope);
    const { operator } = expression;
    return (environment) => {
      const leftValue = left(environment);
      const rightValue = right(environment);
      return leftValue === null || rightValue === null
        ? null
        : calculateBigints(operator, leftValue, rightValue);
    };
  }
  const slot = findSlot(expression, scope);
  return (environment) => toBigInt(environment[slot]);
}

function findSlot(expression: NameInExpression, scope: SlotScope): number {
  return scope.find(slotName(expression));
}

/** Returns the name of the slot for a name in an expression. */
export function slotName(used: NameInExpression): string {
  return used.kind === 'name' ? used.name : slotNameOfTagCount(used.list, used.tag);
}
