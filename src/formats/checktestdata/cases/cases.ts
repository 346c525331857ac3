/**
 * Divides a grammar into the head of an input, the test case and the tail. By default the whole input is one case, without a
 * head and a tail. With the option `multitest`, the cases are the iterations of a loop at the top level.
 */
import { CarriedValueFinder } from '../language/carried-values.js';
import { type CompiledGrammarCommands, GrammarCompiler } from '../language/compile.js';
import { findUndeterminedCommand } from '../language/free-tail.js';
import { GrammarError } from '../language/grammar-error.js';
import {
  accessesInExpressions,
  accessesOf,
  assignedNames,
  firstUndefined,
  looksForWhitespace,
  mayBeginBlank,
  mayReadOnlyWhitespace,
  readsInput,
} from '../language/names.js';
import type { Grammar, GrammarCommand, GrammarPlace, IntCommand, LoopCommand } from '../language/syntax.js';
import type { GrammarMachine } from '../reading/machine.js';

export interface GrammarOptions {
  /** Whether each iteration of a loop at the top level is a case. If not, the whole input is one case. */
  readonly multitest?: boolean;
  /** Which loop has the cases if `multitest` is true, counted from 1. Null or missing means the last loop. */
  readonly casesLoop?: number | null;
}

type GrammarEnding = 'counted' | 'until-terminator' | 'until-end' | 'single';

export interface GrammarDivision {
  readonly grammar: Grammar;
  readonly ending: GrammarEnding;
  /** The loop whose iterations are the cases; null if the whole input is one case. */
  readonly loop: LoopCommand | null;
  readonly head: readonly GrammarCommand[];
  readonly body: readonly GrammarCommand[];
  /** The commands after the last case, without ASSERTs: code that reads single cases cannot check what is asserted of all. */
  readonly tail: readonly GrammarCommand[];
  readonly tailWithAsserts: readonly GrammarCommand[];
  /** The command of the head that reads the number of cases; null if there is no such command. */
  readonly caseCount: IntCommand | null;
}

const START: GrammarPlace = { line: 1, column: 1 };

/** Divides a grammar. Throws a `GrammarError` if the grammar does not have the loop that the options name. */
export function divideGrammar(
  grammar: Grammar,
  { multitest = false, casesLoop = null }: GrammarOptions = {},
): GrammarDivision {
  if (!multitest) return wholeFile(grammar);
  const loop = loopOfCases(grammar, casesLoop);
  const at = grammar.commands.indexOf(loop);
  const head = grammar.commands.slice(0, at);
  const tailWithAsserts = grammar.commands.slice(at + 1);
  return {
    grammar,
    ending: endingOf(loop),
    loop,
    head,
    body: loop.body,
    tail: tailWithAsserts.filter(({ kind }) => kind !== 'assert'),
    tailWithAsserts,
    caseCount: findCaseCount(loop, head),
  };
}

function loopOfCases(grammar: Grammar, casesLoop: number | null): LoopCommand {
  const loops = grammar.commands.filter((command) => command.kind === 'loop');
  const loop = casesLoop === null ? loops.at(-1) : loops[casesLoop - 1];
  if (loop !== undefined) return loop;
  const fail = (reason: string): never => {
    throw new GrammarError(grammar.fileName, START, reason);
  };
  if (loops.length === 0)
    return fail(
      'expected a loop at the top level, whose iterations are the cases, got none; without `--multitest`, the whole input is one case',
    );
  const exist = loops.length === 1 ? 'there is one loop' : `there are ${loops.length} loops`;
  return fail(`--cases-loop ${casesLoop}: ${exist} at the top level`);
}

function wholeFile(grammar: Grammar): GrammarDivision {
  const body: GrammarCommand[] = [...grammar.commands, { kind: 'eof', at: START }];
  return {
    grammar,
    ending: 'single',
    loop: null,
    head: [],
    body,
    tail: [],
    tailWithAsserts: [],
    caseCount: null,
  };
}

/** If a WHILE ends because of a variable that its own body reads, its last iteration is the terminator. */
function endingOf(loop: LoopCommand): GrammarEnding {
  if (loop.condition === null) return 'counted';
  const names = new Set(accessesInExpressions(loop.condition).map(({ name }) => name));
  const isRead = accessesOf(loop.body).some(({ name, kind }) => kind === 'input' && names.has(name));
  return isRead ? 'until-terminator' : 'until-end';
}

function findCaseCount({ count }: LoopCommand, head: readonly GrammarCommand[]): IntCommand | null {
  if (count?.kind !== 'variable' || count.indices.length > 0) return null;
  for (const command of head.toReversed()) {
    if (command.kind === 'int' && command.variable?.name === count.name) return command;
    if (accessesOf([command]).some(({ name, kind }) => name === count.name && kind !== 'use')) return null;
  }
  return null;
}

/**
 * Throws a `GrammarError` if the cases of the grammar depend on each other. Commands that read each case alone, with only the
 * variables of the head, cannot use such a grammar; `WholeFileChecker` can. An input of one case is always allowed.
 */
export function assertIndependentCases({ grammar, ending, loop, head, body, tail }: GrammarDivision): void {
  if (loop === null) {
    assertAllSet(grammar);
    return;
  }
  const fail = (at: GrammarPlace, message: string): never => {
    throw new GrammarError(
      grammar.fileName,
      at,
      `${message}; with \`--multitest\` only validate can use this grammar, and without it every command can, which takes the whole input as one case`,
    );
  };
  const inHead = assignedNames(head);
  if (loop.index != null) inHead.add(loop.index.name);
  const ofLoop = accessesInExpressions((loop.count ?? loop.condition)!);
  const undefinedUse = [ofLoop, accessesOf(body), accessesOf(tail)]
    .map((accesses) => firstUndefined(accesses, inHead))
    .find((access) => access !== null);
  if (undefinedUse !== undefined)
    fail(undefinedUse.at, `expected the head or the case to set ${undefinedUse.name} before this`);
  const { uses } = new CarriedValueFinder(head, loop, tail, ending === 'until-terminator');
  const carried = uses.find(({ decides }) => decides)?.access;
  if (carried !== undefined)
    fail(carried.at, `expected this not to depend on the ${carried.name} that an earlier case may have set`);
  if (loop.separator != null && loop.separator.kind !== 'space' && loop.separator.kind !== 'newline')
    fail(loop.separator.at, 'expected SPACE or NEWLINE between the cases');
  if (!readsInput(body)) fail(loop.at, 'expected a loop of cases that reads something');
  const free = findUndeterminedCommand(tail);
  if (free !== null)
    fail(
      free.at,
      'expected the same text after the cases of every input, because inputs are made of some cases',
    );
}

/** Throws a `GrammarError` if the grammar uses a name that none of its commands sets. */
function assertAllSet({ fileName, commands }: Grammar): void {
  const unset = firstUndefined(accessesOf(commands), assignedNames(commands));
  if (unset === null) return;
  const reason = `expected the grammar to set ${unset.name}; only validate can use a grammar that does not`;
  throw new GrammarError(fileName, unset.at, reason);
}

/** The parts of a grammar, compiled to functions. */
export interface CompiledGrammar extends GrammarDivision {
  readonly compiler: GrammarCompiler;
  /** The slot of the variable that holds the index of the case (REPI, WHILEI); -1 if the loop has no such variable. */
  readonly indexSlot: number;
  readonly runHead: CompiledGrammarCommands;
  readonly runBody: CompiledGrammarCommands;
  readonly runTail: CompiledGrammarCommands;
  readonly runTailWithAsserts: CompiledGrammarCommands;
  /** Reads or writes the text between two cases. */
  readonly runSeparator: CompiledGrammarCommands;
  /** Whether a whole case may consist of whitespace. If so, a blank line may be a case. */
  readonly mayBeWhitespace: boolean;
  /**
   * Whether a blank line may be the start of a case, or the end of the cases. If so, no blank line is skipped without trying to
   * read a case from it.
   */
  readonly mayBeginBlank: boolean;
  /** The condition of the loop of the cases; null if the loop is not a WHILE. */
  readonly continues: ((machine: GrammarMachine) => boolean) | null;
  /** The count of the loop of the cases; null if the loop is not a REP. */
  readonly countCases: ((machine: GrammarMachine) => number) | null;
}

export function compileGrammar(division: GrammarDivision): CompiledGrammar {
  const compiler = new GrammarCompiler();
  const { loop } = division;
  const runHead = compiler.block(division.head);
  const indexSlot = loop?.index == null ? -1 : compiler.slot(loop.index.name);
  const mayBeWhitespace = mayReadOnlyWhitespace(division.body);
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
    runTailWithAsserts: compiler.block(division.tailWithAsserts),
    runSeparator: loop?.separator == null ? () => {} : compiler.block([loop.separator]),
    mayBeWhitespace,
    mayBeginBlank:
      mayBeWhitespace || mayBeginBlank(division.body) || (loop !== null && looksForWhitespace(loop)),
    continues: loop?.condition == null ? null : compiler.test(loop.condition),
    countCases: loop?.count == null ? null : compiler.count(loop.count),
  };
}
