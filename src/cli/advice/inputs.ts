/** What people type in place of an input, and of the file for the answers. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isatty } from 'node:tty';
import { findProblem } from '../../catalog/registry.js';
import { formatCommandLine } from '../../core/command-line.js';
import { pathWithoutEndings } from '../../engine/input/file-names.js';
import { isNameOfProblem } from './commands.js';
import { isFile, isFolder } from './files.js';
import { firstInputIn } from './problems.js';
import {
  type AdviceRule,
  type ArgumentWord,
  acceptsOption,
  argumentsOf,
  commandNameOf,
  formatCommand,
  hasPipedInput,
  replaceWords,
  type TypedLine,
  takesStandardInput,
} from './typed-line.js';

/** Returns the arguments after the problem. */
function inputsOf(line: TypedLine): ArgumentWord[] {
  const [first, ...others] = argumentsOf(line);
  return first !== undefined && isNameOfProblem(first.text) ? others : [];
}

/** `explain bt 3x3`: a size is not an input, but an input of that size can be generated. */
const generateSize: AdviceRule = (line) => {
  const size = inputsOf(line).find(({ text }) => /^\d+[x*]\d+$/i.test(text) && !existsSync(text));
  if (size === undefined) return null;
  const [rows, cols] = size.text.split(/[x*]/i);
  const mistake = `${size.text} is a size, not an input`;
  const sizes = ['--rows', rows, '--cols', cols];
  const rest = replaceWords(line, size.index, 1, []);
  if (acceptsOption(line, 'rows')) return { mistake, args: [...rest, ...sizes] };
  const [problem] = argumentsOf(line);
  const generate = formatCommand(['generate', problem.text, '--cases', '1', ...sizes]);
  return { mistake, before: `${generate} | `, args: rest };
};

/** `generate bt 10` and `generate bt f.in`. */
const generateArgument: AdviceRule = (line) => {
  if (commandNameOf(line) !== 'generate') return null;
  const [argument] = inputsOf(line);
  if (argument === undefined) return null;
  const option = /^\d+(?:e\d+)?$/.test(argument.text) ? '--cases' : '--output';
  return {
    mistake: `unexpected argument ${argument.text}`,
    args: [...replaceWords(line, argument.index, 1, []), option, argument.text],
  };
};

/** `generate bt`: how many? */
const addCases: AdviceRule = (line) => {
  if (commandNameOf(line) !== 'generate' || argumentsOf(line).length !== 1) return null;
  const names = ['cases', 'profile', 'suite', 'count', 'multitest', 'dir', 'help'];
  if (line.words.some(({ option }) => option !== undefined && names.includes(option.name))) return null;
  const [problem] = argumentsOf(line);
  if (findProblem(problem.text) === undefined) return null;
  return {
    mistake: 'missing option --cases',
    args: replaceWords(line, problem.index + 1, 0, ['--cases', '10']),
  };
};

/** `solve bt data/ -o answers/`: the answers of several inputs go to a folder, those of one input to a file. */
const nameFolder: AdviceRule = (line) => {
  const index = line.words.findIndex(({ role, option }) => role === 'value' && option?.name === 'output');
  const folder = line.words[index]?.text ?? '';
  const isMeant = folder !== '-' && (isFolder(folder) || folder.endsWith('/'));
  if (commandNameOf(line) !== 'solve' || !isMeant) return null;
  const mistake = `--output needs a file, and ${folder} is a folder`;
  const name = folder.replace(/(?<=.)\/+$/, '');
  const inputs = inputsOf(line).map(({ text }) => text);
  const isStandardInput = inputs.every((input) => input === '-');
  const isOneFile = inputs.length === 1 && isFile(inputs[0]);
  if (!isStandardInput && !isOneFile)
    return { mistake, args: replaceWords(line, index - 1, 2, ['--out-dir', name]) };
  const stem = isStandardInput ? 'answers' : basename(pathWithoutEndings(inputs[0]));
  const before = isFolder(name) ? '' : `${formatCommandLine(['mkdir', '-p', name])} && `;
  return { mistake, before, args: replaceWords(line, index, 1, [join(name, `${stem}.ans`)]) };
};

/** `solve bt` at a terminal. */
const addInput: AdviceRule = (line) => {
  const isWaiting = takesStandardInput(line) && argumentsOf(line).length === 1 && isatty(0);
  if (hasPipedInput(line)) return null;
  const [problem] = argumentsOf(line);
  if (!isWaiting || !isNameOfProblem(problem.text)) return null;
  const inputs = line.syntax?.arguments.inputs === undefined ? 'a file' : 'a file, a folder,';
  const mistake = `${commandNameOf(line)} needs an input: ${inputs} or a pipe; standard input is a terminal`;
  const input = firstInputIn('.');
  if (input !== null) return { mistake, args: replaceWords(line, problem.index + 1, 0, [input]) };
  const generate = formatCommand(['generate', problem.text, '--cases', '10']);
  return { mistake, before: `${generate} | `, args: line.words.map(({ text }) => text) };
};

/** `solve bt f` beside f.in. */
const addEnding: AdviceRule = (line) => {
  const input = inputsOf(line).find(({ text }) => !existsSync(text) && isFile(`${text}.in`));
  if (input === undefined) return null;
  return {
    mistake: `cannot open ${input.text}: no such file or directory`,
    args: replaceWords(line, input.index, 1, [`${input.text}.in`]),
  };
};

/** `check bt` and `check bt f.in` lack the answers. */
const addAnswers: AdviceRule = (line) => {
  const [problem] = argumentsOf(line);
  const inputs = inputsOf(line);
  if (
    commandNameOf(line) !== 'check' ||
    inputs.length > 1 ||
    problem === undefined ||
    !isNameOfProblem(problem.text)
  )
    return null;
  if (inputs.length === 0) {
    const choices = 'check needs an input and the answers to it';
    return {
      mistake: 'missing argument <input>',
      choices,
      args: replaceWords(line, problem.index + 1, 0, ['f.in', 'f.ans']),
    };
  }
  if (!isFile(inputs[0].text)) return null;
  const answers = `${pathWithoutEndings(inputs[0].text)}.ans`;
  return {
    mistake: 'missing argument <answer-file>',
    args: replaceWords(line, inputs[0].index + 1, 0, [answers]),
    ...(isFile(answers) ? {} : { choices: `the answers to ${inputs[0].text} are in another file` }),
  };
};

/** `check bt in out`: two folders. */
const checkFiles: AdviceRule = (line) => {
  const folder = inputsOf(line).find(({ text }) => isFolder(text));
  if (commandNameOf(line) !== 'check' || inputsOf(line).length !== 2 || folder === undefined) return null;
  const [problem] = argumentsOf(line);
  const oneFolder = formatCommand(['check', problem.text, folder.text]);
  const oneFile = formatCommand(['check', problem.text, 'NAME.in', 'NAME.ans']);
  return {
    mistake: `${folder.text} is a folder`,
    advice: `type: ${oneFolder} (compares each NAME.in with the NAME.ans beside it), or, for each file: ${oneFile}`,
  };
};

export const INPUT_ADVICE_RULES: readonly AdviceRule[] = [
  generateSize,
  generateArgument,
  addCases,
  nameFolder,
  addInput,
  addEnding,
  addAnswers,
  checkFiles,
];
