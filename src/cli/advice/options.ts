/** What people type in place of an option. */
import { optionAwaitingValue, readTypedWords } from '../arguments/words.js';
import { isFile } from './files.js';
import { type AdviceRule, acceptsOption, replaceWords, type TypedLine } from './typed-line.js';

/**
 * The options that boardmill does not know, and the words that people mean. The first meaning counts whose option the command
 * has. The value, if there is one, stays behind these words.
 */
const MEANINGS: readonly (readonly [names: string, ...meanings: string[]])[] = [
  ['output-dir outdir outputdir output-folder d', '--out-dir', '--dir'],
  ['out outfile output-file', '--output'],
  ['threads workers cores parallel procs processes num-threads t p', '--jobs'],
  ['n num number num-cases tests', '--cases'],
  ['nimber nimbers grundy', '--format csv --columns nimber', ''],
  ['json', '--format ndjson'],
  ['ndjson jsonl', '--format ndjson'],
  ['csv', '--format csv'],
  ['verbose v', '--stats -', ''],
  ['silent s', '--quiet'],
  ['time-limit timelimit tl', '--timeout'],
  ['memory mem memlimit ml', '--memory-limit'],
  ['program prog cmd command solution x e', '--exec', '--vs'],
  ['brute brute-force model correct', '--reference'],
  ['gen generate', '--generator'],
  ['continue', '--resume'],
  ['overwrite yes y', '--force'],
  ['keep-going ignore-errors k', '--on-error mark'],
  ['compare against', '--vs', '--reference'],
  ['row height', '--rows'],
  ['col columns width', '--cols'],
  ['limit', '--timeout'],
];

/** Translates the first unknown option that has a meaning. */
const translateOption: AdviceRule = (line) => {
  if (line.entry === undefined) return null;
  for (const [index, { text, role, option }] of line.words.entries()) {
    if (role !== 'option' || option !== undefined) continue;
    const { shown, name, value } = splitOption(text);
    const meant = isInputOption(line, name) ? '' : findMeaning(line, name);
    if (meant === undefined) continue;
    const words = [...meant.split(' '), ...value].filter((word) => word !== '');
    const next = line.words[index + 1];
    if (optionAwaitingValue(readTypedWords(words, line.options), line.options) && next?.role !== 'argument')
      continue;
    return { mistake: `unknown option ${shown}`, args: replaceWords(line, index, 1, words) };
  }
  return null;
};

/** `solve bt -x.in`: a file whose name begins with a dash. */
const nameFile: AdviceRule = (line) => {
  const index = line.words.findIndex(({ text, role, option }) => {
    return role === 'option' && option === undefined && isFile(text);
  });
  if (index < 0) return null;
  const { text } = line.words[index];
  return {
    mistake: `${text} begins with a dash, as options do`,
    args: replaceWords(line, index, 1, [`./${text}`]),
  };
};

/** Splits a word such as `--threads`, `--threads=4` or `-t4`. */
function splitOption(text: string): { shown: string; name: string; value: string[] } {
  const [, shown = text, value] = /^(--[^=]+)=(.*)$/s.exec(text) ?? /^(-[a-z])=?(\d+)$/.exec(text) ?? [];
  return { shown, name: shown.replace(/^-+/, ''), value: value === undefined ? [] : [value] };
}

/** Inputs are arguments: what names them is left out. */
function isInputOption({ syntax }: TypedLine, name: string): boolean {
  const takesInput = syntax?.arguments.input !== undefined || syntax?.arguments.inputs !== undefined;
  return takesInput && /^(i|in|input|inputs|infile|file)$/.test(name);
}

function findMeaning(line: TypedLine, name: string): string | undefined {
  const [, ...meanings] = MEANINGS.find(([names]) => names.split(' ').includes(name)) ?? [''];
  return meanings.find((meant) => meant === '' || hasOptionOf(line, meant));
}

/** Whether the command has the option with which the words begin. */
function hasOptionOf(line: TypedLine, words: string): boolean {
  return acceptsOption(line, words.split(' ')[0].slice('--'.length));
}

/** `solve bt f.in --columns nimber`: text has no columns. */
const addFormat: AdviceRule = (line) => {
  const index = line.words.findIndex(({ role, text }) => role === 'option' && text === '--columns');
  const hasFormat = line.words.some(({ option }) => option?.name === 'format');
  if (index < 0 || hasFormat || !acceptsOption(line, 'format')) return null;
  return {
    mistake: '--columns needs the output format ndjson or csv',
    args: replaceWords(line, index, 0, ['--format', 'csv']),
  };
};

export const OPTION_ADVICE_RULES: readonly AdviceRule[] = [nameFile, translateOption, addFormat];
