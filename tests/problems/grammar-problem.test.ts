/** Mistakes of whoever uses a grammar: what `--answers` names, and cases that cannot be taken out of their input. */
import { expect, test } from 'vitest';
import { openProblem } from '../../src/catalog/open-problem.js';
import { assertCasesSeparable } from '../../src/formats/assemble-input.js';
import { grammarUseOf } from '../../src/problems/grammar-use.js';
import { folderForEachTest } from '../support/temporary-folder.js';

const folder = folderForEachTest();

/** Opens a grammar with these answers. Returns the message of the mistake, or null. */
async function mistakeOf(grammar: string, answers: string, answerGrammar = ''): Promise<string | null> {
  folder.write('in.ctd', grammar);
  folder.write('answer.ctd', answerGrammar);
  try {
    const path = answers.endsWith('.ctd') ? folder.at(answers) : answers;
    await openProblem(folder.at('in.ctd'), grammarUseOf({ multitest: true, answers: path }));
    return null;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'usage' });
    return (error as Error).message.replaceAll(folder.at(''), '');
  }
}

const GRAMMAR = 'INT(1,9,t) NEWLINE\nREP(t) INT(1,9,n) SPACE INT(1,9,m[0]) NEWLINE END';

test.each([
  ['lines:n', null],
  ['tokens:2*n+t', null],
  [
    'lines:k',
    '--answers: the expression "k" uses k, which the grammar does not set as an integer without an index',
  ],
  [
    'tokens:n+q',
    '--answers: the expression "n+q" uses q, which the grammar does not set as an integer without an index',
  ],
  [
    'lines:m',
    '--answers: the expression "m" uses m, which the grammar does not set as an integer without an index',
  ],
  ['tokens:-1', '--answers: the expression "-1" is not a number of at least 1'],
  ['lines:1/0', '--answers: the expression "1/0" is not a number of at least 1'],
  ['lines:3', null],
  [
    'lines',
    '--answers needs all, line, lines:EXPR, tokens:EXPR, label:TEXT or the path of a grammar (.ctd), got "lines"',
  ],
])('--answers %s', async (answers, mistake) => {
  expect(await mistakeOf(GRAMMAR, answers)).toBe(mistake);
});

test('the grammar of an answer uses only what it or the grammar of the input sets', async () => {
  expect(await mistakeOf(GRAMMAR, 'answer.ctd', 'SET(a=n) REP(a) INT(0,9) NEWLINE END')).toBe(null);
  expect(await mistakeOf(GRAMMAR, 'answer.ctd', 'REP(n) INT(0,9) END\nREP(a) NEWLINE END')).toMatch(
    /answer\.ctd:2:5: expected this grammar or .*in\.ctd to set a before this$/,
  );
});

test.each([
  ['INT(0,99,z) ASSERT(z==a[1])', '8', '7'],
  ['INT(0,99,z) ASSERT(INARRAY(z,a))', '7', '9'],
  ['INT(0,a[0],z)', '6', '8'],
  ['REGEX("[a-z]+",q) ASSERT(STRLEN(q)==STRLEN(w))', 'abc', 'ab'],
  ['STRING(w)', 'xyz', 'xy'],
  ['FLOAT(0,f)', '2.5', '2.51'],
  ['SET(a[0]=n) INT(a[0],a[1])', '3', '1'],
])(
  'the grammar of an answer %s may use arrays, texts and decimal numbers of the case',
  async (text, right, wrong) => {
    folder.write(
      'in.ctd',
      'INT(1,9,t) NEWLINE REP(t) INT(2,2,n) REPI(i,n) SPACE INT(0,9,a[i]) END SPACE REGEX("[a-z]+",w) SPACE FLOAT(0,9,f) NEWLINE END',
    );
    folder.write('answer.ctd', `${text} NEWLINE`);
    const use = grammarUseOf({ multitest: true, answers: folder.at('answer.ctd') });
    const { problem } = await openProblem(folder.at('in.ctd'), use);
    const parser = problem.inputFormat.createParser();
    const cases = ['2 7 8 xyz 2.50\n', '2 1 1 q 9.0\n'].map((line) => {
      const bytes = Buffer.from(line);
      return { value: parser.parse(bytes, 0, bytes.length, null), head: parser.headValue };
    });
    const accepts = (answer: string) => {
      const bytes = Buffer.from(`${answer}\n`);
      const extent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
      problem.answerFormat.find(bytes, 0, bytes.length, true, extent, cases[0]);
      return problem.answerFormat.parse(bytes, extent, cases[0]) !== null;
    };
    expect([accepts(right), accepts(wrong)]).toEqual([true, false]);
  },
);

test.each([
  ['REP(3) INT(0,9) NEWLINE END', {}, /in\.ctd:1:1: the number of cases is not a number that the head reads/],
  [
    'INT(2,9,n) NEWLINE REP(n-1) INT(0,9) NEWLINE END',
    {},
    /in\.ctd:1:20: .*without `--multitest`, the whole input is one case/,
  ],
  ['INT(2,9,n) NEWLINE REP(n-1) INT(0,9) NEWLINE END', { multitest: false }, null],
  ['INT(2,9,n) NEWLINE REP(n) INT(0,9) NEWLINE END', {}, null],
  ['INT(1,9,t) NEWLINE REPI(i,t) INT(i,i) NEWLINE END', {}, /in\.ctd:1:20: a case depends on its index i/],
  [
    'INT(1,9,t) NEWLINE REPI(i,t) IF(i==0) SPACE END INT(1,2) NEWLINE END',
    {},
    /a case depends on its index i/,
  ],
  ['INT(1,9,t) NEWLINE REPI(i,t) INT(0,9,a[i]) NEWLINE IF(i>0) ASSERT(a[i-1] < 5) END END', {}, /index i/],
  ['WHILEI(i,!ISEOF) INT(0,9,a[i]) NEWLINE ASSERT(a[i] > 2) END ASSERT(UNIQUE(a))', {}, null],
  ['WHILE(!ISEOF) INT(0,9) NEWLINE END', {}, null],
])('whether cases of %s with %o can be an input of their own', async (grammar, use, reason) => {
  folder.write('in.ctd', grammar);
  const { problem } = await openProblem(folder.at('in.ctd'), grammarUseOf({ multitest: true, ...use }));
  const act = () => assertCasesSeparable(problem.inputFormat);
  if (reason === null) expect(act).not.toThrow();
  else expect(act).toThrow(reason);
});
