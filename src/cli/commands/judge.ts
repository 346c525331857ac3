/** `boardmill judge`: runs several programs on the same inputs, and reports how each does on each case. */
import { isatty } from 'node:tty';
import type { Argv } from 'yargs';
import { ProgramFiles } from '../../engine/exec/program-files.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import type { AnswerOptions } from '../../tools/compare/matcher.js';
import { ANSWER_OPTIONS, parseAnswerOptions } from '../arguments/answer-options.js';
import {
  asList,
  MEMORY_LIMIT_OPTION,
  parseCountOption,
  parseFileOption,
  parseJobs,
  parseMemoryLimit,
  parseSeconds,
  usageError,
} from '../arguments/parse-options.js';
import { parseProgram } from '../arguments/parse-program.js';
import { chooseProblem, GRAMMAR_OPTIONS, parseGrammarUse } from '../arguments/problem-argument.js';
import { openSandbox, SANDBOX_OPTION } from '../arguments/sandbox-option.js';
import { type ArgumentsOf, formatExamples, HelpRequest, INPUTS_ARGUMENT, QUIET_OPTION } from '../command.js';
import { EXIT_CODE, notePrinter } from '../exit.js';
import { expandInputs } from '../inputs/expand-inputs.js';
import { DEFAULT_JUDGE_TIMEOUT, type JudgePlan, judgeInputs } from '../judge/judge-inputs.js';
import { type JudgePackageOptions, judgePackage } from '../judge/judge-package.js';
import { isBarWanted } from '../status/progress.js';

export const repeatable = ['exec', 'env'];

export function options(parser: Argv) {
  return parser
    .positional('problem', {
      type: 'string',
      describe:
        'name or alias of a problem (boardmill problems lists them), or the path of your own: a module or a grammar (.ctd)',
    })
    .positional('inputs', INPUTS_ARGUMENT)
    .options({
      package: {
        type: 'string',
        requiresArg: true,
        describe:
          'judge the submissions of this problem package (Kattis, ICPC) on its data, in place of --exec and inputs; exit code 0 if each does what the package expects',
      },
      exec: {
        type: 'string',
        requiresArg: true,
        describe: 'a program to judge; may be repeated',
      },
      reference: {
        type: 'string',
        requiresArg: true,
        describe:
          "a program that knows the right answers, for inputs without NAME.ans (default: boardmill's solver)",
      },
      'exec-cases': {
        type: 'string',
        requiresArg: true,
        describe:
          'largest number of cases per run of a program (default: as many as the contest allows in one file)',
      },
      timeout: {
        type: 'string',
        requiresArg: true,
        describe: `time limit for each test case, such as 5 (seconds) or 500ms; a run of several cases that takes longer is repeated with fewer cases (default: ${DEFAULT_JUDGE_TIMEOUT} s, which the reference and the solver always have)`,
      },
      'memory-limit': MEMORY_LIMIT_OPTION,
      sandbox: SANDBOX_OPTION,
      env: {
        type: 'string',
        requiresArg: true,
        describe:
          'with --package: also give this environment variable to the programs of the package, which otherwise get only what compilers and interpreters need; may be repeated',
      },
      jobs: {
        alias: 'j',
        type: 'string',
        requiresArg: true,
        describe:
          'number of programs that run at the same time (default: number of processors; -j 1 measures times best)',
      },
      cases: {
        type: 'boolean',
        default: false,
        describe:
          'print a line for each case, with the verdict of each program; with --package, also judge the single cases of files on which a submission fails',
      },
      json: {
        type: 'boolean',
        default: false,
        describe: 'print one JSON object on a line for each program and case',
      },
      keep: {
        type: 'string',
        requiresArg: true,
        describe:
          'write a small input on which every failing program still fails; its cases are chosen greedily, so a smaller input may exist',
      },
      'export-markdown': {
        type: 'string',
        requiresArg: true,
        describe: 'file for the table in Markdown',
      },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'overwrite the files of --keep and --export-markdown even if judge did not write them',
      },
      progress: {
        type: 'boolean',
        default: true,
        describe: 'show the table on the terminal while it grows; --no-progress hides it',
      },
      quiet: QUIET_OPTION,
      ...ANSWER_OPTIONS,
      ...GRAMMAR_OPTIONS,
    })
    .epilogue(
      formatExamples([
        [
          "boardmill judge bt secret/ --exec ./fast --exec 'python3 slow.py' --timeout 2",
          'judge two programs on all inputs of a folder',
        ],
        [
          'boardmill judge zu big.in --exec ./mine --json | jq -c \'select(.verdict == "WA")\'',
          'list the cases on which ./mine is wrong',
        ],
        ['boardmill judge --package sums/', 'judge the submissions of a problem package'],
        [
          'boardmill judge ./sums.ctd data/ --exec ./a --exec ./b --reference ./model --keep small.in',
          'keep a small input on which all failing programs fail',
        ],
      ]),
    );
}

type JudgeArguments = ArgumentsOf<typeof options>;

export async function run(args: JudgeArguments): Promise<number> {
  const folder = parseFileOption('--package', args.package, 'a folder');
  if (folder !== undefined) return judgePackage(await parsePackageOptions(args, folder));
  if (args.problem !== undefined && args.inputs.length === 0 && isatty(0)) throw new HelpRequest();
  const plan = await parsePlan(args);
  return (await judgeInputs(plan)) ? EXIT_CODE.ok : EXIT_CODE.differs;
}

/** The options that have no meaning with `--package`: the package says what they say. */
const OPTIONS_OF_INPUTS = [
  'exec',
  'reference',
  'execCases',
  'keep',
  'exportMarkdown',
  'tolerance',
  'checker',
] as const;
const OPTIONS_OF_GRAMMARS = ['answers', 'casesLoop', 'multitest'] as const;

async function parsePackageOptions(args: JudgeArguments, folder: string): Promise<JudgePackageOptions> {
  const unusable = args.problem === undefined && !args.cases ? OPTIONS_OF_GRAMMARS : [];
  const given = [...OPTIONS_OF_INPUTS, ...unusable].find(
    (name) => args[name] !== undefined && args[name] !== false,
  );
  if (given !== undefined) {
    const isOfGrammar = (unusable as readonly string[]).includes(given);
    const option = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw usageError(
      `--${option} cannot be used with --package${isOfGrammar ? ' without a <problem> or --cases' : ''}`,
    );
  }
  if (args.inputs.length > 0) throw usageError(`with --package, there is no input such as ${args.inputs[0]}`);
  const chosen = args.problem === undefined ? null : await chooseProblem({ ...args, problem: args.problem });
  return {
    folder,
    timeoutSeconds: parseSeconds('--timeout', args.timeout) ?? null,
    memoryLimitBytes: parseMemoryLimit(args.memoryLimit),
    sandbox: await openSandbox(args.sandbox),
    environmentNames: parseEnvironmentNames(args.env),
    jobs: parseJobs(args.jobs, notePrinter(args.quiet)),
    cases: args.cases,
    problem: chosen?.problem ?? null,
    grammarUse: parseGrammarUse(args),
    json: args.json,
    quiet: args.quiet,
  };
}

/** Parses the names of environment variables that `--env` adds. */
function parseEnvironmentNames(value: unknown): string[] {
  const names = asList(value).map(String);
  const wrong = names.find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (wrong !== undefined)
    throw usageError(
      `--env takes the name of an environment variable, such as TOKEN, and not ${wrong || '""'}`,
    );
  return names;
}

async function parsePlan(args: JudgeArguments): Promise<JudgePlan> {
  if (args.problem === undefined) throw usageError('missing argument <problem>');
  if (args.env !== undefined)
    throw usageError('--env needs --package: programs of --exec get the whole environment');
  const chosen = await chooseProblem({ ...args, problem: args.problem });
  const { problem } = chosen;
  if (args.json && args.cases) throw usageError('--json and --cases cannot be used together');
  const programs = parsePrograms(args.exec);
  const reference = parseProgram('--reference', args.reference) ?? null;
  const answerOptions = await parseAnswerOptions(args);
  const casesPerRun = parseCountOption('--exec-cases', args.execCases, 1);
  const keep = parseFileOption('--keep', args.keep) ?? null;
  const markdown = parseFileOption('--export-markdown', args.exportMarkdown) ?? null;
  const timeoutSeconds = parseSeconds('--timeout', args.timeout) ?? DEFAULT_JUDGE_TIMEOUT;
  const memoryBytes = parseMemoryLimit(args.memoryLimit);
  const jobs = parseJobs(args.jobs, notePrinter(args.quiet));
  const { files, unusableInputs } = await expandInputs(args.inputs);
  const plan = {
    problem,
    programs,
    reference,
    answerOptions,
    casesPerRun: problem.inputFormat.ending === 'single' ? 1 : (casesPerRun ?? problem.casesPerRun),
    timeoutSeconds,
    memoryBytes,
    sandbox: await openSandbox(args.sandbox),
    jobs,
    inputs: files,
    unusableInputs,
    keep,
    markdown,
    force: args.force,
    view: args.json ? ('json' as const) : args.cases ? ('cases' as const) : ('table' as const),
    quiet: args.quiet,
    hasLiveTable: isBarWanted(args) && !args.json,
  };
  await assertFilesDistinct(plan, chosen.paths);
  return plan;
}

/** Parses the programs of `--exec`. Two of them must not have the same name, so that results say whose they are. */
function parsePrograms(value: unknown): JudgePlan['programs'] {
  const names = asList(value).map(String);
  if (names.length === 0) throw usageError('missing option --exec: it names a program to judge');
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw usageError(`--exec ${repeated} was given twice`);
  return names.map((name) => ({ name, argv: parseProgram('--exec', name)! }));
}

/** Fails if a file has two roles, for example if it is an input and the file of `--keep`. */
async function assertFilesDistinct(
  { programs, reference, answerOptions, inputs, keep, markdown }: PlannedFiles,
  problemPaths: readonly string[],
): Promise<void> {
  const argvs = [...programs.map(({ argv }) => argv), ...(reference === null ? [] : [reference])];
  const found = await Promise.all(argvs.map((argv) => ProgramFiles.find(argv)));
  const programPaths = found.flatMap(({ paths }) => paths);
  const parts = [...new Set([...programPaths, ...answerOptions.paths, ...problemPaths])];
  await assertDistinct({
    reads: [
      ...inputs.map((path) => ({ path, role: 'input' })),
      ...parts.map((path) => ({ path, role: 'part of a program or of the problem' })),
    ],
    writes: [
      ...(keep === null ? [] : [{ path: keep, role: '--keep' }]),
      ...(markdown === null ? [] : [{ path: markdown, role: '--export-markdown' }]),
    ],
  });
}

type PlannedFiles = Pick<JudgePlan, 'programs' | 'reference' | 'inputs' | 'keep' | 'markdown'> & {
  readonly answerOptions: AnswerOptions;
};
