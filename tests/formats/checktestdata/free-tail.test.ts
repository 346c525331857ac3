/** Which grammars can be divided into cases, by what follows the cases: a tail with values of its own would be lost. */
import { describe, expect, test } from 'vitest';
import { assertIndependentCases, divideGrammar } from '../../../src/formats/checktestdata/cases/cases.js';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';

const HEAD = 'INT(1,9,t) NEWLINE\nREP(t) INT(0,9) NEWLINE END\n';

/** Fails if the cases of the grammar with this tail, and with a loop of cases before it, cannot be told from the input. */
function divide(tail: string): void {
  assertIndependentCases(
    divideGrammar(parseGrammar(`${HEAD}${tail}`, 'g.ctd'), { multitest: true, casesLoop: 1 }),
  );
}

describe('after the cases', () => {
  test.each([
    '',
    'EOF',
    'STRING("0 0") NEWLINE',
    'INT(0,0) SPACE INT(t,t) NEWLINE',
    'REGEX("end") NEWLINE',
    'REP(t) STRING("x") NEWLINE END',
    'IF(t > 3) STRING("many") NEWLINE END',
    'WHILE(!ISEOF) NEWLINE END',
  ])('%s is the same whatever the input was', (tail) => {
    expect(() => divide(tail)).not.toThrow();
  });

  test.each([
    ['INT(2,50) NEWLINE', '3:1'],
    ['INT(0,0) INT(t,9) NEWLINE', '3:10'],
    ['FLOAT(1,1) NEWLINE', '3:1'],
    ['REGEX("a|b") NEWLINE', '3:1'],
    ['REP(t) INT(0,1) NEWLINE END', '3:8'],
    ['IF(MATCH("x")) STRING("x") NEWLINE END', '3:1'],
    ['WHILE(!ISEOF) STRING("x") NEWLINE END', '3:1'],
    ['IF(t == 1) INT(0,1) NEWLINE END', '3:12'],
    ['WHILE(MATCH("a")) REP(2) STRING("a") END END', '3:1'],
  ])('%s differs between inputs, so only validate may use the grammar', (tail, place) => {
    expect(() => divide(tail)).toThrow(
      `g.ctd:${place}: expected the same text after the cases of every input`,
    );
  });
});
