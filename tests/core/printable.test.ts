/** Tests of the escapes in names and texts that a terminal or an editor would not just show. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeMarkup } from '../../src/core/markup.js';
import { escapeLines, escapeUnprintable, printJson } from '../../src/core/printable.js';

/** Controls of the direction of writing, and separators that some programs take for ends of lines. */
const CONTROLS = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u2028\u2029\ufeff';

test('each control character is an escape', () => {
  expect(escapeUnprintable('a\x1b[2J\r\n\tb\x7f\x9b\u202ec')).toBe(
    'a\\x1b[2J\\x0d\\x0a\\x09b\\x7f\\x9b\\u202ec',
  );
  expect(escapeUnprintable('\u061c\u200f\u2028\u2029')).toBe('\\u061c\\u200f\\u2028\\u2029');
  expect(escapeLines('a\x1b\nb\u2066\n')).toBe('a\\x1b\nb\\u2066\n');
  expect(escapeUnprintable('过河卒 é שלום \u{1f600}')).toBe('过河卒 é שלום \u{1f600}');
});

test('JSON has the same value, and no control characters but the ends of its lines', () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(...CONTROLS, '\x1b', '\x9b', '\n', '"', '\\'), fc.string()),
  });
  fc.assert(
    fc.property(
      fc.dictionary(text, fc.oneof(text, fc.array(text))),
      fc.constantFrom(undefined, 2),
      (value, indent) => {
        const json = printJson(value, indent);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(escapeLines(json)).toBe(json);
      },
    ),
  );
});

test('pages show controls of the direction of writing as a mark', () => {
  for (const character of CONTROLS.slice(0, -2)) expect(escapeMarkup(`a${character}b`)).toBe('a\ufffdb');
});
