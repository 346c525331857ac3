import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteWriter, isBlank, MAX_COUNT, parseCount, quoteToken } from '../../src/core/bytes.js';
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
    ['9007199254740990', MAX_COUNT - 1],
    ['9007199254740991', MAX_COUNT],
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
  ])('reads %j as %d', (text, value) => {
    expect(parse(text)).toBe(value);
  });

  test('agrees with BigInt on any digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 70n }), (value) => {
        const isExact = value <= BigInt(MAX_COUNT);
        expect(parse(`${value}`)).toBe(isExact ? Number(value) : Number.POSITIVE_INFINITY);
      }),
    );
  });
});

test("blanks are those of C's isspace()", () => {
  const blanks = Array.from({ length: 256 }, (_, byte) => byte).filter(isBlank);
  expect(blanks).toEqual([...'\t\n\v\f\r '].map((char) => char.charCodeAt(0)));
});

describe('quoteToken', () => {
  test.each([
    ['one token of two', '12 ab', '"12"'],
    ['bytes that do not print', 'a\0\x7f\xe9', '"a\\x00\\x7f\\xe9"'],
    ['24 bytes, the longest shown whole', 'x'.repeat(24), `"${'x'.repeat(24)}"`],
    ['25 bytes, cut', 'x'.repeat(25), `"${'x'.repeat(24)}..."`],
    ['no token', ' x', '""'],
  ])('%s', (_, text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });
});

describe('ByteWriter', () => {
  test('writes integers at every digit border', () => {
    const borders = Array.from({ length: 16 }, (_, digits) => 10 ** digits);
    const values = [...borders.flatMap((border) => [border - 1, border, border + 1])];
    values.push(2 ** 31 - 1, 2 ** 31, 2 ** 32, MAX_COUNT);
    for (const value of values) expect(written((out) => out.integer(value), 1)).toBe(`${value}`);
  });

  test('writes any integer as String does', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(written((out) => out.integer(value), 1)).toBe(`${value}`);
      }),
    );
  });

  test('grows from any capacity and keeps what was written', () => {
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

  test('starts empty again once its bytes are taken, and leaves those alone', () => {
    const out = new ByteWriter(4);
    out.ascii('first');
    const first = out.take();
    out.utf8('é');
    expect(out.length).toBe(2);
    expect(Buffer.from(out.take()).toString()).toBe('é');
    expect(Buffer.from(first).toString()).toBe('first');
  });
});
