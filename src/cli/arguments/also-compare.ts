/** The option `--also-compare`: files that answers depend on, although the command line of the program does not name them. */
import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { statOrNull } from '../../core/files.js';
import { parsePaths, usageError } from './parse-options.js';

/** Describes the option to yargs, for the runs that have answers to compare with those of another run. */
export const ALSO_COMPARE_OPTION = {
  type: 'string',
  requiresArg: true,
  describe:
    'with --exec: a file or folder that answers depend on, as they do on the program: if it changes, --resume and hosts refuse; may be given several times',
} as const;

/** Returns what `--also-compare` names. Fails with a usage error if there is no program. */
export function parseAlsoCompare(value: unknown, argv: readonly string[] | null): string[] {
  const paths = parsePaths('--also-compare', value, 'a file or a folder');
  if (paths.length > 0 && argv === null) throw usageError('--also-compare needs --exec');
  return paths;
}

/** Extensions of programs that import other files when they run. */
const SCRIPT_EXTENSIONS = new Set(
  '.py .js .mjs .cjs .ts .mts .cts .rb .pl .lua .php .sh .bash .jl .r .R .tcl .scm'.split(' '),
);

/**
 * Returns the note that a script may import files which boardmill does not know, or null if no word of the command line is a
 * script with others like it in its folder.
 */
export function noteOnImports(argv: readonly string[]): string | null {
  for (const word of argv) {
    const other = SCRIPT_EXTENSIONS.has(extname(word)) ? findNeighbour(word) : null;
    if (other !== null)
      return `${word} may import other files, such as ${other}; --also-compare ${other} lets boardmill notice when that file changes (a folder works, too)`;
  }
  return null;
}

/** Returns the first file with the same extension in the folder of a script; null if there is none. */
function findNeighbour(script: string): string | null {
  if (!statOrNull(script)?.isFile()) return null;
  const names = namesBeside(script).filter((name) => extname(name) === extname(script));
  const paths = names.filter((name) => name !== basename(script)).map((name) => join(dirname(script), name));
  return paths.find((path) => statOrNull(path)?.isFile()) ?? null;
}

function namesBeside(path: string): string[] {
  try {
    return readdirSync(dirname(path)).sort();
  } catch {
    // The folder may be closed to this user. Then its files stay unknown.
    return [];
  }
}
