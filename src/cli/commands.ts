/** The commands there are, and how their words are parsed. Each loads when it is called. */
import yargs, { type Argv } from 'yargs';
import { type Command, HelpWanted } from './command.js';
import { EXIT, report } from './exit.js';
import { closest, usageError } from './parse-options.js';
import { version } from './version.js';

interface CommandEntry {
  readonly usage: string;
  readonly describe: string;
  load(): Promise<Command>;
}

const COMMANDS: readonly CommandEntry[] = [
  {
    usage: 'solve <problem> [inputs..]',
    describe: 'solve every case of the inputs',
    load: () => import('./solve.js'),
  },
  {
    usage: 'generate <problem>',
    describe: 'make an input, the same for the same arguments',
    load: () => import('./generate.js'),
  },
  {
    usage: 'validate <problem> [inputs..]',
    describe: 'tell every error of the inputs, and where',
    load: () => import('./validate.js'),
  },
  {
    usage: 'extract <problem> [input]',
    describe: 'some cases of an input, as an input of their own',
    load: () => import('./extract.js'),
  },
  {
    usage: 'split <problem> [input]',
    describe: 'cut an input into several',
    load: () => import('./split.js'),
  },
  {
    usage: 'check <problem> <input> <answers>',
    describe: 'compare an answer file with the answers, case by case',
    load: () => import('./check.js'),
  },
  {
    usage: 'stress <problem>',
    describe: 'random cases against a program, until it fails; then the smallest it fails on',
    load: () => import('./stress.js'),
  },
  {
    usage: 'bench <problem> [input]',
    describe: 'measure throughput, and what stands in its way',
    load: () => import('./bench.js'),
  },
  { usage: 'problems', describe: 'list what can be solved', load: () => import('./problems.js') },
];

const EXIT_CODES = `Exit codes: 0 every case answered, and all agree; 1 cases differ or were marked ERROR; 2 wrong usage, or
a file that cannot be opened or created; 3 invalid input; 4 a worker, a program or the system failed.`;

/** yargs loses a lone `-` among the positional words: it passes as what no argument can be. */
const DASH = '\0';

function withDashes(value: unknown): unknown {
  if (value === DASH) return '-';
  if (Array.isArray(value)) return value.map(withDashes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withDashes(part)]));
}

/** The words as yargs understands them all: a lone `-` is DASH, and what follows `--` is never an option. */
function prepareWords(words: readonly string[]): string[] {
  const last = words.includes('--') ? words.indexOf('--') : words.length;
  const operands = words.slice(last + 1).map((word) => (/^-./.test(word) ? `./${word}` : word));
  return [...words.slice(0, last), ...operands].map((word) => (word === '-' ? DASH : word));
}

/** Returns the exit code. */
export async function runCommand(words: string[]): Promise<number> {
  let code: number = EXIT.ok;
  const parser = describeProgram(yargs(prepareWords(words)), words[0]);
  for (const { usage, describe, load } of COMMANDS) {
    parser.command(
      usage,
      describe,
      async (command) => (await load()).options(command),
      async (args) => {
        code = await (await load()).run(withDashes(args) as never);
      },
    );
  }
  try {
    await parser.parseAsync();
  } catch (error) {
    if (!(error instanceof HelpWanted)) return report(error);
    process.stderr.write(`${await parser.getHelp()}\n`);
    return EXIT.usage;
  }
  return code;
}

function describeProgram(parser: Argv, command: string | undefined): Argv {
  return parser
    .scriptName('boardmill')
    .usage('$0 <command>\n\nSolves multi-testcase files of board games in bulk, in parallel, in input order.')
    .completion('completion', 'print a script that completes boardmill in bash or zsh')
    .epilogue(EXIT_CODES)
    .demandCommand(1, 'a command is missing')
    .strict()
    .version(version())
    .help()
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => {
      throw (
        error ?? usageError(`${describeMistake(message, command)}${suggestion(command)} (boardmill --help)`)
      );
    });
}

/** yargs' words for what is wrong, in one line that names the words to mend. */
function describeMistake(message: string, command: string | undefined): string {
  const entry = COMMANDS.find(({ usage }) => usage.split(' ')[0] === command);
  if (entry !== undefined && message.startsWith('Not enough')) return `a word is missing: ${entry.usage}`;
  const choice = /Argument: (\S+), Given: (.*), Choices: (.*)/.exec(message);
  if (choice !== null) return `--${choice[1]} wants one of ${choice[3]}, got ${choice[2]}`;
  return message.replaceAll(DASH, '-').replace(/\s+/g, ' ');
}

function suggestion(command: string | undefined): string {
  const names = [...COMMANDS.map(({ usage }) => usage.split(' ')[0]), 'completion'];
  if (command === undefined || command.startsWith('-') || names.includes(command)) return '';
  const meant = closest(command, names);
  return meant === null ? '' : `; did you mean ${meant}?`;
}
