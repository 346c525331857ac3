/** Finds the lines that an input lacks if it is only a board: the number of cases, the size of the board, the terminator. */
import { quote } from 'shell-quote';
import { formatCommandLine } from '../../core/command-line.js';

/** Reads the first cases of an input. Returns the offset after them; null if one of them is invalid. */
type ReadCases = (bytes: Uint8Array) => number | null;

/** A line that an input lacks, and its meaning. */
interface MissingLine {
  readonly text: string;
  readonly meaning: string;
}

/** The lines that an input lacks before and after its text. */
interface Missing {
  readonly before: readonly MissingLine[];
  readonly after: readonly MissingLine[];
}

/** Returns what the user can type to complete the input `name`; null if the input lacks more than such lines. */
export function suggestMissingLines(
  bytes: Uint8Array,
  name: string,
  hasTerminator: boolean,
  readCases: ReadCases,
): string | null {
  const text = `${Buffer.from(bytes).toString('latin1').replaceAll('\r', '').trimEnd()}\n`;
  const missing = candidatesFor(text, hasTerminator).find((candidate) => isWhole(candidate, text, readCases));
  if (missing === undefined) return null;
  const command = formatCommandLine(['boardmill', ...process.argv.slice(2).filter((arg) => arg !== name)]);
  return `${describe(missing)}; type: ${commandFor(missing, text, name)} | ${command}`;
}

/** Lists the lines that an input may lack: the number of cases, perhaps after an id; the size of the board; the terminator. */
function candidatesFor(text: string, hasTerminator: boolean): Missing[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const cases = Math.max(1, lines.filter((line) => /^\d+ \d+$/.test(line)).length);
  const blocks = (lines[0] ?? '').trim().split(/\s+/);
  const cols = blocks.length > 1 ? blocks.length : blocks[0].length;
  const heads = [
    [],
    [{ text: `${cases}`, meaning: 'the number of cases' }],
    [{ text: `1 ${cases}`, meaning: 'the id and the number of cases' }],
  ];
  const sizes = [[], [{ text: `${lines.length} ${cols}`, meaning: 'rows and columns' }]];
  const hasEnd = lines.at(-1)?.trim() === '0 0';
  const after = hasTerminator && !hasEnd ? [{ text: '0 0', meaning: 'the end' }] : [];
  return heads.flatMap((head) => sizes.map((size) => ({ before: [...head, ...size], after })));
}

/** Whether the input is one without errors if it gets what is missing. */
function isWhole({ before, after }: Missing, text: string, readCases: ReadCases): boolean {
  // An input that lacks only its end has been told so.
  if (before.length === 0) return false;
  const bytes = Buffer.from(join(before) + text + join(after), 'latin1');
  const end = readCases(bytes);
  return end !== null && ['', '0 0'].includes(bytes.subarray(end).toString('latin1').trim());
}

function join(lines: readonly MissingLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join('');
}

/** Says which lines are missing: `the input lacks "1" (the number of cases) and "2 2" (rows and columns) at its beginning`. */
function describe({ before, after }: Missing): string {
  const list = (lines: readonly MissingLine[]) =>
    lines.map(({ text, meaning }) => `"${text}" (${meaning})`).join(' and ');
  const end = after.length === 0 ? '' : `, and ${list(after)} at its end`;
  return `the input lacks ${list(before)} at its beginning${end}`;
}

/** A longer input is not repeated. */
const MAX_REPEATED_CHARACTERS = 200;

/** Returns a shell command that prints the complete input. */
function commandFor({ before, after }: Missing, text: string, name: string): string {
  const print = (part: string) => `printf '${part.replaceAll('\n', '\\n')}'`;
  const isPrintable = /^[\n -~]*$/.test(text) && !/['%\\]/.test(text);
  if (name === '<stdin>' && text.length <= MAX_REPEATED_CHARACTERS && isPrintable)
    return print(join(before) + text + join(after));
  const parts = [
    print(join(before)),
    `cat ${name === '<stdin>' ? 'BOARD' : quote([name])}`,
    ...(after.length === 0 ? [] : [print(join(after))]),
  ];
  return `(${parts.join('; ')})`;
}
