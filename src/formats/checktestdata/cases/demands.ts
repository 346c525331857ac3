/**
 * Finds what ASSERTs leave for the value that a command reads, so that whoever draws an input need not wait for chance to
 * find it: after `INT(1,9,n)`, `ASSERT(STRLEN(s) == n)` decides the length of the text that `REGEX("[a-z]+",s)` reads, and
 * `INT(1,10^9,x) SPACE INT(1,10,y) NEWLINE ASSERT(x == y)` leaves ten values for x.
 *
 * The commands that certainly run after a command say what must hold: ASSERTs, and the bounds of what they read. Values that
 * are not read yet have domains, which the constraints narrow. A constraint is necessary, so a draw that obeys it loses no
 * input. It need not be sufficient: whoever draws still evaluates each ASSERT.
 */
import type { Comparison, Operator } from '../../language/exact.js';
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
import { type Constraint, Narrower } from './narrower.js';

export type ReadingCommand = IntCommand | FloatCommand | RegexCommand;

/** The commands that certainly run after a command, as far as they stand in the blocks around it; null: none. */
type Continuation = { readonly command: Command; readonly next: Continuation } | null;

/** Constraints are made from at most this many commands after a command. */
const MAX_COMMANDS = 500;
/** The slots of the value that the command reads, and of its length. */
const VALUE = 0;
const LENGTH = 1;

/** A slot whose value is known before the command runs. Null: it is not known this time. */
interface Known {
  readonly slot: number;
  readonly evaluate: (machine: Machine) => Value | null;
}

/** What must hold after a command. */
interface Plan {
  readonly constraints: readonly Constraint[];
  readonly knowns: readonly Known[];
  /** The domains of all slots before anything is known. */
  readonly domains: readonly Domain[];
}

/** What ASSERTs leave for the value of a command. */
export class Demand {
  readonly #constraints: readonly Constraint[];
  readonly #domains: Domain[];

  constructor(constraints: readonly Constraint[], domains: Domain[]) {
    this.#constraints = constraints;
    this.#domains = domains;
  }

  /** The number of constraints. */
  get size(): number {
    return this.#constraints.length;
  }

  /** Leaves in all domains what the constraints leave. Returns false if there is a domain without a value then. */
  narrow(): boolean {
    return new Narrower(this.#domains).hold(this.#constraints);
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
      narrower.hold(this.#constraints)
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
    return new Demand(plan.constraints, domains);
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
  #constraints: Constraint[] = [];

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
    const connected = this.#constraints.filter(({ slots }) => slots.some((slot) => reached.has(slot)));
    if (connected.length === 0) return null;
    // What does not depend on the run is narrowed once.
    const narrower = new Narrower(this.#domains);
    narrower.hold(connected);
    const isOwn = (slot: number) => slot === VALUE || slot === LENGTH;
    const constraints = connected.filter((each) => each.slots.some(isOwn) || !narrower.isCertain(each));
    const needed = new Set(constraints.flatMap(({ slots }) => slots));
    const knowns = this.#knowns.filter(({ slot }) => needed.has(slot));
    return { constraints, knowns, domains: this.#domains };
  }

  /** The slots, without known ones, that constraints connect with what the command reads. */
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

  /** Adds what must hold for the command to succeed. */
  #add(command: Command): void {
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
        const slot = this.#slotOf(this.#values, command, command.kind === 'int' ? WHOLE_NUMBERS : ANYTHING);
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

  /** The ASSERTs of a branch of an IF hold, or its test is false. */
  #requireOfBranch(test: Test, block: readonly Command[], isThen: boolean): void {
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

  /** The constraints that `add` adds, which are not added to the others. */
  #collected(add: () => void): Constraint[] {
    const others = this.#constraints;
    this.#constraints = [];
    add();
    const collected = this.#constraints;
    this.#constraints = others;
    return collected;
  }

  #requireOne(...sides: readonly (readonly Constraint[])[]): void {
    const slots = sides.flat().flatMap((constraint) => constraint.slots);
    if (sides.every((side) => side.length > 0)) this.#constraints.push({ kind: 'or', slots, sides });
  }

  /** The slot of what the command reads, or of its length. */
  #slotOf(slots: Map<Command, number>, command: Command, domain: Domain): number {
    const slot = slots.get(command) ?? this.#newSlot(domain);
    slots.set(command, slot);
    return slot;
  }

  #newSlot(domain: Domain): number {
    return this.#domains.push(domain) - 1;
  }

  /** Adds that the test has this result. */
  #require(test: Test, result: boolean): void {
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

  /** The slot of the value of the expression. */
  #term(expression: Expression): number {
    const constant = constantOf(expression);
    if (constant !== null) return this.#newSlot(constant);
    if (this.#isKnown(expression)) return this.#known(this.#compiler.expression(expression));
    switch (expression.kind) {
      case 'variable':
        return this.#variable(expression);
      case 'length':
        return this.#length(expression.operand);
      case 'negate':
        return this.#difference(this.#newSlot(pointOf(0)), this.#term(expression.operand));
      case 'binary':
        return this.#result(expression.operator, this.#term(expression.left), this.#term(expression.right));
      default:
        return this.#newSlot(ANYTHING);
    }
  }

  #result(operator: Operator, left: number, right: number): number {
    if (operator === '-') return this.#difference(left, right);
    const result = this.#newSlot(ANYTHING);
    if (operator !== '/' && operator !== '^')
      this.#constraints.push({ kind: operator, slots: [left, right, result] });
    return result;
  }

  /** What gives `from` when it is added to `taken`. */
  #difference(from: number, taken: number): number {
    const difference = this.#newSlot(ANYTHING);
    this.#constraints.push({ kind: '+', slots: [taken, difference, from] });
    return difference;
  }

  #known(evaluate: Known['evaluate']): number {
    const slot = this.#newSlot(ANYTHING);
    this.#knowns.push({ slot, evaluate });
    return slot;
  }

  /** Whether the value is the same now and when the command runs that is planned for. */
  #isKnown(expression: Expression): boolean {
    const names = namesIn(expression);
    const own = this.#own.variable?.name;
    return (
      (own === undefined || !names.has(own)) && !this.#path.some((command) => changesOne(command, names))
    );
  }

  #variable(variable: VariableExpression): number {
    const writer = this.#writerOf(variable);
    if (writer !== null) return this.#slotOf(this.#values, writer, ANYTHING);
    return this.#isOtherElement(variable) ? this.#element(variable) : this.#newSlot(ANYTHING);
  }

  #length(text: Expression): number {
    const writer = text.kind === 'variable' ? this.#writerOf(text) : null;
    if (writer?.kind !== 'regex') return this.#newSlot(ANYTHING);
    return this.#slotOf(this.#lengths, writer, lengthsOf(writer));
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

  #element(variable: VariableExpression): number {
    const evaluate = this.#compiler.expression(variable);
    const [own, other] = [this.#own.variable!, variable].map(({ indices }) =>
      indices.map((index) => this.#compiler.expression(index)),
    );
    const keysOf = (indices: typeof own, machine: Machine) =>
      indices.map((index) => keyOf(index(machine))).join();
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

function constantOf(expression: Expression): Domain | null {
  if (expression.kind === 'integer') return pointOf(parseInteger(expression.digits));
  return expression.kind === 'string' ? expression.text : null;
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
