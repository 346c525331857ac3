/**
 * Narrows domains by constraints: each constraint narrows the domains of its values until none changes ("bounds propagation";
 * C. Bessiere, "Constraint Propagation", 2006). An expression is divided into constraints of one operator each, which stand in
 * the order in which it is calculated.
 */
import { RuntimeFailure } from '../language/values.js';
import {
  ANYTHING,
  above,
  below,
  cofactors,
  contains,
  type Domain,
  dividends,
  isEqual,
  join,
  meet,
  type NumberDomain,
  negated,
  order,
  productOf,
  remainderOf,
  sumOf,
  without,
} from './domain.js';

/** How often all constraints are looked at until no domain changes. */
const MAX_ROUNDS = 8;

/** What must hold for values of which only the domains are known. Each value has a slot. */
export type Constraint =
  /** The last value is what the operator makes of the first two. */
  | { readonly kind: '+' | '*' | '%'; readonly slots: readonly [number, number, number] }
  | { readonly kind: '==' | '!=' | '<' | '<='; readonly slots: readonly [number, number] }
  /** One of the sides holds. `slots` are those of both. */
  | {
      readonly kind: 'or';
      readonly slots: readonly number[];
      readonly sides: readonly (readonly Constraint[])[];
    };

/** Narrows domains until constraints hold as far as domains can say. */
export class Narrower {
  readonly #domains: Domain[];
  /** The slots whose domains have changed in this round. */
  #changed = new Set<number>();

  /** The domains are changed. */
  constructor(domains: Domain[]) {
    this.#domains = domains;
  }

  /** Returns whether each domain still has a value. */
  hold(constraints: readonly Constraint[]): boolean {
    let changed: ReadonlySet<number> | null = null;
    for (let round = 0; round < MAX_ROUNDS && changed?.size !== 0; round++) {
      const before = changed;
      this.#changed = new Set();
      const isOpen = (slot: number) => before === null || before.has(slot) || this.#changed.has(slot);
      // From what is calculated with to what is calculated, and then back.
      for (const constraint of round % 2 === 0 ? constraints : constraints.toReversed())
        if (constraint.slots.some(isOpen) && !this.#tryToRequire(constraint)) return false;
      changed = this.#changed;
    }
    return true;
  }

  /** Whether the constraint holds for all values of the domains. Only a bound of what is read can be found out. */
  isCertain(constraint: Constraint): boolean {
    if (constraint.kind !== '<=') return false;
    const [low, high] = constraint.slots.map((slot) => this.#domains[slot]);
    return typeof low !== 'string' && typeof high !== 'string' && order(low.high, high.low) <= 0;
  }

  /** Whoever draws meets an error of the constraint, such as a number that is too large, when an ASSERT runs. */
  #tryToRequire(constraint: Constraint): boolean {
    try {
      return this.#require(constraint);
    } catch (error) {
      if (error instanceof RuntimeFailure) return true;
      throw error;
    }
  }

  #require(constraint: Constraint): boolean {
    switch (constraint.kind) {
      case 'or':
        return this.#requireOne(constraint.sides);
      case '+':
      case '*':
      case '%':
        return this.#calculate(constraint.kind, ...constraint.slots);
      default:
        return this.#compare(constraint.kind, ...constraint.slots);
    }
  }

  /** Leaves what one of the sides leaves or another. */
  #requireOne(sides: readonly (readonly Constraint[])[]): boolean {
    const left = sides.flatMap((side) => {
      const narrower = new Narrower([...this.#domains]);
      return narrower.hold(side) ? [narrower.#domains] : [];
    });
    if (left.length === 0) return false;
    for (const [slot, old] of this.#domains.entries())
      if (left.every((domains) => domains[slot] !== old))
        this.#replace(slot, left.map((domains) => domains[slot]).reduce(join));
    return true;
  }

  #calculate(operator: '+' | '*' | '%', left: number, right: number, result: number): boolean {
    const [one, other] = [this.#number(left), this.#number(right)];
    switch (operator) {
      case '+':
        return (
          this.narrow(result, sumOf(one, other)) &&
          this.narrow(left, sumOf(this.#number(result), negated(other))) &&
          this.narrow(right, sumOf(this.#number(result), negated(this.#number(left))))
        );
      case '*':
        return (
          this.narrow(result, productOf(one, other)) &&
          this.narrow(left, cofactors(this.#number(result), other, one)) &&
          this.narrow(right, cofactors(this.#number(result), this.#number(left), other))
        );
      case '%':
        return (
          this.narrow(result, remainderOf(one, other)) &&
          this.narrow(left, dividends(this.#number(result), other) ?? ANYTHING)
        );
    }
  }

  #compare(operator: '==' | '!=' | '<' | '<=', left: number, right: number): boolean {
    const [one, other] = [this.#domains[left], this.#domains[right]];
    switch (operator) {
      case '==':
        return this.narrow(left, other) && this.narrow(right, this.#domains[left]);
      case '!=': {
        const [first, second] = [without(one, other), without(other, one)];
        return first !== null && second !== null && this.narrow(left, first) && this.narrow(right, second);
      }
      case '<':
      case '<=': {
        if (typeof one === 'string' || typeof other === 'string') return true;
        const isStrict = operator === '<';
        if (order(one.low, other.high) > (isStrict ? -1 : 0)) return false;
        const isTight = isStrict && one.step !== null && other.step !== null;
        return this.narrow(left, below(other, isTight)) && this.narrow(right, above(one, isTight));
      }
    }
  }

  #number(slot: number): NumberDomain {
    const domain = this.#domains[slot];
    return typeof domain === 'string' ? ANYTHING : domain;
  }

  /** Leaves in the slot what is in the domain, too. Returns false if that is nothing. */
  narrow(slot: number, domain: Domain): boolean {
    const old = this.#domains[slot];
    if (old === domain || contains(domain, old)) return true;
    const left = meet(old, domain);
    if (left !== null) this.#replace(slot, left);
    return left !== null;
  }

  #replace(slot: number, domain: Domain): void {
    if (isEqual(domain, this.#domains[slot])) return;
    this.#domains[slot] = domain;
    this.#changed.add(slot);
  }
}
