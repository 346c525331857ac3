/** What people type in place of the problem. */
import { fstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROBLEMS } from '../../catalog/registry.js';
import { closestName } from '../../core/closest-name.js';
import { openSource } from '../../engine/input/read.js';
import { INPUT_BEGINNING_BYTES } from '../../engine/input/source.js';
import { isGrammarPath } from '../../problems/modules/module-path.js';
import { readBeginning } from '../inputs/program-file.js';
import { recognizeProblem } from '../inputs/recognize.js';
import { isNameOfProblem } from './commands.js';
import { isFile, isFolder } from './files.js';
import {
  type AdviceRule,
  type ArgumentWord,
  argumentsOf,
  replaceWords,
  type TypedLine,
  textsOfWords,
} from './typed-line.js';

/** Whether the first argument must be a problem. */
function needsProblem({ entry }: TypedLine): boolean {
  return entry?.usage.includes('<problem>') === true;
}

/** Returns the first argument, if it should be a problem and is none. */
function wrongProblem(line: TypedLine): ArgumentWord | null {
  const [first] = argumentsOf(line);
  return line.syntax?.arguments.problem === undefined || first === undefined || isNameOfProblem(first.text)
    ? null
    : first;
}

/** `boardmill solve < f.in`: the problem may be clear from the beginning of standard input. */
const addProblem: AdviceRule = async (line) => {
  if (!needsProblem(line) || argumentsOf(line).length > 0) return null;
  const recognized = await recognizeProblem(beginningOfStandardInput());
  const mistake = 'missing argument <problem>';
  const chosen = chooseProblem(line);
  if (recognized === null) return { mistake, ...chosen };
  return {
    mistake: `${mistake}; ${chosen.choices}; this is an input of ${recognized}`,
    args: insertProblem(line, recognized),
  };
};

function insertProblem(line: TypedLine, problem: string): string[] {
  return replaceWords(line, 1, 0, [problem]);
}

/** Returns the beginning of standard input if it is a regular file. A pipe might never send anything. */
function beginningOfStandardInput(): Uint8Array {
  try {
    if (fstatSync(0).isFile()) return readBeginning(0, INPUT_BEGINNING_BYTES);
  } catch {
    // Standard input is closed.
  }
  return new Uint8Array(0);
}

/** Lists the problems, and takes the first of them as an example. */
function chooseProblem(line: TypedLine): { choices: string; args: string[] } {
  const names = PROBLEMS.map(({ name }) => name);
  const choices = `the problems are ${names.join(', ')}, and files of your own (FILE.mjs, FILE.ctd)`;
  return { choices, args: insertProblem(line, names[0]) };
}

/** `solve f.in bt`. */
const swapProblem: AdviceRule = (line) => {
  const wrong = wrongProblem(line);
  const problem = argumentsOf(line).find(({ text }) => isNameOfProblem(text));
  if (wrong === null || problem === undefined) return null;
  return {
    mistake: `${wrong.text} is not a problem; the problem comes first`,
    args: insertProblem({ ...line, words: line.words.toSpliced(problem.index, 1) }, problem.text),
  };
};

const OWN_ENDINGS = ['.mjs', '.js', '.ts', '.mts', '.ctd'];

/** `solve kayles` beside kayles.mjs. */
const nameOwnProblem: AdviceRule = (line) => {
  const wrong = wrongProblem(line);
  const ending = OWN_ENDINGS.find((each) => wrong !== null && isFile(wrong.text + each));
  if (wrong === null || ending === undefined) return null;
  const path = `${wrong.text.includes('/') ? '' : './'}${wrong.text}${ending}`;
  return {
    mistake: `no problem is named "${wrong.text}", but there is ${path}`,
    args: replaceWords(line, wrong.index, 1, [path]),
  };
};

/** `solve f.in`: the problem may be clear from the file, or from a module or grammar beside it. */
const recognizeFile: AdviceRule = async (line) => {
  const wrong = wrongProblem(line);
  if (wrong === null) return null;
  const input = isFolder(wrong.text) ? firstInputIn(wrong.text) : wrong.text;
  if (input === null || !isFile(input)) return null;
  const what = `no problem is named "${wrong.text}", which is a ${isFolder(wrong.text) ? 'folder' : 'file'}`;
  const recognized = await recognizeProblem(await beginningOf(input));
  if (recognized !== null)
    return { mistake: `${what} with an input of ${recognized}`, args: insertProblem(line, recognized) };
  const own = ownProblemBeside(input);
  if (own !== null) return { mistake: `${what}, and ${own} is beside it`, args: insertProblem(line, own) };
  return { mistake: what, ...chooseProblem(line) };
};

/** Returns the beginning of an input, after decompression. It is empty if the input cannot be read. */
async function beginningOf(path: string): Promise<Uint8Array> {
  try {
    const source = await openSource(path);
    try {
      for await (const _ of source.pieces) if (source.beginning.length >= INPUT_BEGINNING_BYTES) break;
      return source.beginning;
    } finally {
      await source.close();
    }
  } catch {
    return new Uint8Array(0);
  }
}

/** Returns the first input in a folder; null if there is none. */
export function firstInputIn(folder: string): string | null {
  const name = namesIn(folder).find((each) => each.endsWith('.in'));
  return name === undefined ? null : folder === '.' ? name : join(folder, name);
}

/** Returns a module or a grammar in the folder of the input. Files that end in .js or .ts may be anything. */
function ownProblemBeside(input: string): string | null {
  const folder = dirname(input);
  const name = namesIn(folder).find((each) => each.endsWith('.mjs') || isGrammarPath(each));
  return name === undefined ? null : `./${join(folder, name)}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** `stress ./a`: the program has moved behind its option, and no problem is left. Otherwise a name was mistyped. */
const correctName: AdviceRule = (line) => {
  const wrong = wrongProblem(line);
  if (wrong === null) return null;
  const known = PROBLEMS.flatMap(({ name, aliases }) => [name, ...aliases]);
  const begun = PROBLEMS.filter(
    ({ name }) => wrong.text.length > 2 && name.startsWith(wrong.text.toLowerCase()),
  );
  const meant = begun.length === 1 ? begun[0].name : closestName(wrong.text, known);
  if (meant === null) return null;
  return {
    mistake: `no problem is named "${wrong.text}"`,
    args: textsOfWords(line).toSpliced(wrong.index, 1, meant),
  };
};

export const PROBLEM_ADVICE_RULES: readonly AdviceRule[] = [
  addProblem,
  swapProblem,
  nameOwnProblem,
  recognizeFile,
  correctName,
];
