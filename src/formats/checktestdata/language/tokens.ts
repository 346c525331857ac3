/** Cuts the text of a grammar into tokens. */
import { quoteLatin1 } from '../../../core/bytes.js';
import { GrammarError } from './grammar-error.js';
import type { GrammarPlace } from './syntax.js';
import { MAX_NUMBER_DIGITS } from './values.js';

type TokenKind = 'keyword' | 'name' | 'integer' | 'float' | 'string' | 'symbol' | 'end';

export interface GrammarToken {
  readonly kind: TokenKind;
  /** The text of the token as messages show it; for a string, the bytes that the string stands for. */
  readonly text: string;
  readonly at: GrammarPlace;
  /** Index of the first byte of the token in the grammar, and of the byte after the token. */
  readonly from: number;
  readonly to: number;
}

const COMMAND_KEYWORDS =
  'SPACE NEWLINE EOF INT FLOATP FLOAT STRING REGEX ASSERT SET UNSET REPI REP WHILEI WHILE IF ELSE END'.split(
    ' ',
  );
const OTHER_KEYWORDS = 'ISEOF MATCH UNIQUE INARRAY STRLEN FIXED SCIENTIFIC'.split(' ');
/** All keywords, the longest first, because a keyword may follow another one without whitespace between them. */
const KEYWORDS = [...COMMAND_KEYWORDS, ...OTHER_KEYWORDS].sort((a, b) => b.length - a.length);
const SYMBOLS = ['<=', '>=', '==', '!=', '&&', '||', ...'()[],=<>+-*/%^!'];

const WHITESPACE = /(?:[ \t\r\n\f\v]|#[^\n]*)*/y;
const NUMBER = /[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?/y;
/** Matches integers with leading zeros. The language does not allow them, and checktestdata reads 010 as the octal number 8. */
const OCTAL_INTEGER = /^0[0-9]+$/;
const NAME = /[a-z][a-z0-9]*/y;
const OCTAL = /[0-7]{1,3}/y;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '"': '"',
  '\\': '\\',
  '\n': '',
};

export class GrammarLexer {
  readonly #source: string;
  readonly #fileName: string;
  #at = 0;
  /** Index of the byte whose line and column are known. Later places are counted from this byte. */
  #placed = 0;
  #line = 1;
  #column = 1;

  /** Each character of `source` stands for one byte. */
  constructor(source: string, fileName: string) {
    this.#source = source;
    this.#fileName = fileName;
  }

  next(): GrammarToken {
    this.#match(WHITESPACE);
    const from = this.#at;
    if (from === this.#source.length) return this.#token('end', '', from);
    return (
      this.#string(from) ?? this.#number(from) ?? this.#word(from) ?? this.#symbol(from) ?? this.#refuse(from)
    );
  }

  #token(kind: TokenKind, text: string, from: number): GrammarToken {
    return { kind, text, at: this.#place(from), from, to: this.#at };
  }

  #string(from: number): GrammarToken | null {
    if (this.#source[from] !== '"') return null;
    let text = '';
    this.#at = from + 1;
    while (this.#source[this.#at] !== '"') {
      if (this.#at >= this.#source.length) throw this.#error(from, 'expected a string that ends with "');
      text += this.#source[this.#at] === '\\' ? this.#escape() : this.#source[this.#at++];
    }
    this.#at++;
    return this.#token('string', text, from);
  }

  /** Reads an escape sequence. A backslash before any other character stands for itself. */
  #escape(): string {
    const from = this.#at++;
    const octal = this.#match(OCTAL);
    if (octal !== null) {
      const code = Number.parseInt(octal, 8);
      if (code > 0xff) throw this.#error(from, `expected an escape from \\0 to \\377, got \\${octal}`);
      return String.fromCharCode(code);
    }
    const escaped = ESCAPES[this.#source[this.#at] ?? ''];
    if (escaped === undefined) return '\\';
    this.#at++;
    return escaped;
  }

  #number(from: number): GrammarToken | null {
    const text = this.#match(NUMBER);
    if (text === null) return null;
    if (OCTAL_INTEGER.test(text))
      throw this.#error(from, `expected an integer without leading zeros, got ${text.slice(0, 24)}`);
    if (text.length > MAX_NUMBER_DIGITS)
      throw this.#error(from, `expected a number of at most ${MAX_NUMBER_DIGITS} digits, got ${text.length}`);
    return this.#token(/^[0-9]+$/.test(text) ? 'integer' : 'float', text, from);
  }

  #word(from: number): GrammarToken | null {
    const name = this.#match(NAME);
    if (name !== null) return this.#token('name', name, from);
    return this.#oneOf('keyword', KEYWORDS, from);
  }

  #symbol(from: number): GrammarToken | null {
    return this.#oneOf('symbol', SYMBOLS, from);
  }

  #oneOf(kind: TokenKind, texts: readonly string[], from: number): GrammarToken | null {
    const text = texts.find((candidate) => this.#source.startsWith(candidate, from));
    if (text === undefined) return null;
    this.#at = from + text.length;
    return this.#token(kind, text, from);
  }

  #refuse(from: number): never {
    const word = /[^ \t\r\n(]{1,24}/y;
    word.lastIndex = from;
    throw this.#error(
      from,
      `expected a command, a name (small letters) or a value, got ${quoteLatin1(word.exec(this.#source)?.[0] ?? '')}`,
    );
  }

  /** Matches the pattern at the current byte and moves past the match. Returns null if the pattern does not match. */
  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#source)?.[0];
    if (text === undefined) return null;
    this.#at += text.length;
    return text;
  }

  #error(at: number, message: string): GrammarError {
    return new GrammarError(this.#fileName, this.#place(at), message);
  }

  /** Returns the place of the byte at `offset`. Offsets grow from call to call, so all calls together take linear time. */
  #place(offset: number): GrammarPlace {
    if (offset < this.#placed) {
      this.#placed = 0;
      this.#line = this.#column = 1;
    }
    for (; this.#placed < offset; this.#placed++) {
      const isLineEnd = this.#source[this.#placed] === '\n';
      this.#line += isLineEnd ? 1 : 0;
      this.#column = isLineEnd ? 1 : this.#column + 1;
    }
    return { line: this.#line, column: this.#column };
  }
}
