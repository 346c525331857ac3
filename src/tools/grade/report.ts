/** What a grading has found: as JSON, and as a text for people. */
import { formatCount, formatQuantity } from '../../core/format-count.js';
import { escapeUnprintable, shorten } from '../../core/printable.js';
import { formatPercent } from '../bench/numbers.js';
import { fitTable, tableOf } from '../bench/tables.js';
import { type GradedMutant, type GradingResult, mutantsOf } from './grade.js';
import { readableText } from './mutants/mutant.js';
import type { ProgramWithMutants } from './mutated-program.js';
import type { NewTest, SurvivorSearchResult } from './survivor-search.js';

/** A new test, and the name of its input if it was written. */
export interface NamedTest {
  readonly test: NewTest;
  readonly file: string | null;
}

export interface GradeReport {
  readonly seed: string;
  readonly timeLimit: number;
  readonly programs: readonly ProgramWithMutants[];
  readonly grading: GradingResult;
  readonly search: SurvivorSearchResult;
  readonly newTests: readonly NamedTest[];
  /** Whether a signal has stopped the search. */
  readonly isStopped: boolean;
}

/** How many mutants of a kind there are, and how many of them the tests kill. */
interface Score {
  readonly mutants: number;
  readonly killed: number;
}

/** Returns the mutants that change answers, or those that only change times. */
function mutantsThat(
  { programs }: GradeReport,
  { isAboutTime }: { readonly isAboutTime: boolean },
): GradedMutant[] {
  return mutantsOf(programs).filter(({ built }) => built.mutant.isAboutTime === isAboutTime);
}

function countRefused({ programs }: GradeReport): number {
  return programs.reduce((sum, { refused }) => sum + refused, 0);
}

export function gradeToJson(report: GradeReport): object {
  const { seed, timeLimit, grading, search } = report;
  const scores = new Scores(report);
  return {
    ...scores.of(mutantsThat(report, { isAboutTime: false })),
    survivors: survivorsOf(report).map(({ mutant, status, file }) => ({
      ...placeOf(mutant),
      status,
      ...(file === null ? {} : { test: file }),
    })),
    seed,
    timeLimit,
    timeMutants: scores.of(mutantsThat(report, { isAboutTime: true })),
    refused: countRefused(report),
    operators: scores
      .by(({ built }) => built.mutant.operator)
      .map(([operator, score]) => ({ operator, ...score })),
    places: scores
      .by(({ program, built }) => `${program.name}:${built.mutant.line}`)
      .map(([place, score]) => ({ place, ...score })),
    kills: grading.kills.map(({ mutant, input, caseNumber, kind }) => ({
      ...placeOf(mutant),
      by: input,
      case: caseNumber,
      how: kind,
    })),
    isSearchComplete: !search.isCut,
  };
}

function placeOf({ program, built: { mutant } }: GradedMutant): object {
  const { line, column, operator, original, text } = mutant;
  return { file: program.name, line, column, operator, from: readableText(original), to: readableText(text) };
}

interface Survivor {
  readonly mutant: GradedMutant;
  readonly status: string;
  /** The new test that kills the mutant, if it was written. */
  readonly file: string | null;
}

/** Returns the mutants that the tests do not kill, in the order of the programs. */
function survivorsOf({ newTests, search }: GradeReport): Survivor[] {
  const killed = newTests.flatMap(({ test, file }) =>
    test.kills.map((mutant) => ({ mutant, status: 'killed by a new test', file })),
  );
  const others = search.undecided.map(({ mutant, equalOn }) => ({
    mutant,
    status: equalOn === null ? 'undecided' : `equal ${equalOn}`,
    file: null,
  }));
  const numberOf = ({ mutant }: Survivor) => mutant.built.mutant.number;
  const nameOf = ({ mutant }: Survivor) => mutant.program.name;
  return [...killed, ...others].toSorted((a, b) =>
    nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : numberOf(a) - numberOf(b),
  );
}

/** Counts mutants and those that the tests have killed. */
class Scores {
  readonly #all: readonly GradedMutant[];
  readonly #killed: ReadonlySet<GradedMutant['built']>;

  constructor(report: GradeReport) {
    this.#all = mutantsThat(report, { isAboutTime: false });
    this.#killed = new Set(report.grading.kills.map(({ mutant }) => mutant.built));
  }

  of(mutants: readonly GradedMutant[]): Score {
    return { mutants: mutants.length, killed: mutants.filter(({ built }) => this.#killed.has(built)).length };
  }

  /** Returns the scores of groups of mutants, in the order in which the groups first occur. */
  by(keyOf: (mutant: GradedMutant) => string): [key: string, score: Score][] {
    const groups = new Map<string, GradedMutant[]>();
    for (const mutant of this.#all) {
      const key = keyOf(mutant);
      groups.set(key, [...(groups.get(key) ?? []), mutant]);
    }
    return [...groups].map(([key, mutants]) => [key, this.of(mutants)]);
  }
}

export function formatGrade(report: GradeReport, width: number): string {
  const scores = new Scores(report);
  const operators = scores.by(({ built }) => built.mutant.operator);
  const rows = operators.toSorted(([, a], [, b]) => b.mutants - b.killed - (a.mutants - a.killed));
  const table = tableOf(
    {
      operator: ([operator]: (typeof rows)[number]) => operator,
      mutants: ([, { mutants }]) => formatCount(mutants),
      killed: ([, { killed }]) => formatCount(killed),
      score: ([, { mutants, killed }]) => formatPercent(killed / mutants),
    },
    rows,
  );
  const survivors = survivorsOf(report).map(lineOfSurvivor);
  return [
    ...fitTable(...table, width).map((block) => block.trimEnd()),
    ...(survivors.length === 0 ? [] : ['', 'Mutants that the tests do not kill:', ...survivors]),
    '',
    ...summaryOf(report, scores),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function lineOfSurvivor({ mutant, status, file }: Survivor): string {
  const { line, column, operator, original, text } = mutant.built.mutant;
  const test = file === null ? '' : ` (${escapeUnprintable(file)})`;
  const place = `${escapeUnprintable(mutant.program.name)}:${line}:${column}`;
  return `${place}: ${operator}: ${describeChange(readableText(original), readableText(text))}: ${status}${test}`;
}

/** Number of characters before and after a change that a line shows, and the largest length of the changed text itself. */
const MAX_CONTEXT = 12;
const MAX_CHANGED = 30;

/** Describes a change: "a < b -> a <= b". What both texts have in common is cut off, except for a few characters. */
function describeChange(original: string, text: string): string {
  const [from, to] = [original, text].map((each) => each.replace(/\s+/g, ' ').trim());
  if (from === '') return `added ${to}`;
  if (to === '' || to === ';') return `left out ${shorten(from, MAX_CHANGED + 2 * MAX_CONTEXT)}`;
  const shorter = Math.min(from.length, to.length);
  let before = 0;
  while (before < shorter && from[before] === to[before]) before++;
  let after = 0;
  while (after < shorter - before && from.at(-1 - after) === to.at(-1 - after)) after++;
  const part = (each: string) => {
    const head =
      before <= MAX_CONTEXT ? each.slice(0, before) : `...${each.slice(before - MAX_CONTEXT, before)}`;
    const end = each.length - after;
    const tail = after <= MAX_CONTEXT ? each.slice(end) : `${each.slice(end, end + MAX_CONTEXT)}...`;
    return `${head}${shorten(each.slice(before, end), MAX_CHANGED)}${tail}`;
  };
  return `${part(from)} -> ${part(to)}`;
}

function summaryOf(report: GradeReport, scores: Scores): string[] {
  const { search, newTests, timeLimit, seed, isStopped } = report;
  const { mutants, killed } = scores.of(mutantsThat(report, { isAboutTime: false }));
  const time = scores.of(mutantsThat(report, { isAboutTime: true }));
  const refused = countRefused(report);
  const byNew = newTests.reduce((sum, { test }) => sum + test.kills.length, 0);
  const equal = search.undecided.filter(({ equalOn }) => equalOn !== null).length;
  const undecided = search.undecided.length - equal;
  const share = mutants === 0 ? '' : ` (${formatPercent(killed / mutants)})`;
  const parts = [
    `the tests kill ${formatCount(killed)} of ${formatQuantity(mutants, 'mutant')}${share}`,
    ...(byNew > 0
      ? [
          `${formatQuantity(newTests.length, 'new test')} ${newTests.length === 1 ? 'kills' : 'kill'} ${formatCount(byNew)} more`,
        ]
      : []),
    ...(equal > 0
      ? [`no case was found for ${formatQuantity(equal, 'mutant')}, although every small case was tried`]
      : []),
    ...(undecided > 0 ? [`${formatQuantity(undecided, 'mutant')} undecided`] : []),
  ];
  return [
    parts.join('; '),
    ...(time.mutants > 0
      ? [
          `of ${formatQuantity(time.mutants, 'mutant')} that only take longer, the tests stop ${formatCount(time.killed)}`,
        ]
      : []),
    ...(refused > 0 ? [`${formatQuantity(refused, 'change')} made no program that compiles`] : []),
    ...(search.isCut ? [`the search ended early: ${describeCut(search, isStopped)}`] : []),
    `time limit ${timeLimit.toFixed(2)} s for a run; seed ${seed}`,
  ];
}

/** Returns why the search has ended early, and what that means for its tests. */
function describeCut({ tests }: SurvivorSearchResult, isStopped: boolean): string {
  const why = isStopped ? 'it was stopped' : 'the time was up';
  return tests.length === 0 ? why : `${why}, so new tests may have more cases than they need`;
}
