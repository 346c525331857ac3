/**
 * Inputs of grammars with a few bytes changed. The scanner and the parser agree on each case (`scanAll` fails if they do not),
 * however the bytes arrive, and what they accept is all of the input. `checkWhole`, which knows nothing of cases, accepts less.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assembleInput } from '../../../src/formats/assemble-input.js';
import { GrammarCaseSource } from '../../../src/formats/checktestdata/cases/case-source.js';
import type { GrammarOptions } from '../../../src/formats/checktestdata/cases/cases.js';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';
import { checkWholeFile } from '../../../src/formats/checktestdata/reading/check-whole.js';
import { GrammarInputFormat } from '../../../src/formats/checktestdata/reading/grammar-format.js';
import { GRAMMAR_TABLE, randomGrammar } from '../../support/grammars.js';
import { runs } from '../../support/random-tests.js';
import { type Scanned, scanAll } from './scan-all.js';

interface Change {
  readonly place: number;
  readonly removed: number;
  readonly inserted: string;
}

const changes = fc.array(
  fc.record({
    place: fc.nat(200),
    removed: fc.constantFrom(0, 0, 1, 1, 2, 9, 300),
    inserted: fc.constantFrom(
      '',
      '',
      '0',
      '7',
      '-',
      'a',
      'b',
      'x',
      ' ',
      '\n',
      '\n\n',
      '\r',
      '1\n',
      'end',
      '\0',
    ),
  }),
  { minLength: 1, maxLength: 2 },
);
const pieceBytes = fc.constantFrom(1, 2, 3, 7, 50);

function changed(text: string, edits: readonly Change[]): string {
  return edits.reduce((before, { place, removed, inserted }) => {
    const at = place % (before.length + 1);
    return before.slice(0, at) + inserted + before.slice(at + removed);
  }, text);
}

class Subject {
  readonly #grammar;
  readonly #format: GrammarInputFormat;

  constructor(
    text: string,
    readonly options: GrammarOptions,
  ) {
    this.#grammar = parseGrammar(text, 'test.ctd');
    this.#format = new GrammarInputFormat(this.#grammar, options);
  }

  /** Draws an input; null if the grammar has none with few cases. */
  draw(seed: number): string | null {
    const of = (cases: number) => {
      const request = { seed: `${seed}`, profile: 'random', cases, maxSize: 4 } as const;
      return new GrammarCaseSource(this.#grammar, request, this.options);
    };
    try {
      const { min, max } = of(4).casesBounds ?? { min: 0, max: 4 };
      const cases = Math.min(max, Math.max(min, 4));
      const source = of(cases);
      const drawn = Array.from({ length: cases }, (_, index) => source.caseAt(index).bytes);
      return Buffer.from(assembleInput(this.#format, drawn, source.head)).toString('latin1');
    } catch {
      return null;
    }
  }

  check(input: string, piece: number): void {
    const whole = scanAll(this.#format, input);
    expect(scanAll(this.#format, input, piece)).toEqual(whole);
    if (this.#format.ending === 'single') expect(whole.cases.length).toBeLessThanOrEqual(1);
    const strictFault = checkWholeFile(this.#grammar, new Uint8Array(Buffer.from(input, 'latin1')));
    // A run needs a case that is not blank, and leaves blank lines between cases out.
    if (strictFault === null && input.trim() !== '') {
      expect([input, whole.headFault, whole.faults, whole.tailFault, whole.rest.trim()]).toEqual([
        input,
        null,
        [],
        null,
        '',
      ]);
    }
    if (faultsOf(whole).length === 0 && this.#format.ending === 'single')
      expect([input, whole.cases.length]).toEqual([input, 1]);
  }
}

/** Returns what is wrong with an input, in short. */
function faultsOf({ headFault, faults, tailFault, rest, announced, cases }: Scanned): unknown[] {
  const isShort = announced !== null && announced !== cases.length;
  return [
    ...(headFault === null ? [] : [headFault]),
    ...faults,
    ...(tailFault === null ? [] : [tailFault]),
    ...(rest.trim() === '' ? [] : [rest]),
    ...(isShort ? [announced] : []),
  ];
}

describe.each([
  ['one case', {}],
  ['many cases', { multitest: true }],
] as const)('an input that is %s', (_, options) => {
  test.each(Object.entries(GRAMMAR_TABLE))('%s', (__, { text }) => {
    const subject = new Subject(text, options);
    const check = (seed: number, edits: readonly Change[], piece: number) => {
      const input = subject.draw(seed);
      if (input !== null) subject.check(changed(input, edits), piece);
    };
    fc.assert(fc.property(fc.nat(1000), changes, pieceBytes, check), { numRuns: runs(40) });
  });

  test('of random grammars', () => {
    const check = (text: string, seed: number, edits: readonly Change[], piece: number) => {
      const subject = new Subject(text, options);
      const input = subject.draw(seed);
      if (input !== null) subject.check(changed(input, edits), piece);
    };
    fc.assert(fc.property(randomGrammar, fc.nat(1000), changes, pieceBytes, check), { numRuns: runs(300) });
  });

  test.each([
    ['INT(1,9,t) NEWLINE REP(t) STRING("a") NEWLINE END EOF', '2\nab\na\n'],
    ['INT(1,9,t) NEWLINE REP(t) STRING("a") NEWLINE END EOF', '2\na\nab\n'],
    ['INT(1,9,t) NEWLINE REP(t) INT(0,9) NEWLINE END', '1\n1\n2\n'],
    ['INT(1,9,t) NEWLINE REP(t) INT(0,9) NEWLINE END', ''],
    ['INT(1,9,t) NEWLINE REP(t) INT(0,9) NEWLINE END STRING("end") NEWLINE', '1\n2\n'],
    ['INT(1,9,t) NEWLINE REP(t) INT(0,9) NEWLINE END STRING("end") NEWLINE', '1\n2\nen'],
    ['SET(x=1) WHILE(x != 0) INT(0,50,x) NEWLINE END STRING("end") NEWLINE', '1\n0\n'],
    ['SET(x=1) WHILE(x != 0) INT(0,50,x) NEWLINE END STRING("end") NEWLINE', '1\n0\n3\n'],
    ['SET(x=1) WHILE(x != 0, NEWLINE) INT(0,50,x) END NEWLINE EOF', '1\n0\n3\n'],
    ['WHILE(!MATCH("e")) INT(0,50,x) NEWLINE END STRING("end") NEWLINE', '1\n0\n'],
    ['INT(1,9,t) NEWLINE REP(t) INT(0,9) NEWLINE END', '\n'],
    ['INT(1,9,t) NEWLINE REP(t) REGEX("[a-c]*") SPACE STRING("x") NEWLINE END', '2\nab y\nc x\n'],
  ])('%s: a fault in %j', (text, input) => {
    const subject = new Subject(text, options);
    for (const piece of [1, 2, 3, 100]) subject.check(input, piece);
    const format = new GrammarInputFormat(parseGrammar(text, 'test.ctd'), options);
    expect(faultsOf(scanAll(format, input))).not.toEqual([]);
  });

  test.each([
    ['INT(1,9,n) NEWLINE REP(n) INT(1,9) SPACE END', '2\n1 2 '],
    ['INT(1,9,n) NEWLINE REP(n) INT(1,9) IF(n > 1) SPACE END END NEWLINE', '2\n1 2 \n'],
  ])('%s: no fault in %j', (text, input) => {
    const format = new GrammarInputFormat(parseGrammar(text, 'test.ctd'), options);
    for (const piece of [1, 2, 3, 100]) expect(faultsOf(scanAll(format, input, piece))).toEqual([]);
  });
});
