/** `boardmill grade`: says how many mutants of right programs the tests kill, and finds tests that kill the others. */

import { MIB } from '../../core/bytes.js';
import { assertFolderCanHoldFiles } from '../../core/files/files.js';
import { limitJobs } from '../../engine/limit-jobs.js';
import { assertDistinctFiles } from '../../engine/output/distinct-files.js';
import { DEFAULT_LIMITS } from '../../tools/judge/package/limits.js';
import { ANSWER_COMPARISON_OPTIONS, prepareAnswerComparison } from '../arguments/answer-options.js';
import { drawSeed } from '../arguments/draw-seed.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { GRAMMAR_OPTIONS, openProblemArgument } from '../arguments/problem-argument.js';
import * as row from '../arguments/rows.js';
import { openSandbox } from '../arguments/sandbox-option.js';
import { usageError } from '../arguments/usage-error.js';
import { parseAnyText } from '../arguments/values.js';
import { notePrinter } from '../exit.js';
import { type GradePlan, gradePrograms } from '../grade/grade-programs.js';
import { expandInputs } from '../inputs/expand-inputs.js';

const DEFAULT_SECONDS = 300;

/** With more cases in a run, the time limit is longer, and each mutant that hangs takes all of it. */
const MOST_CASES_PER_RUN = 100;

export const syntax = {
  arguments: { problem: row.PROBLEM_ARGUMENT, inputs: row.INPUTS_ARGUMENT },
  options: {
    program: row.repeatableOption(
      row.valueOption(
        parseAnyText('a file'),
        'source of a right program in C, C++ or Python, of which boardmill makes mutants; may be repeated',
        { completes: 'file', value: 'FILE' },
      ),
    ),
    into: row.folderOption(
      'folder for new tests, each with its answers, that kill mutants which the tests do not kill',
    ),
    seed: row.textOption(
      'any text; the same seed gives the same cases (default: a random number, which is printed)',
    ),
    time: row.optionWithDefault(
      DEFAULT_SECONDS,
      row.secondsOption(
        `how long to search for new tests, such as 60 (seconds) or 10m (default: ${DEFAULT_SECONDS} s)`,
      ),
    ),
    timeout: row.secondsOption(
      'time limit for a run of a mutant (default: 10 times that of the slowest right program on the tests, and at least 1 s)',
    ),
    'exec-cases': row.countOption(
      1,
      `largest number of cases per run of a program (default: as many as the contest allows in one file, and at most ${MOST_CASES_PER_RUN})`,
    ),
    'memory-limit': row.optionWithDefault(DEFAULT_LIMITS.memoryMib * MIB, {
      ...row.MEMORY_LIMIT_OPTION,
      describe: `address space of each run of a program (ulimit -v), such as 256M (default: ${DEFAULT_LIMITS.memoryMib}M)`,
    }),
    sandbox: row.SANDBOX_OPTION,
    jobs: row.jobsOption(
      'number of programs and compilers that run at the same time (default: number of processors)',
    ),
    json: row.flagOption('print the result as one JSON object'),
    quiet: row.QUIET_OPTION,
    ...ANSWER_COMPARISON_OPTIONS,
    ...GRAMMAR_OPTIONS,
  },
  examples: [
    [
      'boardmill grade bt secret/ --program right.cpp',
      'say which small mistakes in right.cpp the tests of a folder do not find',
    ],
    [
      'boardmill grade bt secret --program a.cpp --program b.py --into new',
      'also write tests that find those mistakes',
    ],
  ],
} satisfies CommandSyntax;

type GradeArguments = CommandLineValues<typeof syntax>;

export async function run(args: GradeArguments): Promise<number> {
  return gradePrograms(await parsePlan(args));
}

async function parsePlan(args: GradeArguments): Promise<GradePlan> {
  const { problem, paths } = await openProblemArgument(args);
  if (args.program.length === 0) throw usageError('missing option --program: it names a right program');
  const repeated = args.program.find((name, index) => args.program.indexOf(name) < index);
  if (repeated !== undefined) throw usageError(`--program ${repeated} was given twice`);
  const answerOptions = await prepareAnswerComparison(args, problem);
  const { files, unusableInputs } = await expandInputs(args.inputs);
  if (unusableInputs.length > 0) throw unusableInputs[0];
  assertDistinctFiles({
    reads: [...files, ...args.program, ...paths].map((path) => ({ path, role: 'input or program' })),
    writes: [],
  });
  if (args.into !== null) assertFolderCanHoldFiles(args.into);
  return {
    problem,
    programs: args.program,
    inputs: files,
    into: args.into,
    seed: args.seed ?? drawSeed(),
    seconds: args.time,
    timeoutSeconds: args.timeout,
    memoryBytes: args.memoryLimit,
    sandbox: await openSandbox(args.sandbox),
    answerOptions,
    casesPerRun:
      problem.inputFormat.ending === 'single'
        ? 1
        : (args.execCases ?? Math.min(problem.casesPerRun, MOST_CASES_PER_RUN)),
    jobs: limitJobs(args.jobs, notePrinter(args.quiet)),
    json: args.json,
    quiet: args.quiet,
  };
}
