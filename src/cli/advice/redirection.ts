/** The redirection of standard input, which a shell takes out of the command line before boardmill sees it. */
import { fstatSync, readdirSync, realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { formatCommandLine } from '../../core/command-line.js';
import { identityOfStats, statOrNull } from '../../core/files/files.js';
import { argumentsOf, hasPipedInput, type TypedLine, takesStandardInput } from './typed-line.js';

/** Returns ` < FILE` if the command reads standard input, and that is a file whose name can be found; else an empty text. */
export function stdinRedirectionOf(line: TypedLine): string {
  const name = readsStandardInput(line) ? nameOfStandardInput() : null;
  return name === null ? '' : ` < ${formatCommandLine([name])}`;
}

function readsStandardInput(line: TypedLine): boolean {
  if (hasPipedInput(line) || !takesStandardInput(line)) return false;
  const [, ...named] = argumentsOf(line);
  return named.length === 0 || named.some(({ text }) => text === '-');
}

/** Returns the name of the file that is standard input: a file of the current folder, or any file if the system tells. */
function nameOfStandardInput(): string | null {
  try {
    const stats = fstatSync(0);
    if (!stats.isFile()) return null;
    const isStandardInput = (path: string) => identityOf(path) === identityOfStats(stats);
    return readdirSync('.').find(isStandardInput) ?? [pathOfStandardInput()].find(isStandardInput) ?? null;
  } catch {
    // Standard input is closed, or the folder cannot be read.
    return null;
  }
}

/** Returns the path to which /dev/stdin leads. On Linux that is the file itself. */
function pathOfStandardInput(): string {
  const path = realpathSync('/dev/stdin');
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}

function identityOf(path: string): string | null {
  const stats = statOrNull(path);
  return stats === null ? null : identityOfStats(stats);
}
