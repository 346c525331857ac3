import { Worker } from 'node:worker_threads';

/** The options of Node that give a program as a text; the text, or the type of the program, may follow as the next argument. */
const GIVES_PROGRAM = /^(-e|-pe?|--eval|--print|--input-type)(=|$)/;

/**
 * Returns the settings with which this process starts each thread. A thread inherits the options of Node, but it cannot run a
 * file with `--input-type`, which goes with a program as a text.
 */
export function threadOptions(own: readonly string[] = process.execArgv): { execArgv?: string[] } {
  const givesProgram = (option: string) => GIVES_PROGRAM.test(option);
  if (!own.some(givesProgram)) return {};
  const kept = own.filter(
    (option, i) => !givesProgram(option) && !(i > 0 && givesProgram(own[i - 1]) && !option.startsWith('-')),
  );
  const refused = optionsOfProcess(kept);
  return { execArgv: kept.filter((option) => !refused.has(option)) };
}

/**
 * Returns those options that hold for the whole process, such as `--max-old-space-size`. They hold in threads, too, but Node
 * refuses them for a thread, and only its error names them.
 */
function optionsOfProcess(options: readonly string[]): Set<string> {
  try {
    // A thread never takes `--title`, so none is started.
    new Worker('', { eval: true, execArgv: [...options, '--title='] });
  } catch (error) {
    return new Set((error as Error).message.split(/: |, /));
  }
  return new Set();
}
