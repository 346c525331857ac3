/**
 * Narrows domains by conditions: each condition narrows the domains of its values until none changes. For one condition, the
 * domains of its terms are calculated from the values up, and narrowed from the top down ("HC4" in F. Benhamou and others,
 * "Revising hull and box consistency", 1999).
 */
import type { Comparison } from '../../language/exact.js';
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

/** How often all conditions are looked at until no domain changes. */
const MAX_ROUNDS = 8;

/** A calculation with values of which only the domains are known. Each has a slot. */
export type Term =
  | { readonly kind: 'slot'; readonly slot: number }
  | { readonly kind: 'negate'; readonly operand: Term }
  | { readonly kind: '+' | '*' | '%'; readonly left: Term; readonly right: Term }
  | { readonly kind: 'unknown' };

/** What must hold for the values in the slots. */
export type Condition =
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly left: Term; readonly right: Term }
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'unknown' };

/** Narrows domains until conditions hold as far as domains can say. */
export class Narrower {
  readonly #domains: Domain[];
  #hasChanged = false;

  /** The domains are changed. */
  constructor(domains: Domain[]) {
    this.#domains = domains;
  }

  /** Returns whether each domain still has a value. */
  hold(conditions: readonly Condition[]): boolean {
    const most = MAX_ROUNDS * conditions.length;
    for (let looks = 0, unchanged = 0; looks < most && unchanged < conditions.length; looks++) {
      this.#hasChanged = false;
      if (!this.#tryToRequire(conditions[looks % conditions.length])) return false;
      unchanged = this.#hasChanged ? 0 : unchanged + 1;
    }
    return true;
  }

  /** Whether the condition holds for all values of the domains. Only a bound of what is read can be found out. */
  isCertain(condition: Condition): boolean {
    if (condition.kind !== 'compare' || condition.operator !== '<=') return false;
    const [low, high] = [this.#evaluate(condition.left), this.#evaluate(condition.right)];
    return typeof low !== 'string' && typeof high !== 'string' && order(low.high, high.low) <= 0;
  }

  narrow(slot: number, domain: Domain): boolean {
    const old = this.#domains[slot];
    if (old === domain || contains(domain, old)) return true;
    const left = meet(old, domain);
    if (left === null) return false;
    this.#replace(slot, left);
    return true;
  }

  #replace(slot: number, domain: Domain): void {
    if (isEqual(domain, this.#domains[slot])) return;
    this.#domains[slot] = domain;
    this.#hasChanged = true;
  }

  /** Whoever draws meets an error of the condition, such as a number that is too large, when an ASSERT runs. */
  #tryToRequire(condition: Condition): boolean {
    try {
      return this.#require(condition);
    } catch (error) {
      if (error instanceof RuntimeFailure) return true;
      throw error;
    }
  }

  #require(condition: Condition): boolean {
    switch (condition.kind) {
      case 'and':
        return this.#require(condition.left) && this.#require(condition.right);
      case 'or':
        return this.#requireOne(condition.left, condition.right);
      case 'compare':
        return this.#requireComparison(condition);
      case 'unknown':
        return true;
    }
  }

  /** Leaves what one of the conditions leaves or the other. */
  #requireOne(left: Condition, right: Condition): boolean {
    const domains = [left, right].flatMap((condition) => {
      const narrower = new Narrower([...this.#domains]);
      return narrower.#require(condition) ? [narrower.#domains] : [];
    });
    if (domains.length === 0) return false;
    const [one, other = one] = domains;
    for (const [slot, domain] of one.entries())
      if (domain !== this.#domains[slot]) this.#replace(slot, join(domain, other[slot]));
    return true;
  }

  #requireComparison({ operator, left, right }: Extract<Condition, { kind: 'compare' }>): boolean {
    const [one, other] = [this.#evaluate(left), this.#evaluate(right)];
    switch (operator) {
      case '==': {
        const both = meet(one, other);
        return both !== null && this.#assign(left, both) && this.#assign(right, both);
      }
      case '!=': {
        const [first, second] = [without(one, other), without(other, one)];
        return first !== null && second !== null && this.#assign(left, first) && this.#assign(right, second);
      }
      case '<':
      case '<=':
        return this.#requireOrder(left, right, operator === '<');
      case '>':
      case '>=':
        return this.#requireOrder(right, left, operator === '>');
    }
  }

  #requireOrder(small: Term, large: Term, isStrict: boolean): boolean {
    const [low, high] = [this.#evaluate(small), this.#evaluate(large)];
    if (typeof low === 'string' || typeof high === 'string') return true;
    if (order(low.low, high.high) > (isStrict ? -1 : 0)) return false;
    const isTight = isStrict && low.step !== null && high.step !== null;
    return this.#assign(small, below(high, isTight)) && this.#assign(large, above(low, isTight));
  }

  #evaluate(term: Term): Domain {
    if (term.kind === 'slot') return this.#domains[term.slot];
    return term.kind === 'unknown' ? ANYTHING : this.#calculate(term);
  }

  #number(term: Term): NumberDomain {
    const domain = this.#evaluate(term);
    return typeof domain === 'string' ? ANYTHING : domain;
  }

  #calculate(term: Exclude<Term, { kind: 'slot' | 'unknown' }>): NumberDomain {
    if (term.kind === 'negate') return negated(this.#number(term.operand));
    const [left, right] = [this.#number(term.left), this.#number(term.right)];
    if (term.kind === '+') return sumOf(left, right);
    return term.kind === '*' ? productOf(left, right) : remainderOf(left, right);
  }

  /** Narrows the variables of the term so that its value is in the domain. */
  #assign(term: Term, domain: Domain): boolean {
    if (term.kind === 'unknown') return true;
    if (term.kind === 'slot') return this.narrow(term.slot, domain);
    const result = meet(domain, this.#calculate(term));
    if (result === null || typeof result === 'string') return false;
    if (term.kind === 'negate') return this.#assign(term.operand, negated(result));
    const { left, right } = term;
    switch (term.kind) {
      case '+':
        return (
          this.#assign(left, sumOf(result, negated(this.#number(right)))) &&
          this.#assign(right, sumOf(result, negated(this.#number(left))))
        );
      case '*':
        return (
          this.#assign(left, cofactors(result, this.#number(right), this.#number(left))) &&
          this.#assign(right, cofactors(result, this.#number(left), this.#number(right)))
        );
      case '%':
        return this.#assign(left, dividends(result, this.#number(right)) ?? ANYTHING);
    }
  }
}
