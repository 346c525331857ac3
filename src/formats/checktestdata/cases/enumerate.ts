/**
 * Lists every case of a grammar. The value of each INT and REGEX is a choice. A choice is deciding if a later command uses the
 * value.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type ChoiceReceiver,
  EnumeratedCases,
  NO_CASE_FROM_CHOICES,
  TooManyChoicesError,
} from '../../cases/case-list.js';
import type { CompiledGrammarCommands } from '../language/compile.js';
import { GrammarError } from '../language/grammar-error.js';
import { accessesInExpressions, accessesOf, usesBeyondIndexing } from '../language/names.js';
import type { Grammar, GrammarCommand, GrammarPlace } from '../language/syntax.js';
import { RuntimeFailure } from '../language/values.js';
import { GrammarVariables } from '../language/variables.js';
import { allGrammarCommands, conditionsOfCommand } from '../language/walk.js';
import { type CaseOfGrammar, GrammarInputFormat, integersOf } from '../reading/grammar-format.js';
import { StepLimitError } from '../reading/machine.js';
import type { CompiledGrammar, GrammarOptions } from './cases.js';
import { DerivationReader, recordedTexts } from './derivation-reader.js';
import { GrammarInputGenerator } from './draw.js';
import { NamesUsedLater } from './later-uses.js';
import { InfiniteTextsError, ListedCaseWriter } from './listing-machine.js';
import { GrammarChoiceFailure } from './writing-machine.js';

/** The list of all cases of a grammar. */
interface GrammarCases {
  /** The tokens of the head; null if the grammar has no head. */
  readonly head: Uint8Array | null;
  readonly count: bigint;
  /** Whether every candidate is a case. If not, ASSERTs or the way in which texts are read exclude some candidates. */
  readonly isExact: boolean;
  /** The numbers of cases that the grammar allows in an input; null where it has no bound. */
  readonly inputCases: { readonly min: number | null; readonly max: number | null };
  candidatesFrom(index: bigint): Iterable<CaseOfGrammar | null>;
}

/** Lists the cases of a grammar. If that is impossible, fails with kind `usage` and names the command that prevents it. */
export function enumerateGrammarCases(grammar: Grammar, options: GrammarOptions): GrammarCases {
  const { division } = new GrammarInputFormat(grammar, options);
  assertListable(division);
  const head = onlyHead(division);
  try {
    return listCases(division, head, true);
  } catch (error) {
    const hasAssert = allGrammarCommands(division.body).some(({ kind }) => kind === 'assert');
    if (!(error instanceof TooManyChoicesError) || !hasAssert) throw error;
    return listCases(division, head, false);
  }
}

interface Head {
  readonly text: string;
  readonly variables: GrammarVariables;
  readonly inputCases: GrammarCases['inputCases'];
}

/** Lists the cases. Unless `isPruned`, a case that fails an ASSERT is written to its end, and rejected only then. */
function listCases(division: CompiledGrammar, head: Head, isPruned: boolean): GrammarCases {
  const { compiler, runBody, ending, continues, loop } = division;
  const body = isPruned ? division.body : withoutAsserts(division.body);
  const isTerminated = ending === 'until-terminator';
  const namesAtEnd = isTerminated ? accessesInExpressions(loop!.condition!).map(({ name }) => name) : [];
  const machine = new ListedCaseWriter(division, new NamesUsedLater(body, namesAtEnd));
  const reader = new DerivationReader(division);
  /** Whether a reader would read each value of the case exactly as it was written. */
  const isReadAsWritten = () =>
    reader.accepts(bytesOf(machine.written), head.variables, runBody) &&
    isDeepStrictEqual(recordedTexts(reader.items), machine.values);
  const isCase = () => (isPruned && !machine.isAmbiguous) || isReadAsWritten();
  const run = compiler.block(body);
  const list = new EnumeratedCases<CaseOfGrammar | null>((choices) => {
    if (!tryToWrite(division, machine, run, head.variables, choices)) return NO_CASE_FROM_CHOICES;
    // After the terminator, which is the last iteration and not a case, the condition of the loop is false.
    if (isTerminated && !continues!(machine)) return NO_CASE_FROM_CHOICES;
    if (choices.isCounting || !isCase()) return null;
    return { bytes: bytesOf(machine.written), variables: integersOf(machine.variables, compiler.names) };
  });
  return {
    head: head.text === '' ? null : bytesOf(head.text),
    count: list.count,
    isExact: isPruned && !machine.isAmbiguous,
    inputCases: head.inputCases,
    candidatesFrom: (index) => list.madeFrom(index),
  };
}

/** Whether the choices lead to the text of a case. Fails if the grammar itself has a mistake. */
function tryToWrite(
  { grammar }: CompiledGrammar,
  machine: ListedCaseWriter,
  part: CompiledGrammarCommands,
  variables: GrammarVariables,
  choices: ChoiceReceiver,
): boolean {
  try {
    machine.write(part, variables, choices);
    return true;
  } catch (thrown) {
    if (thrown instanceof GrammarChoiceFailure || thrown instanceof RuntimeFailure) return false;
    if (thrown instanceof StepLimitError)
      throw new GrammarError(grammar.fileName, grammar.commands[0].at, 'expected loops that end');
    if (thrown instanceof InfiniteTextsError)
      throw listError(grammar, thrown.at, 'there is no end to the texts that this REGEX matches');
    throw thrown;
  }
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

/** Fails if the texts of some command cannot be listed, or if a case depends on the other cases of its input. */
function assertListable({ grammar, head, body, loop, caseCount }: CompiledGrammar): void {
  for (const command of allGrammarCommands([...head, ...body])) {
    const reason = reasonAgainst(command);
    if (reason !== null) throw listError(grammar, command.at, reason);
  }
  const index = loop?.index?.name;
  if (index !== undefined && usesBeyondIndexing(body, index)) {
    throw listError(grammar, loop!.at, `a case depends on its index ${index}`);
  }
  const countName = caseCount?.variable?.name;
  const use = accessesOf(body).find(({ name, kind }) => name === countName && kind === 'use');
  if (use !== undefined)
    throw listError(grammar, use.at, `a case depends on the number of cases ${countName}`);
}

function listError({ fileName }: Grammar, at: GrammarPlace, reason: string): GrammarError {
  return new GrammarError(fileName, at, `cannot list every case: ${reason}`);
}

function reasonAgainst(command: GrammarCommand): string | null {
  if (command.kind === 'float-number') return 'there is no end to the values of a FLOAT';
  const looksAtInput = conditionsOfCommand(command).some(({ kind }) => kind === 'match' || kind === 'is-eof');
  return looksAtInput ? 'MATCH and ISEOF depend on the text that follows' : null;
}

/** Returns the head that all inputs have, apart from the number of cases. Fails if there are several such heads. */
function onlyHead(division: CompiledGrammar): Head {
  const { grammar, head, compiler, runHead } = division;
  const machine = new ListedCaseWriter(division, new NamesUsedLater(head, []));
  const none = new GrammarVariables(compiler.slotCount);
  const list = new EnumeratedCases<string>((choices) =>
    tryToWrite(division, machine, runHead, none, choices) ? machine.written : NO_CASE_FROM_CHOICES,
  );
  if (list.count !== 1n) {
    const first = allGrammarCommands(head).find(({ kind }) => kind === 'int' || kind === 'regex');
    const reason = `there are ${list.count} heads, but all cases of an input have the same head`;
    throw listError(grammar, first?.at ?? { line: 1, column: 1 }, reason);
  }
  const [text] = list.madeFrom(0n);
  const { variables } = machine;
  return { text, variables, inputCases: machine.caseBounds ?? countOf(division, variables) };
}

/** Returns the number of cases that a head gives, if no command reads that number directly. */
function countOf(division: CompiledGrammar, head: GrammarVariables): GrammarCases['inputCases'] {
  if (division.ending !== 'counted') return { min: null, max: null };
  const count = new GrammarInputGenerator(division).countCases(head);
  return { min: count, max: count };
}

function withoutAsserts(commands: readonly GrammarCommand[]): GrammarCommand[] {
  return commands.flatMap((command): GrammarCommand[] => {
    if (command.kind === 'assert') return [];
    if (command.kind === 'loop') return [{ ...command, body: withoutAsserts(command.body) }];
    if (command.kind !== 'if') return [command];
    const [then, otherwise] = [command.then, command.otherwise].map(withoutAsserts);
    return [{ ...command, then, otherwise }];
  });
}
