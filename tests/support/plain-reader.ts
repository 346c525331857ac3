/**
 * A simple reader of inputs, with which tests compare boardmill's scanner and parsers. It splits the input into tokens,
 * then applies one rule after another.
 */
import type { Style } from './inputs.js';

interface Token {
  readonly text: string;
  readonly offset: number;
}

export interface Reading {
  /** The good cases before the first fault, with the offset at which each case starts. */
  readonly cases: readonly { readonly offset: number; readonly rows: number; readonly cells: string }[];
  /**
   * The first fault, or null if the input has no fault. `caseNumber` is null if the fault belongs to no case.
   * `start` is the offset at which the bad case starts. `endsInput` says that the input ended where another case had to begin.
   */
  readonly fault: {
    readonly caseNumber: number | null;
    readonly start: number;
    readonly offset: number;
    readonly endsInput: boolean;
  } | null;
  /** The invalid cases after which the reading went on, as a run with `--on-error mark` does. Empty if it did not go on. */
  readonly marked: readonly MarkedCase[];
}

/** An invalid case, the offset at which it starts, and the offset of its fault. */
export interface MarkedCase {
  readonly caseNumber: number;
  readonly start: number;
  readonly offset: number;
}

/** A token with more bytes is never a number. The first bytes of such a token decide whether it is a row of a board. */
const LONGEST_NUMBER = 32;

/** Thrown at the first fault of an input. */
class FoundFault {
  constructor(
    readonly caseNumber: number | null,
    readonly offset: number,
    /** The index of the token after the rows of the case; null if it is not certain which tokens belong to the case. */
    readonly next: number | null = null,
    readonly endsInput = false,
    readonly start = offset,
  ) {}
}

/**
 * Reads an input up to its first fault. With `mark`, the reading goes on after an invalid case if it is certain where the
 * next case begins: if the sizes of the case are good, and each of its rows is one token and not a number.
 */
export function readPlainly(style: Style, bytes: Uint8Array, mark = false): Reading {
  const cases: { offset: number; rows: number; cells: string }[] = [];
  const marked: MarkedCase[] = [];
  try {
    readAll(style, Buffer.from(bytes).toString('latin1'), cases, mark ? marked : null);
    return { cases, marked, fault: null };
  } catch (thrown) {
    if (!(thrown instanceof FoundFault)) throw thrown;
    const { caseNumber, start, offset, endsInput } = thrown;
    return { cases, marked, fault: { caseNumber, start, offset, endsInput } };
  }
}

function tokensOf(text: string): Token[] {
  const from = text.startsWith('\xef\xbb\xbf') ? 3 : 0;
  const found = text.slice(from).matchAll(/[^ \t\n\v\f\r]+/g);
  return Array.from(found, (match) => ({ text: match[0], offset: from + match.index }));
}

/**
 * Returns the value of a token that is a number. Returns Infinity if the number is too large for an exact integer, and
 * -1 if the token is not a number.
 */
function parseNumber(token: Token | undefined): number {
  if (token === undefined || token.text.length > LONGEST_NUMBER || !/^[0-9]+$/.test(token.text)) return -1;
  return BigInt(token.text) > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(token.text);
}

function readAll(
  style: Style,
  text: string,
  cases: { offset: number; rows: number; cells: string }[],
  marked: MarkedCase[] | null,
): void {
  const tokens = tokensOf(text);
  const offsetOf = (index: number) => tokens[index]?.offset ?? text.length;
  if (tokens.length === 0) throw new FoundFault(null, text.length);
  let at = 0;
  let announcedCases = Number.POSITIVE_INFINITY;
  for (const field of style.preamble) {
    const value = parseNumber(tokens[at]);
    if (value < 0 || (field === 'T' && value === Number.POSITIVE_INFINITY))
      throw new FoundFault(null, offsetOf(at));
    if (field === 'T') announcedCases = value;
    at++;
  }
  for (let caseNumber = 1; caseNumber <= announcedCases; caseNumber++) {
    if (at === tokens.length) {
      if (style.terminated) throw new FoundFault(null, text.length, null, true);
      if (announcedCases < Number.POSITIVE_INFINITY)
        throw new FoundFault(caseNumber, text.length, null, true);
      return;
    }
    if (style.terminated && parseNumber(tokens[at]) === 0 && parseNumber(tokens[at + 1]) === 0) {
      at += 2;
      break;
    }
    try {
      at = readCase(style, text, tokens, at, caseNumber, cases);
    } catch (thrown) {
      if (marked === null || !(thrown instanceof FoundFault) || thrown.next === null) throw thrown;
      marked.push({ caseNumber, start: tokens[at].offset, offset: thrown.offset });
      at = thrown.next;
    }
  }
  if (at < tokens.length) throw new FoundFault(null, offsetOf(at));
}

function readCase(
  style: Style,
  text: string,
  tokens: readonly Token[],
  start: number,
  caseNumber: number,
  cases: { offset: number; rows: number; cells: string }[],
): number {
  let next: number | null = null;
  const faultAt = (index: number, offsetInToken = 0) =>
    new FoundFault(
      caseNumber,
      (tokens[index]?.offset ?? text.length) + offsetInToken,
      next,
      false,
      tokens[start].offset,
    );
  const rows = parseNumber(tokens[start]);
  if (rows < style.minRows || rows > style.maxRows) throw faultAt(start);
  const cols = parseNumber(tokens[start + 1]);
  if (cols < 1 || cols > style.maxCols) throw faultAt(start + 1);
  if (rows * cols > style.maxCells) throw faultAt(start);
  const isRow = style.letters.length === 1;
  const end = start + 2 + (isRow ? rows : rows * cols);
  const rowTokens = tokens.slice(start + 2, end);
  const isCertain = rowTokens.every((token) => !/^[0-9]/.test(token.text)) && isSizeNext(style, tokens, end);
  if (rowTokens.length === end - start - 2 && isCertain) next = end;
  for (let index = start + 2; index < end; index++) {
    const token = tokens[index]?.text ?? '';
    if (isRow) {
      const badLetter = [...token].findIndex((letter) => !style.letters[0].includes(letter));
      if (badLetter > 0 && badLetter < cols) throw faultAt(index, badLetter);
      if (badLetter === 0 || token.length !== cols) throw faultAt(index);
    } else {
      const isBlock = token.length === 2 && style.letters.every((set, i) => set.includes(token[i]));
      if (!isBlock) throw faultAt(index);
    }
  }
  const after = tokens[end]?.text.slice(0, LONGEST_NUMBER + 1) ?? '?';
  const isSurplusRow = isRow
    ? [...after].every((letter) => style.letters[0].includes(letter))
    : after.length === 2 && style.letters.every((set, i) => set.includes(after[i]));
  if (isSurplusRow) throw faultAt(end);
  const cells = tokens
    .slice(start + 2, end)
    .map((token) => token.text)
    .join('');
  if (style.findWrongCell !== undefined) {
    const wrongCell = style.findWrongCell(cells, cols);
    if (wrongCell === 'board') throw faultAt(start);
    if (wrongCell !== null) throw faultAt(start + 2 + Math.floor(wrongCell / cols), wrongCell % cols);
  }
  cases.push({ offset: tokens[start].offset, rows, cells });
  return end;
}

/** Whether a size line of two numbers, or the end of the input, follows. */
function isSizeNext(style: Style, tokens: readonly Token[], at: number): boolean {
  if (at === tokens.length) return !style.terminated;
  return parseNumber(tokens[at]) >= 0 && parseNumber(tokens[at + 1]) >= 0;
}
