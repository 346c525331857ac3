/**
 * Escapes the characters of a text that a terminal or an editor would obey instead of showing them. File names, inputs and
 * answers may contain control characters, which send commands to a terminal, and controls of the direction of writing, which
 * show a text in another order than it has. Both are shown as escapes.
 */

/** Control characters, controls of the direction of writing (UAX #9), and the separators that end a line in some programs. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Returns the text on one line, with an escape such as `\x1b` or `\u202e` for each character that must not be printed. */
export function escapeUnprintable(text: string): string {
  return text.replace(UNPRINTABLE, escapeCharacter);
}

/** Returns the escape for a UTF-16 code unit, such as `\x1b` or `\u202e`. */
export function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
}

/** Like `escapeUnprintable`, for a text of several lines. The line ends are kept. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeUnprintable).join('\n');
}

/** Like `escapeUnprintable`, for an answer that may have several lines: ` / ` stands for each line end. */
export function onOneLine(answer: string): string {
  return escapeUnprintable(answer.replaceAll(/\s*\n\s*/g, ' / '));
}

/** Returns a text of at most `most` characters: the text itself, or its beginning and `...`. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 3)}...`;
}

/** Returns a value as JSON, in which each character that must not be printed is an escape, so the value is the same. */
export function printJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNPRINTABLE, (character) =>
    // JSON.stringify escapes all control characters; only the line ends that it prints between values are left.
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
