/** The option `--also-compare`, which names files that answers depend on but that the program's command line does not name. */
import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { statOrNull } from '../../core/files/files.js';
import type { OptionRow } from './option.js';
import * as row from './rows.js';
import { parseAnyText } from './values.js';

/** Returns the row of `--also-compare`. `describe` says what happens if one of the files changes. */
export function alsoCompareOption(describe: string): OptionRow<readonly string[]> {
  return row.repeatableOption(
    row.valueOption(parseAnyText('a file or a folder'), describe, {
      completes: 'file',
      value: 'PATH',
      needs: 'exec',
    }),
  );
}

/** The extensions of programs that may import other files when they run. */
const SCRIPT_EXTENSIONS = new Set(
  '.py .js .mjs .cjs .ts .mts .cts .rb .pl .lua .php .sh .bash .jl .r .R .tcl .scm'.split(' '),
);

/**
 * Returns a note that a script may import files which boardmill does not know; null if no word of the command line is such a
 * script. A script counts if it lies in a folder of its own beside another file with the same extension. In the current folder,
 * other scripts usually have nothing to do with it.
 */
export function noteOnImports(argv: readonly string[]): string | null {
  const script = argv.find((word) => SCRIPT_EXTENSIONS.has(extname(word)) && hasNeighbours(word));
  if (script === undefined) return null;
  const folder = dirname(script);
  return `${script} may import other files in ${folder}; --also-compare ${folder} lets boardmill notice when one of them changes`;
}

/** Whether a script lies in a folder of its own beside another file with the same extension. */
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
    // The user may not be allowed to read the folder. Then no note is shown.
    return [];
  }
}
