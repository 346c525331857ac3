/**
 * The paths that the code of a module names: those that it requires, and those that it names from its own place, as in
 * `new URL('./table.json', import.meta.url)`. They are found in the text: comments count too, and so do paths at which nothing
 * lies, which does no harm.
 */
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Whitespace and comments between two tokens. */
const GAP = String.raw`(?:\s|/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*\n)*`;
const LITERAL = String.raw`(?:\(${GAP})?(?:'[^'\n]*'|"[^"\n]*"|\x60[^\x60\n]*\x60)(?:${GAP}\))?`;
const META = `\\bimport${GAP}\\.${GAP}meta${GAP}\\.${GAP}`;

/** Literals that are added to each other. */
const TEXT = `${LITERAL}(?:${GAP}\\+${GAP}${LITERAL})*`;
/** Matches `import.meta.resolve('PATH')`. */
const RESOLVED = new RegExp(`${META}resolve${GAP}\\(${GAP}(${TEXT})`, 'g');
const ANY_URL = new RegExp(`${META}url\\b`, 'g');
const FILE = `(?:${META}filename\\b|\\b__filename\\b|\\bfileURLToPath${GAP}\\(${GAP}${META}url${GAP}\\))`;
/** Matches the folder of the module, in each way in which code says it. */
const FOLDER = `(?:${META}dirname\\b|\\b__dirname\\b|\\bdirname${GAP}\\(${GAP}(?:[\\w$]+\\.)?${FILE}${GAP}\\))`;
const ANY_FOLDER = new RegExp(FOLDER, 'g');
/** Matches `NAME = ` at the end of the code before a value. Only so much code before the value is looked at. */
const ASSIGNMENT = /([\w$]+)\s*(?::\s*string\s*)?=\s*(?:[\w$]+\.)?$/;
const MAX_ASSIGNMENT = 200;
/** Matches the start of what makes a function that requires files, or `require` itself. */
const ANY_REQUIRE = /\bcreateRequire\s*\(|\brequire\b(?!\s*[.(])/g;
/** Matches the next part of a path that is added to a folder: `, 'lib'` or `+ '/table.json'`. */
const NEXT_PART = new RegExp(`([+,])${GAP}(${LITERAL})`, 'g');

/** Returns the paths that the code of the file at `path` names from the place of that file. */
export function pathsNamedIn(code: string, path: string): string[] {
  const base = pathToFileURL(path);
  const url = `(?:${[`${META}url\\b`, ...namesOf(ANY_URL, code)].join('|')})`;
  // With or without `new`, and the name of what has URL.
  const fromUrl = new RegExp(`\\bURL${GAP}\\(${GAP}(${TEXT})${GAP},${GAP}${url}`, 'g');
  const texts = [fromUrl, RESOLVED].flatMap((pattern) => [...code.matchAll(pattern)].map(([, text]) => text));
  return [
    ...texts.flatMap((text) => pathOfUrl(pathsOfParts(`+ ${text}`).at(-1)!, base)),
    ...partsBelowFolder(code).map((part) => join(dirname(path), part)),
  ];
}

/** Returns the path that a specifier or URL names, seen from `base`; no path if it is no `file:` URL. */
export function pathOfUrl(specifier: string, base: URL): string[] {
  try {
    return [fileURLToPath(new URL(specifier, base))];
  } catch {
    return [];
  }
}

/** Returns what some code adds to the path of its folder, with `+`, `join`, `resolve` or a template. */
function partsBelowFolder(code: string): string[] {
  const names = namesOf(ANY_FOLDER, code);
  const folder = `(?:${[FOLDER, ...names].join('|')})`;
  const added = new RegExp(`${folder}((?:${GAP}[+,]${GAP}${LITERAL})+)`, 'g');
  const inTemplate = new RegExp(`\\x60\\$\\{${GAP}${folder}${GAP}\\}([^\\x60\\n]*)\\x60`, 'g');
  return [
    ...[...code.matchAll(added)].flatMap(([, parts]) => pathsOfParts(parts)),
    ...[...code.matchAll(inTemplate)].map(([, part]) => part),
  ];
}

/**
 * Returns what the first part names, the first two parts, and so on. Where a path ends is not known: in
 * `readFileSync(__dirname + '/table.json', 'utf8')` the last literal belongs to another argument.
 */
function pathsOfParts(parts: string): string[] {
  let path = '';
  return [...parts.matchAll(NEXT_PART)].map(([, operator, literal]) => {
    path += (operator === ',' ? '/' : '') + textOfLiteral(literal);
    return path;
  });
}

function textOfLiteral(literal: string): string {
  return literal.replace(/^[^'"`]*['"`]|['"`][^'"`]*$/g, '');
}

/** Returns the paths that code requires, also through `const load = createRequire(import.meta.url)`. */
export function requiredPaths(code: string, importer: string): string[] {
  const require = ['\\brequire\\b', '\\bcreateRequire\\s*\\([^()]*\\)', ...namesOf(ANY_REQUIRE, code)].join(
    '|',
  );
  const calls = code.matchAll(
    new RegExp(`(?:${require})(?:\\.resolve)?${GAP}\\(${GAP}(${LITERAL})${GAP}\\)`, 'g'),
  );
  return [...calls].flatMap(([, literal]) => {
    const specifier = textOfLiteral(literal);
    const found = pathsOfSpecifier(specifier, importer);
    return /^\.{0,2}\/|^\.{1,2}$/.test(specifier) ? [resolve(dirname(importer), specifier), ...found] : found;
  });
}

/**
 * Returns the path of a file that is required, or imported by the name of a package. `require` may add an ending such as `.js`.
 * Returns no path if nothing is found, or if the specifier names a part of Node or of boardmill.
 */
export function pathsOfSpecifier(specifier: string, importer: string): string[] {
  if (isBuiltin(specifier) || /^boardmill(?:$|\/)/.test(specifier)) return [];
  try {
    return [createRequire(importer).resolve(specifier)];
  } catch {
    return [];
  }
}

/** Returns patterns of the variables to which code assigns what `pattern` matches, as in `const here = import.meta.dirname`. */
function namesOf(pattern: RegExp, code: string): string[] {
  const names = [...code.matchAll(pattern)].map(
    ({ index }) => ASSIGNMENT.exec(code.slice(Math.max(0, index - MAX_ASSIGNMENT), index))?.[1],
  );
  return [...new Set(names.filter((name) => name !== undefined))].map(
    (name) => `(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`,
  );
}
