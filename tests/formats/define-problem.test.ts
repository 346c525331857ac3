import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoardmillError } from '../../src/core/errors.js';
import { AuthorError } from '../../src/formats/language/author-error.js';
import { describeTree } from '../../src/formats/language/describe-tree.js';
import { formats } from '../../src/formats/language/formats.js';
import { TreeFormat } from '../../src/formats/tree/tree-format.js';
import { defineProblem } from '../../src/problems/modules/define-problem.js';
import type { ProblemDefinition } from '../../src/problems/modules/definition.js';
import * as problems from '../fixtures/format-types/problems.js';

// The compiler must not follow this import, because the file does not compile.
const mistakesFile: string = '../fixtures/format-types/mistakes.mts';
const { mistakes } = (await import(mistakesFile)) as { mistakes: Record<string, () => unknown> };

// Authors who use JavaScript get no help from types, so these tests give the builders anything.
type Builder = (...values: unknown[]) => unknown;
const { counted, untilEnd, untilTerminator, single, labelled, until } = formats as unknown as Record<
  string,
  Builder
>;
const { int, bigint, number, word, line, ints, safeInts, bigints, words, lines, grid, table, list, either } =
  formats as unknown as Record<string, Builder>;
const { many } = formats;

function define(options: object): ProblemDefinition {
  return (defineProblem as (options: unknown) => ProblemDefinition)({ name: 'p', ...options });
}

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof AuthorError) return error.message;
    throw error;
  }
  return 'no mistake was reported';
}

/** What is reported for a problem with this input. */
function inputMistake(input: unknown): string {
  return messageOf(() => define({ input }));
}

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
    const parser = new TreeFormat(layout).createParser();
    const faultsOf = (text: string) => parser.findFaults(new TextEncoder().encode(text), 0, text.length);
    expect(faultsOf('-1152921504606846976')).toEqual([]);
    expect(faultsOf('1000000000000000001')).toEqual([]);
    expect(faultsOf('-1152921504606846977')).toHaveLength(1);
    expect(faultsOf('1000000000000000002')).toHaveLength(1);
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

  it.each([
    [undefined, 'undefined'],
    ['', '""'],
    ['a/b', '"a/b"'],
    ['..', '".."'],
    ['-o', '"-o"'],
    ['a b', '"a b"'],
    [7, '7'],
  ])('in the name %j', (name, got) => {
    const message = messageOf(() => define({ name, input: counted({ n: int() }) }));
    expect(message).toMatch(/^defineProblem: name: expected letters, digits/);
    expect(message).toContain(`got ${got}`);
  });

  it.each(['sums', 'P9169', 'a.b-c_d', '过河卒', '2048'])('is not the name %s', (name) => {
    expect(define({ name, input: counted({ n: int() }) }).description.name).toBe(name);
  });

  it.each([
    ['no object', () => (defineProblem as Builder)(undefined), /^defineProblem: expected an object/],
    [
      'no input',
      () => define({}),
      'problem p: input: expected a layout such as formats.counted({ n: formats.int() }), got undefined',
    ],
    ['a record as input', () => define({ input: { n: int() } }), /expected a layout .* got an object$/],
    [
      'solve',
      () => define({ input: counted({ n: int() }), solve: 5 }),
      'problem p: solve: expected a function, got 5',
    ],
    [
      'print',
      () => define({ input: counted({ n: int() }), print: 'x' }),
      'problem p: print: expected a function, got "x"',
    ],
    [
      'tolerance',
      () => define({ input: counted({ n: int() }), tolerance: -1 }),
      /tolerance: expected a number such as 1e-6, got -1/,
    ],
    [
      'version',
      () => define({ input: counted({ n: int() }), version: 2 }),
      /version: expected a text such as "1", got 2/,
    ],
    [
      'a property',
      () => define({ input: counted({ n: int() }), prnt: 5 }),
      'problem p: the definition: unknown property "prnt" (did you mean "print"?)',
    ],
  ])('in the definition: %s', (_, work, expected) => {
    expect(messageOf(work)).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
  });

  it.each([
    [
      counted({ n: int(), a: ints('m') }),
      'input.a: its count is "m", but no int "m" is read before it (did you mean "n"?)',
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
    [
      counted({ n: int(), a: ints('n +') }),
      'input.a: the expression "n +", column 4: expected a number, a name or "(", got the end',
    ],
    [
      counted({ n: int(), xs: list('n', { ys: list('k', { a: int() }) }) }),
      'input.xs.ys: its count is "k", but no int "k" is read before it (did you mean "n"?)',
    ],
    [
      counted({ xs: list(2, { n: int() }), a: ints('n') }),
      'input.a: its count is "n", but no int "n" is read before it',
    ],
    [
      counted({ n: int() }, { head: { t: ints('size') } }),
      'head.t: its count is "size", but no int "size" is read before it',
    ],
    [
      counted({ g: grid('r', 2, 'ab') }),
      'input.g: its number of rows is "r", but no int "r" is read before it',
    ],
    [
      counted({ g: table(2, 'c') }),
      'input.g: its number of columns is "c", but no int "c" is read before it',
    ],
    [counted({ a: ints(-1) }), 'input.a: its count is -1, but it must be a whole number of at least 0'],
    [counted({ a: ints('2-3') }), 'input.a: its count is 2-3, but it must be a whole number of at least 0'],
    [counted({ a: ints('1/0') }), 'input.a: its count is 1/0, but it must be a whole number of at least 0'],
    [counted({ a: ints(1.5) }), 'input.a: its count is 1.5, but it must be a whole number of at least 0'],
    [
      counted({ a: ints(Number.NaN) }),
      'input.a: expected a count, got NaN; an expression over fields is a text, such as "2*n" for twice the field n',
    ],
    [
      counted({ a: ints() }),
      'input.a: expected a count (a number, an expression such as "2*n", until(...) or many), got undefined',
    ],
    [
      counted({ a: words(until('')) }),
      'input.a: until(...) expects one token without whitespace, "\\n" or "\\n\\n", got until("")',
    ],
    [
      counted({ a: words(until('a b')) }),
      'input.a: until(...) expects one token without whitespace, "\\n" or "\\n\\n", got until("a b")',
    ],
  ])('in a count: %#', (input, message) => {
    expect(inputMistake(input)).toBe(`problem p: ${message}`);
  });

  it.each([
    [
      counted({ a: ints(1, 0, 2 ** 31) }),
      'input.a: its largest value is 2147483648, which does not fit in 32 bits; use safeInts',
    ],
    [
      counted({ a: ints(1, -3e9) }),
      'input.a: its smallest value is -3000000000, which does not fit in 32 bits; use safeInts',
    ],
    [
      counted({ a: ints(1, 0, '2^31') }),
      'input.a: its largest value is 2147483648, which does not fit in 32 bits; use safeInts',
    ],
    [
      counted({ a: int(0, 1e18) }),
      'input.a: its largest value is 1000000000000000000, but it must be a safe integer',
    ],
    [counted({ a: int(0.5) }), 'input.a: its smallest value is 0.5, but it must be a safe integer'],
    [counted({ a: int(5, 4) }), 'input.a: its smallest value 5 is greater than its largest value 4'],
    [
      counted({ a: bigint(10n ** 18n, 5) }),
      'input.a: its smallest value 1000000000000000000 is greater than its largest value 5',
    ],
    [
      counted({ a: int({}) }),
      'input.a: expected a bound (a number or an expression such as "2*n"), got an object',
    ],
    [
      counted({ a: number(0, Number.POSITIVE_INFINITY) }),
      'input.a: its largest value is Infinity, but it must be a finite number',
    ],
    [counted({ a: number(0, 1, -1) }), 'input.a: expected from 0 to 100 decimals, got -1'],
    [
      counted({ a: bigints(1, 0, 2n ** 63n) }),
      'input.a: its bound 9223372036854775808 does not fit in 64 bits; use a list of records with a bigint',
    ],
    [
      counted({ a: safeInts(1, 0, 2 ** 53) }),
      'input.a: its largest value is 9007199254740992, but it must be a safe integer',
    ],
    [counted({ a: table(1, 1, 2, 1) }), 'input.a: its smallest value 2 is greater than its largest value 1'],
    [
      counted({ n: int(), x: int(1, 'm') }),
      'input.x: its largest value is "m", but no int "m" is read before it (did you mean "n"?)',
    ],
  ])('in a bound: %#', (input, message) => {
    expect(inputMistake(input)).toBe(`problem p: ${message}`);
  });

  it.each([
    [word('a b'), 'its letters "a b" must be ASCII characters without whitespace'],
    [word('é'), 'its letters "é" must be ASCII characters without whitespace'],
    [
      word('a-z'),
      'its letters "a-z" are literal, and "a-z" is three letters and no range: use formats.lower, formats.upper and formats.digits, or put "-" first',
    ],
    [
      word('_0-9'),
      'its letters "_0-9" are literal, and "0-9" is three letters and no range: use formats.lower, formats.upper and formats.digits, or put "-" first',
    ],
    [word(''), 'expected the allowed letters, such as ".#", got ""'],
    [words(2, 'aba'), 'its letters "aba" have "a" twice'],
    [grid(1, 1), 'expected the allowed letters, such as ".#", got undefined'],
    [grid(1, 1, '..'), 'its letters ".." have "." twice'],
  ])('in letters: %#', (field, message) => {
    expect(inputMistake(counted({ w: field }))).toBe(`problem p: input.w: ${message}`);
  });

  it.each([
    [counted({ n: 5 }), 'input.n: expected a field such as int() or word(), got 5'],
    [counted({ n: int }), 'input.n: expected a field such as int() or word(), got a function'],
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
    [counted({ xs: list(2, {}) }), 'input.xs: the records of a list need at least one field'],
    [
      counted({ xs: list(2, int()) }),
      'input.xs: expected the elements to be a record such as { x: int() } or an either(...), got another field',
    ],
    [
      counted({ xs: list(2, either('t', {})) }),
      'input.xs: expected tags and their records, such as { "1": { x: int() }, "2": {} }',
    ],
    [
      counted({ xs: list(2, either('t', { a: int() })) }),
      'input.xs["a"]: expected a record of fields such as { n: int() }, got a field',
    ],
    [counted({ xs: list(2, either('t', { a: {}, 'b a': {} })) }), 'input.xs: the tag "a" is given twice'],
    [counted({ xs: list(2, either('t', { ' ': {} })) }), 'input.xs: a tag must not be empty'],
    [
      counted({ xs: list(2, either('t', { 'a b': { t: int() } })) }),
      'input.xs["a b"]: the name "t" is that of the tag',
    ],
    [
      counted({ xs: list(2, either('7', { a: {} })) }),
      'input.xs: the name "7" looks like an integer; add a letter',
    ],
    [counted({ xs: list(2, either({ a: {} })) }), 'input.xs: expected the name of the tag, got an object'],
  ])('in a record: %#', (input, message) => {
    expect(inputMistake(input)).toBe(`problem p: ${message}`);
  });

  it.each([
    [counted({ n: int() }, { cases: 't' }), 'input: cases: the head has no int "t"'],
    [
      counted({ n: int() }, { head: { t: int(), w: word() }, cases: 'w' }),
      'input: cases: the head has no int "w" (did you mean "t"?)',
    ],
    [
      counted({ n: int() }, { cases: word() }),
      'input: cases: expected int(...) or the name of an int of the head, got an object',
    ],
    [
      counted({ n: int() }, { cases: int(1, 'n') }),
      'input: cases: expected bounds that are numbers, got an expression',
    ],
    [
      counted({ n: int() }, { cases: int(5, 1) }),
      'input: its smallest value 5 is greater than its largest value 1',
    ],
    [counted({ n: int() }, { case: 't' }), 'input: expected "head", "total", "cases", got the option "case"'],
    [
      counted({ n: int() }, { total: { m: 5 } }),
      'input: total: the expression is "m", but no int "m" is read before it (did you mean "n"?)',
    ],
    [
      counted({ n: int() }, { total: { n: -5 } }),
      'input: total: expected a whole number as the bound of "n", got -5',
    ],
    [
      counted({ n: int() }, { total: { 'n+': 5 } }),
      'input: total: the expression "n+", column 3: expected a number, a name or "(", got the end',
    ],
    [counted({ n: int() }, { total: 5 }), 'input: total: expected bounds such as { n: 2e5 }, got 5'],
    [untilTerminator('', { n: int() }), 'input: expected the text of the terminator, such as "0 0", got ""'],
    [untilTerminator({ n: int() }, '0'), 'input: expected a record of fields such as { n: int() }, got "0"'],
    [
      untilTerminator('0', { n: int() }, { when: 'n' }),
      'input: when: the condition "n", column 2: expected a comparison such as "<" or "==", got the end',
    ],
    [
      untilTerminator('0', { n: int() }, { when: 'm == 0' }),
      'input: when: a side of the condition is "m", but no int "m" is read before it (did you mean "n"?)',
    ],
    [
      untilTerminator('0', { w: word(), n: int() }, { when: 'n == 0' }),
      'input: when: "n" is not one of the numbers with which a case begins',
    ],
    [
      untilTerminator('0', { n: int() }, { when: '0 == 0' }),
      'input: when: the condition names no number of the case',
    ],
    [untilTerminator('0', { n: int() }, { when: 7 }), 'input: when: expected a text, got 7'],
  ])('in a layout: %#', (input, message) => {
    expect(inputMistake(input)).toBe(`problem p: ${message}`);
  });

  it.each([
    ['0', 'n < 0'],
    ['0', 'n + m == 0'],
    ['x', 'n != 1'],
  ])('is a terminator %j that does not meet its condition %s', (text, when) => {
    const input = untilTerminator(text, { n: int(), m: int() }, { when });
    expect(inputMistake(input)).toBe(
      `problem p: input: when: the terminator "${text}" does not meet the condition`,
    );
  });

  it('is a condition on the head alone', () => {
    const input = untilTerminator('0', { n: int() }, { head: { m: int() }, when: 'm == 0' });
    expect(inputMistake(input)).toBe('problem p: input: when: the condition names no number of the case');
  });

  it('is a count in a condition', () => {
    const head = { xs: list(2, either('t', { a: {} })) };
    const input = untilTerminator(
      '0',
      { n: int(), ys: list(2, either('t', { a: {} })) },
      { head, when: 'count(ys, a) == n' },
    );
    expect(inputMistake(input)).toBe(
      'problem p: input: when: "ys" is not one of the numbers with which a case begins',
    );
  });

  it.each([line({ emty: true }), line('x'), line({ empty: 1 })])(
    'is a wrong option of a line: %#',
    (field) => {
      const message = 'problem p: input.s: line(...) expects nothing, { empty: true } or { empty: false }';
      expect(inputMistake(counted({ s: field }))).toBe(message);
    },
  );

  it('is not a comparison with an int of the head', () => {
    const input = untilTerminator('-1', { n: int() }, { head: { m: int() }, when: 'n < m' });
    expect(inputMistake(input)).toBe('no mistake was reported');
  });

  it.each([
    [
      { n: int(), q: ints('n') },
      { label: 'Case #' },
      'answer.label: expected a field such as int() or word(), got "Case #"',
    ],
    [{ n: int() }, 5, 'answer: expected a record of fields such as { n: int() }, got 5'],
    [{ n: int() }, {}, 'answer: an answer needs at least one field'],
    [
      { n: int() },
      lines('m'),
      'answer: its count is "m", but no int "m" is read before it (did you mean "n"?)',
    ],
    [
      { n: int() },
      { a: ints('n'), b: ints('c'), c: int() },
      'answer.b: its count is "c", but "c" is read after it',
    ],
    [
      { n: int() },
      labelled(''),
      /^problem p: answer: labelled\(\.\.\.\) expects the text before the case's number/,
    ],
    [{ n: int() }, labelled('Case\n'), /^problem p: answer: labelled\(\.\.\.\) expects/],
    [{ n: int() }, labelled('#', lines('k')), /answer: its count is "k", but no int "k"/],
    [
      { n: int(), qs: ints('n') },
      lines('count(qs, 2)'),
      'answer: its count is "count(qs, 2)", but "qs" is no list of either(...), and only such a list has tags to count',
    ],
    [
      { qs: list(2, either('t', { ab: {}, c: {} })) },
      lines('count(qs, a)'),
      'answer: its count is "count(qs, a)", but the list "qs" has no tag "a" (did you mean "ab"?)',
    ],
    [
      { n: int() },
      lines('count(qs, a)'),
      'answer: its count is "count(qs, a)", but no list "qs" is read before it',
    ],
  ])('in an answer: %#', (shape, answer, expected) => {
    const message = messageOf(() => define({ input: counted(shape), answer }));
    expect(message).toEqual(
      typeof expected === 'string' ? `problem p: ${expected}` : expect.stringMatching(expected),
    );
  });

  it.each([
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
    [{ sets: { '1': 2 } }, 'contest.sets.1: expected bounds such as { n: [1, 4] }, got 2'],
    [{ sets: [] }, 'contest.sets: expected sets such as { "1": { n: [1, 4] } }, got an array'],
    [{ set: {} }, 'contest: unknown property "set" (did you mean "sets"?)'],
    [{ cases: 0 }, 'contest.cases: expected a whole number above 0, got 0'],
    [{ seconds: '1' }, 'contest.seconds: expected a number above 0, got "1"'],
    [7, 'contest: expected the limits of the contest, such as { cases: 100 }, got 7'],
  ])('in the contest: %#', (contest, message) => {
    const input = counted({ n: int(), w: word(), xs: list('n', either('t', { a: { x: int() } })) });
    expect(messageOf(() => define({ input, contest }))).toBe(`problem p: ${message}`);
    expect(() => define({ input, contest: { sets: { '1': { n: [1, 2], x: [0, 1] } } } })).not.toThrow();
  });
});

describe('a case that may take nothing from the input', () => {
  const nothing = /^problem p: input: a case of this format may take nothing from the input/;
  const head = { n: int(1, 5), z: int(0, 5) };

  it.each([
    [{ a: ints('z') }],
    [{ a: ints(0) }],
    [{ a: ints('n-1') }],
    [{ a: ints('n*z') }],
    [{ a: words(many) }],
    [{ s: line({ empty: true }) }],
    [{ a: ints('z'), b: list(many, { x: int() }) }],
    [{ xs: list('n', { a: ints('z') }) }],
    [{ g: grid('n', 'z', 'ab') }],
    [{ t: table('z', 'n') }],
    [[{}, { a: ints('z') }]],
  ])('is refused: %#', (shape) => {
    expect(inputMistake(untilEnd(shape, { head }))).toMatch(nothing);
    expect(inputMistake(untilTerminator('0', shape, { head }))).toMatch(nothing);
    expect(inputMistake(counted(shape, { head }))).toBe('no mistake was reported');
  });

  it.each([
    [{ a: ints('n') }],
    [{ a: ints('n*n+1') }],
    [{ w: word() }],
    [{ s: line() }],
    [{ a: ints(until('\n')) }],
    [{ a: lines(until('\n\n')) }],
    [{ a: words(until('9')) }],
    [{ a: ints('z'), b: int() }],
    [{ xs: list('n', { a: ints('z'), x: int() }) }],
    [{ xs: list('n', either('t', { a: {} })) }],
    [{ x: either('t', { a: {} }) }],
    [{ g: grid('n', 'n', 'ab') }],
    [{ n: int('n', 5), a: ints('n') }],
  ])('is not one that always takes a token: %#', (shape) => {
    expect(inputMistake(untilEnd(shape, { head }))).toBe('no mistake was reported');
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

  const fieldBuilders = {
    int,
    bigint,
    number,
    word,
    line,
    ints,
    safeInts,
    bigints,
    words,
    lines,
    grid,
    table,
    list,
    either,
  };
  it.each(Object.entries(fieldBuilders))('are refused by %s, and nothing else happens', (_, build) => {
    fc.assert(fc.property(values, (given) => defineOrReport({ input: counted({ field: build(...given) }) })));
    fc.assert(
      fc.property(values, (given) =>
        defineOrReport({ input: counted({ n: int() }), answer: build(...given) }),
      ),
    );
  });

  it.each(Object.entries({ counted, untilEnd, untilTerminator, single }))('are refused by %s', (_, build) => {
    fc.assert(fc.property(values, (given) => defineOrReport({ input: build(...given) })));
    fc.assert(fc.property(values, (given) => defineOrReport({ input: build({ n: int() }, ...given) })));
    fc.assert(fc.property(values, (given) => defineOrReport({ input: build('0', { n: int() }, ...given) })));
  });

  it('are refused by defineProblem', () => {
    const properties = ['name', 'answer', 'solve', 'tolerance', 'contest', 'version'];
    fc.assert(
      fc.property(fc.constantFrom(...properties), anything, (name, value) => {
        defineOrReport({ input: counted({ n: int() }), [name]: value });
        defineOrReport({
          input: counted({ n: int() }),
          contest: { sets: { a: { n: value } }, [name]: value },
        });
        defineOrReport({ input: counted({ n: int() }), answer: labelled(value, int()) });
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

  it('is bounded in depth', () => {
    expect(inputMistake(nested(16))).toBe('no mistake was reported');
    expect(inputMistake(nested(17))).toMatch(/records may stand inside each other 16 times at most/);
    expect(inputMistake(nested(100_000))).toMatch(/records may stand inside each other 16 times at most/);
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
  it('has a line for each field', () => {
    expect(describeTree(problems.queries.description.layout)).toBe(
      [
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
      ].join('\n'),
    );
  });

  it('has the lines of a case', () => {
    expect(describeTree(problems.paths.description.layout)).toBe(
      [
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
      ].join('\n'),
    );
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
    expect(describeTree(define({ input }).description.layout)).toBe(
      [
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
      ].join('\n'),
    );
  });

  it('says how the cases end', () => {
    expect(describeTree(problems.alien.description.layout)).toContain('\nThen n test cases, each with:\n');
    expect(describeTree(problems.codes.description.layout)).toMatch(
      /^Test cases until the end of the input, each with:\n/,
    );
    expect(describeTree(problems.arrays.description.layout)).toMatch(/^The whole input is one test case:\n/);
    const input = untilTerminator('0 0', { n: int() });
    expect(describeTree(define({ input }).description.layout)).toMatch(
      /^Test cases until the terminator "0 0", each with:\n/,
    );
  });
});
