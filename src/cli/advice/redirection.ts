/** The redirection of standard input, which a shell takes out of the command line before boardmill sees it. */
import { fstatSync, readdirSync } from 'node:fs';
import { formatCommandLine } from '../../core/command-line.js';
import { identityOfStats, statOrNull } from '../../core/files/files.js';
import { argumentsOf, isPiped, type TypedLine, takesStandardInput } from './typed-line.js';

/**
 * Returns ` < FILE` if the command reads standard input, and standard input is a file of the current folder; otherwise an empty
 * text.
 */
export function redirectionOf(line: TypedLine): string {
  const name = readsStandardInput(line) ? nameOfStandardInput() : null;
  return name === null ? '' : ` < ${formatCommandLine([name])}`;
}

function readsStandardInput(line: TypedLine): boolean {
  if (isPiped(line) || !takesStandardInput(line)) return false;
  const [, ...named] = argumentsOf(line);
  return named.length === 0 || named.some(({ text }) => text === '-');
}

/** Returns the name that standard input has in the current folder; null if it is none of its files. */
function nameOfStandardInput(): string | null {
  try {
    const stats = fstatSync(0);
    if (!stats.isFile()) return null;
    const identity = identityOfStats(stats);
    return readdirSync('.').find((name) => identityOf(name) === identity) ?? null;
  } catch {
    // Standard input is closed, or the folder cannot be read.
    return null;
  }
}

function identityOf(path: string): string | null {
  const stats = statOrNull(path);
  return stats === null ? null : identityOfStats(stats);
}
