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
  /** The first fault, or null if the input has no fault. `caseNumber` is null if the fault belongs to no case. */
  readonly fault: { readonly caseNumber: number | null; readonly offset: number } | null;
}

/** A token with more bytes is never a number. The first bytes of such a token decide whether it is a row of a board. */
const LONGEST_NUMBER = 32;

/** Thrown at the first fault of an input. */
class FoundFault {
  constructor(
    readonly caseNumber: number | null,
    readonly offset: number,
  ) {}
}

export function readPlainly(style: Style, bytes: Uint8Array): Reading {
  const cases: { offset: number; rows: number; cells: string }[] = [];
  try {
    readAll(style, Buffer.from(bytes).toString('latin1'), cases);
    return { cases, fault: null };
  } catch (thrown) {
    if (!(thrown instanceof FoundFault)) throw thrown;
    return { cases, fault: { caseNumber: thrown.caseNumber, offset: thrown.offset } };
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

function readAll(style: Style, text: string, cases: { offset: number; rows: number; cells: string }[]): void {
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
      if (style.terminated) throw new FoundFault(null, text.length);
      if (announcedCases < Number.POSITIVE_INFINITY) throw new FoundFault(caseNumber, text.length);
      return;
    }
    if (style.terminated && parseNumber(tokens[at]) === 0 && parseNumber(tokens[at + 1]) === 0) {
      at += 2;
      break;
    }
    at = readCase(style, text, tokens, at, caseNumber, cases);
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
  const faultAt = (index: number, offsetInToken = 0) =>
    new FoundFault(caseNumber, (tokens[index]?.offset ?? text.length) + offsetInToken);
  const rows = parseNumber(tokens[start]);
  if (rows < style.minRows || rows > style.maxRows) throw faultAt(start);
  const cols = parseNumber(tokens[start + 1]);
  if (cols < 1 || cols > style.maxCols) throw faultAt(start + 1);
  if (rows * cols > style.maxCells) throw faultAt(start);
  const isRow = style.letters.length === 1;
  const end = start + 2 + (isRow ? rows : rows * cols);
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
  const next = tokens[end]?.text.slice(0, LONGEST_NUMBER + 1) ?? '?';
  const isSurplusRow = isRow
    ? [...next].every((letter) => style.letters[0].includes(letter))
    : next.length === 2 && style.letters.every((set, i) => set.includes(next[i]));
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
