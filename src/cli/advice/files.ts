/** What the files are that a refused command line names: folders, programs, or sources of programs. */
import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { basename, delimiter, dirname, extname, join } from 'node:path';
import { quote } from 'shell-quote';
import { isProgramFile } from '../inputs/program-file.js';

export function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true;
}

export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true;
}

function statsOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

/** Whether a program of this name is in one of the folders of $PATH. */
export function isInstalled(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, name)));
}

/** How to run a program. */
export interface Runnable {
  /** The words of the command that runs it. */
  readonly words: readonly string[];
  /** The command that makes it, if it is a source that must be compiled. */
  readonly make?: string;
  /** The language of the source; missing if the file can be run as it is. */
  readonly language?: string;
}

interface Language {
  readonly name: string;
  readonly endings: readonly string[];
  /** The interpreter. Missing if a compiler makes a program. */
  readonly interpreter?: string;
  /** Returns the command that makes the program `made` of the source. */
  compile?(source: string, made: string): string;
  /** How to run what was made, if it is no program of its own. */
  run?(source: string, made: string): readonly string[];
}

/** The compilers and interpreters that people have installed. `made` is the path of the source without its ending. */
const LANGUAGES: readonly Language[] = [
  compiled('C++', ['.cpp', '.cc', '.cxx', '.c++', '.C'], 'g++ -O2'),
  compiled('C', ['.c'], 'cc -O2'),
  compiled('Rust', ['.rs'], 'rustc -O'),
  compiled('Go', ['.go'], 'go build'),
  compiled('Haskell', ['.hs'], 'ghc -O2'),
  compiled('Swift', ['.swift'], 'swiftc -O'),
  compiled('OCaml', ['.ml'], 'ocamlopt'),
  {
    name: 'Java',
    endings: ['.java'],
    compile: (source) => `javac ${quote([source])}`,
    run: (source, made) => ['java', '-cp', dirname(source), basename(made)],
  },
  {
    name: 'Kotlin',
    endings: ['.kt'],
    compile: (source, made) => `kotlinc ${quote([source])} -include-runtime -d ${quote([`${made}.jar`])}`,
    run: (_, made) => ['java', '-jar', `${made}.jar`],
  },
  { name: 'Python', endings: ['.py', '.py3'], interpreter: 'python3' },
  { name: 'JavaScript', endings: ['.js', '.mjs', '.cjs'], interpreter: 'node' },
  { name: 'TypeScript', endings: ['.ts', '.mts'], interpreter: 'node' },
  { name: 'Ruby', endings: ['.rb'], interpreter: 'ruby' },
  { name: 'Perl', endings: ['.pl'], interpreter: 'perl' },
  { name: 'PHP', endings: ['.php'], interpreter: 'php' },
  { name: 'Lua', endings: ['.lua'], interpreter: 'lua' },
  { name: 'shell', endings: ['.sh', '.bash'], interpreter: 'sh' },
];

/** A language whose compiler takes the name of the program as `-o NAME`. */
function compiled(name: string, endings: readonly string[], compiler: string): Language {
  return { name, endings, compile: (source, made) => `${compiler} -o ${quote([made])} ${quote([source])}` };
}

/** Returns how to run the program that the path names, or whose source it names; null if it is neither. */
export function runnableOf(path: string): Runnable | null {
  if (!isFile(path)) return null;
  if (isExecutable(path) && isProgramFile(path)) return { words: [withFolder(path)] };
  const language = LANGUAGES.find(({ endings }) => endings.includes(extname(path)));
  return language === undefined ? null : runSource(path, language);
}

function runSource(source: string, { name, interpreter, compile, run }: Language): Runnable {
  if (interpreter !== undefined) return { words: [interpreter, source], language: name };
  const made = source.slice(0, -extname(source).length);
  return {
    words: run?.(source, made) ?? [withFolder(made)],
    ...(compile === undefined ? {} : { make: compile(source, made) }),
    language: name,
  };
}

/** Returns how to run the program of this name whose source is in the folder, but has not been compiled yet. */
export function runnableFromSource(path: string): Runnable | null {
  for (const language of LANGUAGES) {
    const ending = language.endings.find((each) => isFile(path + each));
    if (ending !== undefined) return runSource(path + ending, language);
  }
  return null;
}

/** A program without a folder is looked for in $PATH. */
function withFolder(path: string): string {
  return path.includes('/') ? path : `./${path}`;
}
