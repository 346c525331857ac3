/** `boardmill judge`: runs several programs on the same inputs, and reports how each does on each case. */

import { join } from 'node:path';
import { resolvesInto } from '../../core/files/identity.js';
import { ProgramFiles } from '../../engine/exec/program-files.js';
import { answerFileOf } from '../../engine/input/file-names.js';
import { limitJobs } from '../../engine/limit-jobs.js';
import { assertDistinctFiles } from '../../engine/output/distinct-files.js';
import { mayReplaceFile } from '../../engine/output/ledger.js';
import { filesOfReports } from '../../engine/output/report-file.js';
import { grammarUseOf } from '../../problems/grammar-use.js';
import type { AnswerComparisonOptions } from '../../tools/compare/comparator.js';
import { filesOfPackage, linkedFoldersOf } from '../../tools/judge/package/read/package-files.js';
import {
  ANSWER_COMPARISON_NAMES,
  ANSWER_COMPARISON_OPTIONS,
  prepareAnswerComparison,
} from '../arguments/answer-options.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { GRAMMAR_OPTIONS, openProblemArgument } from '../arguments/problem-argument.js';
import * as row from '../arguments/rows.js';
import { openSandbox } from '../arguments/sandbox-option.js';
import { firstGivenOption } from '../arguments/syntax.js';
import { usageError } from '../arguments/usage-error.js';
import { limitJobsForMeasuring, parseAnyText } from '../arguments/values.js';
import { EXIT_CODE, notePrinter } from '../exit.js';
import { expandInputs } from '../inputs/expand-inputs.js';
import { DEFAULT_JUDGE_TIMEOUT, type JudgePlan, judgeInputs } from '../judge/judge-inputs.js';
import { type JudgePackageOptions, judgePackage } from '../judge/judge-package.js';
import { filesOfReport } from '../judge/judge-report.js';
import { filesOfPackageReport } from '../judge/package-report.js';
import { isBarWanted } from '../status/progress.js';

export const syntax = {
  arguments: {
    problem: row.optionalArgument(
      'name or alias of a problem (boardmill problems lists them), or the path of your own: a module or a grammar (.ctd)',
    ),
    inputs: row.INPUTS_ARGUMENT,
  },
  options: {
    exec: row.repeatableOption(row.namedProgramOption('a program to judge; may be repeated')),
    reference: row.programOption(
      "a program that knows the right answers, for inputs without NAME.ans (default: boardmill's solver)",
    ),
    'exec-cases': row.countOption(
      1,
      'largest number of cases per run of a program (default: as many as the contest allows in one file)',
    ),
    timeout: row.secondsOption(
      `time limit for each test case, such as 5 (seconds) or 500ms; a run of several cases that takes longer is repeated with fewer cases (default: ${DEFAULT_JUDGE_TIMEOUT} s, which the reference and the solver always have)`,
    ),
    'memory-limit': row.MEMORY_LIMIT_OPTION,
    sandbox: row.SANDBOX_OPTION,
    ...row.optionGroup('Problem packages', {
      package: row.folderOption(
        'judge the submissions of this problem package (Kattis, ICPC) on its data, in place of --exec and inputs; exit code 0 if each does what the package expects',
      ),
      only: row.repeatableOption(
        row.valueOption(
          parseAnyText('a pattern'),
          "with --package: judge only the submissions whose path matches this pattern, such as 'submissions/wrong_answer/*' (* is any part of one name, {a,b} is a or b); may be repeated",
          { value: 'GLOB', needs: 'package' },
        ),
      ),
      all: row.flagOption(
        'with --package: run each submission on all files; otherwise it ends with the verdict that decides whether it does what the package expects',
        { needs: ['package', 'programs of --exec always run on all cases'] },
      ),
      'check-inputs': row.flagOption(
        'with --package: also check the inputs with the input validators of the package, and the answers with those of the accepted programs',
        { needs: 'package' },
      ),
      env: row.repeatableOption(
        row.valueOption(
          parseEnvironmentName,
          'with --package: also give this environment variable to the programs of the package, which otherwise get only what compilers and interpreters need; may be repeated',
          { needs: ['package', 'programs of --exec get the whole environment'] },
        ),
      ),
    }),
    jobs: row.jobsOption(
      'number of programs that run at the same time (default: number of processors; with --package one less, which is also the most; -j 1 measures times best)',
    ),
    matrix: row.wordFlagOption(
      'files',
      ['cases'],
      'print a line for each case, with the verdict of each program; with --package a line for each file, with verdicts and times, and with the word cases also the single cases of files on which a submission fails',
    ),
    json: row.flagOption('print one JSON object on a line for each program and case'),
    keep: row.fileOption(
      'write a small input on which every failing program still fails; its cases are chosen greedily, so a smaller input may exist',
    ),
    html: row.fileOption(
      'file for a web page with the results, whose tables can be sorted, and the smallest failing case of each program',
    ),
    junit: row.JUNIT_OPTION,
    'export-markdown': row.fileOption('file for the table in Markdown'),
    force: row.forceOption(),
    progress: row.flagOption('show the table on the terminal while it grows; --no-progress hides it', {
      otherwise: true,
    }),
    quiet: row.QUIET_OPTION,
    ...ANSWER_COMPARISON_OPTIONS,
    ...GRAMMAR_OPTIONS,
  },
  examples: [
    [
      "boardmill judge bt secret/ --exec ./fast --exec 'python3 slow.py' --timeout 2",
      'judge two programs on all inputs of a folder',
    ],
    [
      'boardmill judge zu big.in --exec ./a --json | jq -c \'select(.verdict == "WA")\'',
      'list the cases on which ./a is wrong',
    ],
    ['boardmill judge --package sums/', 'judge the submissions of a problem package'],
    [
      "boardmill judge --package sums/ --only '*/wrong_answer/*' --html page.html",
      'see where each wrong submission fails',
    ],
    [
      'boardmill judge ./sums.ctd data --exec ./a --reference ./b --keep small.in',
      'keep a small input on which ./a still fails',
    ],
  ],
} satisfies CommandSyntax;

type JudgeArguments = CommandLineValues<typeof syntax>;

export async function run(args: JudgeArguments): Promise<number> {
  if (args.package !== null) return judgePackage(await planPackage(args, args.package));
  const plan = await parsePlan(args);
  return (await judgeInputs(plan)) ? EXIT_CODE.ok : EXIT_CODE.differs;
}

/** The options that cannot be used with `--package`, because the package decides what is run and compared. */
const OPTIONS_OF_INPUTS = ['exec', 'reference', 'exec-cases', ...ANSWER_COMPARISON_NAMES] as const;
const OPTIONS_OF_GRAMMARS = ['answers', 'cases-loop', 'multitest'] as const;

async function planPackage(args: JudgeArguments, folder: string): Promise<JudgePackageOptions> {
  assertOneForm(args);
  const usesCases = args.matrix === 'cases' || args.html !== null || args.keep !== null;
  const unusable = args.problem === null && !usesCases ? OPTIONS_OF_GRAMMARS : [];
  const given = firstGivenOption(syntax, args, OPTIONS_OF_INPUTS);
  if (given !== undefined) throw usageError(`--${given} cannot be used with --package`);
  const ofGrammar = firstGivenOption(syntax, args, unusable);
  if (ofGrammar !== undefined)
    throw usageError(
      `--${ofGrammar} cannot be used with --package without a <problem>, --matrix cases, --html or --keep`,
    );
  if (args.inputs.length > 0) throw usageError(`with --package, there is no input such as ${args.inputs[0]}`);
  const chosen = args.problem === null ? null : await openProblemArgument({ ...args, problem: args.problem });
  const plan = {
    folder,
    timeoutSeconds: args.timeout,
    memoryLimitBytes: args.memoryLimit,
    sandbox: await openSandbox(args.sandbox),
    environmentNames: args.env,
    jobs: limitJobsForMeasuring(args.jobs, notePrinter(args.quiet)),
    only: args.only,
    runsAll: args.all,
    checkInputs: args.checkInputs,
    matrix: args.matrix,
    problem: chosen?.problem ?? null,
    grammarUse: grammarUseOf(args),
    json: args.json,
    quiet: args.quiet,
    hasLiveTable: isBarWanted(args) && !args.json,
    hasProgressLines: args.progress && !isBarWanted(args),
    keep: args.keep,
    markdown: args.exportMarkdown,
    html: args.html,
    junit: args.junit,
    force: args.force,
  };
  const reports = filesOfPackageReport(plan);
  const role = 'a file of the package';
  const reads = filesOfPackage(folder).map((name) => ({ path: join(folder, name), role }));
  // Reports may lie in the package, but replace only reports, with --force neither.
  const places = [folder, ...linkedFoldersOf(folder)];
  for (const { path, kind } of Object.values(reports)) {
    if (path === null || path === '-' || !places.some((place) => resolvesInto(place, path))) continue;
    if (!(await mayReplaceFile(path, kind))) reads.push({ path, role });
  }
  assertDistinctFiles({ reads, writes: filesOfReports(reports) });
  return plan;
}

function assertOneForm({ json, matrix }: JudgeArguments): void {
  if (json && matrix === 'files') throw usageError('--json and --matrix cannot be used together');
}

function parseEnvironmentName(text: string, option: string): string {
  if (/^[A-Za-z_]\w*$/.test(text)) return text;
  throw usageError(
    `${option} takes the name of an environment variable, such as TOKEN, and not ${text || '""'}`,
  );
}

async function parsePlan(args: JudgeArguments): Promise<JudgePlan> {
  if (args.problem === null) throw usageError('missing argument <problem>');
  const chosen = await openProblemArgument({ ...args, problem: args.problem });
  const { problem } = chosen;
  assertOneForm(args);
  if (args.matrix === 'cases')
    throw usageError('--matrix cases is for --package; an input of this name is typed ./cases');
  assertDifferent(args.exec);
  const answerOptions = await prepareAnswerComparison(args, problem);
  const jobs = limitJobs(args.jobs, notePrinter(args.quiet));
  const { files, unusableInputs } = await expandInputs(args.inputs);
  const plan = {
    problem,
    programs: args.exec,
    reference: args.reference,
    answerOptions,
    casesPerRun: problem.inputFormat.ending === 'single' ? 1 : (args.execCases ?? problem.casesPerRun),
    timeoutSeconds: args.timeout ?? DEFAULT_JUDGE_TIMEOUT,
    memoryBytes: args.memoryLimit,
    sandbox: await openSandbox(args.sandbox),
    jobs,
    inputs: files,
    unusableInputs,
    keep: args.keep,
    markdown: args.exportMarkdown,
    html: args.html,
    junit: args.junit,
    force: args.force,
    view: args.json ? ('json' as const) : args.matrix !== null ? ('matrix' as const) : ('table' as const),
    quiet: args.quiet,
    hasLiveTable: isBarWanted(args) && !args.json,
  };
  await assertFilesDistinct(plan, chosen.paths);
  return plan;
}

/** Fails if there is no program, or if two programs have the same name, because results name the programs. */
function assertDifferent(programs: JudgePlan['programs']): void {
  const names = programs.map(({ name }) => name);
  if (names.length === 0) throw usageError('missing option --exec: it names a program to judge');
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw usageError(`--exec ${repeated} was given twice`);
}

/** Fails if a file has two roles, for example if it is an input and the file of `--keep`. */
async function assertFilesDistinct(
  { programs, reference, answerOptions, inputs, ...files }: PlannedFiles,
  problemPaths: readonly string[],
): Promise<void> {
  const argvs = [...programs.map(({ argv }) => argv), ...(reference === null ? [] : [reference])];
  const found = await Promise.all(argvs.map((argv) => ProgramFiles.find(argv)));
  const programPaths = found.flatMap(({ paths }) => paths);
  const parts = [...new Set([...programPaths, ...answerOptions.paths, ...problemPaths])];
  assertDistinctFiles({
    reads: [
      ...inputs.map((path) => ({ path, role: 'input' })),
      ...inputs.flatMap((path) => answerFileOf(path) ?? []).map((path) => ({ path, role: 'right answers' })),
      ...parts.map((path) => ({ path, role: 'part of a program or of the problem' })),
    ],
    writes: filesOfReports(filesOfReport(files)),
  });
}

type PlannedFiles = Pick<
  JudgePlan,
  'programs' | 'reference' | 'inputs' | 'keep' | 'markdown' | 'html' | 'junit'
> & {
  readonly answerOptions: AnswerComparisonOptions;
};
