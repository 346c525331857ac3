/** The commands that there are. Each is loaded when it is called. To add one, add a file in commands/ and an entry here. */
import type { Command } from './command.js';

export interface CommandEntry {
  readonly usage: string;
  readonly describe: string;
  load(): Promise<Command>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    usage: 'solve <problem> [inputs..]',
    describe: 'solve every test case of the inputs',
    load: () => import('./commands/solve.js'),
  },
  {
    usage: 'generate <problem>',
    describe: 'make a random input; the same arguments give the same bytes',
    load: () => import('./commands/generate.js'),
  },
  {
    usage: 'validate <problem> [inputs..]',
    describe: 'report every error of the inputs, with its place',
    load: () => import('./commands/validate.js'),
  },
  {
    usage: 'extract <problem> [input]',
    describe: 'copy some cases of an input to an input of their own',
    load: () => import('./commands/extract.js'),
  },
  {
    usage: 'split <problem> [input]',
    describe: 'cut an input into several smaller ones',
    load: () => import('./commands/split.js'),
  },
  {
    usage: 'check <problem> <input> <answers>',
    describe: 'compare an answer file with the right answers, case by case',
    load: () => import('./commands/check.js'),
  },
  {
    usage: 'stress <problem>',
    describe: 'find the smallest case on which a program fails',
    load: () => import('./commands/stress.js'),
  },
  {
    usage: 'bench <problem> [input]',
    describe: 'measure throughput, and compare it with other programs',
    load: () => import('./commands/bench.js'),
  },
  {
    usage: 'problems',
    describe: 'list the problems that can be solved',
    load: () => import('./commands/problems.js'),
  },
  {
    usage: 'completion [shell]',
    describe: 'print a script that completes boardmill in bash, zsh or fish',
    load: () => import('./commands/completion.js'),
  },
];

export function commandName(usage: string): string {
  return usage.split(' ')[0];
}
