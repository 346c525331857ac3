/** The option `--also-compare`: files that answers depend on, although the command line of the program does not name them. */
import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { statOrNull } from '../../core/files/files.js';
import type { Option } from './option.js';
import * as row from './rows.js';
import { anyText } from './values.js';

/** The row of the option. `describe` says what happens if a file changes. */
export function alsoCompareOption(describe: string): Option<readonly string[]> {
  return row.repeatable(
    row.option(anyText('a file or a folder'), describe, { completes: 'file', needs: 'exec' }),
  );
}

/** Extensions of programs that import other files when they run. */
const SCRIPT_EXTENSIONS = new Set(
  '.py .js .mjs .cjs .ts .mts .cts .rb .pl .lua .php .sh .bash .jl .r .R .tcl .scm'.split(' '),
);

/**
 * Returns the note that a script may import files which boardmill does not know, or null if no word of the command line is a
 * script that shares a folder of its own with others like it. In the current folder, neighbours say nothing about a script.
 */
export function noteOnImports(argv: readonly string[]): string | null {
  const script = argv.find((word) => SCRIPT_EXTENSIONS.has(extname(word)) && hasNeighbours(word));
  if (script === undefined) return null;
  const folder = dirname(script);
  return `${script} may import other files in ${folder}; --also-compare ${folder} lets boardmill notice when one of them changes`;
}

/** Whether a script lies in a folder of its own in which another file has the same extension. */
function hasNeighbours(script: string): boolean {
  if (resolve(dirname(script)) === process.cwd() || !statOrNull(script)?.isFile()) return false;
  return namesBeside(script).some((name) => {
    const isLikeIt = extname(name) === extname(script) && name !== basename(script);
    return isLikeIt && statOrNull(join(dirname(script), name))?.isFile() === true;
  });
}

function namesBeside(path: string): string[] {
  try {
    return readdirSync(dirname(path));
  } catch {
    // The folder may be closed to this user. Then its files stay unknown.
    return [];
  }
}
