/**
 * All commands of the command line. The module of a command is loaded when the command is called. To add a command,
 * add a file in commands/ and an entry to this list.
 */
import type { CommandModule } from './command.js';

export interface CommandEntry {
  /** The name and the arguments of the command, as `--help` prints them. */
  readonly usage: string;
  /** The description of the command in the list that `--help` prints. */
  readonly description: string;
  /** Loads the module that implements the command. */
  load(): Promise<CommandModule>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    usage: 'solve <problem> [inputs..]',
    description: 'solve every test case of the inputs',
    load: () => import('./commands/solve.js'),
  },
  {
    usage: 'generate <problem>',
    description: 'generate a random input; the same arguments give the same bytes',
    load: () => import('./commands/generate.js'),
  },
  {
    usage: 'validate <problem> [inputs..]',
    description: 'report every error in the inputs, with its line and column',
    load: () => import('./commands/validate.js'),
  },
  {
    usage: 'stats <problem> [inputs..]',
    description: 'say what is in the inputs: sizes, densities, limits, equal cases, sets and answers',
    load: () => import('./commands/stats.js'),
  },
  {
    usage: 'extract <problem> [input]',
    description: 'copy some cases of an input into a new input',
    load: () => import('./commands/extract.js'),
  },
  {
    usage: 'split <problem> [input]',
    description: 'split an input into several smaller inputs',
    load: () => import('./commands/split.js'),
  },
  {
    usage: 'merge <parts..>',
    description: 'join what --shard of solve or census wrote into the whole',
    load: () => import('./commands/merge.js'),
  },
  {
    usage: 'check <problem> <input> [answer-file]',
    description: 'compare an answer file, or all in a folder, with the right answers, case by case',
    load: () => import('./commands/check.js'),
  },
  {
    usage: 'verify <problem> <input> <explanation>',
    description: 'check the proofs in explanations, which `explain --json --proof` prints',
    load: () => import('./commands/verify.js'),
  },
  {
    usage: 'stress <problem>',
    description: 'search for a small case on which a program fails',
    load: () => import('./commands/stress.js'),
  },
  {
    usage: 'judge [problem] [inputs..]',
    description: 'run several programs on the same inputs, and report a verdict for each case',
    load: () => import('./commands/judge.js'),
  },
  {
    usage: 'grade <problem> [inputs..]',
    description:
      'say how many small mistakes in right programs the tests find, and find tests for the others',
    load: () => import('./commands/grade.js'),
  },
  {
    usage: 'explain <problem> [input]',
    description:
      'say why the answers are what they are: values of moves, best play, proofs, drawings, live pages',
    load: () => import('./commands/explain.js'),
  },
  {
    usage: 'play [problem] [input]',
    description: 'play a board game in the browser, with the value of every move',
    load: () => import('./commands/play.js'),
  },
  {
    usage: 'census <problem>',
    description: 'count every board of some sizes, by nimber and by answer',
    load: () => import('./commands/census.js'),
  },
  {
    usage: 'bench <problem> [input]',
    description: 'measure throughput, and compare it with other programs',
    load: () => import('./commands/bench.js'),
  },
  {
    usage: 'worker',
    description: 'be a worker process that solves chunks for `solve --queue`, on this or another machine',
    load: () => import('./commands/worker.js'),
  },
  {
    usage: 'problems [problem]',
    description: 'list the problems that boardmill can solve, or describe one problem',
    load: () => import('./commands/problems.js'),
  },
  {
    usage: 'completion [shell]',
    description: 'print a completion script for bash, zsh or fish',
    load: () => import('./commands/completion.js'),
  },
];

/** The word before a command's name that asks for its help: `boardmill help solve`. */
export const HELP_COMMAND = 'help';

/** Returns the name of a command, which is the first word of its usage line. */
export function commandName(usage: string): string {
  return usage.split(' ')[0];
}

/** Returns the command with this name; undefined if there is none. */
export function findCommand(name: string | undefined): CommandEntry | undefined {
  return COMMANDS.find(({ usage }) => commandName(usage) === name);
}
