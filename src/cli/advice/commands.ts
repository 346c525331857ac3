/** What people type in place of a command. */
import { findProblem } from '../../catalog/registry.js';
import { isGrammarPath, isModulePath } from '../../problems/modules/module-path.js';
import { findCommand } from '../command-list.js';
import { isFile, isFolder, runnableOf } from './files.js';
import { type AdviceRule, formatCommand, textsOfWords } from './typed-line.js';

/** The first words that boardmill does not know, and what they mean. */
const MEANINGS: Readonly<Record<string, string>> = {
  version: '--version',
  '-v': '--version',
  '-version': '--version',
  '-?': '--help',
  man: '--help',
  usage: '--help',
  list: 'problems',
  ls: 'problems',
  problem: 'problems',
  info: 'problems',
  describe: 'problems',
  show: 'problems',
  compare: 'check',
  diff: 'check',
  run: 'solve',
  answer: 'solve',
  gen: 'generate',
  create: 'generate',
  random: 'generate',
  fuzz: 'stress',
  hack: 'stress',
  benchmark: 'bench',
  time: 'bench',
  lint: 'validate',
  stat: 'stats',
  count: 'stats',
  nimber: 'stats',
  nimbers: 'stats',
  grundy: 'stats',
  why: 'explain',
  join: 'merge',
  concat: 'merge',
  cut: 'extract',
  slice: 'extract',
  serve: 'play',
  gui: 'play',
};

const translateWord: AdviceRule = (line) => {
  const [first, ...others] = textsOfWords(line);
  if (line.entry !== undefined || first === undefined || !Object.hasOwn(MEANINGS, first)) return null;
  const meant = MEANINGS[first];
  const what = first.startsWith('-') ? 'option' : 'command';
  // The options --version and --help stand alone.
  return { mistake: `unknown ${what} ${first}`, args: meant.startsWith('-') ? [meant] : [meant, ...others] };
};

/** `test` may mean three commands. */
const chooseTest: AdviceRule = (line) => {
  const [first, ...others] = textsOfWords(line);
  if (first !== 'test') return null;
  const problem = others.find(isNameOfProblem) ?? 'bt';
  const program = others.flatMap((text) => runnableOf(text)?.words ?? [])[0] ?? './mine';
  const input = others.find((text) => isFile(text) && runnableOf(text) === null) ?? 'f.in';
  const check = formatCommand(['check', problem, input, `${input.replace(/\.in$/, '')}.ans`]);
  const stress = formatCommand(['stress', problem, '--exec', program]);
  const judge = formatCommand(['judge', problem, input, '--exec', program]);
  const meanings = `${check} (compares answers), ${stress} (searches for a case on which a program fails), or ${judge} (runs programs on inputs)`;
  return { mistake: 'unknown command test', advice: `type: ${meanings}` };
};

/** `boardmill -- solve bt f.in`. */
const dropDashes: AdviceRule = (line) => {
  const [first, ...others] = textsOfWords(line);
  if (first !== '--' || others.length === 0) return null;
  return { mistake: 'the command must come before --', args: others };
};

/** `boardmill bt solve f.in`, `boardmill bt f.in`, `boardmill help bt`. */
const addCommand: AdviceRule = (line) => {
  const [first, ...others] = textsOfWords(line);
  if (line.entry !== undefined || first === undefined || !isNameOfProblem(first)) return null;
  const mistake = `unknown command ${first}, which is a problem`;
  if (others.includes('--help') || others.includes('-h')) return { mistake, args: ['problems', first] };
  const command = others.find((text) => findCommand(text) !== undefined);
  if (command === undefined) return { mistake, args: ['solve', first, ...others] };
  return { mistake, args: [command, first, ...others.filter((text) => text !== command)] };
};

/** `boardmill f.in` and `boardmill ./a`. */
const addCommandToFile: AdviceRule = (line) => {
  const [first, ...others] = textsOfWords(line);
  if (line.entry !== undefined || first === undefined || !(isFile(first) || isFolder(first))) return null;
  const isProgram = runnableOf(first) !== null;
  const mistake = `unknown command ${first}, which is a ${isFolder(first) ? 'folder' : isProgram ? 'program' : 'file'}`;
  return { mistake, args: [isProgram ? 'stress' : 'solve', first, ...others] };
};

/** Whether the word names a problem: one of boardmill's, or a module or a grammar. */
export function isNameOfProblem(text: string): boolean {
  return findProblem(text) !== undefined || isGrammarPath(text) || isModulePath(text);
}

export const COMMAND_ADVICE_RULES: readonly AdviceRule[] = [
  dropDashes,
  translateWord,
  chooseTest,
  addCommand,
  addCommandToFile,
];
