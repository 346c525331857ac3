/**
 * Finds what ASSERTs leave for the value that a command reads, so that whoever draws an input need not wait for chance to
 * find it: after `INT(1,9,n)`, `ASSERT(STRLEN(s) == n)` decides the length of the text that `REGEX("[a-z]+",s)` reads, and
 * `INT(1,10^9,x) SPACE INT(1,10,y) NEWLINE ASSERT(x == y)` leaves ten values for x.
 *
 * The commands that certainly run after a command say what must hold: ASSERTs, and the bounds of what they read. Values that
 * are not read yet have domains, which the conditions narrow. A condition is necessary, so a draw that obeys it loses no
 * input. It need not be sufficient: whoever draws still evaluates each ASSERT.
 */
import type { Comparison } from '../../language/exact.js';
import type { Compiler } from '../language/compile.js';
import { assignedNames, namesIn } from '../language/names.js';
import { Regex } from '../language/regex.js';
import type {
  Command,
  Expression,
  FloatCommand,
  IntCommand,
  RegexCommand,
  Test,
  VariableExpression,
} from '../language/syntax.js';
import { keyOf, parseInteger, RuntimeFailure, type Value } from '../language/values.js';
import { allCommands } from '../language/walk.js';
import type { Machine } from '../reading/machine.js';
import { ANYTHING, type Domain, type NumberDomain, pointOf, WHOLE_NUMBERS, wholeBetween } from './domain.js';
import { lengthBounds, MAX_TEXT_OF_LENGTH } from './draw-number.js';
import { type Condition, Narrower, type Term } from './narrower.js';

export type ReadingCommand = IntCommand | FloatCommand | RegexCommand;

/** The commands that certainly run after a command, as far as they stand in the blocks around it; null: none. */
type Continuation = { readonly command: Command; readonly next: Continuation } | null;

/** Conditions are made from at most this many commands after a command. */
const MAX_COMMANDS = 500;
/** The slots of the value that the command reads, and of its length. */
const VALUE = 0;
const LENGTH = 1;

const UNKNOWN = { kind: 'unknown' } as const;

/** A slot whose value is known before the command runs. Null: it is not known this time. */
interface Known {
  readonly slot: number;
  readonly evaluate: (machine: Machine) => Value | null;
}

/** What must hold after a command. */
interface Plan {
  readonly conditions: readonly Condition[];
  readonly knowns: readonly Known[];
  /** The domains of all slots before anything is known. */
  readonly domains: readonly Domain[];
}

/** What ASSERTs leave for the value of a command. */
export class Demand {
  readonly #conditions: readonly Condition[];
  readonly #domains: Domain[];

  constructor(conditions: readonly Condition[], domains: Domain[]) {
    this.#conditions = conditions;
    this.#domains = domains;
  }

  /** The number of conditions. */
  get size(): number {
    return this.#conditions.length;
  }

  /** Leaves in all domains what the conditions leave. Returns false if there is a domain without a value then. */
  narrow(): boolean {
    return new Narrower(this.#domains).hold(this.#conditions);
  }

  get value(): Domain {
    return this.#domains[VALUE];
  }

  /** The length of the text that the command reads. */
  get length(): NumberDomain {
    return this.#domains[LENGTH] as NumberDomain;
  }

  /** Whether anything is left for the values that are not read yet, as far as their domains say. */
  allows(value: Value): boolean {
    const narrower = new Narrower([...this.#domains]);
    const isText = typeof value === 'string';
    return (
      narrower.narrow(VALUE, pointOf(value)) &&
      (!isText || narrower.narrow(LENGTH, pointOf(value.length))) &&
      narrower.hold(this.#conditions)
    );
  }
}

/** What the ASSERTs of a grammar demand of its commands. */
export class Demands {
  readonly #compiler: Compiler;
  readonly #continuations = new Map<ReadingCommand, Continuation>();
  readonly #plans = new Map<ReadingCommand, Plan | null>();

  constructor(commands: readonly Command[], compiler: Compiler) {
    this.#compiler = compiler;
    this.#collect(commands, null);
  }

  #collect(commands: readonly Command[], after: Continuation): void {
    let next = after;
    for (const command of commands.toReversed()) {
      if (command.kind === 'loop') this.#collect(command.body, null);
      if (command.kind === 'if')
        for (const branch of [command.then, command.otherwise]) this.#collect(branch, next);
      if (isReading(command)) this.#continuations.set(command, next);
      next = { command, next };
    }
  }

  /** The demand on the number, or on the length of the text, whose domain is `own`. Null: there is none. */
  demandOf(command: ReadingCommand, own: NumberDomain, machine: Machine): Demand | null {
    const plan = this.#planOf(command);
    if (plan === null) return null;
    const domains = [...plan.domains];
    domains[command.kind === 'regex' ? LENGTH : VALUE] = own;
    for (const known of plan.knowns) domains[known.slot] = domainOf(known.evaluate, machine);
    return new Demand(plan.conditions, domains);
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

function domainOf(evaluate: Known['evaluate'], machine: Machine): Domain {
  try {
    const value = evaluate(machine);
    return value === null ? ANYTHING : pointOf(value);
  } catch (error) {
    if (error instanceof RuntimeFailure) return ANYTHING;
    throw error;
  }
}

/** Makes the plan of one command. */
class Planner {
  readonly #compiler: Compiler;
  readonly #own: ReadingCommand;
  readonly #domains: Domain[] = [ANYTHING, ANYTHING];
  readonly #knowns: Known[] = [];
  /** The slots of what is read or set after the command. */
  readonly #values = new Map<Command, number>();
  readonly #lengths = new Map<Command, number>();
  /** The commands between the command and the one that is planned for. */
  readonly #path: Command[] = [];
  readonly #conditions: { readonly condition: Condition; readonly slots: ReadonlySet<number> }[] = [];
  /** The slots of the condition that is being made. */
  #slots = new Set<number>();

  constructor(compiler: Compiler, own: ReadingCommand) {
    this.#compiler = compiler;
    this.#own = own;
    this.#values.set(own, VALUE);
    this.#lengths.set(own, LENGTH);
  }

  /** Null: nothing that follows narrows what the command reads. */
  plan(continuation: Continuation): Plan | null {
    for (let at = continuation; at !== null && this.#path.length < MAX_COMMANDS; at = at.next)
      for (const command of singleAssignments(at.command)) {
        this.#add(command);
        this.#path.push(command);
      }
    const reached = this.#connectedSlots();
    const connected = this.#conditions.filter(({ slots }) => [...slots].some((slot) => reached.has(slot)));
    if (connected.length === 0) return null;
    // What does not depend on the run is narrowed once.
    const narrower = new Narrower(this.#domains);
    narrower.hold(connected.map(({ condition }) => condition));
    const uncertain = connected.filter(
      ({ condition, slots }) => slots.has(VALUE) || slots.has(LENGTH) || !narrower.isCertain(condition),
    );
    const needed = new Set(uncertain.flatMap(({ slots }) => [...slots]));
    return {
      conditions: uncertain.map(({ condition }) => condition),
      knowns: this.#knowns.filter(({ slot }) => needed.has(slot)),
      domains: this.#domains,
    };
  }

  /** The slots, without known ones, that conditions connect with what the command reads. */
  #connectedSlots(): ReadonlySet<number> {
    const known = new Set(this.#knowns.map(({ slot }) => slot));
    const reached = new Set([VALUE, LENGTH]);
    for (let size = 0; size < reached.size; ) {
      size = reached.size;
      for (const { slots } of this.#conditions)
        if ([...slots].some((slot) => reached.has(slot)))
          for (const slot of slots) if (!known.has(slot)) reached.add(slot);
    }
    return reached;
  }

  /** Adds what must hold for the command to succeed. */
  #add(command: Command): void {
    switch (command.kind) {
      case 'assert':
        this.#demand(() => this.#condition(command.test, true));
        break;
      case 'if':
        for (const [block, isThen] of [
          [command.then, true],
          [command.otherwise, false],
        ] as const)
          this.#addBranch(command.test, block, isThen);
        break;
      case 'int':
      case 'float-number': {
        const read = this.#slotOf(command);
        this.#demand(() => comparison('<=', this.#term(command.min), read()));
        this.#demand(() => comparison('<=', read(), this.#term(command.max)));
        break;
      }
      case 'set': {
        const [{ value }] = command.assignments;
        const set = this.#slotOf(command);
        this.#demand(() => comparison('==', set(), this.#term(value)));
        break;
      }
      default:
    }
  }

  /** The ASSERTs of a branch of an IF hold, or its test is false. */
  #addBranch(test: Test, block: readonly Command[], isThen: boolean): void {
    const length = this.#path.length;
    for (const command of block) {
      if (command.kind === 'assert')
        this.#demand(() => {
          const own = this.#condition(command.test, true);
          const path = this.#path.splice(length);
          const skipped = this.#condition(test, !isThen);
          this.#path.push(...path);
          return { kind: 'or', left: skipped, right: own };
        });
      this.#path.push(command);
    }
    this.#path.length = length;
  }

  #demand(make: () => Condition): void {
    this.#slots = new Set();
    const condition = make();
    this.#conditions.push({ condition, slots: this.#slots });
  }

  /** The term of what the command reads or sets. */
  #slotOf(command: Command): () => Term {
    return () => this.#slotTerm(this.#values, command, startOf(command));
  }

  #slotTerm(slots: Map<Command, number>, command: Command, domain: Domain): Term {
    let slot = slots.get(command);
    if (slot === undefined) {
      slot = this.#newSlot(domain);
      slots.set(command, slot);
    }
    this.#slots.add(slot);
    return { kind: 'slot', slot };
  }

  #newSlot(domain: Domain): number {
    return this.#domains.push(domain) - 1;
  }

  /** The condition that the test has this result. */
  #condition(test: Test, result: boolean): Condition {
    switch (test.kind) {
      case 'not':
        return this.#condition(test.operand, !result);
      case 'and':
      case 'or': {
        const [left, right] = [this.#condition(test.left, result), this.#condition(test.right, result)];
        return { kind: (test.kind === 'and') === result ? 'and' : 'or', left, right };
      }
      case 'compare': {
        const operator = result ? test.operator : OPPOSITES[test.operator];
        return comparison(operator, this.#term(test.left), this.#term(test.right));
      }
      default:
        return UNKNOWN;
    }
  }

  #term(expression: Expression): Term {
    const constant = constantOf(expression);
    if (constant !== null) return { kind: 'slot', slot: this.#newSlot(constant) };
    if (this.#isKnown(expression)) return this.#knownTerm(this.#compiler.expression(expression));
    switch (expression.kind) {
      case 'variable':
        return this.#variable(expression);
      case 'length':
        return expression.operand.kind === 'variable' ? this.#length(expression.operand) : UNKNOWN;
      case 'negate':
        return { kind: 'negate', operand: this.#term(expression.operand) };
      case 'binary': {
        const [left, right] = [this.#term(expression.left), this.#term(expression.right)];
        const { operator } = expression;
        if (operator === '-') return { kind: '+', left, right: { kind: 'negate', operand: right } };
        return operator === '/' || operator === '^' ? UNKNOWN : { kind: operator, left, right };
      }
      default:
        return UNKNOWN;
    }
  }

  #knownTerm(evaluate: Known['evaluate']): Term {
    const slot = this.#newSlot(ANYTHING);
    this.#knowns.push({ slot, evaluate });
    this.#slots.add(slot);
    return { kind: 'slot', slot };
  }

  /** Whether the value is the same now and when the command runs that is planned for. */
  #isKnown(expression: Expression): boolean {
    const names = namesIn(expression);
    const own = this.#own.variable?.name;
    return (
      (own === undefined || !names.has(own)) && !this.#path.some((command) => changesOne(command, names))
    );
  }

  #variable(variable: VariableExpression): Term {
    const writer = this.#writerOf(variable);
    if (writer !== null) return this.#slotOf(writer)();
    return this.#isOtherElement(variable) ? this.#element(variable) : UNKNOWN;
  }

  #length(variable: VariableExpression): Term {
    const writer = this.#writerOf(variable);
    return writer?.kind === 'regex' ? this.#slotTerm(this.#lengths, writer, lengthsOf(writer)) : UNKNOWN;
  }

  /** The command that has read or set the variable last; null if it is not certain. */
  #writerOf(variable: VariableExpression): Command | null {
    const names = namesIn(...variable.indices);
    if (names.has(variable.name)) return null;
    for (const command of [...this.#path.toReversed(), this.#own]) {
      const written = writtenBy(command);
      if (written !== null && isSame(written, variable)) return command;
      if (changesOne(command, names) || changesOne(command, new Set([variable.name]))) return null;
    }
    return null;
  }

  /** Whether the variable may be an element of the array of which the command reads another element. */
  #isOtherElement(variable: VariableExpression): boolean {
    const own = this.#own.variable;
    return (
      own !== null &&
      own.name === variable.name &&
      own.indices.length > 0 &&
      variable.indices.length > 0 &&
      !namesIn(...variable.indices, ...own.indices).has(own.name) &&
      !this.#path.some((command) => changesOne(command, namesIn(variable)))
    );
  }

  #element(variable: VariableExpression): Term {
    const evaluate = this.#compiler.expression(variable);
    const [own, other] = [this.#own.variable!, variable].map(({ indices }) =>
      indices.map((index) => this.#compiler.expression(index)),
    );
    const keysOf = (indices: typeof own, machine: Machine) =>
      indices.map((index) => keyOf(index(machine))).join();
    return this.#knownTerm((machine) =>
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

function constantOf(expression: Expression): Domain | null {
  if (expression.kind === 'integer') return pointOf(parseInteger(expression.digits));
  return expression.kind === 'string' ? expression.text : null;
}

function comparison(operator: Comparison, left: Term, right: Term): Condition {
  return { kind: 'compare', operator, left, right };
}

/** Divides a SET of several variables. */
function singleAssignments(command: Command): readonly Command[] {
  if (command.kind !== 'set') return [command];
  return command.assignments.map((assignment) => ({ ...command, assignments: [assignment] }));
}

/** The variable of which the command certainly writes the value; null if there is none. */
function writtenBy(command: Command): VariableExpression | null {
  if (command.kind === 'set') return command.assignments[0].variable;
  return isReading(command) ? command.variable : null;
}

function startOf(command: Command): Domain {
  return command.kind === 'int' ? WHOLE_NUMBERS : ANYTHING;
}

/** The lengths of the texts that can be drawn for the command. */
function lengthsOf({ pattern }: RegexCommand): NumberDomain {
  if (pattern.kind !== 'string') return wholeBetween(0, MAX_TEXT_OF_LENGTH);
  const { min, max } = lengthBounds(new Regex(pattern.text));
  return wholeBetween(min, Math.min(max, Math.max(min, MAX_TEXT_OF_LENGTH)));
}

function isReading(command: Command): command is ReadingCommand {
  return command.kind === 'int' || command.kind === 'float-number' || command.kind === 'regex';
}

const changes = new WeakMap<Command, ReadonlySet<string>>();

function changesOne(command: Command, names: ReadonlySet<string>): boolean {
  let changed = changes.get(command);
  if (changed === undefined) {
    const unset = allCommands([command]).flatMap((each) => (each.kind === 'unset' ? each.names : []));
    changed = new Set([...assignedNames([command]), ...unset]);
    changes.set(command, changed);
  }
  return [...names].some((name) => changed.has(name));
}

/** Whether two variables are written in the same way: `a[i+1]` is the same as `a[i + 1]`. */
function isSame(one: VariableExpression, other: VariableExpression): boolean {
  return one.name === other.name && textOf(one) === textOf(other);
}

function textOf(expression: Expression): string {
  return JSON.stringify(expression, (key, value: unknown) => (key === 'at' ? null : value));
}
