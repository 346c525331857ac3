/**
 * What a submission is expected to do: the verdicts that its folder, an `@EXPECTED_RESULTS@` comment or submissions.yaml
 * permit and require.
 */
import { BoardmillError } from '../../../../core/errors.js';
import type { Verdict } from '../../../../engine/verdict.js';
import type { GlobCompiler, GlobPattern } from './glob.js';
import type { YamlMap } from './yaml.js';

/**
 * The verdicts that package formats know. A program that runs out of memory gets RTE in these formats. CE is the verdict on a
 * program that cannot be built; only a folder or a comment may expect CE.
 */
type ExpectedVerdict = 'AC' | 'WA' | 'TLE' | 'RTE' | 'CE';

const RUN_VERDICTS: readonly ExpectedVerdict[] = ['AC', 'WA', 'TLE', 'RTE'];

/** The names of results in `@EXPECTED_RESULTS@` comments and in submissions.yaml, with `-` between their words. */
const RESULT_NAMES: Readonly<Record<string, ExpectedVerdict>> = {
  AC: 'AC',
  ACCEPTED: 'AC',
  CORRECT: 'AC',
  WA: 'WA',
  'WRONG-ANSWER': 'WA',
  'NO-OUTPUT': 'WA',
  TLE: 'TLE',
  TIMELIMIT: 'TLE',
  'TIME-LIMIT': 'TLE',
  'TIME-LIMIT-EXCEEDED': 'TLE',
  RTE: 'RTE',
  'RUN-ERROR': 'RTE',
  'RUN-TIME-ERROR': 'RTE',
  'RUNTIME-ERROR': 'RTE',
  'OUTPUT-LIMIT': 'RTE',
  MLE: 'RTE',
  'MEMORY-LIMIT': 'RTE',
  'MEMORY-LIMIT-EXCEEDED': 'RTE',
  CE: 'CE',
  'COMPILER-ERROR': 'CE',
  'COMPILE-ERROR': 'CE',
};

/** Verdicts that every test may have, and verdicts of which at least one test must have one. */
interface VerdictRule {
  readonly permitted?: readonly ExpectedVerdict[];
  readonly required?: readonly ExpectedVerdict[];
}

/** The rules of the folders of submissions. For the package format `legacy`, rows of LEGACY_FOLDER_RULES take precedence. */
const FOLDER_RULES: Readonly<Record<string, readonly VerdictRule[]>> = {
  accepted: [{ permitted: ['AC'] }],
  rejected: [{ required: ['WA', 'TLE', 'RTE'] }],
  wrong_answer: [{ permitted: ['AC', 'WA'], required: ['WA'] }],
  time_limit_exceeded: [{ permitted: ['AC', 'TLE'], required: ['TLE'] }],
  run_time_error: [{ permitted: ['AC', 'RTE'], required: ['RTE'] }],
  brute_force: [{ permitted: ['AC', 'TLE', 'RTE'], required: ['TLE', 'RTE'] }],
  // A submission that gets only part of the points passes some tests and fails others.
  partially_accepted: [{ required: ['AC'] }, { required: ['WA', 'TLE', 'RTE'] }],
  // DOMjudge also reads the names of its results as names of folders.
  compiler_error: [{ required: ['CE'] }],
  no_output: [{ required: ['WA'] }],
  output_limit: [{ required: ['RTE'] }],
};

/** The names of the folders of submissions. */
export const SUBMISSION_FOLDERS = Object.keys(FOLDER_RULES);

/** The rules of the package format `legacy` that differ from those of the later formats. */
const LEGACY_FOLDER_RULES: typeof FOLDER_RULES = {
  time_limit_exceeded: [{ permitted: ['AC', 'WA', 'TLE'], required: ['TLE'] }],
  run_time_error: [{ required: ['RTE'] }],
};

/** If the validator gives the points, a submission may pass every test and still get only a part of them. */
const SCORED_PARTIALLY: readonly VerdictRule[] = [{ required: ['AC'] }];

/** The folders in which an `@EXPECTED_RESULTS@` comment is ignored. */
const FOLDERS_WITHOUT_COMMENTS = ['accepted', 'wrong_answer', 'time_limit_exceeded', 'run_time_error'];

/** The folders of the format `legacy` whose submissions bound the time limit. In later formats, rules say which do. */
const LEGACY_TIMED_FOLDERS = ['accepted', 'time_limit_exceeded'];

/** A rule about the verdicts on all tests, or on those that `scope` matches. */
interface Rule {
  readonly scope: GlobPattern | null;
  readonly permitted: ReadonlySet<ExpectedVerdict>;
  readonly required: ReadonlySet<ExpectedVerdict>;
  /** A text that the validator must say about at least one test; null if it may say anything. */
  readonly message: string | null;
  /** Which bound of the time limit the submission gives on these tests; null if none. */
  readonly timeBound: 'lower' | 'upper' | null;
}

/** What one submission is expected to do. */
export interface Expectation {
  readonly rules: readonly Rule[];
  /**
   * The verdicts of which the whole run must have one, as DOMjudge reads `@EXPECTED_RESULTS@`: the verdict of the first test
   * that is not accepted, or AC. Null if there is no such comment.
   */
  readonly finalVerdicts: ReadonlySet<ExpectedVerdict> | null;
}

/** What is known of a submission before it is run. */
export interface ExpectationContext {
  readonly isLegacy: boolean;
  readonly isScoredByValidator: boolean;
  /** submissions.yaml; null if there is none. */
  readonly yaml: YamlMap | null;
  /** The patterns of submissions.yaml. */
  readonly globs: GlobCompiler;
}

/**
 * Returns what a submission is expected to do. `path` is relative to `submissions/`, and `comment` is the value of its
 * `@EXPECTED_RESULTS@` comment. A comment that has only names of no verdict, such as points, takes nothing from what the folder
 * says. Returns null if nothing is expected of the submission.
 */
export function expectationOf(
  path: string,
  comment: string | null,
  context: ExpectationContext,
): Expectation | null {
  const folder = path.split('/')[0];
  const stated = rulesOfYaml(path, folder, context);
  if (comment !== null && stated === null && !FOLDERS_WITHOUT_COMMENTS.includes(folder)) {
    const finalVerdicts = verdictsOfComment(comment);
    if (finalVerdicts.size > 0) return { rules: [], finalVerdicts };
    if (namesIn(comment).includes(UNJUDGED)) return null;
  }
  const isOverridden = context.yaml?.keys.some((key) => withoutSlash(key) === folder) === true;
  const rules = [...(isOverridden ? [] : folderRules(folder, context)), ...(stated ?? [])];
  return rules.length === 0 ? null : { rules, finalVerdicts: null };
}

/** Returns the verdicts that the value of an `@EXPECTED_RESULTS@` comment names. Unknown names are left out. */
function verdictsOfComment(comment: string): ReadonlySet<ExpectedVerdict> {
  return new Set(
    namesIn(comment)
      .map(verdictOfName)
      .filter((verdict) => verdict !== null),
  );
}

/** The result with which DOMjudge leaves the verdict to people. */
const UNJUDGED = 'CHECK-MANUALLY';

/** Returns the names in the value of an `@EXPECTED_RESULTS@` comment that mean nothing. Points are left out. */
export function unknownVerdictNamesIn(comment: string): string[] {
  return namesIn(comment).filter(
    (name) => verdictOfName(name) === null && name !== UNJUDGED && !/^-?[\d.]+$/.test(name),
  );
}

/** Returns the names in the value of a comment, without what closes the comment in the submission's language. */
function namesIn(comment: string): string[] {
  const names = comment.replace(/\s*(?:\*\/|-->|-\}|\*\)|\|#)\s*$/, '').split(',');
  return names.map((name) => name.trim().toUpperCase()).filter((name) => name !== '');
}

function verdictOfName(name: string): ExpectedVerdict | null {
  const normal = name.trim().toUpperCase().replace(/[ _]/g, '-');
  return Object.hasOwn(RESULT_NAMES, normal) ? RESULT_NAMES[normal] : null;
}

function verdictRules(folder: string, context: ExpectationContext): readonly VerdictRule[] {
  if (folder === 'partially_accepted' && context.isScoredByValidator) return SCORED_PARTIALLY;
  if (context.isLegacy && Object.hasOwn(LEGACY_FOLDER_RULES, folder)) return LEGACY_FOLDER_RULES[folder];
  return Object.hasOwn(FOLDER_RULES, folder) ? FOLDER_RULES[folder] : [];
}

function folderRules(folder: string, context: ExpectationContext): Rule[] {
  const isTimed = !context.isLegacy || LEGACY_TIMED_FOLDERS.includes(folder);
  return verdictRules(folder, context).map((rule) => {
    const whole = completeRule(rule, null);
    return { ...whole, timeBound: isTimed ? timeBoundOf(whole) : null };
  });
}

function completeRule(
  { permitted, required }: VerdictRule,
  scope: GlobPattern | null,
): Omit<Rule, 'timeBound'> {
  return {
    scope,
    permitted: new Set(permitted ?? RUN_VERDICTS),
    required: new Set(required ?? RUN_VERDICTS),
    message: null,
  };
}

/** A submission that must not be too slow bounds the time limit from below; one that must be too slow, from above. */
function timeBoundOf({ permitted, required }: Pick<Rule, 'permitted' | 'required'>): Rule['timeBound'] {
  if (required.has('CE')) return null;
  if (!permitted.has('TLE')) return 'lower';
  return required.size === 1 && required.has('TLE') ? 'upper' : null;
}

/** Returns the rules of all keys of submissions.yaml that match the submission; null if no key does. */
function rulesOfYaml(path: string, folder: string, { yaml, globs }: ExpectationContext): Rule[] | null {
  const keys = (yaml?.keys ?? []).filter((key) => globs.compile(key).test(path));
  if (yaml === null || keys.length === 0) return null;
  return keys.flatMap((key): Rule[] => {
    // A key that is the name of a folder replaces the rule of the folder, and inherits from it what the key does not state.
    const isFolder = withoutSlash(key) === folder && Object.hasOwn(FOLDER_RULES, folder);
    return rulesOfKey(yaml.map(key), isFolder ? FOLDER_RULES[folder][0] : {}, globs);
  });
}

/** Keys of submissions.yaml whose values are maps but do not belong to tests. */
const KEYS_WITHOUT_TESTS = ['authors'];

/** Returns the rules in the map at a key of submissions.yaml: one for all tests, and those for the tests that the map names. */
function rulesOfKey(map: YamlMap, inherited: VerdictRule, globs: GlobCompiler): Rule[] {
  const scopes = map.keys.filter((key) => map.hasMap(key) && !KEYS_WITHOUT_TESTS.includes(key));
  return [
    ...parseRules(map, null, inherited),
    ...scopes.flatMap((key) => parseRules(map.map(key), globs.compile(key), {})),
  ];
}

/** The verdicts that a submission must have to be used for a bound of the time limit, in the rule that says so. */
const RULES_OF_TIME_BOUNDS: Readonly<Record<'lower' | 'upper', VerdictRule>> = {
  lower: { permitted: ['AC', 'WA', 'RTE'] },
  upper: { required: ['TLE'] },
};

/** Returns the rule in a map, and the one that its `use_for_time_limit` implies. */
function parseRules(map: YamlMap, scope: GlobPattern | null, inherited: VerdictRule): Rule[] {
  const use = map.text('use_for_time_limit');
  const rule = parseRule(map, scope, inherited);
  if (use !== 'lower' && use !== 'upper') return [rule];
  return [rule, { ...completeRule(RULES_OF_TIME_BOUNDS[use], scope), timeBound: use }];
}

function parseRule(map: YamlMap, scope: GlobPattern | null, inherited: VerdictRule): Rule {
  const permitted = parseVerdicts(map, 'permitted') ?? inherited.permitted;
  const required = parseVerdicts(map, 'required') ?? inherited.required;
  const rule = completeRule(
    { ...(permitted === undefined ? {} : { permitted }), ...(required === undefined ? {} : { required }) },
    scope,
  );
  return { ...rule, message: map.text('message'), timeBound: parseTimeBound(map, rule) };
}

function parseVerdicts(map: YamlMap, key: string): ExpectedVerdict[] | undefined {
  const names = map.words(key);
  if (names === null) return undefined;
  return names.map((name) => verdictOfName(name) ?? map.fail(key, `verdicts (${RUN_VERDICTS.join(', ')})`));
}

function parseTimeBound(map: YamlMap, rule: Pick<Rule, 'permitted' | 'required'>): Rule['timeBound'] {
  const use = map.text('use_for_time_limit');
  if (![null, 'true', 'false', 'lower', 'upper'].includes(use))
    return map.fail('use_for_time_limit', 'true, false, lower or upper');
  return use === null || use === 'true' ? timeBoundOf(rule) : null;
}

function withoutSlash(glob: string): string {
  return glob.replace(/\/$/, '');
}

/** The verdict on a test, with all that an expectation can demand of it. */
interface TestVerdict {
  readonly testName: string;
  readonly verdict: Verdict;
  /** What the validator said about the output; null if it said nothing. */
  readonly message: string | null;
}

/**
 * Whether verdicts on the remaining tests can no longer change whether a submission does what is expected of it. `tests` has
 * its verdicts so far. If nothing is expected, the first verdict that is not AC decides.
 */
export function isExpectationDecided(
  expectation: Expectation | null,
  tests: readonly TestVerdict[],
  remaining: readonly string[],
): boolean {
  const last = tests.at(-1);
  if (last === undefined) return false;
  if (expectation === null) return last.verdict !== 'AC';
  if (!isVerdictPermitted(expectation, last)) return true;
  if (expectation.finalVerdicts !== null) return last.verdict !== 'AC';
  const isAnythingPermitted = (testName: string) =>
    rulesFor(expectation, testName).every(({ permitted }) => permitted.size === RUN_VERDICTS.length);
  return (
    expectation.rules.every((rule) => isSettled(rule, tests, remaining)) &&
    remaining.every(isAnythingPermitted)
  );
}

/** Whether a rule is fulfilled whatever the verdicts on the remaining tests are. */
function isSettled(rule: Rule, tests: readonly TestVerdict[], remaining: readonly string[]): boolean {
  const { scope, timeBound } = rule;
  const isInScope = ({ testName }: { testName: string }) => scope === null || scope.test(testName);
  // How long the slowest run takes is known only after all runs.
  if (timeBound === 'upper') return false;
  if (!tests.some(isInScope)) return !remaining.some((testName) => isInScope({ testName }));
  return isRuleFulfilled(rule, tests);
}

/** Whether a rule allows the verdict on a test. */
export function isVerdictPermitted(expectation: Expectation, { testName, verdict }: TestVerdict): boolean {
  return rulesFor(expectation, testName).every(({ permitted }) => permitted.has(expectedVerdictOf(verdict)));
}

/** Whether the submission did what is expected of it. `tests` has its verdicts in the order of the data files. */
export function isExpectationFulfilled(expectation: Expectation, tests: readonly TestVerdict[]): boolean {
  return (
    tests.every((test) => isVerdictPermitted(expectation, test)) &&
    expectation.rules.every((rule) => isRuleFulfilled(rule, tests)) &&
    (expectation.finalVerdicts === null || expectation.finalVerdicts.has(finalVerdict(tests)))
  );
}

function isRuleFulfilled({ scope, required, message }: Rule, tests: readonly TestVerdict[]): boolean {
  const inScope = tests.filter(({ testName }) => scope === null || scope.test(testName));
  const hasRequired = inScope.some(({ verdict }) => required.has(expectedVerdictOf(verdict)));
  const isSaid = message === null || inScope.some((test) => test.message?.includes(message) === true);
  return (inScope.length === 0 && scope !== null) || (hasRequired && isSaid);
}

function rulesFor({ rules }: Expectation, testName: string): Rule[] {
  return rules.filter(({ scope }) => scope === null || scope.test(testName));
}

function expectedVerdictOf(verdict: Verdict): ExpectedVerdict {
  return verdict === 'MLE' ? 'RTE' : verdict;
}

function finalVerdict(tests: readonly TestVerdict[]): ExpectedVerdict {
  return expectedVerdictOf(tests.find(({ verdict }) => verdict !== 'AC')?.verdict ?? 'AC');
}

/** Whether the submission is expected to be right on all tests. */
export function expectsAccepted({ rules, finalVerdicts }: Expectation): boolean {
  const demandsIt = ({ scope, permitted }: Rule) =>
    scope === null && permitted.size === 1 && permitted.has('AC');
  return rules.some(demandsIt) || finalVerdicts?.has('AC') === true;
}

/** Whether the submission is expected not to compile. */
export function expectsBuildFailure({ rules, finalVerdicts }: Expectation): boolean {
  return rules.some(({ required }) => required.has('CE')) || finalVerdicts?.has('CE') === true;
}

/** Describes an expectation in a few words, for a table: "AC or TLE, some TLE". */
export function describeExpectation({ rules, finalVerdicts }: Expectation): string {
  if (finalVerdicts !== null) return `overall ${[...finalVerdicts].join(' or ')}`;
  const parts = rules.map(describeRule).filter((part) => part !== '');
  return [...new Set(parts)].join('; ') || 'anything';
}

function describeRule({ scope, permitted, required, message }: Rule): string {
  const areAllPermitted = RUN_VERDICTS.every((verdict) => permitted.has(verdict));
  const isOneRequired = [...permitted].some((verdict) => !required.has(verdict));
  const parts = [
    areAllPermitted ? '' : [...permitted].join(' or '),
    isOneRequired ? `some ${[...required].join(' or ')}` : '',
    message === null ? '' : `message ${JSON.stringify(message)}`,
  ].filter((part) => part !== '');
  return `${scope === null || parts.length === 0 ? '' : `${scope.text}: `}${parts.join(', ')}`;
}

/** Returns the value of the `@EXPECTED_RESULTS@` comment in a source; null if there is none. */
export function findExpectedResults(source: string): string | null {
  return /@EXPECTED_(?:RESULTS|SCORE)@:[ \t]*([^\r\n]*)/i.exec(source)?.[1] ?? null;
}

/**
 * Fails with kind `input` if two rules exclude each other: if a test can have no verdict, or if no test can have a verdict that
 * a rule requires.
 */
export function assertRulesConsistent(
  submission: string,
  expectation: Expectation,
  testNames: readonly string[],
): void {
  for (const testName of testNames) {
    const rules = rulesFor(expectation, testName);
    const isPossible = RUN_VERDICTS.some((verdict) => rules.every(({ permitted }) => permitted.has(verdict)));
    if (isPossible) continue;
    throw new BoardmillError(
      'input',
      `submissions.yaml permits ${submission} no verdict on ${testName}: its rules contradict each other`,
    );
  }
  for (const { scope, required } of expectation.rules) {
    const inScope = testNames.filter((testName) => scope === null || scope.test(testName));
    const canHave = (testName: string, verdict: ExpectedVerdict) =>
      rulesFor(expectation, testName).every(({ permitted }) => permitted.has(verdict));
    const isPossible = inScope.some((name) => [...required].some((verdict) => canHave(name, verdict)));
    if (isPossible || inScope.length === 0 || required.has('CE')) continue;
    throw new BoardmillError(
      'input',
      `submissions.yaml requires ${[...required].join(' or ')} of ${submission}, and permits it on no test: its rules contradict each other`,
    );
  }
}
