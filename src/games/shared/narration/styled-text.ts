/**
 * Text for a terminal, in pieces that may have a colour. Every character takes one column. Lines are wrapped and cut before
 * colours become escape sequences, so that only visible characters count.
 */

/** Parameters of the escape sequences that switch a style on (SGR, ECMA-48). */
const STYLES = {
  strong: '1',
  quiet: '2',
  good: '32',
  bad: '31',
  even: '33',
  changed: '1;7',
  yellow: '33',
  green: '32',
  red: '1;31',
  blue: '36',
  purple: '35',
  white: '1',
} as const;

export type Style = keyof typeof STYLES;

export interface StyledSpan {
  readonly text: string;
  readonly style: Style | undefined;
}

/** A line without a line end. */
export type StyledLine = readonly StyledSpan[];

/** How the text is laid out. */
export interface TextLayoutOptions {
  /** Number of columns of the terminal. */
  readonly width: number;
  readonly hasColor: boolean;
  /** Whether the terminal shows characters beyond ASCII. The default is true. */
  readonly localeHasUtf8?: boolean;
}

/** Characters beyond ASCII that the text may contain, and what replaces them. */
const ASCII_SIGNS: Readonly<Record<string, string>> = { '→': '>', '…': '~' };
/** What ends a line that is cut off. */
const CUT_MARK = '…';

export function styledSpan(text: string, style?: Style): StyledSpan {
  return { text, style };
}

export function lineLength(line: StyledLine): number {
  return line.reduce((length, { text }) => length + text.length, 0);
}

/** Cuts off a line that is longer than `width`, and puts the mark `…` at its end. */
export function truncateLine(line: StyledLine, width: number): StyledLine {
  return lineLength(line) <= width ? line : [...firstCharacters(line, width - 1), styledSpan(CUT_MARK)];
}

function firstCharacters(line: StyledLine, length: number): StyledSpan[] {
  let left = length;
  const kept: StyledSpan[] = [];
  for (const { text, style } of line) {
    kept.push({ text: text.slice(0, left), style });
    left -= text.length;
    if (left <= 0) break;
  }
  return kept;
}

/** Makes a line at least `width` long. */
export function padLine(line: StyledLine, width: number): StyledLine {
  return [...line, styledSpan(' '.repeat(Math.max(0, width - lineLength(line))))];
}

/** The indentation of a wrapped text, which is left out if there is no room for it. */
interface WrapOptions {
  readonly style?: Style;
  /** Number of spaces before the first line. */
  readonly indent?: number;
  /** Number of spaces before each later line. */
  readonly hanging?: number;
}

/** Smallest number of columns that must be left for a text beside its indentation. */
const MIN_WRAPPED_WIDTH = 12;

/** Breaks a text at whitespace into lines of at most `width`. */
export function wrapText(
  text: string,
  width: number,
  { style, indent = 0, hanging = indent }: WrapOptions = {},
): StyledLine[] {
  const room = Math.max(MIN_WRAPPED_WIDTH, width - Math.max(indent, hanging));
  const marginOf = (whitespace: number) => ' '.repeat(Math.min(whitespace, width - room));
  const lines: string[] = [];
  for (const word of text.split(' ').flatMap((whole) => cutWord(whole, room))) {
    const last = lines.length - 1;
    if (lines.length === 0) lines.push(marginOf(indent) + word);
    else if (lines[last].length + 1 + word.length <= width) lines[last] += ` ${word}`;
    else lines.push(marginOf(hanging) + word);
  }
  return lines.map((line) => [styledSpan(line, style)]);
}

/** Cuts a word that is longer than a line. */
function cutWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < word.length; start += width) pieces.push(word.slice(start, start + width));
  return pieces;
}

/** Prints lines, each with its line end. Whitespace at the ends of lines is left out. */
export function printLines(
  lines: readonly StyledLine[],
  { hasColor, localeHasUtf8 = true }: TextLayoutOptions,
): string {
  return lines
    .map((line) =>
      withoutTrailingWhitespace(line)
        .map((part) => printSpan(part, hasColor))
        .join(''),
    )
    .map((line) => `${localeHasUtf8 ? line : line.replace(/[→…]/g, (sign) => ASCII_SIGNS[sign])}\n`)
    .join('');
}

function withoutTrailingWhitespace(line: StyledLine): StyledLine {
  const end = line.findLastIndex(({ text }) => text.trim() !== '') + 1;
  return line.slice(0, end).map((part, i) => (i === end - 1 ? { ...part, text: part.text.trimEnd() } : part));
}

function printSpan({ text, style }: StyledSpan, hasColor: boolean): string {
  return hasColor && style !== undefined && text !== '' ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
}
