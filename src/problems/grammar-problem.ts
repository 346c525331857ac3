/** The problem that a checktestdata grammar describes, as the engine sees it. It has no solver. */
import { basename } from 'node:path';
import { BoardmillError } from '../core/errors.js';
import { readSmallFile } from '../core/files/regular-files.js';
import type { AnswerFormat, AnswerScope } from '../formats/answer-format.js';
import { TreeAnswerFormat } from '../formats/answers/answers.js';
import { GrammarCaseSource } from '../formats/checktestdata/cases/case-source.js';
import type { GrammarOptions } from '../formats/checktestdata/cases/cases.js';
import { enumerateGrammarCases } from '../formats/checktestdata/cases/enumerate.js';
import { GrammarCaseMeasure } from '../formats/checktestdata/cases/measure.js';
import { simplerGrammarCases } from '../formats/checktestdata/cases/shrink.js';
import { GrammarError } from '../formats/checktestdata/language/grammar-error.js';
import {
  accessesOf,
  assignedNames,
  firstUndefined,
  integerNames,
  namesInLoopCounts,
} from '../formats/checktestdata/language/names.js';
import { MAX_GRAMMAR_BYTES, parseGrammar } from '../formats/checktestdata/language/parser.js';
import type { Grammar } from '../formats/checktestdata/language/syntax.js';
import { GrammarAnswerFormat } from '../formats/checktestdata/reading/answer-format.js';
import { WholeFileChecker } from '../formats/checktestdata/reading/check-whole.js';
import { type CaseOfGrammar, GrammarInputFormat } from '../formats/checktestdata/reading/grammar-format.js';
import { constantValue, fieldNamesInExpression, parseExpression } from '../formats/language/expression.js';
import { WHOLE_OUTPUT } from '../formats/language/layouts.js';
import { numbersWithNames } from '../formats/language/size-names.js';
import type { AnswerTree, Expression, RecordValue } from '../formats/language/tree.js';
import { defaultAnswersOption, type GrammarUse, isGrammarOfAnswers } from './grammar-use.js';
import type { Problem, RandomCaseSource, RandomCasesRequest, WholeCheckResult } from './problem.js';

/** Largest number of cases in one run of a program if the grammar does not bound the number. */
const DEFAULT_CASES_PER_RUN = 1000;

/**
 * Reads the grammar in the file `path`, whose text `rewrite` changes before. Fails with kind `usage` if the grammar is wrong.
 */
export async function readGrammarProblem(
  path: string,
  use: GrammarUse,
  rewrite = (text: string) => text,
): Promise<Problem> {
  const grammar = await readGrammar(path, rewrite);
  const { answerFormat, keptNames } = await readAnswerFormat(use, grammar);
  const format = new GrammarInputFormat(grammar, use, keptNames);
  const name = basename(path, '.ctd');
  const sizeNames = namesInLoopCounts(format.division.body);
  const problem: Problem<unknown, CaseOfGrammar> = {
    name,
    words: [path, ...wordsOf(use)],
    reference: { kind: 'grammar', path, use },
    inputFormat: format,
    reading: { isMultitest: use.multitest, description: describeReading(format) },
    answerFormat,
    casesPerRun: largestNumberOfCases(grammar, use) ?? DEFAULT_CASES_PER_RUN,
    solvers: null,
    checkWhole: (bytes) => checkWhole(format, bytes),
    assertUsable: () => format.assertUsable(),
    cases: {
      createSource: (request) => createSource(name, grammar, use, request),
      enumerate(request) {
        const wish = Object.entries(request).find(([, value]) => value !== null)?.[0];
        if (wish === 'set') throw usageError('--set is for problems with a contest; a grammar has none');
        if (wish !== undefined) throw usageError(`--${wish} is for boards; ${name} has none`);
        return enumerateGrammarCases(grammar, use);
      },
      simpler: (value, head) => simplerGrammarCases(format, value, head.bytes),
      createMeasure: () => new GrammarCaseMeasure(format.division.body),
      sizesOf: (value) => numbersWithNames(sizeNames, value.variables),
    },
  };
  return problem as Problem;
}

/**
 * Compares an input with the grammar, and finds the cases as the grammar itself runs, which other commands cannot always do.
 */
function checkWhole(
  { grammar, division: { loop, ending } }: GrammarInputFormat,
  bytes: Uint8Array,
): WholeCheckResult {
  const checker = new WholeFileChecker(grammar, loop);
  const fault = checker.findFault(bytes);
  if (loop === null) return { fault, caseStarts: bytes.length === 0 ? [] : [0] };
  const endsWithTerminator = ending === 'until-terminator' && checker.hasLoopEnded;
  return { fault, caseStarts: endsWithTerminator ? checker.iterations.slice(0, -1) : checker.iterations };
}

/** Describes how the cases of an input are found, and with which options they would be found in another way. */
function describeReading({ division: { loop, grammar } }: GrammarInputFormat): string {
  if (loop !== null) {
    const { line, column } = loop.at;
    const place = `${grammar.fileName}:${line}:${column}`;
    return `the cases are the iterations of the loop at ${place} (without --multitest: each input is one case)`;
  }
  const hasLoop = grammar.commands.some(({ kind }) => kind === 'loop');
  const other = hasLoop ? ' (--multitest: the cases are the iterations of the last loop)' : '';
  return `each input is one case${other}`;
}

async function readGrammar(path: string, rewrite = (text: string) => text): Promise<Grammar> {
  return parseGrammar(rewrite(readSmallFile(path, MAX_GRAMMAR_BYTES, 'usage').toString('latin1')), path);
}

/** Returns the largest number of cases that the grammar allows in an input; null if the grammar does not bound it. */
function largestNumberOfCases(grammar: Grammar, options: GrammarOptions): number | null {
  try {
    const request = { seed: '', profile: 'tiny', cases: 1, maxSize: null } as const;
    return new GrammarCaseSource(grammar, request, options).casesBounds?.max ?? null;
  } catch {
    return null;
  }
}

/** Returns the options of grammars whose values differ from the defaults, as a user types them. */
function wordsOf({ multitest, casesLoop, answers }: GrammarUse): string[] {
  const reading = casesLoop === null ? ['--multitest'] : ['--cases-loop', String(casesLoop)];
  return [
    ...(multitest ? reading : []),
    ...(answers === defaultAnswersOption(multitest) ? [] : ['--answers', answers]),
  ];
}

/** An answer format, and the variables of cases whose values it needs, apart from integers without indices. */
interface AnswersOfGrammar {
  readonly answerFormat: AnswerFormat<CaseOfGrammar>;
  readonly keptNames: readonly string[];
}

/** Returns the answer format that `--answers` describes. It may use the variables of the grammar of the input. */
async function readAnswerFormat(
  { answers: text, multitest }: GrammarUse,
  grammar: Grammar,
): Promise<AnswersOfGrammar> {
  const variables = assignedNames(grammar.commands);
  if (text === 'all' && multitest)
    throw usageError(
      '--answers all takes the whole output as one answer, but with --multitest an output has an answer for each case',
    );
  if (!isGrammarOfAnswers(text)) {
    const tree = parseAnswers(text, integerNames(grammar.commands));
    return { answerFormat: new TreeAnswerFormat(tree, null, recordsOfGrammar), keptNames: [] };
  }
  const answer = await readGrammar(text);
  const accesses = accessesOf(answer.commands);
  const unknown = firstUndefined(accesses, variables);
  if (unknown === null) {
    const used = new Set(
      accesses.flatMap(({ name, kind }) => (kind === 'use' && variables.has(name) ? [name] : [])),
    );
    return { answerFormat: new GrammarAnswerFormat(answer, used.size > 0), keptNames: [...used] };
  }
  const reason = `expected this grammar or ${grammar.fileName} to set ${unknown.name} before this`;
  throw new GrammarError(text, unknown.at, reason);
}

function parseAnswers(text: string, variables: ReadonlySet<string>): AnswerTree {
  const [kind, rest] = splitAtColon(text);
  if (text === 'all') return WHOLE_OUTPUT;
  if (text === 'line') return { label: null, body: { kind: 'line', mayBeEmpty: false } };
  if (kind === 'lines' && rest !== '') {
    return { label: null, body: { kind: 'lines', count: parseCount(rest, variables) } };
  }
  if (kind === 'tokens' && rest !== '') {
    return { label: null, body: { kind: 'words', count: parseCount(rest, variables), letters: null } };
  }
  if (kind === 'label' && rest.trim() !== '') return { label: rest, body: null };
  const expected = 'all, line, lines:EXPR, tokens:EXPR, label:TEXT or the path of a grammar (.ctd)';
  throw new BoardmillError('usage', `--answers needs ${expected}, got "${text}"`);
}

function splitAtColon(text: string): [string, string] {
  const colon = text.indexOf(':');
  return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
}

/** Parses an expression for a number of lines or tokens. It may use the grammar's variables; a constant must be at least 1. */
function parseCount(text: string, variables: ReadonlySet<string>): Expression {
  const expression = parseAnswerExpression(text);
  const unknown = fieldNamesInExpression(expression).find((name) => !variables.has(name));
  if (unknown !== undefined) {
    throw usageError(
      `--answers: the expression "${text}" uses ${unknown}, which the grammar does not set as an integer without an index`,
    );
  }
  const isNumber = fieldNamesInExpression(expression).length === 0;
  if (isNumber && !((constantValue(expression) ?? 0) >= 1)) {
    throw usageError(`--answers: the expression "${text}" is not a number of at least 1`);
  }
  return expression;
}

function parseAnswerExpression(text: string): Expression {
  try {
    return parseExpression(text);
  } catch (error) {
    throw usageError(`--answers: ${error instanceof Error ? error.message : error}`);
  }
}

/** Returns the records with the variables of the grammar, which expressions in the answer format may use. */
function recordsOfGrammar({ value, head }: AnswerScope<CaseOfGrammar>): RecordValue[] {
  return [value.variables, (head ?? {}) as RecordValue];
}

/** Creates the source of random cases. Fails with kind `usage` if the grammar does not allow what is requested. */
function createSource(
  name: string,
  grammar: Grammar,
  options: GrammarOptions,
  { seed, profile, cases, maxSize, boards, set }: RandomCasesRequest,
): RandomCaseSource<CaseOfGrammar> {
  const wish = Object.entries(boards).find(([, value]) => value !== null)?.[0];
  if (wish !== undefined) throw usageError(`--${wish} is for boards; ${name} has none`);
  if (profile === 'hard') throw usageError(`--profile hard is for boards; ${name} has none`);
  if (set !== null) throw usageError(`--set is for problems with a contest; a grammar has none`);
  const source = new GrammarCaseSource(grammar, { seed, profile, cases, maxSize }, options);
  const { casesBounds } = source;
  if (casesBounds !== null && (cases < casesBounds.min || cases > casesBounds.max)) {
    throw usageError(
      `--cases ${cases}: ${grammar.fileName} allows ${casesBounds.min} to ${casesBounds.max} cases`,
    );
  }
  return source;
}

function usageError(message: string): BoardmillError {
  return new BoardmillError('usage', message);
}
