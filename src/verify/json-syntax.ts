/** Finds the place where a text stops being JSON. JSON.parse does not say it in every case. */

export interface SyntaxMistake {
  /** The index of the first character that is wrong; the length of the text if it ends too early. */
  readonly index: number;
  /** What could stand there. */
  readonly expected: string;
}

/** A value that is neither a string, nor an array, nor an object. */
const LITERAL = /-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][+-]?\d{1,400})?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LAST_CONTROL_CHARACTER = '\x1f';

/** Returns the first mistake in a text that JSON.parse refuses. */
export function findSyntaxError(text: string): SyntaxMistake {
  return new SyntaxScan(text).run();
}

class SyntaxScan {
  readonly #text: string;
  #at = 0;
  /** The closing brackets of the arrays and objects that are open. */
  readonly #open: (']' | '}')[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  run(): SyntaxMistake {
    for (let expected = this.#value(); ; expected = this.#afterValue()) {
      if (expected !== null) return { index: this.#at, expected };
      if (this.#open.length === 0) {
        this.#skipBlanks();
        return { index: this.#at, expected: 'the end of the line' };
      }
    }
  }

  /** Reads a value, or the start of a container up to its first value. Returns what was expected instead, or null. */
  #value(): string | null {
    for (;;) {
      this.#skipBlanks();
      const char = this.#text[this.#at];
      if (char === '"') return this.#string();
      if (char !== '[' && char !== '{') return this.#match(LITERAL) ? null : 'a value';
      this.#at++;
      this.#open.push(char === '[' ? ']' : '}');
      if (this.#takeClosing()) return null;
      const missing = char === '{' ? this.#name() : null;
      if (missing !== null) return missing;
    }
  }

  /** Reads what follows a value in a container: its end, or a comma and the next value. */
  #afterValue(): string | null {
    if (this.#takeClosing()) return null;
    this.#skipBlanks();
    const closing = this.#open[this.#open.length - 1];
    if (this.#text[this.#at] !== ',') return `, or ${closing}`;
    this.#at++;
    const missing = closing === '}' ? this.#name() : null;
    return missing ?? this.#value();
  }

  #takeClosing(): boolean {
    this.#skipBlanks();
    if (this.#text[this.#at] !== this.#open[this.#open.length - 1]) return false;
    this.#at++;
    this.#open.pop();
    return true;
  }

  /** Reads the name of a field and its colon. */
  #name(): string | null {
    this.#skipBlanks();
    if (this.#text[this.#at] !== '"') return 'the name of a field';
    const missing = this.#string();
    if (missing !== null) return missing;
    this.#skipBlanks();
    if (this.#text[this.#at] !== ':') return ':';
    this.#at++;
    return null;
  }

  #string(): string | null {
    this.#at++;
    for (; this.#at < this.#text.length; ) {
      const char = this.#text[this.#at];
      if (char <= LAST_CONTROL_CHARACTER) return 'no control character in a string';
      if (char === '\\') {
        if (!this.#match(ESCAPE)) return 'an escape sequence';
        continue;
      }
      this.#at++;
      if (char === '"') return null;
    }
    return 'the end of the string';
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #skipBlanks(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? 'x')) this.#at++;
  }
}
