/**
 * A bigint may be a count or a bound, as an int may. Then it must be a safe integer: it is never rounded. Each format is
 * written twice, with an int and with a bigint, and everything but the type of the value must be the same.
 */
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../src/core/bytes.js';
import { TreeCaseSource } from '../../src/formats/cases/draw.js';
import { enumerateLayoutCases } from '../../src/formats/cases/enumerate.js';
import { simplerTreeCases } from '../../src/formats/cases/shrink.js';
import { smallestValueOf } from '../../src/formats/cases/smallest.js';
import { formats } from '../../src/formats/language/formats.js';
import type { Layout, RecordValue } from '../../src/formats/language/tree.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';
import { readByTree } from '../support/tree-reading.js';

const { counted, untilEnd, untilTerminator, single } = formats;
const { bigint, grid, int, ints, lines, list, table, words } = formats;

/** The builder of the whole numbers of a format: `int`, or `bigint`, which an author calls in the same way. */
type Whole = typeof int;
type Both = (whole: Whole) => Layout;
const asWhole = (builder: typeof int | typeof bigint) => builder as Whole;

const FORMATS: Record<string, { format: Both; input: string }> = {
  'the length of an array': {
    format: (whole) => counted({ n: whole(1, 3), a: ints('n', 0, 2) }),
    input: '2\n2\n1 2\n3\n0 0 1\n',
  },
  'an expression': {
    format: (whole) => counted({ n: whole(0, 2), a: ints('2*n-1 > 0', 0, 1), w: words('n', 'ab') }),
    input: '2\n2 1 a b\n0\n',
  },
  'a grid': {
    format: (whole) => counted({ r: whole(1, 2), c: whole(1, 2), g: grid('r', 'c', '.#') }),
    input: '2\n2 1\n.\n#\n1 2\n##\n',
  },
  'a table': {
    format: (whole) => untilEnd({ r: whole(1, 2), t: table('r', 'r', 0, 1) }),
    input: '1\n0\n2\n1 0\n1 1\n',
  },
  'a list with a count of its own': {
    format: (whole) => counted({ m: whole(1, 2), e: list('m', { k: whole(0, 2), a: ints('k', 0, 1) }) }),
    input: '2\n2\n1 0\n2 1 1\n1\n0\n',
  },
  'a bound': {
    format: (whole) => counted({ n: whole(1, 3), x: int(0, 'n'), y: whole(0, 'x+n') }),
    input: '2\n3 3 6\n1 0 1\n',
  },
  'the number of cases': {
    format: (whole) => counted({ a: ints('t', 0, 1) }, { head: { t: whole(1, 9) }, cases: 't' }),
    input: '2\n0 1\n1 1\n',
  },
  'a number of the head': {
    format: (whole) => counted({ l: lines('k') }, { head: { k: whole(1, 9) } }),
    input: '2 2\na b\nc\nd\ne\n',
  },
  'a condition': {
    format: (whole) => untilTerminator('-1', { n: whole(-1, 3), a: ints('n', 0, 1) }, { when: 'n < 0' }),
    input: '1 0\n3 1 1 1\n-1\n',
  },
};

/** The value with ints instead of bigints. */
function withInts(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part)));
}

function textOf(layout: Layout, value: RecordValue): string {
  const out = new ByteWriter();
  new TreeInputFormat(layout).printCase(value, out);
  return Buffer.from(out.take()).toString();
}

describe.each(Object.entries(FORMATS))('%s may be a bigint', (_name, { format, input }) => {
  const [withInt, withBigint] = [format(int), format(asWhole(bigint))];
  const read = (layout: Layout) => readByTree(layout, Buffer.from(input), { isThorough: true });

  test('inputs are read as with an int', () => {
    const [expected, got] = [read(withInt), read(withBigint)];
    expect(expected.cases.length).toBe(2);
    for (const { value } of got.cases) expect(value).not.toBeNull();
    expect(withInts(got)).toEqual(withInts(expected));
  });

  test('what is drawn and shrunk is read back', () => {
    const format = new TreeInputFormat(withBigint);
    for (const profile of ['tiny', 'random', 'contest-max'] as const) {
      const request = { seed: 's', profile, cases: 3, maxSize: 20 };
      const source = new TreeCaseSource(withBigint, request, (head, cases) => {
        const out = new ByteWriter();
        format.printHeadValue(head, cases, out);
        return out.take();
      });
      const parser = format.createParser();
      parser.useHead(source.head);
      const check = (value: RecordValue) => {
        const bytes = Buffer.from(textOf(withBigint, value));
        expect(parser.parse(bytes, 0, bytes.length, null)).toEqual(value);
      };
      for (let index = 0; index < 3; index++) {
        const value = source.caseAt(index);
        check(value);
        let seen = 0;
        for (const simpler of simplerTreeCases(withBigint, value, source.headValue)) {
          check(simpler);
          if (++seen >= 50) break;
        }
      }
    }
  });

  test('the smallest case is that of an int', () => {
    if (withInt.head !== null) return;
    expect(withInts(smallestValueOf(withBigint.shape))).toEqual(withInts(smallestValueOf(withInt.shape)));
  });
});

test('the same cases are listed as with an int', () => {
  const listed = (layout: Layout) =>
    [...enumerateLayoutCases(layout).candidatesFrom(0n)].map((value) => value && textOf(layout, value));
  for (const name of ['the length of an array', 'a grid', 'a bound'])
    expect(listed(FORMATS[name].format(asWhole(bigint)))).toEqual(listed(FORMATS[name].format(int)));
});

describe('a bigint beyond 2^53 - 1', () => {
  const faultsOf = (layout: Layout, text: string) => {
    const bytes = Buffer.from(text);
    return new TreeInputFormat(layout)
      .createParser()
      .findFaults(bytes, 0, bytes.length)
      .map(({ offset, expected, got }) => `${offset}: expected ${expected}, got ${got}`);
  };
  const AT_MOST = '(an integer of at most 9007199254740991, because a count or a bound names it)';

  test.each([
    ['count', single({ x: int(), n: bigint(), a: ints('n') }), '7\n9007199254740993 1'],
    [
      'count that is not the number itself',
      single({ x: int(), n: bigint(), a: ints('n % 2') }),
      '7\n9007199254740993 1',
    ],
    ['bound', single({ x: int(), n: bigint(), b: bigint(0, 'n') }), '7\n9007199254740993 9007199254740994'],
    ['total', counted({ x: int(), n: bigint() }, { total: { n: 9 } }), '7\n9007199254740993'],
    [
      'condition',
      untilTerminator('0 0', { x: int(), n: bigint() }, { when: 'n = 0' }),
      '7\n9007199254740993',
    ],
  ] as [string, Layout, string][])('is refused in its place as a %s', (_what, layout, text) => {
    expect(faultsOf(layout, text)).toEqual([`2: expected n ${AT_MOST}, got "9007199254740993"`]);
  });

  test('is refused below, too', () => {
    const layout = single({ n: bigint(), b: bigint('n', 0) });
    expect(faultsOf(layout, '-9007199254740992 0')[0]).toContain(
      'n (an integer of at least -9007199254740991, because',
    );
    expect(faultsOf(layout, '-9007199254740991 -9007199254740991')).toEqual([]);
  });

  test('loses the structure of its case, and the scanner calls the case bad', () => {
    const layout = counted({ n: bigint(), a: ints('n % 2') });
    const { cases } = readByTree(layout, Buffer.from('1\n9007199254740993 1\n'), { isThorough: true });
    expect(cases.map(({ isInvalid, value }) => isInvalid || value === null)).toEqual([true]);
  });

  test('is good if no expression names it, or one means another number of the same name', () => {
    const alone = counted({ n: bigint(), a: ints('k') }, { head: { k: int() } });
    const hidden = counted({ n: int(), a: ints('n') }, { head: { n: bigint() } });
    for (const [layout, text] of [
      [alone, '2 1\n9007199254740993 5 6\n'],
      [hidden, '9007199254740993 1\n2 5 6\n'],
    ] as const) {
      const { cases } = readByTree(layout, Buffer.from(text), { isThorough: true });
      expect(cases.map(({ value }) => value)).toMatchObject([{ a: Int32Array.of(5, 6) }]);
    }
  });

  test('is never drawn', () => {
    const layout = single({ n: bigint(0, '10^18'), m: bigint(), x: bigint(0, 'n'), y: bigint('m') });
    const request = { seed: 's', profile: 'random', cases: 1, maxSize: null } as const;
    const source = new TreeCaseSource(layout, request, () => new Uint8Array());
    for (let index = 0; index < 200; index++)
      expect(faultsOf(layout, textOf(layout, source.caseAt(index)))).toEqual([]);
  });
});
