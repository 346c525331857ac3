import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ByteWriter,
  decodeText,
  encodeUtf8,
  isWhitespace,
  MAX_EXACT_INTEGER,
  parseCount,
  quoteLatin1,
  quoteText,
  quoteToken,
} from '../../src/core/bytes.js';
import { bytesOf } from '../support/inputs.js';

const parse = (text: string) => parseCount(bytesOf(text), 0, text.length);
const quote = (text: string) => quoteToken(Buffer.from(text, 'latin1'), 0, text.length);

function written(write: (out: ByteWriter) => void, capacity?: number): string {
  const out = new ByteWriter(capacity);
  write(out);
  return Buffer.from(out.take()).toString('latin1');
}

describe('parseCount', () => {
  test.each([
    ['0', 0],
    ['007', 7],
    ['9007199254740990', MAX_EXACT_INTEGER - 1],
    ['9007199254740991', MAX_EXACT_INTEGER],
    ['9007199254740992', Number.POSITIVE_INFINITY],
    ['9007199254740993', Number.POSITIVE_INFINITY],
    ['9007199254740999', Number.POSITIVE_INFINITY],
    ['90071992547409910', Number.POSITIVE_INFINITY],
    ['18446744073709551617', Number.POSITIVE_INFINITY],
    [`1${'0'.repeat(400)}`, Number.POSITIVE_INFINITY],
    ['', -1],
    ['-1', -1],
    ['+1', -1],
    ['1.5', -1],
    ['1e3', -1],
    ['0x10', -1],
    ['12 ', -1],
    ['٣', -1],
    ['99999999999999999999x', -1],
  ])('parseCount reads the token %j as %d', (text, value) => {
    expect(parse(text)).toBe(value);
  });

  test('parseCount agrees with BigInt on any digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 70n }), (value) => {
        const isExact = value <= BigInt(MAX_EXACT_INTEGER);
        expect(parse(`${value}`)).toBe(isExact ? Number(value) : Number.POSITIVE_INFINITY);
      }),
    );
  });
});

test("isBlank is true for the same bytes as C's isspace()", () => {
  const whitespace = Array.from({ length: 256 }, (_, byte) => byte).filter(isWhitespace);
  expect(whitespace).toEqual([...'\t\n\v\f\r '].map((char) => char.charCodeAt(0)));
});

describe('quoteToken', () => {
  test.each([
    ['only the first of two tokens', '12 ab', '"12"'],
    ['bytes that are not printable, as hexadecimal numbers', 'a\0\x7f\xe9', '"a\\x00\\x7f\\xe9"'],
    ['a token of 24 bytes, the longest that is quoted completely', 'x'.repeat(24), `"${'x'.repeat(24)}"`],
    ['the first 24 bytes of a longer token', 'x'.repeat(25), `"${'x'.repeat(24)}..."`],
    ['an empty string if there is no token at the start', ' x', '""'],
  ])('quoteToken quotes %s', (_, text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });
});

describe('texts of any bytes', () => {
  test('any bytes are the same after they were read as a text and printed', () => {
    const bytes = fc.array(fc.oneof(fc.uint8Array(), fc.string().map(bytesOf)));
    fc.assert(
      fc.property(bytes, (parts) => {
        const all = Buffer.concat(parts);
        expect(Buffer.from(encodeUtf8(decodeText(all)))).toEqual(all);
        expect(written((out) => out.utf8(decodeText(all)))).toBe(all.toString('latin1'));
      }),
    );
  });

  test('different bytes are different texts, and UTF-8 is read as such', () => {
    expect(decodeText(Uint8Array.of(0xff))).not.toBe(decodeText(Uint8Array.of(0xc3, 0xbf)));
    expect(decodeText(Buffer.from('é€😀'))).toBe('é€😀');
    expect(decodeText(Uint8Array.of(0xff, 0xc3, 0xa9))).toBe('\udcffé');
  });

  test('messages show a byte that is not UTF-8 by one escape', () => {
    expect(quoteText('a\udcff"\\udcff\né')).toBe('"a\\xff\\"\\\\udcff\\né"');
    expect(quoteLatin1('a\xff"\n\xe9')).toBe('"a\\xff\\"\\n\\xe9"');
    expect(quoteLatin1('a'.repeat(101))).toBe(`"${'a'.repeat(97)}..."`);
  });
});

describe('ByteWriter', () => {
  test('ByteWriter writes the integers next to every power of ten', () => {
    const powersOfTen = Array.from({ length: 16 }, (_, digits) => 10 ** digits);
    const values = [...powersOfTen.flatMap((power) => [power - 1, power, power + 1])];
    values.push(2 ** 31 - 1, 2 ** 31, 2 ** 32, MAX_EXACT_INTEGER);
    for (const value of values) expect(written((out) => out.integer(value), 1)).toBe(`${value}`);
  });

  test('ByteWriter writes any integer with the same digits as JavaScript does', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(written((out) => out.integer(value), 1)).toBe(`${value}`);
      }),
    );
  });

  test('ByteWriter grows from any capacity and keeps what was written', () => {
    const parts = fc.array(fc.oneof(fc.nat(), fc.stringMatching(/^[ -~]{0,40}$/)));
    fc.assert(
      fc.property(parts, fc.integer({ min: 0, max: 9 }), (values, capacity) => {
        const text = written((out) => {
          for (const value of values) typeof value === 'number' ? out.integer(value) : out.ascii(value);
        }, capacity);
        expect(text).toBe(values.join(''));
      }),
    );
  });

  test('ByteWriter writes a text of any length and any characters as its UTF-8 bytes', () => {
    const character = fc.oneof(
      { weight: 30, arbitrary: fc.constant('a') },
      fc.constantFrom('\n', '\x7f', '\x80', 'é', '€', '😀', '\udcff', '\ud800'),
    );
    const texts = fc.array(fc.array(character, { maxLength: 80 }).map((parts) => parts.join('')));
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 9 }), (parts, capacity) => {
        const text = written((out) => {
          for (const part of parts) out.utf8(part);
        }, capacity);
        expect(text).toBe(parts.map((part) => Buffer.from(encodeUtf8(part)).toString('latin1')).join(''));
      }),
    );
  });

  test('after take(), a ByteWriter is empty, and later writes do not change the bytes that were taken', () => {
    const out = new ByteWriter(4);
    out.ascii('first');
    const first = out.take();
    out.utf8('é');
    expect(out.length).toBe(2);
    expect(Buffer.from(out.take()).toString()).toBe('é');
    expect(Buffer.from(first).toString()).toBe('first');
  });
});
