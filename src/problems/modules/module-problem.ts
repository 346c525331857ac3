/** The problem that a user's module defines, as the engine sees it. */
import { ByteWriter } from '../../core/bytes.js';

import { BoardmillError } from '../../core/errors.js';
import { type TreeAnswer, TreeAnswerFormat } from '../../formats/answers/answers.js';
import { TreeCaseSource } from '../../formats/cases/draw.js';
import { enumerateLayoutCases } from '../../formats/cases/enumerate.js';
import { TreeCaseMeasure } from '../../formats/cases/measure-tree.js';
import { narrowLayout, narrowOutermostNumbers } from '../../formats/cases/narrow.js';
import { simplerTreeCases } from '../../formats/cases/shrink.js';
import { evaluateExpression } from '../../formats/language/expression.js';
import { collectTagPropertyNames, NameScope } from '../../formats/language/expression-values.js';
import { collectSizeNames, numbersWithNames } from '../../formats/language/size-names.js';
import type { Layout, RecordValue } from '../../formats/language/tree.js';
import { boundsOfCaseCount } from '../../formats/tree/case-count.js';
import { TreeInputFormat } from '../../formats/tree/tree-format.js';
import { NIMBERS_AS_VALUES } from '../census.js';
import { type ContestData, findContestSet } from '../contest-sets.js';
import type {
  CaseEnumeration,
  EnumerationRequest,
  Problem,
  ProblemContest,
  RandomCaseSource,
  RandomCasesRequest,
  SetMembershipTest,
  SumConstraints,
} from '../problem.js';
import { boundsOfSizes, columnsAboutBoard } from './case-grid.js';
import type { NamedBounds, ProblemDescription } from './definition.js';

/** Largest number of cases in one run of a program if the problem does not say how many cases a contest file may have. */
const DEFAULT_CASES_PER_RUN = 1000;

/** The path with which a user names a module, and the URL of the module. */
interface ModuleOrigin {
  /** The path as the user typed it. */
  readonly typed: string;
  /** The `file:` URL of the module. */
  readonly url: string;
}

export type ModuleProblem = Problem<TreeAnswer, RecordValue> & {
  readonly answerFormat: TreeAnswerFormat;
  readonly cases: { createSource(request: RandomCasesRequest): ModuleRandomCaseSource };
};

export interface ModuleRandomCaseSource extends RandomCaseSource<RecordValue> {
  /** Returns the random case with this index. Fields in `given` are taken as they are, and the drawn fields fit them. */
  caseAt(index: number, given?: RecordValue): RecordValue;
}

/** Creates the problem from its description. It has no solver: only worker threads run the code of the module. */
export function createModuleProblem(description: ProblemDescription, origin: ModuleOrigin): ModuleProblem {
  const { name, layout, answer, contest, has, tolerance } = description;
  const inputFormat = new TreeInputFormat(layout);
  const sizeNames = collectSizeNames(layout);
  const caseColumns = columnsAboutBoard(layout);
  return {
    name,
    words: [origin.typed],
    reference: { kind: 'module', ...origin },
    inputFormat,
    answerFormat: new TreeAnswerFormat(answer, layout),
    casesPerRun: casesPerRunOf(description),
    solvers: has.solve ? {} : null,
    hasNimbers: has.nimber,
    ...(has.nimber ? { caseValues: NIMBERS_AS_VALUES } : {}),
    ...(caseColumns === undefined ? {} : { caseColumns }),
    author: { tolerance, hasEqual: has.equal, hasValid: has.valid, hasGenerate: has.generate },
    ...(layout.total.length === 0 ? {} : { totals: totalsOf(layout) }),
    cases: {
      countBounds: boundsOfCaseCount(layout),
      createSource: (request) => createSource(description, inputFormat, request),
      enumerate: (request) => enumerateCases(description, inputFormat, request),
      simpler: (value, head) => simplerTreeCases(layout, value, head.value as RecordValue),
      createMeasure: () => new TreeCaseMeasure(layout),
      sizesOf: (value) => numbersWithNames(sizeNames, value),
    },
    ...(contest === null ? {} : { contest: contestOf(description, contest) }),
  };
}

function contestOf(
  description: ProblemDescription,
  data: ContestData,
): ProblemContest<TreeAnswer, RecordValue> {
  return {
    data,
    createFormat: (set) =>
      new TreeInputFormat(narrowLayout(description.layout, boundsOfSet(description, set))),
    createSetTests: () => Object.keys(data.sets).map((set) => createSetTest(description, set)),
  };
}

/** A case belongs to a set if it can be parsed with the bounds of the set. */
function createSetTest(
  description: ProblemDescription,
  name: string,
): SetMembershipTest<RecordValue, TreeAnswer> {
  const bounds = boundsOfSet(description, name);
  const parser = new TreeInputFormat(narrowLayout(description.layout, bounds)).createParser();
  return {
    name,
    useHead: (head) => parser.useHead(head),
    includes: (_, text) => parser.parse(text, 0, text.length, null) !== null,
  };
}

/**
 * Creates the source of random cases. Fails with kind `usage` if the request asks for something that the cases of this problem
 * cannot have.
 */
function createSource(
  description: ProblemDescription,
  format: TreeInputFormat,
  { seed, profile, cases, maxSize, set, boards }: RandomCasesRequest,
): ModuleRandomCaseSource {
  const { name, layout } = description;
  if (boards.density !== null)
    throw usageError(`--density is for the board games of boardmill, not for ${name}`);
  if (profile === 'hard')
    throw usageError(`--profile hard is for the board games of boardmill, not for ${name}`);
  const ofSet = narrowLayout(layout, boundsOfSet(description, set));
  const sizes = boundsOfSizes(name, ofSet, boards);
  const chosenSizes = Object.keys(sizes);
  const printHead = (head: RecordValue, count: number) => {
    const out = new ByteWriter();
    format.printHeadValue(head, count, out);
    return out.take();
  };
  const chosen = narrowOutermostNumbers(ofSet, sizes);
  return new TreeCaseSource(chosen, { seed, profile, cases, maxSize, chosenSizes }, printHead);
}

/** Lists every case. Fails with kind `usage` if a field has infinitely many values, or if no case has the requested sizes. */
function enumerateCases(
  description: ProblemDescription,
  format: TreeInputFormat,
  { set, ...sizes }: EnumerationRequest,
): CaseEnumeration<RecordValue> {
  const layout = narrowLayout(description.layout, boundsOfSet(description, set));
  const chosen = narrowOutermostNumbers(layout, boundsOfSizes(description.name, layout, sizes));
  const { head, ...cases } = enumerateLayoutCases(chosen);
  const out = new ByteWriter();
  format.printHeadValue(head, 1, out);
  return { ...cases, head: out.length === 0 ? null : out.take(), inputCases: boundsOfCaseCount(layout) };
}

function usageError(message: string): BoardmillError {
  return new BoardmillError('usage', message);
}

function casesPerRunOf({ layout, contest }: ProblemDescription): number {
  if (layout.ending.kind === 'single') return 1;
  return boundsOfCaseCount(layout).max ?? contest?.cases ?? DEFAULT_CASES_PER_RUN;
}

/** Returns the bounds of a set of the contest; for `set` null, the bounds of the fields themselves, which are the widest. */
function boundsOfSet({ name, contest }: ProblemDescription, set: string | null): NamedBounds {
  return findContestSet(name, contest?.sets ?? {}, set) ?? {};
}

/**
 * Returns the bounds on sums over the cases of a file. An expression that has no value for a case, such as 1 / 0, adds nothing
 * to the sum.
 */
function totalsOf(layout: Layout): SumConstraints<RecordValue> {
  const { total } = layout;
  const tagNames = collectTagPropertyNames(layout);
  return {
    bounds: total,
    of(value, headValue) {
      const scope = new NameScope([value, headValue as RecordValue], tagNames);
      return total.map(({ expression }) => BigInt(evaluateExpression(expression, scope) ?? 0));
    },
  };
}

/** Returns the bounds of the numbers of a case, by name, as far as the bounds are constants or were chosen. */
export function boundsOfFields(
  description: ProblemDescription,
  { set, boards }: Pick<RandomCasesRequest, 'set' | 'boards'>,
): NamedBounds {
  const setBounds = boundsOfSet(description, set);
  const layout = narrowLayout(description.layout, setBounds);
  const fields = layout.shape.records.flatMap((record) => record.fields);
  const bounds = fields.flatMap(({ name, field }) => {
    if (!('min' in field) || field.min?.kind !== 'constant' || field.max?.kind !== 'constant') return [];
    return [[name, [field.min.value, field.max.value]] as const];
  });
  const sizes = boundsOfSizes(description.name, layout, boards);
  return { ...setBounds, ...Object.fromEntries(bounds), ...sizes };
}
