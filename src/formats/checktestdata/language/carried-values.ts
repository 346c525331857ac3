/** Finds out where a case of a grammar uses what an earlier case has left in a variable. */
import {
  accessesInExpressions,
  accessesOf,
  assignedNames,
  namesInBoth,
  type VariableAccess,
} from './names.js';
import type { GrammarCommand, LoopCommand, VariableExpression } from './syntax.js';
import { allGrammarCommands } from './walk.js';

/** A use of a value that an earlier case may have left. */
export interface CarriedUse {
  readonly access: VariableAccess;
  /** Whether the value decides which text the case is. It does not if it only bounds a number, or an ASSERT compares it. */
  readonly decides: boolean;
}

/**
 * Finds where a case uses values that an earlier case may have left. Only names that the head sets as well are looked at: any
 * other name has no value in a case that is read alone, so that the use fails.
 */
export class CarriedValueFinder {
  /** The names that may have the value of an earlier case. */
  readonly #shared: Set<string>;
  /** The names whose values a case reads, or takes away. To use such a name before is to depend on an earlier case. */
  readonly #replaced: ReadonlySet<string>;
  readonly uses: CarriedUse[] = [];
  /** The names that a case certainly sets itself before it ends. */
  readonly certain: ReadonlySet<string>;

  /**
   * The cases are the iterations of `loop`, of which the last is the terminator if `isTerminated`. `head` and `tail` are the
   * commands before and after it.
   */
  constructor(
    head: readonly GrammarCommand[],
    loop: LoopCommand,
    tail: readonly GrammarCommand[],
    isTerminated: boolean,
  ) {
    const read = accessesOf(loop.body).flatMap(({ kind, name }) => (kind === 'input' ? [name] : []));
    const unset = allGrammarCommands(loop.body).flatMap((command) =>
      command.kind === 'unset' ? command.names : [],
    );
    this.#replaced = new Set([...read, ...unset]);
    this.#shared = namesInBoth(assignedNames(head), new Set([...assignedNames([loop]), ...unset]));
    this.certain = this.#runLoop(loop, new Set());
    const condition = loop.condition === null ? [] : accessesInExpressions(loop.condition);
    // Only what a case reads itself may end the cases.
    this.#use(condition, isTerminated ? this.certain : new Set(), true);
    // What follows the cases is read with the variables of the head.
    this.#use(accessesOf(tail), new Set(), true);
  }

  /** Notes the uses in the commands. Returns the names that are certain after them, if those in `before` are so before. */
  #run(commands: readonly GrammarCommand[], before: ReadonlySet<string>): Set<string> {
    let certain = new Set(before);
    for (const command of commands) certain = this.#runCommand(command, certain);
    return certain;
  }

  #runCommand(command: GrammarCommand, certain: Set<string>): Set<string> {
    switch (command.kind) {
      case 'int':
      case 'float-number':
        this.#use(accessesOf([{ ...command, variable: null }]), certain, false);
        return this.#assign(command.variable, false, certain);
      case 'regex':
        this.#use(accessesInExpressions(command.pattern), certain, true);
        return this.#assign(command.variable, false, certain);
      case 'set':
        return command.assignments.reduce((before, { variable, value }) => {
          const isCarried = this.#use(accessesInExpressions(value), before, false);
          return this.#assign(variable, isCarried, before);
        }, certain);
      case 'unset':
        return new Set([...certain, ...command.names]);
      case 'assert':
        this.#use(accessesInExpressions(command.test), certain, false);
        return certain;
      case 'if': {
        this.#use(accessesInExpressions(command.test), certain, true);
        return namesInBoth(this.#run(command.then, certain), this.#run(command.otherwise, certain));
      }
      case 'loop': {
        this.#use(accessesInExpressions((command.count ?? command.condition)!), certain, true);
        return namesInBoth(certain, this.#runLoop(command, certain));
      }
      default:
        this.#use(accessesOf([command]), certain, true);
        return certain;
    }
  }

  /** Runs the body of a loop twice, because the first iteration may make values carried that the next one uses. */
  #runLoop({ index, body, separator }: LoopCommand, certain: ReadonlySet<string>): Set<string> {
    const block = separator === null ? body : [...body, separator];
    const before = this.#assign(index, false, certain);
    return this.#run(block, namesInBoth(before, this.#run(block, before)));
  }

  /** Notes which of the accesses use a value that an earlier case may have left. Returns whether any does. */
  #use(accesses: readonly VariableAccess[], certain: ReadonlySet<string>, decides: boolean): boolean {
    const carried = accesses.filter(
      ({ kind, name }) => kind === 'use' && this.#shared.has(name) && !certain.has(name),
    );
    for (const access of carried)
      this.uses.push({ access, decides: decides || this.#replaced.has(access.name) });
    return carried.length > 0;
  }

  /** Returns the names that are certain after a variable has got a value, which depends on an earlier case if `isCarried`. */
  #assign(variable: VariableExpression | null, isCarried: boolean, before: ReadonlySet<string>): Set<string> {
    const certain = new Set(before);
    if (variable === null) return certain;
    const { name, indices } = variable;
    const isPlaceCarried = this.#use(accessesInExpressions(...indices), certain, false);
    if (isCarried || isPlaceCarried) {
      this.#shared.add(name);
      certain.delete(name);
    } else if (indices.length === 0) certain.add(name);
    return certain;
  }
}
