#!/usr/bin/env node
/** The command line: words -> command -> exit code. Commands load when they are called. */
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { report } from './exit.js';
import { closest, usageError } from './parse-options.js';
import { version } from './version.js';

const COMMANDS = ['solve', 'problems', 'completion'];

const EXIT_CODES = `Exit codes: 0 every case answered; 1 cases were marked ERROR; 2 wrong usage, or a file that cannot
be opened or created; 3 invalid input; 4 a worker, the system or boardmill itself failed.`;

// Errors on standard error itself have nobody left to be told to.
process.stderr.on('error', () => {});
// Set, never process.exit(): what is still on its way to a pipe must arrive.
process.exitCode = await main(hideBin(process.argv));

async function main(words: string[]): Promise<number> {
  let code = 0;
  const parser = yargs(words)
    .scriptName('boardmill')
    .usage('$0 <command>\n\nSolves multi-testcase files of board games in bulk, in parallel, in input order.')
    .command(
      'solve <problem> [inputs..]',
      'solve every case of the inputs',
      (command) =>
        command
          .positional('problem', {
            type: 'string',
            demandOption: true,
            describe: 'name or alias: boardmill problems',
          })
          .positional('inputs', {
            type: 'string',
            array: true,
            default: [] as string[],
            describe: 'files; none or - is standard input',
          })
          .options({
            output: {
              alias: 'o',
              type: 'string',
              requiresArg: true,
              describe: 'file for the answers, - is standard output',
            },
            ext: {
              type: 'string',
              requiresArg: true,
              describe: 'answers of NAME.in go to NAME + EXT beside it (several inputs: .ans)',
            },
            force: {
              alias: 'f',
              type: 'boolean',
              default: false,
              describe: 'overwrite answers that boardmill did not make; drop a cut-off run',
            },
            jobs: {
              alias: 'j',
              type: 'string',
              requiresArg: true,
              describe: 'worker threads (default: the processors there are)',
            },
            chunk: {
              type: 'string',
              requiresArg: true,
              describe: 'bytes of input a chunk, as 64K or 4M (default: adapts)',
            },
            solver: {
              choices: ['auto', 'simd', 'portable'] as const,
              default: 'auto',
              describe: 'which solver',
            },
            'on-error': {
              choices: ['stop', 'mark'] as const,
              default: 'stop',
              describe: 'a bad case stops the run, or is answered ERROR',
            },
            timeout: {
              type: 'string',
              requiresArg: true,
              describe: 'seconds for one test case (default: none)',
            },
            retries: {
              type: 'string',
              requiresArg: true,
              describe: 'times a chunk is tried again after its worker failed (default: 1)',
            },
            resume: {
              type: 'boolean',
              default: false,
              describe: 'go on from the checkpoint of a cut-off run',
            },
            format: {
              choices: ['text', 'ndjson'] as const,
              default: 'text',
              describe: 'contest output, or one JSON object a case',
            },
            stats: {
              type: 'string',
              requiresArg: true,
              describe: 'file for a summary as JSON, - is standard error',
            },
            progress: {
              type: 'boolean',
              default: true,
              describe: 'a bar on the terminal (--no-progress: none)',
            },
            quiet: {
              alias: 'q',
              type: 'boolean',
              default: false,
              describe: 'nothing but errors on standard error',
            },
          })
          .example('$0 solve bacterial-tactics big.in -o big.ans', 'a file, on all processors')
          .example('zcat big.in.gz | $0 solve darkraft -j 4 > big.ans', 'a pipe, four workers')
          .example('$0 solve zu secret/*.in --ext .ans', 'many files, answers beside them')
          .example('$0 solve bt mixed.in --on-error mark --stats -', 'bad cases are answered ERROR'),
      async (args) => {
        if (isIdleTerminal(args.inputs)) {
          process.stderr.write(`${await parser.getHelp()}\n`);
          code = 2;
          return;
        }
        code = await (await import('./solve.js')).solve(args);
      },
    )
    .command(
      'problems',
      'list what can be solved',
      (command) =>
        command.option('json', { type: 'boolean', default: false, describe: 'as JSON, with the limits' }),
      async (args) => {
        code = await (await import('./problems.js')).problems(args);
      },
    )
    .completion('completion', 'print a script that completes boardmill in bash or zsh')
    .epilogue(EXIT_CODES)
    .demandCommand(1, 'a command is missing')
    .strict()
    .version(version())
    .help()
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? usageError(`${message}${suggestion(words[0])} (boardmill --help)`);
    });
  try {
    await parser.parseAsync();
  } catch (error) {
    return report(error);
  }
  return code;
}

function isIdleTerminal(inputs: readonly string[]): boolean {
  return inputs.length === 0 && Boolean(process.stdin.isTTY);
}

function suggestion(command: string | undefined): string {
  if (command === undefined || command.startsWith('-') || COMMANDS.includes(command)) return '';
  const meant = closest(command, COMMANDS);
  return meant === null ? '' : `; did you mean ${meant}?`;
}
