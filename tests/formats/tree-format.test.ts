import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Layout } from '../../src/formats/language/tree.js';
import { runs } from '../support/random-tests.js';
import { SAMPLES, type Sample } from '../support/samples.js';
import { readByOracle } from '../support/tree-oracle.js';
import { plain, printInput, type Reading, readByTree } from '../support/tree-reading.js';

const hasLines = (layout: Layout) =>
  /"lines?"|until-(line-end|blank-line)/.test(JSON.stringify(layout.shape.records));
const TOKEN_SAMPLES = SAMPLES.filter(({ layout }) => !hasLines(layout));

const casesOf = ({ layout, value }: Sample) =>
  fc.array(value, { minLength: layout.ending.kind === 'until-end' ? 1 : 0, maxLength: 4 });

/** Puts other whitespace in the place of the whitespace of a canonical input. */
const whitespace = fc.array(fc.constantFrom(' ', '\n', '\r\n', '\t', ' \n\n ', '\f', '  '), {
  minLength: 1,
  maxLength: 9,
});
const relax = (text: string, between: readonly string[]) => {
  let index = 0;
  return text.replaceAll(/[ \n]/g, () => between[index++ % between.length]);
};

/** Changes a few bytes of an input. */
const edits = fc.array(
  fc.record({
    place: fc.nat({ max: 1000 }),
    remove: fc.nat({ max: 3 }),
    insert: fc.constantFrom(
      '',
      '0',
      '1',
      '-',
      '.',
      '#',
      ' ',
      '\n',
      'A',
      'L',
      '9',
      'x',
      // The letters beside those of digits in any base, which a reader with a wrong bound would take.
      '/',
      ':',
      '@',
      'G',
      '`',
      'g',
      '\xff',
      '99999999999999999999',
      ' 2 ',
      '\n\n',
    ),
  }),
  { minLength: 1, maxLength: 3 },
);
const edit = (text: string, changes: readonly { place: number; remove: number; insert: string }[]) =>
  changes.reduce((before, { place, remove, insert }) => {
    const at = place % (before.length + 1);
    return before.slice(0, at) + insert + before.slice(at + remove);
  }, text);

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const valuesOf = ({ cases }: Reading) => cases.map(({ value }) => plain(value));
/** What must not depend on how many bytes have arrived. */
const outcome = ({ head, cases, tail }: Reading) => plain({ head, cases, tail });

describe.each(SAMPLES)('$name', (sample) => {
  const { layout } = sample;

  test('reads the values that it has printed', () => {
    fc.assert(
      fc.property(casesOf(sample), (values) => {
        const reading = readByTree(layout, printInput(layout, values));
        expect(valuesOf(reading)).toEqual(plain(values));
        expect(reading.cases.every(({ isInvalid }) => !isInvalid)).toBe(true);
        expect(reading.tail).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: runs(20) },
    );
  });

  test('reads the same with CRLF, and without the last line end', () => {
    fc.assert(
      fc.property(casesOf(sample), (values) => {
        const text = latin1(printInput(layout, values));
        expect(valuesOf(readByTree(layout, bytesOf(text.replaceAll('\n', '\r\n'))))).toEqual(plain(values));
        if (/(^|\n)\n$/.test(text)) return;
        expect(valuesOf(readByTree(layout, bytesOf(text.trimEnd())))).toEqual(plain(values));
      }),
      { numRuns: runs(10) },
    );
  });

  test('does not depend on how many bytes have arrived', () => {
    fc.assert(
      fc.property(casesOf(sample), edits, fc.boolean(), (values, changes, isThorough) => {
        const text = latin1(printInput(layout, values));
        const bytes = bytesOf(isThorough ? edit(text, changes) : text);
        const whole = outcome(readByTree(layout, bytes, { isThorough }));
        for (let cut = 0; cut < bytes.length; cut++) {
          expect(outcome(readByTree(layout, bytes, { isThorough, available: [cut] }))).toEqual(whole);
        }
        const available = Array.from(bytes.keys());
        expect(outcome(readByTree(layout, bytes, { isThorough, available }))).toEqual(whole);
      }),
      { numRuns: runs(5) },
    );
  });

  test('the parser faults every case that the scanner calls bad, and places faults in the input', () => {
    fc.assert(
      fc.property(casesOf(sample), edits, fc.boolean(), (values, changes, isThorough) => {
        const bytes = bytesOf(edit(latin1(printInput(layout, values)), changes));
        for (const { start, end, isInvalid, value, faults } of readByTree(layout, bytes, { isThorough })
          .cases) {
          expect(end).toBeGreaterThan(start);
          if (isInvalid) expect(value).toBeNull();
          if (value === null) expect(faults[0]).toEqual(faults[1]);
          for (const { offset } of faults) expect(offset >= start && offset <= bytes.length).toBe(true);
        }
      }),
      { numRuns: runs(40) },
    );
  });
});

describe.each(TOKEN_SAMPLES)('$name, read as tokens', (sample) => {
  const { layout } = sample;

  test('reads the same with other whitespace', () => {
    fc.assert(
      fc.property(casesOf(sample), whitespace, (values, between) => {
        const text = relax(latin1(printInput(layout, values)), between);
        expect(valuesOf(readByTree(layout, bytesOf(text)))).toEqual(plain(values));
      }),
      { numRuns: runs(20) },
    );
  });

  test('reads good and bad inputs as the oracle does', () => {
    fc.assert(
      fc.property(casesOf(sample), edits, whitespace, (values, changes, between) => {
        const text = edit(relax(latin1(printInput(layout, values)), between), changes);
        const bytes = bytesOf(text);
        // The oracle does not know that a word must be UTF-8. A change may leave half of a letter.
        fc.pre(isUtf8(bytes));
        const wanted = readByOracle(layout, new TextDecoder().decode(bytes));
        const reading = readByTree(layout, bytes);
        const good = reading.cases.filter(({ value }) => value !== null);
        expect(good.map(({ value }) => plain(value))).toEqual(wanted.values);
        expect(reading.tail < 0).toBe(wanted.hasFault);
      }),
      { numRuns: runs(40) },
    );
  });
});
