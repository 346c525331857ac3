/**
 * Finds which values later ASSERTs allow for a command, so that random inputs need not hit these values by chance: after
 * `INT(1,9,n)`, `ASSERT(STRLEN(s) == n)` decides the length of the text that `REGEX("[a-z]+",s)` reads, and `INT(1,10^9,x)
 * SPACE INT(1,10,y) NEWLINE ASSERT(x == y)` allows ten values for x.
 *
 * The constraints on a value come from the commands that certainly run after its command: from ASSERTs, and from the bounds of
 * values that these commands read. Each value that is not drawn yet has a domain, which the constraints narrow. Every valid
 * input meets the constraints, so no input is lost. They need not be sufficient: the drawer still evaluates each ASSERT.
 */
import type { Comparison, Operator } from '../../language/exact.js';
import type { GrammarCompiler } from '../language/compile.js';
import { assignedNames, namesInExpressions } from '../language/names.js';
import { Regex } from '../language/regex.js';
import type {
  FloatCommand,
  GrammarCommand,
  GrammarCondition,
  GrammarExpression,
  IntCommand,
  RegexCommand,
  VariableExpression,
} from '../language/syntax.js';
import { type GrammarValue, keyOfValue, parseInteger, RuntimeFailure } from '../language/values.js';
import { allGrammarCommands } from '../language/walk.js';
import type { GrammarMachine } from '../reading/machine.js';
import {
  ANY_VALUE_DOMAIN,
  domainOfValue,
  INTEGER_DOMAIN,
  integerDomainBetween,
  type NumberDomain,
  type ValueDomain,
} from './domain.js';
import { MAX_DRAWN_TEXT_BYTES, matchLengthBounds } from './draw-number.js';
import { type DomainConstraint, DomainNarrower } from './narrower.js';

export type ReadingCommand = IntCommand | FloatCommand | RegexCommand;

/** The commands that certainly run after a command, in the blocks around it, as a linked list; null at the end of the list. */
type Continuation = { readonly command: GrammarCommand; readonly next: Continuation } | null;

/** The largest number of later commands from which constraints on a value are made. */
const MAX_COMMANDS = 500;
/** The slots of the value that the command reads, and of the length of that value. */
const VALUE = 0;
const LENGTH = 1;

/** A slot whose value is known before the command runs. `evaluate` returns null if the value is not known in this run. */
interface Known {
  readonly slot: number;
  readonly evaluate: (machine: GrammarMachine) => GrammarValue | null;
}

/** The constraints on the value of one command, prepared once for all runs. */
interface Plan {
  readonly constraints: readonly DomainConstraint[];
  readonly knowns: readonly Known[];
  /** The domains of all slots before the run, when no value is known. */
  readonly domains: readonly ValueDomain[];
}

/** The values that ASSERTs allow for one command in one run. */
export class ValueDemand {
  readonly #constraints: readonly DomainConstraint[];
  readonly #domains: ValueDomain[];

  constructor(constraints: readonly DomainConstraint[], domains: ValueDomain[]) {
    this.#constraints = constraints;
    this.#domains = domains;
  }

  /** The number of constraints. */
  get size(): number {
    return this.#constraints.length;
  }

  /** Narrows all domains by the constraints. Returns false if a domain becomes empty. */
  narrow(): boolean {
    return new DomainNarrower(this.#domains).hold(this.#constraints);
  }

  get value(): ValueDomain {
    return this.#domains[VALUE];
  }

  /** The domain of the length of the text that the command reads. */
  get length(): NumberDomain {
    return this.#domains[LENGTH] as NumberDomain;
  }

  /** Whether the command may take this value: whether all domains of later values keep a value, as far as that can be told. */
  allows(value: GrammarValue): boolean {
    const narrower = new DomainNarrower([...this.#domains]);
    const isText = typeof value === 'string';
    return (
      narrower.narrow(VALUE, domainOfValue(value)) &&
      (!isText || narrower.narrow(LENGTH, domainOfValue(value.length))) &&
      narrower.hold(this.#constraints)
    );
  }
}

/** The demands of a grammar's ASSERTs on the values of its commands. */
export class GrammarDemands {
  readonly #compiler: GrammarCompiler;
  readonly #continuations = new Map<ReadingCommand, Continuation>();
  readonly #plans = new Map<ReadingCommand, Plan | null>();

  constructor(commands: readonly GrammarCommand[], compiler: GrammarCompiler) {
    this.#compiler = compiler;
    this.#collect(commands, null);
  }

  #collect(commands: readonly GrammarCommand[], after: Continuation): void {
    let next = after;
    for (const command of commands.toReversed()) {
      if (command.kind === 'loop') this.#collect(command.body, null);
      if (command.kind === 'if')
        for (const branch of [command.then, command.otherwise]) this.#collect(branch, next);
      if (isReading(command)) this.#continuations.set(command, next);
      next = { command, next };
    }
  }

  /** Returns the demand on a number, or on the length of a text, whose domain is `own`; null if ASSERTs demand nothing. */
  demandOf(command: ReadingCommand, own: NumberDomain, machine: GrammarMachine): ValueDemand | null {
    const plan = this.#planOf(command);
    if (plan === null) return null;
    const domains = [...plan.domains];
    domains[command.kind === 'regex' ? LENGTH : VALUE] = own;
    for (const known of plan.knowns) domains[known.slot] = domainOf(known.evaluate, machine);
    return new ValueDemand(plan.constraints, domains);
  }

  #planOf(command: ReadingCommand): Plan | null {
    let plan = this.#plans.get(command);
    if (plan === undefined) {
      plan = new Planner(this.#compiler, command).plan(this.#continuations.get(command)!);
      this.#plans.set(command, plan);
    }
    return plan;
  }
}

function domainOf(evaluate: Known['evaluate'], machine: GrammarMachine): ValueDomain {
  try {
    const value = evaluate(machine);
    return value === null ? ANY_VALUE_DOMAIN : domainOfValue(value);
  } catch (error) {
    if (error instanceof RuntimeFailure) return ANY_VALUE_DOMAIN;
    throw error;
  }
}

/** Prepares the constraints on the value of one command. */
class Planner {
  readonly #compiler: GrammarCompiler;
  readonly #own: ReadingCommand;
  readonly #domains: ValueDomain[] = [ANY_VALUE_DOMAIN, ANY_VALUE_DOMAIN];
  readonly #knowns: Known[] = [];
  /** The slots of the values that the later commands read or set. */
  readonly #values = new Map<GrammarCommand, number>();
  readonly #lengths = new Map<GrammarCommand, number>();
  /** The commands between the command whose value is constrained and the command that is looked at. */
  readonly #path: GrammarCommand[] = [];
  #constraints: DomainConstraint[] = [];

  constructor(compiler: GrammarCompiler, own: ReadingCommand) {
    this.#compiler = compiler;
    this.#own = own;
    this.#values.set(own, VALUE);
    this.#lengths.set(own, LENGTH);
  }

  /** Returns the plan of the command; null if no later command narrows its value. */
  plan(continuation: Continuation): Plan | null {
    for (let at = continuation; at !== null && this.#path.length < MAX_COMMANDS; at = at.next)
      for (const command of singleAssignments(at.command)) {
        this.#add(command);
        this.#path.push(command);
      }
    const reached = this.#connectedSlots();
    const connected = this.#constraints.filter(({ slots }) => slots.some((slot) => reached.has(slot)));
    if (connected.length === 0) return null;
    // Constraints that do not depend on the run narrow the domains once for all runs.
    const narrower = new DomainNarrower(this.#domains);
    narrower.hold(connected);
    const isOwn = (slot: number) => slot === VALUE || slot === LENGTH;
    const constraints = connected.filter((each) => each.slots.some(isOwn) || !narrower.isCertain(each));
    const needed = new Set(constraints.flatMap(({ slots }) => slots));
    const knowns = this.#knowns.filter(({ slot }) => needed.has(slot));
    return { constraints, knowns, domains: this.#domains };
  }

  /** Returns the slots that constraints connect with the value of the command, except slots whose values are known. */
  #connectedSlots(): ReadonlySet<number> {
    const known = new Set(this.#knowns.map(({ slot }) => slot));
    const reached = new Set([VALUE, LENGTH]);
    for (let size = 0; size < reached.size; ) {
      size = reached.size;
      for (const { slots } of this.#constraints)
        if (slots.some((slot) => reached.has(slot)))
          for (const slot of slots) if (!known.has(slot)) reached.add(slot);
    }
    return reached;
  }

  /** Adds the constraints without which the command fails. */
  #add(command: GrammarCommand): void {
    switch (command.kind) {
      case 'assert':
        this.#require(command.test, true);
        break;
      case 'if':
        this.#requireOfBranch(command.test, command.then, true);
        this.#requireOfBranch(command.test, command.otherwise, false);
        break;
      case 'int':
      case 'float-number': {
        const slot = this.#slotOf(
          this.#values,
          command,
          command.kind === 'int' ? INTEGER_DOMAIN : ANY_VALUE_DOMAIN,
        );
        this.#compare('<=', this.#term(command.min), slot);
        this.#compare('<=', slot, this.#term(command.max));
        break;
      }
      case 'set':
        this.#values.set(command, this.#term(command.assignments[0].value));
        break;
      default:
    }
  }

  /** Adds the constraints of a branch of an IF: its ASSERTs hold, or the branch does not run. */
  #requireOfBranch(test: GrammarCondition, block: readonly GrammarCommand[], isThen: boolean): void {
    const length = this.#path.length;
    for (const command of block) {
      if (command.kind === 'assert') {
        const own = this.#collected(() => this.#require(command.test, true));
        const path = this.#path.splice(length);
        const skipped = this.#collected(() => this.#require(test, !isThen));
        this.#path.push(...path);
        this.#requireOne(skipped, own);
      }
      this.#path.push(command);
    }
    this.#path.length = length;
  }

  /** Returns the constraints that `add` makes. They are not added to the plan. */
  #collected(add: () => void): DomainConstraint[] {
    const others = this.#constraints;
    this.#constraints = [];
    add();
    const collected = this.#constraints;
    this.#constraints = others;
    return collected;
  }

  #requireOne(...sides: readonly (readonly DomainConstraint[])[]): void {
    const slots = sides.flat().flatMap((constraint) => constraint.slots);
    if (sides.every((side) => side.length > 0)) this.#constraints.push({ kind: 'or', slots, sides });
  }

  /** Returns the slot of the value that the command reads, or of the length of that value. */
  #slotOf(slots: Map<GrammarCommand, number>, command: GrammarCommand, domain: ValueDomain): number {
    const slot = slots.get(command) ?? this.#newSlot(domain);
    slots.set(command, slot);
    return slot;
  }

  #newSlot(domain: ValueDomain): number {
    return this.#domains.push(domain) - 1;
  }

  /** Adds the constraints under which the test has this result. */
  #require(test: GrammarCondition, result: boolean): void {
    switch (test.kind) {
      case 'not':
        this.#require(test.operand, !result);
        break;
      case 'and':
      case 'or': {
        const sides = [test.left, test.right].map((side) =>
          this.#collected(() => this.#require(side, result)),
        );
        if ((test.kind === 'and') === result) this.#constraints.push(...sides.flat());
        else this.#requireOne(...sides);
        break;
      }
      case 'compare': {
        const operator = result ? test.operator : OPPOSITES[test.operator];
        this.#compare(operator, this.#term(test.left), this.#term(test.right));
        break;
      }
      default:
    }
  }

  #compare(operator: Comparison, left: number, right: number): void {
    if (operator === '>') this.#compare('<', right, left);
    else if (operator === '>=') this.#compare('<=', right, left);
    else this.#constraints.push({ kind: operator, slots: [left, right] });
  }

  /** Returns the slot of the value of an expression. */
  #term(expression: GrammarExpression): number {
    const constant = constantOf(expression);
    if (constant !== null) return this.#newSlot(constant);
    if (this.#isKnown(expression)) return this.#known(this.#compiler.expression(expression));
    switch (expression.kind) {
      case 'variable':
        return this.#variable(expression);
      case 'length':
        return this.#length(expression.operand);
      case 'negate':
        return this.#difference(this.#newSlot(domainOfValue(0)), this.#term(expression.operand));
      case 'binary':
        return this.#result(expression.operator, this.#term(expression.left), this.#term(expression.right));
      default:
        return this.#newSlot(ANY_VALUE_DOMAIN);
    }
  }

  #result(operator: Operator, left: number, right: number): number {
    if (operator === '-') return this.#difference(left, right);
    const result = this.#newSlot(ANY_VALUE_DOMAIN);
    if (operator !== '/' && operator !== '^')
      this.#constraints.push({ kind: operator, slots: [left, right, result] });
    return result;
  }

  /** Returns the slot of a difference: of the value that gives `from` if it is added to `taken`. */
  #difference(from: number, taken: number): number {
    const difference = this.#newSlot(ANY_VALUE_DOMAIN);
    this.#constraints.push({ kind: '+', slots: [taken, difference, from] });
    return difference;
  }

  #known(evaluate: Known['evaluate']): number {
    const slot = this.#newSlot(ANY_VALUE_DOMAIN);
    this.#knowns.push({ slot, evaluate });
    return slot;
  }

  /** Whether the expression has the same value now and later, where it is evaluated. */
  #isKnown(expression: GrammarExpression): boolean {
    const names = namesInExpressions(expression);
    const own = this.#own.variable?.name;
    return (
      (own === undefined || !names.has(own)) && !this.#path.some((command) => changesOne(command, names))
    );
  }

  #variable(variable: VariableExpression): number {
    const writer = this.#writerOf(variable);
    if (writer !== null) return this.#slotOf(this.#values, writer, ANY_VALUE_DOMAIN);
    return this.#isOtherElement(variable) ? this.#element(variable) : this.#newSlot(ANY_VALUE_DOMAIN);
  }

  #length(text: GrammarExpression): number {
    const writer = text.kind === 'variable' ? this.#writerOf(text) : null;
    if (writer?.kind !== 'regex') return this.#newSlot(ANY_VALUE_DOMAIN);
    return this.#slotOf(this.#lengths, writer, lengthsOf(writer));
  }

  /** Returns the last command that reads or sets the variable; null if it is not certain which command that is. */
  #writerOf(variable: VariableExpression): GrammarCommand | null {
    const names = namesInExpressions(...variable.indices);
    if (names.has(variable.name)) return null;
    for (const command of [...this.#path.toReversed(), this.#own]) {
      const written = writtenBy(command);
      if (written !== null && isSame(written, variable)) return command;
      if (changesOne(command, names) || changesOne(command, new Set([variable.name]))) return null;
    }
    return null;
  }

  /** Whether the variable may be another element of the array whose element the command reads. */
  #isOtherElement(variable: VariableExpression): boolean {
    const own = this.#own.variable;
    return (
      own !== null &&
      own.name === variable.name &&
      own.indices.length > 0 &&
      variable.indices.length > 0 &&
      !namesInExpressions(...variable.indices, ...own.indices).has(own.name) &&
      !this.#path.some((command) => changesOne(command, namesInExpressions(variable)))
    );
  }

  #element(variable: VariableExpression): number {
    const evaluate = this.#compiler.expression(variable);
    const [own, other] = [this.#own.variable!, variable].map(({ indices }) =>
      indices.map((index) => this.#compiler.expression(index)),
    );
    const keysOf = (indices: typeof own, machine: GrammarMachine) =>
      indices.map((index) => keyOfValue(index(machine))).join();
    return this.#known((machine) =>
      keysOf(own, machine) === keysOf(other, machine) ? null : evaluate(machine),
    );
  }
}

const OPPOSITES: Readonly<Record<Comparison, Comparison>> = {
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
  '==': '!=',
  '!=': '==',
};

function constantOf(expression: GrammarExpression): ValueDomain | null {
  if (expression.kind === 'integer') return domainOfValue(parseInteger(expression.digits));
  return expression.kind === 'string' ? expression.text : null;
}

/** Divides a SET of several variables into SETs of one variable each. */
function singleAssignments(command: GrammarCommand): readonly GrammarCommand[] {
  if (command.kind !== 'set') return [command];
  return command.assignments.map((assignment) => ({ ...command, assignments: [assignment] }));
}

/** Returns the variable that the command certainly sets or reads; null if there is none. */
function writtenBy(command: GrammarCommand): VariableExpression | null {
  if (command.kind === 'set') return command.assignments[0].variable;
  return isReading(command) ? command.variable : null;
}

/** Returns the lengths of the texts that can be drawn for a REGEX command. */
function lengthsOf({ pattern }: RegexCommand): NumberDomain {
  if (pattern.kind !== 'string') return integerDomainBetween(0, MAX_DRAWN_TEXT_BYTES);
  const { min, max } = matchLengthBounds(new Regex(pattern.text));
  return integerDomainBetween(min, Math.min(max, Math.max(min, MAX_DRAWN_TEXT_BYTES)));
}

function isReading(command: GrammarCommand): command is ReadingCommand {
  return command.kind === 'int' || command.kind === 'float-number' || command.kind === 'regex';
}

const changes = new WeakMap<GrammarCommand, ReadonlySet<string>>();

function changesOne(command: GrammarCommand, names: ReadonlySet<string>): boolean {
  let changed = changes.get(command);
  if (changed === undefined) {
    const unset = allGrammarCommands([command]).flatMap((each) => (each.kind === 'unset' ? each.names : []));
    changed = new Set([...assignedNames([command]), ...unset]);
    changes.set(command, changed);
  }
  return [...names].some((name) => changed.has(name));
}

/** Whether two variables are written in the same way: `a[i+1]` is the same as `a[i + 1]`. */
function isSame(one: VariableExpression, other: VariableExpression): boolean {
  return one.name === other.name && textOf(one) === textOf(other);
}

function textOf(expression: GrammarExpression): string {
  return JSON.stringify(expression, (key, value: unknown) => (key === 'at' ? null : value));
}
