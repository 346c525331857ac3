/**
 * What leaves boardmill is an input that `validate` accepts: generated inputs, cases that were copied out of an input, and
 * cases that were made simpler. `validate` decides with `checkWhole`, which knows nothing of cases.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assembleInput, assertCasesSeparable, UnfitCasesError } from '../../../src/formats/assemble-input.js';
import { GrammarCaseSource } from '../../../src/formats/checktestdata/cases/case-source.js';
import type { GrammarOptions } from '../../../src/formats/checktestdata/cases/cases.js';
import type { GrammarCaseProfile } from '../../../src/formats/checktestdata/cases/draw.js';
import { simplerGrammarCases } from '../../../src/formats/checktestdata/cases/shrink.js';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';
import { checkWholeFile } from '../../../src/formats/checktestdata/reading/check-whole.js';
import {
  type CaseOfGrammar,
  GrammarInputFormat,
} from '../../../src/formats/checktestdata/reading/grammar-format.js';
import { GRAMMAR_TABLE, randomGrammar } from '../../support/grammars.js';
import { runs } from '../../support/random-tests.js';
import { scanAll } from './scan-all.js';

const MULTITEST: GrammarOptions = { multitest: true };

/** A grammar, and inputs of it. */
class Subject {
  readonly grammar;
  readonly format: GrammarInputFormat;

  constructor(
    readonly text: string,
    readonly options: GrammarOptions,
  ) {
    this.grammar = parseGrammar(text, 'test.ctd');
    this.format = new GrammarInputFormat(this.grammar, options);
  }

  /** Draws an input. Fewer or more cases than `wanted` are drawn if the grammar does not allow so many. */
  draw(profile: GrammarCaseProfile, wanted: number, seed: string): string {
    const of = (cases: number) =>
      new GrammarCaseSource(this.grammar, { seed, profile, cases, maxSize: 5 }, this.options);
    const { min, max } = of(wanted).casesBounds ?? { min: 0, max: wanted };
    // Some of the grammars allow an even number only.
    const cases = Math.min(
      max,
      Math.max(min, this.text.includes('t%2') ? 2 * Math.ceil(wanted / 2) : wanted),
    );
    const source = of(cases);
    const drawn = Array.from({ length: cases }, (_, index) => source.caseAt(index).bytes);
    return textOf(assembleInput(this.format, drawn, source.head));
  }

  fault(text: string) {
    return checkWholeFile(this.grammar, bytesOf(text));
  }

  /** Cuts an input into cases, as all commands do, and takes out those from `from` to `to - 1`. Null: it is refused. */
  extract(text: string, from: number, to: number): string | null {
    const { cases, head, faults } = scanAll(this.format, text);
    expect(faults, JSON.stringify(text)).toEqual([]);
    return this.assemble(
      (cases as CaseOfGrammar[]).slice(from, to).map(({ bytes }) => bytes),
      head,
    );
  }

  assemble(cases: readonly Uint8Array[], head: Uint8Array | null): string | null {
    try {
      return textOf(assembleInput(this.format, cases, head));
    } catch (error) {
      if (error instanceof UnfitCasesError) return null;
      throw error;
    }
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

/** The text as an editor on another system may write it, where that changes whitespace between tokens alone. */
function sloppy(text: string): string {
  return `${text.replace(/\n/g, ' \r\n').replace(/(?<=\d) (?=\d)/g, '  ')}\r\n`;
}

describe.each(Object.entries(GRAMMAR_TABLE))('%s', (_name, { text, isDivisible }) => {
  const one = new Subject(text, {});
  const multi = new Subject(text, MULTITEST);

  test('generated inputs are valid', () => {
    for (const profile of ['tiny', 'random'] as const) {
      for (const seed of ['a', 'b']) {
        const whole = one.draw(profile, 1, seed);
        expect([one.fault(whole), whole]).toEqual([null, whole]);
        const many = multi.draw(profile, 4, seed);
        expect([multi.fault(many), many]).toEqual([null, many]);
      }
    }
  });

  test('an input that is one case leaves as it came', () => {
    const input = multi.draw('random', 4, 'c');
    expect(one.extract(input, 0, 1)).toBe(input);
  });

  // A test that does not concern a grammar would be counted as skipped.
  if (isDivisible) {
    test('cases that are copied out are a valid input, or refused', () => {
      assertCasesSeparable(multi.format);
      const input = multi.draw('random', 4, 'd');
      const count = scanAll(multi.format, input).cases.length;
      // With the smallest tail the whole input may be another text, but all of its cases are in it.
      expect(scanAll(multi.format, multi.extract(input, 0, count)!).cases).toHaveLength(count);
      for (let from = 0; from < count; from++) {
        for (let to = from + 1; to <= count; to++) {
          const part = multi.extract(input, from, to);
          if (part === null) continue;
          expect([multi.fault(part), part]).toEqual([null, part]);
          const cut = scanAll(multi.format, part).cases;
          expect(cut.map((each) => textOf(each!.bytes))).toEqual(
            scanAll(multi.format, input)
              .cases.slice(from, to)
              .map((each) => textOf(each!.bytes)),
          );
        }
      }
    });

    test('simpler cases are a valid input, or refused', () => {
      const { cases, head } = scanAll(multi.format, multi.draw('random', 4, 'e'));
      const [first, second] = cases as CaseOfGrammar[];
      let tried = 0;
      for (const simpler of simplerGrammarCases(multi.format, second, head)) {
        const input = multi.assemble([first.bytes, simpler.bytes], head);
        if (input !== null) expect([multi.fault(input), input]).toEqual([null, input]);
        if (++tried === 20) break;
      }
    });

    test('what solve accepts with other whitespace leaves with the right ones', () => {
      const input = multi.draw('random', 4, 'f');
      const scanned = scanAll(multi.format, sloppy(input));
      if (scanned.faults.length > 0 || scanned.headFault !== null || scanned.rest.trim() !== '') return;
      const left = multi.extract(sloppy(input), 0, scanned.cases.length);
      if (left !== null) expect([multi.fault(left), left]).toEqual([null, left]);
    });
  } else {
    test('cases that cannot be copied out are refused by name', () => {
      expect(() => assertCasesSeparable(multi.format)).toThrow(
        'no case can be an input of its own; without `--multitest`',
      );
    });
  }
});

test('the table has every construct and layout', () => {
  const all = Object.values(GRAMMAR_TABLE).map(({ text }) => text);
  expect(all.length).toBeGreaterThanOrEqual(40);
  const words =
    'INT FLOAT FLOATP STRING REGEX REP REPI WHILE WHILEI IF ELSE SET UNSET ASSERT MATCH ISEOF UNIQUE INARRAY STRLEN SPACE NEWLINE EOF';
  for (const word of words.split(' ').filter((each) => each !== 'WHILEI'))
    expect(
      all.some((text) => new RegExp(`\\b${word}\\b`).test(text)),
      word,
    ).toBe(true);
});

test('the sum that a tail repeats is that of the cases that are there', () => {
  const grammar =
    'SET(s=0) INT(1,9,t) NEWLINE REP(t) INT(1,9,n) NEWLINE SET(s=s+n) END STRING("=") INT(s,s) NEWLINE';
  const subject = new Subject(grammar, MULTITEST);
  const cases = ['4\n', '5\n', '6\n'].map(bytesOf);
  expect(subject.assemble(cases.slice(1), bytesOf('3\n'))).toBe('2\n5\n6\n=11\n');
});

test.each([
  [
    'INT(2,9,t) NEWLINE REP(t) INT(0,9) NEWLINE END',
    '1 case cannot make an input: expected an integer from 2 to 9 (t)',
  ],
  [
    'SET(s=0) INT(1,9,t) NEWLINE REP(t) INT(0,9,n) NEWLINE SET(s=s+n) END\nASSERT(s>50)',
    '1 case cannot make an input: expected ASSERT(s>50) to be true (test.ctd:2:1), got false',
  ],
  ['INT(1,9,t) NEWLINE REP(t) INT(t+1,9) NEWLINE END', null],
])('%s, of which one case is copied out', (text, message) => {
  const { format } = new Subject(text, MULTITEST);
  const act = () => textOf(assembleInput(format, [bytesOf('5\n')], bytesOf('3\n')));
  if (message === null) expect(act()).toBe('1\n5\n');
  else expect(act).toThrow(message);
});

test('generated and copied inputs of random grammars are valid', () => {
  let copied = 0;
  const check = (text: string, seed: number, from: number) => {
    const multi = new Subject(text, MULTITEST);
    const input = multi.draw('random', 3, `${seed}`);
    expect([multi.fault(input), input]).toEqual([null, input]);
    expect(new Subject(text, {}).extract(input, 0, 1)).toBe(input);
    const part = multi.extract(input, from, 3);
    if (part === null) return;
    copied++;
    expect([multi.fault(part), part]).toEqual([null, part]);
  };
  fc.assert(fc.property(randomGrammar, fc.nat(1000), fc.integer({ min: 0, max: 2 }), check), {
    numRuns: runs(60),
  });
  expect(copied).toBeGreaterThan(runs(20));
});
