/** A simple reader of inputs, to compare with: it splits the input into tokens, then applies one rule after another. */
import type { Style } from './inputs.js';

interface Token {
  readonly text: string;
  readonly offset: number;
}

export interface Reading {
  /** The good cases before the first fault, with the offset at which each starts. */
  readonly cases: readonly { readonly offset: number; readonly rows: number; readonly cells: string }[];
  /** The first fault, or null. `caseNumber` is null if the fault belongs to no case. */
  readonly fault: { readonly caseNumber: number | null; readonly offset: number } | null;
}

/** A longer token is never a number. Its first bytes decide whether it is a row. */
const LONGEST_COUNT = 32;

class Wrong {
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
  } catch (wrong) {
    if (!(wrong instanceof Wrong)) throw wrong;
    return { cases, fault: { caseNumber: wrong.caseNumber, offset: wrong.offset } };
  }
}

function tokensOf(text: string): Token[] {
  const from = text.startsWith('\xef\xbb\xbf') ? 3 : 0;
  const found = text.slice(from).matchAll(/[^ \t\n\v\f\r]+/g);
  return Array.from(found, (match) => ({ text: match[0], offset: from + match.index }));
}

function count(token: Token | undefined): number {
  if (token === undefined || token.text.length > LONGEST_COUNT || !/^[0-9]+$/.test(token.text)) return -1;
  return BigInt(token.text) > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(token.text);
}

function readAll(style: Style, text: string, cases: { offset: number; rows: number; cells: string }[]): void {
  const tokens = tokensOf(text);
  const place = (index: number) => tokens[index]?.offset ?? text.length;
  if (tokens.length === 0) throw new Wrong(null, text.length);
  let at = 0;
  let promised = Number.POSITIVE_INFINITY;
  for (const field of style.preamble) {
    const value = count(tokens[at]);
    if (value < 0 || (field === 'T' && value === Number.POSITIVE_INFINITY)) throw new Wrong(null, place(at));
    if (field === 'T') promised = value;
    at++;
  }
  for (let caseNumber = 1; caseNumber <= promised; caseNumber++) {
    if (at === tokens.length) {
      if (style.terminated) throw new Wrong(null, text.length);
      if (promised < Number.POSITIVE_INFINITY) throw new Wrong(caseNumber, text.length);
      return;
    }
    if (style.terminated && count(tokens[at]) === 0 && count(tokens[at + 1]) === 0) {
      at += 2;
      break;
    }
    at = readCase(style, text, tokens, at, caseNumber, cases);
  }
  if (at < tokens.length) throw new Wrong(null, place(at));
}

function readCase(
  style: Style,
  text: string,
  tokens: readonly Token[],
  start: number,
  caseNumber: number,
  cases: { offset: number; rows: number; cells: string }[],
): number {
  const wrongAt = (index: number, within = 0) =>
    new Wrong(caseNumber, (tokens[index]?.offset ?? text.length) + within);
  const rows = count(tokens[start]);
  if (rows < style.minRows || rows > style.maxRows) throw wrongAt(start);
  const cols = count(tokens[start + 1]);
  if (cols < 1 || cols > style.maxCols) throw wrongAt(start + 1);
  if (rows * cols > style.maxCells) throw wrongAt(start);
  const isRow = style.letters.length === 1;
  const behind = start + 2 + (isRow ? rows : rows * cols);
  for (let index = start + 2; index < behind; index++) {
    const token = tokens[index]?.text ?? '';
    if (isRow) {
      const stranger = [...token].findIndex((letter) => !style.letters[0].includes(letter));
      if (stranger > 0 && stranger < cols) throw wrongAt(index, stranger);
      if (stranger === 0 || token.length !== cols) throw wrongAt(index);
    } else {
      const isBlock = token.length === 2 && style.letters.every((set, i) => set.includes(token[i]));
      if (!isBlock) throw wrongAt(index);
    }
  }
  const next = tokens[behind]?.text.slice(0, LONGEST_COUNT + 1) ?? '?';
  const isMore = isRow
    ? [...next].every((letter) => style.letters[0].includes(letter))
    : next.length === 2 && style.letters.every((set, i) => set.includes(next[i]));
  if (isMore) throw wrongAt(behind);
  const cells = tokens
    .slice(start + 2, behind)
    .map((token) => token.text)
    .join('');
  if (style.findWrongCell !== undefined) {
    const wrong = style.findWrongCell(cells, cols);
    if (wrong === 'board') throw wrongAt(start);
    if (wrong !== null) throw wrongAt(start + 2 + Math.floor(wrong / cols), wrong % cols);
  }
  cases.push({ offset: tokens[start].offset, rows, cells });
  return behind;
}
