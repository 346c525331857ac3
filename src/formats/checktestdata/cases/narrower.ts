/**
 * Narrows domains by constraints: each constraint narrows the domains of its values until no domain changes ("bounds
 * propagation"; C. Bessiere, "Constraint Propagation", 2006). An expression becomes several constraints of one operator each,
 * in the order in which they are calculated.
 */
import { RuntimeFailure } from '../language/values.js';
import {
  ANY_VALUE_DOMAIN,
  areDomainsEqual,
  cofactorDomain,
  compareBounds,
  containsDomain,
  dividendsWithRemainder,
  domainAbove,
  domainBelow,
  domainWithoutValue,
  joinDomains,
  meetDomains,
  type NumberDomain,
  negatedDomain,
  productDomain,
  remainderDomain,
  sumDomain,
  type ValueDomain,
} from './domain.js';

/** The largest number of rounds, in each of which all constraints are applied once. */
const MAX_ROUNDS = 8;

/** A condition on values of which only the domains are known. Each value has a slot. */
export type DomainConstraint =
  /** An operator applied to the first two values gives the last value. */
  | { readonly kind: '+' | '*' | '%'; readonly slots: readonly [number, number, number] }
  | { readonly kind: '==' | '!=' | '<' | '<='; readonly slots: readonly [number, number] }
  /** At least one of the sides holds. `slots` are the slots of all sides. */
  | {
      readonly kind: 'or';
      readonly slots: readonly number[];
      readonly sides: readonly (readonly DomainConstraint[])[];
    };

/** Narrows domains by constraints, as far as domains can express them. */
export class DomainNarrower {
  readonly #domains: ValueDomain[];
  /** The slots whose domains have changed in the current round. */
  #changed = new Set<number>();

  /** The narrower changes `domains` in place. */
  constructor(domains: ValueDomain[]) {
    this.#domains = domains;
  }

  /** Narrows the domains by all constraints. Returns false if a domain becomes empty. */
  hold(constraints: readonly DomainConstraint[]): boolean {
    let changed: ReadonlySet<number> | null = null;
    for (let round = 0; round < MAX_ROUNDS && changed?.size !== 0; round++) {
      const before = changed;
      this.#changed = new Set();
      const isOpen = (slot: number) => before === null || before.has(slot) || this.#changed.has(slot);
      // Even rounds go from operands to results, odd rounds from results to operands.
      for (const constraint of round % 2 === 0 ? constraints : constraints.toReversed())
        if (constraint.slots.some(isOpen) && !this.#tryToRequire(constraint)) return false;
      changed = this.#changed;
    }
    return true;
  }

  /** Whether a constraint `<=` holds for all values of the domains. For other constraints, the answer is always false. */
  isCertain(constraint: DomainConstraint): boolean {
    if (constraint.kind !== '<=') return false;
    const [low, high] = constraint.slots.map((slot) => this.#domains[slot]);
    return typeof low !== 'string' && typeof high !== 'string' && compareBounds(low.high, high.low) <= 0;
  }

  /** Narrows by one constraint. An error, such as a number that is too large, is ignored: the ASSERT will report it. */
  #tryToRequire(constraint: DomainConstraint): boolean {
    try {
      return this.#require(constraint);
    } catch (error) {
      if (error instanceof RuntimeFailure) return true;
      throw error;
    }
  }

  #require(constraint: DomainConstraint): boolean {
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

  /** Narrows domains to the values that at least one of the sides allows. */
  #requireOne(sides: readonly (readonly DomainConstraint[])[]): boolean {
    const left = sides.flatMap((side) => {
      const narrower = new DomainNarrower([...this.#domains]);
      return narrower.hold(side) ? [narrower.#domains] : [];
    });
    if (left.length === 0) return false;
    for (const [slot, old] of this.#domains.entries())
      if (left.every((domains) => domains[slot] !== old))
        this.#replace(slot, left.map((domains) => domains[slot]).reduce(joinDomains));
    return true;
  }

  #calculate(operator: '+' | '*' | '%', left: number, right: number, result: number): boolean {
    const [one, other] = [this.#number(left), this.#number(right)];
    switch (operator) {
      case '+':
        return (
          this.narrow(result, sumDomain(one, other)) &&
          this.narrow(left, sumDomain(this.#number(result), negatedDomain(other))) &&
          this.narrow(right, sumDomain(this.#number(result), negatedDomain(this.#number(left))))
        );
      case '*':
        return (
          this.narrow(result, productDomain(one, other)) &&
          this.narrow(left, cofactorDomain(this.#number(result), other, one)) &&
          this.narrow(right, cofactorDomain(this.#number(result), this.#number(left), other))
        );
      case '%':
        return (
          this.narrow(result, remainderDomain(one, other)) &&
          this.narrow(left, dividendsWithRemainder(this.#number(result), other) ?? ANY_VALUE_DOMAIN)
        );
    }
  }

  #compare(operator: '==' | '!=' | '<' | '<=', left: number, right: number): boolean {
    const [one, other] = [this.#domains[left], this.#domains[right]];
    switch (operator) {
      case '==':
        return this.narrow(left, other) && this.narrow(right, this.#domains[left]);
      case '!=': {
        const [first, second] = [domainWithoutValue(one, other), domainWithoutValue(other, one)];
        return first !== null && second !== null && this.narrow(left, first) && this.narrow(right, second);
      }
      case '<':
      case '<=': {
        if (typeof one === 'string' || typeof other === 'string') return true;
        const isStrict = operator === '<';
        if (compareBounds(one.low, other.high) > (isStrict ? -1 : 0)) return false;
        const isTight = isStrict && one.step !== null && other.step !== null;
        return (
          this.narrow(left, domainBelow(other, isTight)) && this.narrow(right, domainAbove(one, isTight))
        );
      }
    }
  }

  #number(slot: number): NumberDomain {
    const domain = this.#domains[slot];
    return typeof domain === 'string' ? ANY_VALUE_DOMAIN : domain;
  }

  /** Removes from the domain of a slot the values outside `domain`. Returns false if no value is left. */
  narrow(slot: number, domain: ValueDomain): boolean {
    const old = this.#domains[slot];
    if (old === domain || containsDomain(domain, old)) return true;
    const left = meetDomains(old, domain);
    if (left !== null) this.#replace(slot, left);
    return left !== null;
  }

  #replace(slot: number, domain: ValueDomain): void {
    if (areDomainsEqual(domain, this.#domains[slot])) return;
    this.#domains[slot] = domain;
    this.#changed.add(slot);
  }
}
