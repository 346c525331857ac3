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
  { usage: 'problems', describe: 'list what can be solved', load: () => import('./problems.js') },
];

const EXIT_CODES = `Exit codes: 0 every case answered; 1 cases were marked ERROR; 2 wrong usage, or a file that cannot
be opened or created; 3 invalid input; 4 a worker, the system or boardmill itself failed.`;

/** Returns the exit code. */
export async function runCommand(words: string[]): Promise<number> {
  let code: number = EXIT.ok;
  const parser = describeProgram(yargs(words), words[0]);
  for (const { usage, describe, load } of COMMANDS) {
    parser.command(
      usage,
      describe,
      async (command) => (await load()).options(command),
      async (args) => {
        code = await (await load()).run(args as never);
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
      throw error ?? usageError(`${message}${suggestion(command)} (boardmill --help)`);
    });
}

function suggestion(command: string | undefined): string {
  const names = [...COMMANDS.map(({ usage }) => usage.split(' ')[0]), 'completion'];
  if (command === undefined || command.startsWith('-') || names.includes(command)) return '';
  const meant = closest(command, names);
  return meant === null ? '' : `; did you mean ${meant}?`;
}
