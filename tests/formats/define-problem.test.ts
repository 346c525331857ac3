import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { BoardmillError } from '../../src/core/errors.js';
import { AuthorError } from '../../src/formats/language/author-error.js';
import { describeLayout } from '../../src/formats/language/describe-tree.js';
import { formats } from '../../src/formats/language/formats.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';
import { defineProblem } from '../../src/problems/modules/define-problem.js';
import type { ProblemDefinition } from '../../src/problems/modules/definition.js';
import * as problems from '../fixtures/format-types/problems.js';

// The compiler must not follow this import, because the file does not compile.
const mistakesFile: string = '../fixtures/format-types/mistakes.mts';
const { mistakes } = (await import(mistakesFile)) as { mistakes: Record<string, () => unknown> };

// Authors who use JavaScript get no help from types, so these tests give the builders anything.
type Builder = (...values: unknown[]) => unknown;
const builders = formats as unknown as Record<string, Builder>;
const { counted, untilEnd, untilTerminator, single, labelled } = builders;
const { int, bigint, number, word, line, ints, safeInts, bigints, words, lines } = builders;
const { grid, table, list, either, until } = builders;
const { many } = formats;

function define(options: object): ProblemDefinition {
  return (defineProblem as (options: unknown) => ProblemDefinition)({ name: 'p', ...options });
}

const NO_MISTAKE = 'no mistake was reported';

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof AuthorError) return error.message;
    throw error;
  }
  return NO_MISTAKE;
}

/** What is reported for a problem with this input. */
function inputMistake(input: unknown): string {
  return messageOf(() => define({ input }));
}

/** A mistake: what an author writes, and what is reported after the place. */
type Mistake = readonly [written: unknown, reported: string];

/**
 * Makes a test for each mistake, whose name is its number and the report. `toOptions` puts what is written into the options of
 * a problem without other mistakes.
 */
function testReports(
  place: string,
  toOptions: (written: unknown) => object,
  mistakes: readonly Mistake[],
): void {
  const rows = mistakes.map(([written, reported]) => [reported, written] as const);
  it.each(rows)(`%$. ${place}%s`, (reported, written) => {
    expect(messageOf(() => define(toOptions(written)))).toBe(`problem p: ${place}${reported}`);
  });
}

const asOptions = (written: unknown) => written as object;
const asInput = (written: unknown) => ({ input: written });
const asFieldA = (written: unknown) => ({ input: counted({ a: written }) });

/** Options without a mistake. */
const NUMBERS = { input: counted({ n: int() }) };

describe('the tree of a problem', () => {
  it('is what the builders describe', () => {
    const { description } = problems.sums as ProblemDefinition;
    expect(description).toEqual({
      name: 'sums',
      layout: {
        ending: { kind: 'counted', name: null, min: null, max: null },
        head: null,
        shape: {
          kind: 'record',
          records: [
            {
              kind: 'record',
              fields: [
                {
                  name: 'n',
                  field: {
                    kind: 'scalar',
                    of: 'int',
                    min: { kind: 'constant', value: 1 },
                    max: { kind: 'constant', value: 1000 },
                    decimals: null,
                    description: null,
                  },
                },
                {
                  name: 'a',
                  field: {
                    kind: 'numbers',
                    of: 'int32',
                    count: { kind: 'name', name: 'n' },
                    min: { kind: 'constant', value: -1e9 },
                    max: { kind: 'constant', value: 1e9 },
                    decimals: null,
                  },
                },
              ],
            },
          ],
        },
        total: [],
      },
      answer: { label: 'Case #', body: null },
      has: { solve: true, nimber: false, print: true, equal: false, valid: false, generate: false },
      tolerance: null,
      contest: null,
      version: null,
    });
  });

  it.each(Object.entries(problems))('survives JSON and structuredClone: %s', (_, problem) => {
    const { description } = problem as ProblemDefinition;
    expect(JSON.parse(JSON.stringify(description))).toStrictEqual(description);
    expect(structuredClone(description)).toStrictEqual(description);
  });

  it('has a line as its default answer', () => {
    expect(problems.early.description.answer).toEqual({
      label: null,
      body: { kind: 'line', mayBeEmpty: false },
    });
  });

  it('has a record of fields as its answer', () => {
    const { answer } = problems.meow.description;
    expect(answer).toMatchObject({
      label: null,
      body: { kind: 'record', fields: [{ name: 'op' }, { name: 'moves' }] },
    });
  });

  it('may have an answer whose fields have the names of a label', () => {
    const answer = { label: int(), body: int() };
    expect(define({ input: counted({ n: int() }), answer }).description.answer.label).toBeNull();
  });

  it('may have fields with the names of properties of nodes', () => {
    const record = {
      kind: int(0, 5),
      of: int(),
      min: int(),
      constructor: int(),
      toString: ints('kind+constructor'),
    };
    const { layout } = define({ input: counted(record) }).description;
    expect(layout.shape.records[0].fields.map(({ name }) => name)).toEqual(Object.keys(record));
  });

  it('keeps bounds of bigints that are not safe integers', () => {
    const shape = { a: bigint(-(10n ** 18n), 1e18), b: bigint(0n, '9007199254740992') };
    const [a, b] = define({ input: counted(shape) }).description.layout.shape.records[0].fields;
    expect(a.field).toMatchObject({
      min: { digits: '-1000000000000000000' },
      max: { digits: '1000000000000000000' },
    });
    expect(b.field).toMatchObject({ min: { value: 0 }, max: { digits: '9007199254740992' } });
  });

  it('may bound bigints by expressions whose values are not safe integers', () => {
    const { layout } = define({ input: single({ a: bigint('-(2^60)', '10^18+1') }) }).description;
    const parser = new TreeInputFormat(layout).createParser();
    const faultsOf = (text: string) => parser.findFaults(new TextEncoder().encode(text), 0, text.length);
    expect(
      ['-1152921504606846977', '-1152921504606846976', '1000000000000000001', '1000000000000000002'].map(
        (text) => faultsOf(text).length,
      ),
    ).toEqual([1, 0, 0, 1]);
  });

  it('has the tags of an either', () => {
    const queries = problems.tribool.description.layout.shape.records[0].fields[2];
    expect(queries.field).toMatchObject({
      of: { tag: 'v', variants: [{ tags: ['T', 'F', 'U'] }, { tags: ['+', '-'] }] },
    });
  });

  it('has the terminator and its condition', () => {
    expect(problems.loan.description.layout.ending).toEqual({
      kind: 'until-terminator',
      text: '-1 0 0 0',
      when: { left: { kind: 'name', name: 'months' }, operator: '<', right: { kind: 'constant', value: 0 } },
    });
  });

  it('has the limits of the contest', () => {
    expect(problems.maxSum.description.contest).toEqual({
      sets: { small: { n: [1, 10], a: [0, 5] } },
      cases: 20,
      seconds: 1,
      megabytes: 32,
    });
  });
});

describe('the functions of a problem', () => {
  it('are called with the object of the author as `this`', () => {
    const problem = define({
      input: counted({ n: int() }),
      solve({ n }: { n: number }) {
        return [n, typeof (this as unknown as { print: unknown }).print];
      },
      print: String,
    });
    expect(problem.solve?.({ n: 3 }, {})).toEqual([3, 'function']);
    expect(problem.equal).toBeNull();
  });
});

describe('a mistake that types can see', () => {
  // Only the compiler knows what `solve` and `nimber` read and return, and what `print` gets.
  const {
    unknownParameter,
    wrongTypeOfPrint,
    solvesNothing,
    solvesSometimesNothing,
    arrayWithoutPrint,
    asyncArrayWithoutPrint,
    textAsNimber,
    unknownParameterOfNimber,
    ...reported
  } = mistakes;
  it.each(Object.entries(reported))('is also reported when the problem is defined: %s', (_, makeMistake) => {
    expect(makeMistake).toThrow(AuthorError);
  });

  it('in a function is only found by the compiler', () => {
    expect(unknownParameter).not.toThrow();
    expect(wrongTypeOfPrint).not.toThrow();
    // These are found when the first case is solved.
    for (const mistake of [solvesNothing, solvesSometimesNothing, arrayWithoutPrint, asyncArrayWithoutPrint])
      expect(mistake).not.toThrow();
  });
});

describe('a mistake of an author', () => {
  it('is an error with which a command ends with code 2', () => {
    expect(() => define({})).toThrow(BoardmillError);
    expect(() => define({})).toThrow(expect.objectContaining({ kind: 'usage' }));
  });

  it('is a call without an object', () => {
    expect(messageOf(() => (defineProblem as Builder)(undefined))).toBe(
      'defineProblem: expected an object such as { name, input, solve }, got undefined',
    );
  });

  it.each([
    [undefined, 'undefined'],
    ['', '""'],
    ['a/b', '"a/b"'],
    ['..', '".."'],
    ['-o', '"-o"'],
    ['a b', '"a b"'],
    [7, '7'],
  ])('is the name %j', (name, got) => {
    const expected = 'letters, digits, "-", "_" and ".", beginning with a letter, a digit or "_"';
    expect(messageOf(() => define({ ...NUMBERS, name }))).toBe(
      `defineProblem: name: expected ${expected}, got ${got}`,
    );
  });

  it.each(['sums', 'P9169', 'a.b-c_d', '过河卒', '2048'])('is not the name %s', (name) => {
    expect(define({ ...NUMBERS, name }).description.name).toBe(name);
  });

  describe('in the definition is reported', () => {
    testReports('', asOptions, [
      [{}, 'input: expected a layout such as formats.counted({ n: formats.int() }), got undefined'],
      [
        { input: { n: int() } },
        'input: expected a layout such as formats.counted({ n: formats.int() }), got an object',
      ],
      [{ ...NUMBERS, solve: 5 }, 'solve: expected a function, got 5'],
      [{ ...NUMBERS, print: 'x' }, 'print: expected a function, got "x"'],
      [{ ...NUMBERS, tolerance: -1 }, 'tolerance: expected a number such as 1e-6, got -1'],
      [{ ...NUMBERS, version: 2 }, 'version: expected a text such as "1", got 2'],
      [{ ...NUMBERS, prnt: 5 }, 'the definition: unknown property "prnt" (did you mean "print"?)'],
    ]);
  });

  describe('in a count is reported', () => {
    testReports('input.a: ', asFieldA, [
      [ints(-1), 'its count is -1, but it must be a whole number of at least 0'],
      [ints('2-3'), 'its count is 2-3, but it must be a whole number of at least 0'],
      [ints('1/0'), 'its count is 1/0, but it must be a whole number of at least 0'],
      [ints(1.5), 'its count is 1.5, but it must be a whole number of at least 0'],
      [
        ints(Number.NaN),
        'expected a count, got NaN; an expression over fields is a text, such as "2*n" for twice the field n',
      ],
      [ints(), 'expected a count (a number, an expression such as "2*n", until(...) or many), got undefined'],
      [words(until('')), 'until(...) expects one token without whitespace, "\\n" or "\\n\\n", got until("")'],
      [
        words(until('a b')),
        'until(...) expects one token without whitespace, "\\n" or "\\n\\n", got until("a b")',
      ],
      [ints('n +'), 'the expression "n +", column 4: expected a number, a name or "(", got the end'],
      [grid('r', 2, 'ab'), 'its number of rows is "r", but no int "r" is read before it'],
      [table(2, 'c'), 'its number of columns is "c", but no int "c" is read before it'],
    ]);
  });

  describe('in a bound is reported', () => {
    testReports('input.a: ', asFieldA, [
      [ints(1, 0, 2 ** 31), 'its largest value is 2147483648, which does not fit in 32 bits; use safeInts'],
      [ints(1, -3e9), 'its smallest value is -3000000000, which does not fit in 32 bits; use safeInts'],
      [ints(1, 0, '2^31'), 'its largest value is 2147483648, which does not fit in 32 bits; use safeInts'],
      [safeInts(1, 0, 2 ** 53), 'its largest value is 9007199254740992, but it must be a safe integer'],
      [
        bigints(1, 0, 2n ** 63n),
        'its bound 9223372036854775808 does not fit in 64 bits; use a list of records with a bigint',
      ],
      [int(0, 1e18), 'its largest value is 1000000000000000000, but it must be a safe integer'],
      [int(0.5), 'its smallest value is 0.5, but it must be a safe integer'],
      [number(0, Number.POSITIVE_INFINITY), 'its largest value is Infinity, but it must be a finite number'],
      [int(5, 4), 'its smallest value 5 is greater than its largest value 4'],
      [bigint(10n ** 18n, 5), 'its smallest value 1000000000000000000 is greater than its largest value 5'],
      [table(1, 1, 2, 1), 'its smallest value 2 is greater than its largest value 1'],
      [int({}), 'expected a bound (a number or an expression such as "2*n"), got an object'],
      [number(0, 1, -1), 'expected from 0 to 100 decimals, got -1'],
    ]);
  });

  describe('in the letters of a field is reported', () => {
    const noRange = 'use formats.lower, formats.upper and formats.digits, or put "-" first';
    testReports('input.a: ', asFieldA, [
      [word('a b'), 'its letters "a b" must be ASCII characters without whitespace'],
      [word('é'), 'its letters "é" must be ASCII characters without whitespace'],
      [word('a-z'), `its letters "a-z" are literal, and "a-z" is three letters and no range: ${noRange}`],
      [word('_0-9'), `its letters "_0-9" are literal, and "0-9" is three letters and no range: ${noRange}`],
      [word(''), 'expected the allowed letters, such as ".#", got ""'],
      [words(2, 'aba'), 'its letters "aba" have "a" twice'],
      [grid(1, 1), 'expected the allowed letters, such as ".#", got undefined'],
      [grid(1, 1, '..'), 'its letters ".." have "." twice'],
    ]);
  });

  describe('in another part of a field is reported', () => {
    testReports('input.a: ', asFieldA, [
      [5, 'expected a field such as int() or word(), got 5'],
      [int, 'expected a field such as int() or word(), got a function'],
      [line({ emty: true }), 'line(...) expects nothing, { empty: true } or { empty: false }'],
      [line('x'), 'line(...) expects nothing, { empty: true } or { empty: false }'],
      [line({ empty: 1 }), 'line(...) expects nothing, { empty: true } or { empty: false }'],
      [list(2, {}), 'the records of a list need at least one field'],
      [
        list(2, int()),
        'expected the elements to be a record such as { x: int() } or an either(...), got another field',
      ],
      [list(2, either('t', {})), 'expected tags and their records, such as { "1": { x: int() }, "2": {} }'],
      [list(2, either('t', { b: {}, 'c b': {} })), 'the tag "b" is given twice'],
      [list(2, either('t', { ' ': {} })), 'a tag must not be empty'],
      [list(2, either('7', { b: {} })), 'the name "7" looks like an integer; add a letter'],
      [list(2, either({ b: {} })), 'expected the name of the tag, got an object'],
    ]);
  });

  describe('in a name that an expression uses is reported', () => {
    testReports('', asInput, [
      [
        counted({ n: int(), a: ints('m') }),
        'input.a: its count is "m", but no int "m" is read before it (did you mean "n"?)',
      ],
      [
        counted({ n: int(), x: int(1, 'm') }),
        'input.x: its largest value is "m", but no int "m" is read before it (did you mean "n"?)',
      ],
      [
        counted({ n: int() }, { head: { t: ints('size') } }),
        'head.t: its count is "size", but no int "size" is read before it',
      ],
      [
        counted({ xs: list(2, { n: int() }), a: ints('n') }),
        'input.a: its count is "n", but no int "n" is read before it',
      ],
      [
        counted({ n: int(), xs: list('n', { ys: list('k', { a: int() }) }) }),
        'input.xs.ys: its count is "k", but no int "k" is read before it (did you mean "n"?)',
      ],
      [counted({ a: ints('n'), n: int() }), 'input.a: its count is "n", but "n" is read after it'],
      [counted([{ a: ints('n') }, { n: int() }]), 'input.a: its count is "n", but "n" is read after it'],
      [counted({ n: int('n') }), 'input.n: its smallest value is "n", but "n" is read after it'],
      [
        counted({ w: word(), a: ints('2*w') }),
        'input.a: its count is "2*w", but "w" is no int, and expressions may name only int and bigint',
      ],
      [
        counted({ w: number(), a: ints('w') }),
        'input.a: its count is "w", but "w" is no int, and expressions may name only int and bigint',
      ],
    ]);
  });

  describe('in a record is reported', () => {
    testReports('', asInput, [
      [counted(undefined), 'input: expected a record of fields such as { n: int() }, got undefined'],
      [counted(int()), 'input: expected a record of fields such as { n: int() }, got a field'],
      [counted({ '1': int() }), 'input: the name "1" looks like an integer; add a letter'],
      [counted({ '': int() }), 'input: a name must not be empty'],
      [counted({ ['__proto__']: int() }), 'input: no name may be "__proto__"'],
      // This literal sets the prototype of the record.
      [
        counted({ n: int(), __proto__: int() }),
        'input: expected a record of fields such as { n: int() }, got an object with a prototype (no name may be "__proto__")',
      ],
      [counted([{ n: int() }, { n: int() }]), 'input: the name "n" is given twice'],
      [counted({}), 'input: a case needs at least one field'],
      [single([{}, {}]), 'input: a case needs at least one field'],
      [
        counted({ xs: list(2, either('t', { a: int() })) }),
        'input.xs["a"]: expected a record of fields such as { n: int() }, got a field',
      ],
      [
        counted({ xs: list(2, either('t', { 'a b': { t: int() } })) }),
        'input.xs["a b"]: the name "t" is that of the tag',
      ],
    ]);
  });

  describe('in an option of a layout is reported', () => {
    const fields = { n: int() };
    testReports('input: ', asInput, [
      [counted(fields, { cases: 't' }), 'cases: the head has no int "t"'],
      [
        counted(fields, { head: { t: int(), w: word() }, cases: 'w' }),
        'cases: the head has no int "w" (did you mean "t"?)',
      ],
      [
        counted(fields, { cases: word() }),
        'cases: expected int(...) or the name of an int of the head, got an object',
      ],
      [counted(fields, { cases: int(1, 'n') }), 'cases: expected bounds that are numbers, got an expression'],
      [counted(fields, { cases: int(5, 1) }), 'its smallest value 5 is greater than its largest value 1'],
      [counted(fields, { case: 't' }), 'expected "head", "total", "cases", got the option "case"'],
      [
        counted(fields, { total: { m: 5 } }),
        'total: the expression is "m", but no int "m" is read before it (did you mean "n"?)',
      ],
      [counted(fields, { total: { n: -5 } }), 'total: expected a whole number as the bound of "n", got -5'],
      [
        counted(fields, { total: { 'n+': 5 } }),
        'total: the expression "n+", column 3: expected a number, a name or "(", got the end',
      ],
      [counted(fields, { total: 5 }), 'total: expected bounds such as { n: 2e5 }, got 5'],
    ]);
  });

  describe('in a terminator is reported', () => {
    const fields = { n: int() };
    const pair = { n: int(), m: int() };
    const tags = list(2, either('t', { a: {} }));
    testReports('input: ', asInput, [
      [untilTerminator('', fields), 'expected the text of the terminator, such as "0 0", got ""'],
      [untilTerminator(fields, '0'), 'expected a record of fields such as { n: int() }, got "0"'],
      [
        untilTerminator('0', fields, { when: 'n' }),
        'when: the condition "n", column 2: expected a comparison such as "<" or "==", got the end',
      ],
      [
        untilTerminator('0', fields, { when: 'm == 0' }),
        'when: a side of the condition is "m", but no int "m" is read before it (did you mean "n"?)',
      ],
      [
        untilTerminator('0', { w: word(), n: int() }, { when: 'n == 0' }),
        'when: "n" is not one of the numbers with which a case begins',
      ],
      [
        untilTerminator('0', { n: int(), ys: tags }, { head: { xs: tags }, when: 'count(ys, a) == n' }),
        'when: "ys" is not one of the numbers with which a case begins',
      ],
      [untilTerminator('0', fields, { when: '0 == 0' }), 'when: the condition names no number of the case'],
      [
        untilTerminator('0', fields, { head: { m: int() }, when: 'm == 0' }),
        'when: the condition names no number of the case',
      ],
      [untilTerminator('0', fields, { when: 7 }), 'when: expected a text, got 7'],
      [untilTerminator('0', pair, { when: 'n < 0' }), 'when: the terminator "0" does not meet the condition'],
      [
        untilTerminator('0', pair, { when: 'n + m == 0' }),
        'when: the terminator "0" does not meet the condition',
      ],
      [
        untilTerminator('x', pair, { when: 'n != 1' }),
        'when: the terminator "x" does not meet the condition',
      ],
    ]);
  });

  it('is not a comparison with an int of the head', () => {
    const input = untilTerminator('-1', { n: int() }, { head: { m: int() }, when: 'n < m' });
    expect(inputMistake(input)).toBe(NO_MISTAKE);
  });

  describe('in an answer is reported', () => {
    const lists = counted({ n: int(), qs: ints('n') });
    const tags = counted({ qs: list(2, either('t', { ab: {}, c: {} })) });
    const noLabel = `labelled(...) expects the text before the case's number, such as "Case #"`;
    testReports('', asOptions, [
      [{ ...NUMBERS, answer: 5 }, 'answer: expected a record of fields such as { n: int() }, got 5'],
      [{ ...NUMBERS, answer: {} }, 'answer: an answer needs at least one field'],
      [
        { ...NUMBERS, answer: lines('m') },
        'answer: its count is "m", but no int "m" is read before it (did you mean "n"?)',
      ],
      [
        { ...NUMBERS, answer: { a: ints('n'), b: ints('c'), c: int() } },
        'answer.b: its count is "c", but "c" is read after it',
      ],
      [
        { ...NUMBERS, answer: { label: 'Case #' } },
        'answer.label: expected a field such as int() or word(), got "Case #"',
      ],
      [{ ...NUMBERS, answer: labelled('') }, `answer: ${noLabel}, got ""`],
      [{ ...NUMBERS, answer: labelled('Case\n') }, `answer: ${noLabel}, got "Case\\n"`],
      [
        { ...NUMBERS, answer: labelled('#', lines('k')) },
        'answer: its count is "k", but no int "k" is read before it (did you mean "n"?)',
      ],
      [
        { ...NUMBERS, answer: lines('count(qs, a)') },
        'answer: its count is "count(qs, a)", but no list "qs" is read before it',
      ],
      [
        { input: lists, answer: lines('count(qs, 2)') },
        'answer: its count is "count(qs, 2)", but "qs" is no list of either(...), and only such a list has tags to count',
      ],
      [
        { input: tags, answer: lines('count(qs, a)') },
        'answer: its count is "count(qs, a)", but the list "qs" has no tag "a" (did you mean "ab"?)',
      ],
    ]);
  });

  describe('in the contest', () => {
    const input = counted({ n: int(), w: word(), xs: list('n', either('t', { a: { x: int() } })) });
    describe('is reported', () => {
      testReports('', (contest) => ({ input, contest }), [
        [7, 'contest: expected the limits of the contest, such as { cases: 100 }, got 7'],
        [{ set: {} }, 'contest: unknown property "set" (did you mean "sets"?)'],
        [{ sets: [] }, 'contest.sets: expected sets such as { "1": { n: [1, 4] } }, got an array'],
        [{ sets: { '1': 2 } }, 'contest.sets.1: expected bounds such as { n: [1, 4] }, got 2'],
        [
          { sets: { '1': { m: [1, 2] } } },
          'contest.sets.1: no field "m" of the input has bounds (did you mean "n"?)',
        ],
        [
          { sets: { '1': { w: [1, 2] } } },
          'contest.sets.1: no field "w" of the input has bounds (did you mean "n"?)',
        ],
        [{ sets: { '1': { n: [3, 2] } } }, 'contest.sets.1.n: expected [smallest, largest], got [3, 2]'],
        [{ sets: { '1': { n: 2 } } }, 'contest.sets.1.n: expected [smallest, largest], got 2'],
        [{ cases: 0 }, 'contest.cases: expected a whole number above 0, got 0'],
        [{ seconds: '1' }, 'contest.seconds: expected a number above 0, got "1"'],
      ]);
    });

    it('is not a bound of a field, also in a list of records with tags', () => {
      expect(() => define({ input, contest: { sets: { '1': { n: [1, 2], x: [0, 1] } } } })).not.toThrow();
    });
  });
});

describe('a case that may take nothing from the input', () => {
  const nothing =
    'problem p: input: a case of this format may take nothing from the input, so it could be repeated for ever; make one of its fields certain';
  const head = { n: int(1, 5), z: int(0, 5) };

  it.each([
    ['an array whose count may be 0', { a: ints('z') }],
    ['an array whose count is 0', { a: ints(0) }],
    ['an array whose count is a difference', { a: ints('n-1') }],
    ['an array whose count has a factor that may be 0', { a: ints('n*z') }],
    ['words without a count', { a: words(many) }],
    ['a line that may be empty', { s: line({ empty: true }) }],
    ['two fields that may take nothing', { a: ints('z'), b: list(many, { x: int() }) }],
    ['a list of records that may take nothing', { xs: list('n', { a: ints('z') }) }],
    ['a grid that may have no columns', { g: grid('n', 'z', 'ab') }],
    ['a table that may have no rows', { t: table('z', 'n') }],
    ['lines that may be empty', [{}, { a: ints('z') }]],
  ])('has only %s, and is refused unless the cases are counted', (_, shape) => {
    expect(inputMistake(untilEnd(shape, { head }))).toBe(nothing);
    expect(inputMistake(untilTerminator('0', shape, { head }))).toBe(nothing);
    expect(inputMistake(counted(shape, { head }))).toBe(NO_MISTAKE);
  });

  it.each([
    ['an array whose count is at least 1', { a: ints('n') }],
    ['an array whose count is a sum of at least 1', { a: ints('n*n+1') }],
    ['a word', { w: word() }],
    ['a line', { s: line() }],
    ['an array up to the end of its line', { a: ints(until('\n')) }],
    ['lines up to a blank line', { a: lines(until('\n\n')) }],
    ['words up to a token', { a: words(until('9')) }],
    ['a number after an array that may take nothing', { a: ints('z'), b: int() }],
    ['a list of records that have a number', { xs: list('n', { a: ints('z'), x: int() }) }],
    ['a list of tags', { xs: list('n', either('t', { a: {} })) }],
    ['a tag', { x: either('t', { a: {} }) }],
    ['a grid of at least one row and column', { g: grid('n', 'n', 'ab') }],
    ['a number with the name of a number of the head', { n: int('n', 5), a: ints('n') }],
  ])('does not have %s', (_, shape) => {
    expect(inputMistake(untilEnd(shape, { head }))).toBe(NO_MISTAKE);
  });
});

describe('values that make no sense', () => {
  const anything = fc.anything({
    withBigInt: true,
    withNullPrototype: true,
    withDate: true,
    withSparseArray: true,
  });
  const values = fc.array(anything, { maxLength: 4 });

  /** Defines a problem. Any other error than an AuthorError makes the test fail. */
  function defineOrReport(options: object): void {
    try {
      define(options);
    } catch (error) {
      if (!(error instanceof AuthorError)) throw error;
    }
  }

  const layouts = ['counted', 'untilEnd', 'untilTerminator', 'single', 'labelled'];
  const fields = Object.keys(builders).filter(
    (name) => typeof builders[name] === 'function' && !layouts.includes(name),
  );
  it.each(fields)('are refused by %s, and nothing else happens', (kind) => {
    fc.assert(
      fc.property(values, (given) => {
        const field = builders[kind](...given);
        defineOrReport({ input: counted({ field }) });
        defineOrReport({ ...NUMBERS, answer: field });
      }),
    );
  });

  it.each(Object.entries({ counted, untilEnd, untilTerminator, single }))('are refused by %s', (_, build) => {
    fc.assert(
      fc.property(values, (given) => {
        defineOrReport({ input: build(...given) });
        defineOrReport({ input: build({ n: int() }, ...given) });
        defineOrReport({ input: build('0', { n: int() }, ...given) });
      }),
    );
  });

  it('are refused by defineProblem', () => {
    const properties = ['name', 'answer', 'solve', 'tolerance', 'contest', 'version'];
    fc.assert(
      fc.property(fc.constantFrom(...properties), anything, (name, value) => {
        defineOrReport({ ...NUMBERS, [name]: value });
        defineOrReport({ ...NUMBERS, contest: { sets: { a: { n: value } }, [name]: value } });
        defineOrReport({ ...NUMBERS, answer: labelled(value, int()) });
      }),
    );
  });
});

describe('the size of a format', () => {
  function nested(depth: number): unknown {
    let record: object = { x: int() };
    for (let level = 1; level < depth; level++) record = { xs: list(1, record) };
    return counted(record);
  }

  it.each([
    [16, NO_MISTAKE],
    [17, expect.stringContaining('records may stand inside each other 16 times at most')],
    [100_000, expect.stringContaining('records may stand inside each other 16 times at most')],
  ])('is bounded in depth: %i records inside each other', (depth, reported) => {
    expect(inputMistake(nested(depth))).toEqual(reported);
  });

  it('is bounded in the number of fields, also if one record is used again and again', () => {
    let record: object = { x: int() };
    for (let level = 1; level < 15; level++) {
      record = Object.fromEntries([...'abcdefgh'].map((name) => [name, list(1, record)]));
    }
    expect(inputMistake(counted(record))).toMatch(/a format may have 10000 fields at most/);
  });
});

describe('the description of a format', () => {
  const linesOf = ({ description }: ProblemDefinition) => describeLayout(description.layout).split('\n');

  it('has a line for each field', () => {
    expect(linesOf(problems.queries)).toEqual([
      'The number of test cases: an integer from 1 to 1000',
      'Then that many test cases, each with:',
      '  n        one integer from 1 to 200000',
      '  q        one integer from 1 to 200000',
      '  a        n integers from 1 to 1000000000',
      '  queries  q records, each by its first token, type:',
      '    type 1:',
      '      l  one integer from 1 to n',
      '      r  one integer from l to n',
      '    type 2:',
      '      x  one integer from 1 to n',
      'In a contest file, the sum of n over all test cases is at most 200000.',
      'In a contest file, the sum of q over all test cases is at most 200000.',
    ]);
  });

  it('has the lines of a case', () => {
    expect(linesOf(problems.paths)).toEqual([
      'The number of test cases: an integer',
      'Then that many test cases, each with:',
      '  line 1: empty',
      '  line 2:',
      '    n  one integer from 1 to 400000',
      '    m  one integer from 0 to 400000',
      '  line 3:',
      '    edges  m records, each with:',
      '      u  one integer from 1 to n',
      '      v  one integer from 1 to n',
    ]);
  });

  it('has the head, the terminator and every kind of field', () => {
    const input = untilTerminator(
      '0 0',
      {
        r: int(1),
        c: int(undefined, 9),
        x: number(0, 1, 3),
        b: bigint(0, 10n ** 20n),
        w: word('ab'),
        s: line({ empty: true }),
        a: safeInts(until('\n'), 1),
        u: words(until('end')),
        l: lines(until('\n\n')),
        g: grid('r', 'c', '.#'),
        t: table('r', 2),
        e: either('op', { 'A B': {}, C: { k: int() } }),
        m: list(many, { y: int() }),
      },
      { head: { id: int() }, when: 'r < id' },
    );
    expect(linesOf(define({ input }))).toEqual([
      'The head of the input:',
      '  id  one integer',
      'Test cases until r < id, as in the terminator "0 0", each with:',
      '  r  one integer, at least 1',
      '  c  one integer, at most 9',
      '  x  one number from 0 to 1, with at most 3 decimals',
      '  b  one integer from 0 to 100000000000000000000',
      '  w  a word of the letters "ab"',
      '  s  a line, which may be empty',
      '  a  integers up to the end of the line, at least 1',
      '  u  words up to and including the token "end"',
      '  l  lines up to a blank line',
      '  g  r rows of c letters out of ".#"',
      '  t  r rows of 2 numbers',
      '  e  one of these records, by its first token, op:',
      '    op A or B',
      '    op C:',
      '      k  one integer',
      '  m  any number of records, each with:',
      '    y  one integer',
    ]);
  });

  const toZeros = define({ input: untilTerminator('0 0', { n: int() }) });
  it.each<[string, ProblemDefinition, string[]]>([
    [
      'after their number, which is in the head',
      problems.alien,
      ['The head of the input:', 'Then n test cases, each with:'],
    ],
    ['with the input', problems.codes, ['Test cases until the end of the input, each with:']],
    ['after the first one', problems.arrays, ['The whole input is one test case:']],
    ['at a terminator', toZeros, ['Test cases until the terminator "0 0", each with:']],
  ])('says how the cases end: %s', (_, problem, expected) => {
    expect(linesOf(problem).filter((line) => !line.startsWith(' '))).toEqual(expected);
  });
});

describe('an array until the end of a line that the format does not find', () => {
  const { counted, either, int, ints, line, lines, until, words } = formats;
  const rest = words(until('\n'));

  test.each([
    [
      [{ n: int(0, 2) }, { a: ints('n'), rest }],
      "input.rest: until('\\n') needs a field before it on its line",
    ],
    [[{ n: int(0, 2) }, { w: either('k', { A: { a: ints('n'), b: ints('n') } }), rest }], null],
    [[{ n: int(1, 2) }, { a: ints('n'), rest }], null],
    [{ n: int(0, 2), a: ints('n'), rest }, null],
    [
      [{ w: either('k', { A: {}, D: { l: line() } }), rest }],
      'never empty, after the either(...) of which some tags end their lines',
    ],
    [[{ w: either('k', { A: {}, D: { l: line() } }), a: ints('m'), rest }], 'never empty, after the either'],
    [[{ w: either('k', { A: {}, D: { l: line() } }), a: int(), rest }], null],
    [[{ w: either('k', { A: {}, D: {} }), rest }], null],
    [[{ a: lines('m') }, { rest }], 'a line that may be empty needs a field before it that is never empty'],
    [[{ a: lines('m') }, { k: int() }, { rest }], null],
    [[{ rest }], null],
  ])('is refused: %#', (input, message) => {
    const define = () =>
      defineProblem({ name: 'any', input: counted(input as never, { head: { m: int(0, 1) } }) });
    if (message === null) expect(define).not.toThrow();
    else expect(define).toThrow(message);
  });
});
