/** `boardmill problems`: lists the problems that boardmill can solve, or describes one problem. */

import { readFileSync } from 'node:fs';
import { findProblem, PROBLEMS, type ProblemEntry } from '../../catalog/registry.js';
import { BoardmillError, pluralize } from '../../core/errors.js';
import { INSTALLATION_FOLDER } from '../../core/installation.js';
import { escapeLines, printJson } from '../../core/printable.js';
import type { BoardLimits } from '../../formats/boards/board.js';
import type { BoardProblem } from '../../games/shared/board-problem.js';
import type { ContestData } from '../../problems/contest-sets.js';
import { ANY_BOARDS, CASE_PROFILES, type Problem, type RandomCasesRequest } from '../../problems/problem.js';
import { AuthorFunctionPool } from '../../tools/cases/author-pool.js';
import { generateInput } from '../../tools/cases/draw.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { GRAMMAR_OPTIONS, openProblemArgument } from '../arguments/problem-argument.js';
import * as row from '../arguments/rows.js';
import { EXIT_CODE } from '../exit.js';

const { multitest, 'cases-loop': casesLoop } = GRAMMAR_OPTIONS;

export const syntax = {
  arguments: {
    problem: row.optionalArgument(
      'name or alias of a problem, or the path of a module or of a grammar, to describe',
    ),
  },
  options: {
    json: row.flagOption(
      'print JSON, with the limits of the contest and of boardmill, and the sets of the contest',
    ),
    multitest,
    'cases-loop': casesLoop,
  },
  examples: [
    ['boardmill problems --json', 'print the names, limits and sets of all problems'],
    ['boardmill problems zu', 'print the rules, the input format, a sample and the sets of river-pawn'],
  ],
} satisfies CommandSyntax;

export async function run(args: CommandLineValues<typeof syntax>): Promise<number> {
  process.stdout.write(escapeLines(await format(args)));
  return EXIT_CODE.ok;
}

async function format({ problem: name, json, ...use }: CommandLineValues<typeof syntax>): Promise<string> {
  if (name === null) return json ? formatJson(await Promise.all(PROBLEMS.map(toFacts))) : formatTable();
  const { problem } = await openProblemArgument({ problem: name, ...use });
  const entry = findProblem(problem.name);
  const isOurs = problem.reference.kind === 'built-in' && entry !== undefined;
  const facts = isOurs ? await toFacts(entry) : toUserFacts(problem);
  const sample = isOurs ? sampleOf(entry) : await drawSample(problem);
  return json
    ? formatJson({
        ...facts,
        profiles: profilesOf(problem),
        input: problem.inputFormat.describe(),
        ...sample,
      })
    : formatDescription(problem, isOurs ? entry : null, sample);
}

function formatJson(value: unknown): string {
  return `${printJson(value, 2)}\n`;
}

function formatTable(): string {
  const width = Math.max(...PROBLEMS.map(({ name }) => name.length));
  const lines = PROBLEMS.map(({ name, aliases, title, source }) =>
    [`${name.padEnd(width)}  ${title} (${source})`, ...describeAliases(aliases, 'aliases')].join('; '),
  );
  return `${lines.join('\n')}\n`;
}

/** Returns a text with the aliases of a problem, or nothing if it has none. */
function describeAliases(aliases: readonly string[], label: string): string[] {
  return aliases.length === 0 ? [] : [`${label}: ${aliases.join(', ')}`];
}

/** Returns what `--json` prints about a problem that boardmill has itself. */
async function toFacts({ name, aliases, title, source, rules, load }: ProblemEntry) {
  const { parts, contest } = (await load()).problem;
  const { constraints, supportedLimits: limits } = parts;
  const { sets, seconds, megabytes } = contest!.data;
  return { name, aliases, title, source, rules, contest: constraints, limits, sets, seconds, megabytes };
}

/** Returns what `--json` prints about a problem of a user. It has no limits apart from those of its contest. */
function toUserFacts({ name, contest }: Problem) {
  const { sets, cases, seconds, megabytes } = contest?.data ?? NO_CONTEST;
  return { name, contest: { cases }, sets, seconds, megabytes };
}

const NO_CONTEST: ContestData = { sets: {}, cases: null, seconds: null, megabytes: null };

/** A small input of a problem, and its answers if they are known. Empty if no small input can be drawn. */
interface Sample {
  readonly sample?: string;
  readonly answers?: string;
}

/** Returns the sample from the statement of a problem that boardmill has itself. */
function sampleOf({ name }: ProblemEntry): Sample {
  const read = (ending: string) =>
    readFileSync(new URL(`../data/${name}/sample/statement.${ending}`, INSTALLATION_FOLDER), 'utf8');
  return { sample: read('in'), answers: read('ans') };
}

/** Draws a small input of a problem that a user has defined. */
async function drawSample(problem: Problem): Promise<Sample> {
  const author = new AuthorFunctionPool(problem, 1);
  try {
    const pieces: Uint8Array[] = [];
    const drawer = await author.openDrawer(SAMPLE_REQUEST);
    for await (const piece of generateInput(problem, drawer, SAMPLE_REQUEST.cases)) pieces.push(piece);
    return { sample: Buffer.concat(pieces).toString('utf8') };
  } catch (error) {
    if (error instanceof BoardmillError && error.kind === 'usage') return {};
    throw error;
  } finally {
    await author.close();
  }
}

const SAMPLE_REQUEST: RandomCasesRequest = {
  seed: 'sample',
  profile: 'tiny',
  cases: 1,
  maxSize: null,
  set: null,
  boards: ANY_BOARDS,
};

function formatDescription(
  problem: Problem,
  entry: ProblemEntry | null,
  { sample, answers }: Sample,
): string {
  return [
    entry === null ? problem.name : `${problem.name}: ${entry.title} (${entry.source})`,
    ...(entry === null ? [] : describeAliases(entry.aliases, 'Aliases')),
    ...(entry === null ? [] : ['', entry.rules]),
    ...['', 'Input:', indent(problem.inputFormat.describe())],
    ...(sample === undefined ? [] : ['', 'Sample:', indent(sample)]),
    ...(answers === undefined ? [] : ['', 'Answers to the sample:', indent(answers)]),
    ...['', ...(entry === null ? [] : [describeSupport(problem as Problem as BoardProblem)])],
    describeContest(problem.contest?.data ?? NO_CONTEST),
    `Profiles of generate: ${profilesOf(problem).join(', ')}`,
    ...describeSets(problem.contest?.data ?? NO_CONTEST),
    '',
  ].join('\n');
}

/** Returns the profiles that `generate` accepts for the problem. */
function profilesOf(problem: Problem): readonly string[] {
  if (problem.reference.kind === 'built-in') return [...CASE_PROFILES, 'all'];
  const drawn = CASE_PROFILES.filter((profile) => profile !== 'hard');
  return isListable(problem) ? [...drawn, 'all'] : drawn;
}

/** Whether `--profile all` can list the cases of a problem of a user. */
function isListable(problem: Problem): boolean {
  try {
    return problem.cases.enumerate?.({ rows: null, cols: null, set: null }) !== undefined;
  } catch (error) {
    if (error instanceof BoardmillError && error.kind === 'usage') return false;
    throw error;
  }
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '  ');
}

function describeSupport({ parts }: BoardProblem): string {
  return `Largest boards that boardmill solves: ${describeLimits(parts.supportedLimits)}`;
}

function describeLimits({ minRows, maxRows, minCols, maxCols, maxCells }: BoardLimits): string {
  const rows = describeRange(minRows, maxRows, 'row');
  return `${rows}, ${describeRange(minCols, maxCols, 'column')}, at most ${maxCells} cells`;
}

function describeRange(min: number, max: number, noun: string): string {
  return min === max ? pluralize(min, noun) : `${min} to ${pluralize(max, noun)}`;
}

function describeContest({ cases, seconds, megabytes }: ContestData): string {
  const limits = [
    ...(cases === null ? [] : [`at most ${cases} ${cases === 1 ? 'case' : 'cases'} in a file`]),
    ...(seconds === null ? [] : [`${seconds} s`]),
    ...(megabytes === null ? [] : [`${megabytes} MB`]),
  ];
  return `Limits of the contest: ${limits.length === 0 ? 'none known' : limits.join(', ')}`;
}

/** Returns a line about each set of a contest: sizes of boards, or bounds of fields such as `n: [1, 4]`. */
function describeSets({ sets }: ContestData): string[] {
  const names = Object.keys(sets);
  if (names.length === 0) return [];
  const width = Math.max(...names.map((name) => name.length));
  const lines = names.map((name) => `  ${name.padEnd(width)}  ${describeSet(sets[name])}`);
  return ['Sets of the contest (--set of generate and validate):', ...lines];
}

function describeSet(set: ContestData['sets'][string]): string {
  if (!('maxCells' in set)) return describeBounds(set);
  const { ids, rule, ...limits } = set as unknown as BoardLimits & { ids?: [number, number]; rule?: string };
  return [
    describeLimits(limits),
    ...(ids === undefined ? [] : [`ids ${ids.join(' to ')}`]),
    ...(rule === undefined ? [] : [rule]),
  ].join('; ');
}

function describeBounds(set: ContestData['sets'][string]): string {
  return Object.entries(set)
    .map(([name, bounds]) => `${name} from ${(bounds as number[]).join(' to ')}`)
    .join(', ');
}
