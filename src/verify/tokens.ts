/** Reads an input as tokens between whitespace, piece by piece. */

/** A token, or the end of the input. */
export interface Token {
  /** The first MAX_TOKEN_LENGTH bytes of the token, one character for each byte; null at the end of the input. */
  readonly text: string | null;
  readonly line: number;
  /** The column in bytes, from 1. */
  readonly column: number;
}

/** Longer tokens are cut to this length, so that memory is bounded. No token of a valid input is as long. */
const MAX_TOKEN_LENGTH = 400;

const LF = 0x0a;
/** A byte order mark, one character for each byte. */
const BYTE_ORDER_MARK = '\xef\xbb\xbf';

function isWhitespace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

export class TokenReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array(0);
  #at = 0;
  #isAtEnd = false;
  #line = 1;
  #column = 1;
  #next: Token | null = null;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Returns the next token without taking it. */
  async peek(): Promise<Token> {
    this.#next ??= await this.#read();
    return this.#next;
  }

  async take(): Promise<Token> {
    const token = await this.peek();
    if (token.text !== null) this.#next = null;
    return token;
  }

  async #read(): Promise<Token> {
    const token = await this.#readToken();
    const isMarked = token.line === 1 && token.column === 1 && token.text?.startsWith(BYTE_ORDER_MARK);
    if (isMarked !== true || token.text === null) return token;
    const text = token.text.slice(BYTE_ORDER_MARK.length);
    return text === '' ? this.#readToken() : { text, line: 1, column: 1 + BYTE_ORDER_MARK.length };
  }

  async #readToken(): Promise<Token> {
    await this.#skipWhitespace();
    const place = { line: this.#line, column: this.#column };
    return { text: this.#isAtEnd ? null : await this.#readText(), ...place };
  }

  async #skipWhitespace(): Promise<void> {
    for (;;) {
      while (this.#at < this.#piece.length && isWhitespace(this.#piece[this.#at]))
        this.#step(this.#piece[this.#at]);
      if (this.#at < this.#piece.length || !(await this.#fill())) return;
    }
  }

  async #readText(): Promise<string> {
    let text = '';
    for (;;) {
      const start = this.#at;
      while (this.#at < this.#piece.length && !isWhitespace(this.#piece[this.#at])) this.#at++;
      this.#column += this.#at - start;
      const end = Math.min(this.#at, start + MAX_TOKEN_LENGTH - text.length);
      text += String.fromCharCode(...this.#piece.subarray(start, end));
      if (this.#at < this.#piece.length || !(await this.#fill())) return text;
    }
  }

  #step(blank: number): void {
    this.#at++;
    if (blank === LF) {
      this.#line++;
      this.#column = 1;
    } else this.#column++;
  }

  /** Reads the next piece of the input. Returns false at the end of the input. */
  async #fill(): Promise<boolean> {
    const { value, done } = this.#isAtEnd ? { value: undefined, done: true } : await this.#pieces.next();
    if (done === true) {
      this.#isAtEnd = true;
      return false;
    }
    this.#piece = value as Uint8Array;
    this.#at = 0;
    return true;
  }
}
