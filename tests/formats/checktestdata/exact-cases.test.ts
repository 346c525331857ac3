/**
 * The cases that commands cut out of a valid input with `--multitest` are the iterations that the grammar itself runs, byte for
 * byte, although the reader of commands also takes other whitespace. The texts here may be empty or begin with whitespace.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divideGrammar, type GrammarOptions } from '../../../src/formats/checktestdata/cases/cases.js';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';
import type { Grammar, LoopCommand } from '../../../src/formats/checktestdata/language/syntax.js';
import { WholeFileChecker } from '../../../src/formats/checktestdata/reading/check-whole.js';
import { GrammarInputFormat } from '../../../src/formats/checktestdata/reading/grammar-format.js';
import { runs } from '../../support/random-tests.js';
import { scanAll } from './scan-all.js';

const token = fc.constantFrom(
  'INT(0,19)',
  'REGEX("[0-9]?")',
  'REGEX("[0-9 ]{0,3}")',
  'REGEX(" *[0-9]")',
  'REGEX("\\n?[0-9]")',
  'REGEX("(\\n|-)[0-9]?")',
  'REGEX("[0-9]+")',
  'STRING("\\n")',
  'STRING("-")',
  'IF(MATCH("-")) STRING("-") END',
  'IF(MATCH("\\n")) NEWLINE END',
  'IF(!MATCH("0123456789")) REGEX("[ \\n-]?") END',
);
const line = fc.array(token, { minLength: 0, maxLength: 2 }).map((tokens) => tokens.join(' SPACE '));
const body = fc
  .array(line, { minLength: 1, maxLength: 3 })
  .map((lines) => lines.map((each) => `${each} NEWLINE`).join(' '));
const wholeLoop = fc.constantFrom<(body: string) => string>(
  (cases) => `INT(1,9,t) NEWLINE REP(t) ${cases} END EOF`,
  (cases) => `INT(1,9,t) NEWLINE REP(t,NEWLINE) ${cases} END EOF`,
  (cases) => `INT(1,9,t) NEWLINE REP(t,SPACE) ${cases} END NEWLINE EOF`,
  (cases) => `WHILE(!ISEOF) ${cases} END EOF`,
  (cases) => `WHILE(!ISEOF,NEWLINE) ${cases} END`,
  (cases) => `WHILE(!MATCH("#")) ${cases} END STRING("#") NEWLINE`,
  (cases) => `WHILE(!MATCH("#")) ${cases} END IF(MATCH("#")) STRING("#") NEWLINE END EOF`,
  (cases) => `WHILE(MATCH(" 012-")) ${cases} END EOF`,
  (cases) => `WHILE(MATCH("012\\n")) ${cases} END REGEX("(#\\n)?") EOF`,
  (cases) => `WHILE(!MATCH("\\n")) ${cases} END NEWLINE EOF`,
  (cases) => `SET(n=1) WHILE(n>0) INT(0,2,n) NEWLINE ${cases} END EOF`,
  (cases) => `SET(n=1) WHILE(n>0,NEWLINE) ${cases} INT(0,2,n) NEWLINE END EOF`,
);
const grammars = fc.tuple(wholeLoop, body).map(([loop, cases]) => loop(cases));
/** Texts of the letters that the grammars read. Many of them are valid, because the grammars take almost any text. */
const text = fc
  .array(fc.constantFrom('0', '1', '2', ' ', '\n', '\n', '\n', '-'), { minLength: 1, maxLength: 14 })
  .map((letters) => letters.join(''));

/** The text itself, and inputs that are made of it. */
const inputsOf = (letters: string) => [
  letters,
  `${letters}\n`,
  `2\n${letters}\n`,
  `3\n${letters}`,
  `${letters}\n#\n`,
];

/** Calls `check` with the valid inputs among those of random texts. Returns their number. */
function forValidInputs(check: (subject: Subject) => void): number {
  let count = 0;
  const checkAll = (grammarText: string, letters: string, piece: number) => {
    const grammar = parseGrammar(grammarText, 'test.ctd');
    const { loop } = divideGrammar(grammar, { multitest: true });
    const checker = new WholeFileChecker(grammar, loop);
    for (const input of inputsOf(letters)) {
      if (checker.findFault(new Uint8Array(Buffer.from(input, 'latin1'))) !== null) continue;
      // Commands refuse an input without a case. The last iteration may be the terminator.
      const iterations = grammarText.includes('n>0') ? checker.iterations.slice(0, -1) : checker.iterations;
      if (iterations.length === 0) continue;
      count++;
      check({ grammar, loop: loop!, input, piece, iterations });
    }
  };
  const pieces = fc.constantFrom(1, 3, Number.POSITIVE_INFINITY);
  fc.assert(fc.property(grammars, text, pieces, checkAll), { numRuns: runs(10_000) });
  return count;
}

interface Subject {
  readonly grammar: Grammar;
  readonly loop: LoopCommand;
  readonly input: string;
  readonly piece: number;
  readonly iterations: readonly number[];
}

function casesOf({ grammar, input, piece }: Subject, options: GrammarOptions): string[] {
  const { cases, ...rest } = scanAll(new GrammarInputFormat(grammar, options), input, piece);
  expect(rest, JSON.stringify(input)).toMatchObject({ headFault: null, faults: [], tailFault: null });
  expect(rest.rest.trim()).toBe('');
  return cases.map((value) => Buffer.from(value!.bytes).toString('latin1'));
}

test('the cases of a valid input are the iterations of the loop', () => {
  const count = forValidInputs((subject) => {
    const { loop, input, iterations } = subject;
    const cases = casesOf(subject, { multitest: true });
    expect(cases.length, JSON.stringify(input)).toBe(iterations.length);
    for (const [index, own] of cases.entries()) {
      const from = iterations[index] + (index > 0 && loop.separator !== null ? 1 : 0);
      expect(input.slice(from, from + own.length), `case ${index + 1} of ${JSON.stringify(input)}`).toBe(own);
      if (index + 1 < cases.length) expect(from + own.length).toBe(iterations[index + 1]);
    }
  });
  expect(count).toBeGreaterThan(runs(10));
});

test('a valid input of one case is the case as it is', () => {
  const count = forValidInputs((subject) => expect(casesOf(subject, {})).toEqual([subject.input]));
  expect(count).toBeGreaterThan(runs(10));
});
