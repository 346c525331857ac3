/**
 * Divides a grammar into the head of an input, a test case and the tail: the cases are the iterations of a loop at the
 * top level, by default the last one.
 */
import { Compiler, type Run } from './compile.js';
import { GrammarError } from './grammar-error.js';
import type { Machine } from './machine.js';
import {
  type Access,
  accessesOf,
  assignedNames,
  firstUndefined,
  mayReadBlanks,
  readsInput,
  readsText,
  testAccesses,
} from './names.js';
import type { Command, Grammar, IntCommand, LoopCommand, Place } from './syntax.js';

export interface GrammarOptions {
  /** Whether the whole file is one case. */
  readonly single?: boolean;
  /** The number of the loop at the top level whose iterations are the cases, from 1. Default: the last one. */
  readonly casesLoop?: number;
}

export type GrammarEnding = 'counted' | 'until-terminator' | 'until-end' | 'single';

export interface Division {
  readonly grammar: Grammar;
  readonly ending: GrammarEnding;
  /** The loop of the cases; null if the file is one case. */
  readonly loop: LoopCommand | null;
  readonly head: readonly Command[];
  readonly body: readonly Command[];
  /** What follows the last case, without ASSERT: only `checkWhole` checks assertions about all cases. */
  readonly tail: readonly Command[];
  /** The command of the head that reads the number of cases; null if no command does. */
  readonly caseCount: IntCommand | null;
}

const START: Place = { line: 1, column: 1 };

export function divide(grammar: Grammar, { single = false, casesLoop }: GrammarOptions = {}): Division {
  const loops = grammar.commands.filter((command) => command.kind === 'loop');
  const loop = single ? null : casesLoop === undefined ? (loops.at(-1) ?? null) : loops[casesLoop - 1];
  if (loop === undefined)
    throw new GrammarError(
      grammar.fileName,
      START,
      `expected at least ${casesLoop} loops that are not inside another, got ${loops.length}`,
    );
  if (loop === null) return wholeFile(grammar);
  const at = grammar.commands.indexOf(loop);
  const head = grammar.commands.slice(0, at);
  const tail = grammar.commands.slice(at + 1).filter((command) => command.kind !== 'assert');
  return {
    grammar,
    ending: endingOf(loop),
    loop,
    head,
    body: loop.body,
    tail,
    caseCount: findCaseCount(loop, head),
  };
}

function wholeFile(grammar: Grammar): Division {
  const body: Command[] = [...grammar.commands, { kind: 'eof', at: START }];
  return { grammar, ending: 'single', loop: null, head: [], body, tail: [], caseCount: null };
}

/** A WHILE whose condition names a variable that its body reads ends with a terminator. */
function endingOf(loop: LoopCommand): GrammarEnding {
  if (loop.condition === null) return 'counted';
  const names = new Set(testAccesses(loop.condition).map(({ name }) => name));
  const isRead = accessesOf(loop.body).some(({ name, kind }) => kind === 'input' && names.has(name));
  return isRead ? 'until-terminator' : 'until-end';
}

function findCaseCount({ count }: LoopCommand, head: readonly Command[]): IntCommand | null {
  if (count?.kind !== 'variable' || count.indices.length > 0) return null;
  for (const command of head.toReversed()) {
    if (command.kind === 'int' && command.variable?.name === count.name) return command;
    if (accessesOf([command]).some(({ name, kind }) => name === count.name && kind !== 'use')) return null;
  }
  return null;
}

/**
 * Throws a `GrammarError` if the cases of the grammar depend on each other, so that only `checkWhole` can decide: all
 * other commands read each case by itself, with the variables of the head.
 */
export function assertIndependentCases({ grammar, loop, head, body, tail }: Division): void {
  const fail = (at: Place, message: string): never => {
    throw new GrammarError(grammar.fileName, at, `${message}; only validate can use this grammar`);
  };
  const inHead = assignedNames(head);
  if (loop?.index != null) inHead.add(loop.index.name);
  const undefinedUse = firstUndefined(accessesOf(body), inHead) ?? firstUndefined(accessesOf(tail), inHead);
  if (undefinedUse !== null)
    fail(undefinedUse.at, `expected the head or the case to set ${undefinedUse.name} before this`);
  const carried = firstCarried(accessesOf(body));
  if (loop !== null && carried !== null)
    fail(
      carried.at,
      `expected a case that does not use the ${carried.name} that the case before it has read`,
    );
  if (loop?.separator != null && loop.separator.kind !== 'space' && loop.separator.kind !== 'newline')
    fail(loop.separator.at, 'expected SPACE or NEWLINE between the cases');
  if (loop !== null && !readsInput(body)) fail(loop.at, 'expected a loop of cases that reads something');
}

/** The first use of a name that the block reads from the input only later, so for the next case. */
function firstCarried(accesses: readonly Access[]): Access | null {
  const set = new Set<string>();
  const used = new Map<string, Access>();
  for (const access of accesses) {
    if (access.kind === 'use' && !set.has(access.name))
      used.set(access.name, used.get(access.name) ?? access);
    if (access.kind === 'input' && !set.has(access.name) && used.has(access.name))
      return used.get(access.name)!;
    if (access.kind !== 'use') set.add(access.name);
  }
  return null;
}

/** The parts of a grammar as functions. */
export interface CompiledDivision extends Division {
  readonly compiler: Compiler;
  /** The slot of the variable that holds the index of the case (REPI, WHILEI); -1 if there is none. */
  readonly indexSlot: number;
  readonly runHead: Run;
  readonly runBody: Run;
  readonly runTail: Run;
  /** Whether the text of a whole case may consist of blanks. Then a blank line may be a case. */
  readonly mayBeBlank: boolean;
  /** The condition of the loop of the cases, if it is a WHILE. */
  readonly continues: ((machine: Machine) => boolean) | null;
  /** The count of the loop of the cases, if it is a REP. */
  readonly countCases: ((machine: Machine) => number) | null;
}

export function compileDivision(division: Division): CompiledDivision {
  const compiler = new Compiler();
  const { loop } = division;
  const runHead = compiler.block(division.head);
  const indexSlot = loop?.index == null ? -1 : compiler.slot(loop.index.name);
  return {
    ...division,
    compiler,
    indexSlot,
    runHead: (machine) => {
      runHead(machine);
      if (indexSlot >= 0) machine.variables.scalars[indexSlot] = 0;
    },
    runBody: compiler.block(division.body),
    runTail: compiler.block(division.tail),
    mayBeBlank: readsText(division.body) && mayReadBlanks(division.body),
    continues: loop?.condition == null ? null : compiler.test(loop.condition),
    countCases: loop?.count == null ? null : compiler.count(loop.count),
  };
}
