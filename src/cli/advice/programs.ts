/** What people type in place of a program: a source, a file without its folder, or an argument instead of an option. */
import { fstatSync } from 'node:fs';
import { parse } from 'shell-quote';
import { formatCommandLine } from '../../core/command-line.js';
import { isNameOfProblem } from './commands.js';
import { isExecutable, isFile, isInstalled, type Runnable, runnableFromSource, runnableOf } from './files.js';
import {
  type AdviceRule,
  type ArgumentWord,
  argumentsOf,
  type Correction,
  commandNameOf,
  hasPipedInput,
  replaceWords,
  type TypedLine,
  textsOfWords,
} from './typed-line.js';

/** `--exec ./a.cpp`, `--exec a.py`, `--vs a`: the values of options that name programs. */
const runProgram: AdviceRule = (line) => {
  for (const [index, { text, role, option }] of line.words.entries()) {
    if (role !== 'value' || option?.completes !== 'program') continue;
    const [name, ...others] = wordsOf(text);
    const found = name === undefined ? null : findProgram(name, line);
    if (found === null) continue;
    const { runnable, why } = found;
    return {
      mistake: `cannot run ${name}: ${why}`,
      before: makeFirst(runnable),
      args: replaceWords(line, index, 1, [formatCommandLine([...runnable.words, ...others])]),
    };
  }
  return null;
};

/** Returns the words of a program with its arguments; none if they have what only a shell understands, such as `|`. */
function wordsOf(text: string): string[] {
  const words = parse(text, (variable) => `$${variable}`);
  return words.every((word) => typeof word === 'string') ? words : [];
}

/** What is wrong with the name of a program, and how to run what it means. */
interface FoundProgram {
  readonly runnable: Runnable;
  readonly why: string;
}

/** Returns null if the program can be run as it is typed, or if nothing like it exists. */
function findProgram(name: string, { before }: TypedLine): FoundProgram | null {
  const isPath = name.includes('/');
  if (isPath ? isExecutable(name) : isInstalled(name)) return null;
  const runnable = runnableOf(name);
  if (runnable?.language !== undefined) return { runnable, why: describeSource(runnable) };
  if (runnable !== null) return { runnable, why: 'it is in this folder, which needs ./' };
  if (isFile(name)) return allowToRun(name);
  const fromSource = runnableFromSource(name);
  // What is compiled before the command will be there, whether its name is typed with ./ or without.
  const isMade = [name, name.replace(/^\.\//, '')].some((made) =>
    before.includes(runnableFromSource(made)?.make ?? name),
  );
  if (fromSource !== null && !isMade) return { runnable: fromSource, why: 'there is only its source' };
  if (name === 'python' && isInstalled('python3'))
    return { runnable: { words: ['python3'] }, why: 'it is called python3 here' };
  return null;
}

/** A script that begins with `#!` lacks only the permission. */
function allowToRun(name: string): FoundProgram | null {
  if (isExecutable(name))
    return { runnable: { words: [`./${name}`] }, why: 'it is in this folder, which needs ./' };
  return null;
}

function describeSource({ language, make }: Runnable): string {
  return `it is ${language} source, ${make === undefined ? 'which an interpreter runs' : 'which must be compiled'}`;
}

/** `stress bt ./a`, `bench bt ./prog`, `judge bt f.in ./a.cpp`: arguments that are programs. */
const moveProgram: AdviceRule = (line) => {
  const option = optionForProgram(line);
  if (option === null) return null;
  const [first, ...others] = argumentsOf(line);
  const inputs = first !== undefined && isNameOfProblem(first.text) ? others : argumentsOf(line);
  for (const argument of inputs) {
    const runnable = runnableOf(argument.text);
    if (runnable !== null) return moveBehind(line, argument, runnable, option);
  }
  return null;
};

/** The options for programs of the commands to which people give a program as an argument. */
const OPTIONS_FOR_PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  solve: ['exec'],
  stress: ['exec', 'reference'],
  judge: ['exec'],
  bench: ['vs'],
};

/** Returns the option that takes the next program; null if the command takes none, or no more. */
function optionForProgram(line: TypedLine): string | null {
  const names = OPTIONS_FOR_PROGRAMS[commandNameOf(line)] ?? [];
  const isFree = (name: string) =>
    line.syntax?.options[name]?.isRepeatable || line.words.every(({ option }) => option?.name !== name);
  return names.find(isFree) ?? null;
}

/** Puts the program behind the option, at the end of the line. */
function moveBehind(
  line: TypedLine,
  { text, index }: ArgumentWord,
  runnable: Runnable,
  option: string,
): Correction {
  const program = formatCommandLine(runnable.words);
  return {
    mistake: `${text} is a program${runnable.language === undefined ? '' : ` in ${runnable.language}`}, not an argument of ${commandNameOf(line)}`,
    before: makeFirst(runnable),
    args: [...replaceWords(line, index, 1, []), `--${option}`, program],
  };
}

function makeFirst({ make }: Runnable): string {
  return make === undefined ? '' : `${make} && `;
}

/** `check bt f.in ./a`: check reads answers, and judge runs programs. */
const judgeInstead: AdviceRule = (line) => {
  const [problem, input, ...others] = argumentsOf(line);
  const program = others.find(({ text }) => runnableOf(text) !== null);
  if (
    commandNameOf(line) !== 'check' ||
    program === undefined ||
    !isNameOfProblem(problem.text) ||
    !isFile(input.text)
  )
    return null;
  return {
    mistake: `${program.text} is a program, not an answer file`,
    args: ['judge', ...textsOfWords(line).slice(1)],
  };
};

/** `judge bt --exec ./a`: without inputs, a program is tested on random cases. */
const stressInstead: AdviceRule = (line) => {
  const hasProgram = line.words.filter(({ role, option }) => role === 'value' && option?.name === 'exec');
  if (
    commandNameOf(line) !== 'judge' ||
    hasPipedInput(line) ||
    !isInputMissing() ||
    hasProgram.length !== 1 ||
    argumentsOf(line).length !== 1
  )
    return null;
  if (!isNameOfProblem(argumentsOf(line)[0].text)) return null;
  return { mistake: 'judge needs inputs', args: ['stress', ...textsOfWords(line).slice(1)] };
};

/** Whether standard input is a terminal or /dev/null. */
function isInputMissing(): boolean {
  try {
    return fstatSync(0).isCharacterDevice();
  } catch {
    return true;
  }
}

export const PROGRAM_ADVICE_RULES: readonly AdviceRule[] = [
  runProgram,
  moveProgram,
  judgeInstead,
  stressInstead,
];
