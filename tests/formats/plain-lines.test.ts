/**
 * Plain lines are read by fast code. Where it says that an output is as boardmill would print it, reading and printing each answer
 * changes nothing. Where it reads an answer that a module has printed, the code for any answer reads the same.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteWriter } from '../../src/core/bytes.js';
import type { AnswerExtent, AnswerFormat } from '../../src/formats/answer-format.js';
import { TreeAnswerFormat } from '../../src/formats/answers/answers.js';
import { parseGrammar } from '../../src/formats/checktestdata/language/parser.js';
import { GrammarAnswerFormat } from '../../src/formats/checktestdata/reading/answer-format.js';
import { parseExpression } from '../../src/formats/language/expression.js';
import type { AnswerTree } from '../../src/formats/language/tree.js';
import { KINDS } from '../support/field-kinds.js';
import { runs } from '../support/random-tests.js';

const words = (count: string, letters: string | null = null): AnswerTree => ({
  label: null,
  body: { kind: 'words', count: parseExpression(count), letters },
});

const constant = (value: number | null) => (value === null ? null : parseExpression(`${value}`));
const int = (min: number | null, max: number | null): AnswerTree => ({
  label: null,
  body: {
    kind: 'scalar',
    of: 'int',
    min: constant(min),
    max: constant(max),
    decimals: null,
    description: null,
  },
});
const WORD: AnswerTree = { label: null, body: { kind: 'word', letters: null } };

/** A field of each kind, with texts that are its values, are nearly its values, or are far from them. */
const FIELDS = Object.entries(KINDS).flatMap(([kind, { field, printed, bad }]) => {
  const texts = [printed.slice(1, -2).trim(), ...bad.map(([, text]) => text)];
  return [field, ...bad.map(([refusing]) => refusing)].map(
    (body) => [kind, { label: null, body } as AnswerTree, texts] as const,
  );
});

const TREES: Readonly<Record<string, AnswerTree>> = {
  'a line': { label: null, body: { kind: 'line', mayBeEmpty: false } },
  'one token': words('1'),
  'three tokens': words('1+2'),
};

const GRAMMARS = [
  'INT(-5,99) NEWLINE',
  'INT(-5,99)',
  'INT(-5,99) NEWLINE EOF',
  'INT(-5,99) SPACE INT(-5,99) NEWLINE',
  'FLOAT(-5,99)',
  'STRING("abc") NEWLINE',
  'STRING("1\n") INT(1,23) NEWLINE',
  'INT(-2,1,n) NEWLINE REP(n) INT(-2,23) NEWLINE END',
  'INT(-2,3,n) NEWLINE IF(n > 0) STRING("abc") NEWLINE ELSE INT(-5,99) NEWLINE END',
];

/** Answers of grammars that are not known to be as printed, because a regular expression or whitespace may belong to others. */
const UNSURE_ANSWERS = [
  ['REGEX("[a-z]+") NEWLINE', 'abc\n'],
  ['IF(MATCH("a")) STRING("abc") ELSE INT(-5,99) END NEWLINE', 'abc\n'],
  ['WHILE(!ISEOF) INT(-5,99) NEWLINE END', '1\n'],
  ['INT(-5,99) SPACE NEWLINE', '1 \n'],
  ['SPACE INT(-5,99) NEWLINE', ' 1\n'],
] as const;

const grammarFormat = (grammar: string) => new GrammarAnswerFormat(parseGrammar(grammar, 'a.ctd'), false);
const FORMATS: readonly (readonly [string, AnswerFormat])[] = [
  ...Object.entries(TREES).map(([name, tree]) => [name, new TreeAnswerFormat(tree)] as const),
  ...GRAMMARS.map((grammar) => [grammar, grammarFormat(grammar)] as const),
];

/** Reads an output answer by answer, and prints the answers. Returns null if an answer is malformed. */
function readAndPrint(format: AnswerFormat, bytes: Uint8Array): { text: string; answers: number } | null {
  const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  const out = new ByteWriter();
  let answers = 0;
  while (format.find(bytes, extent.end, bytes.length, true, extent, null)) {
    const answer = format.parse(bytes, extent, null);
    if (answer === null) return null;
    format.print(answer, ++answers, out);
  }
  return { text: Buffer.from(out.take()).toString('latin1'), answers };
}

const piece = fc.constantFrom(
  '1',
  '23',
  'abc',
  'ERROR',
  'E',
  ' ',
  '  ',
  '\n',
  '\n',
  '\n',
  '\t',
  '\r\n',
  '\0',
  'ä',
  '\x7f',
);
const output = fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join(''), 'latin1'));
const plainLine = fc.array(fc.constantFrom('1', '-2', 'abc', 'WIN'), { minLength: 1, maxLength: 3 });
const plainOutput = fc
  .array(plainLine, { maxLength: 5 })
  .map((lines) => Buffer.from(lines.map((line) => `${line.join(' ')}\n`).join('')));

test.each(FORMATS)('%s', (_, format) => {
  let asPrinted = 0;
  const check = (bytes: Buffer, wanted: number) => {
    const read = readAndPrint(format, bytes);
    const answers = read?.answers ?? wanted;
    if (format.isAsPrinted!(bytes, answers)) {
      asPrinted++;
      expect(read).toEqual({ text: bytes.toString('latin1'), answers });
    }
    expect(format.isAsPrinted!(bytes, answers + 1)).toBe(false);
  };
  fc.assert(fc.property(fc.oneof(output, plainOutput), fc.nat(4), check), { numRuns: runs(2000) });
  expect(asPrinted).toBeGreaterThan(runs(20));
});

test.each(UNSURE_ANSWERS)('%s is never as printed', (grammar, text) => {
  expect(grammarFormat(grammar).isAsPrinted(Buffer.from(text), 1)).toBe(false);
});

test('an answer that needs its case is never as printed', () => {
  const format = new GrammarAnswerFormat(parseGrammar('INT(0,9) NEWLINE', 'a.ctd'), true);
  expect(format.isAsPrinted(Buffer.from('1\n'), 1)).toBe(false);
});

const number = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }));
const ints: readonly [string, AnswerTree][] = [
  ['an integer', int(null, null)],
  ['an integer from -7 to 40', int(-7, 40)],
  ['an integer of at least 3', int(3, null)],
];

test.each([...Object.entries(TREES), ['a word', WORD] as const, ...ints])(
  'a printed answer: %s',
  (_, tree) => {
    const format = new TreeAnswerFormat(tree);
    let plain = 0;
    const check = (text: string) => {
      const fast = format.readPlain(text);
      if (fast === null) return;
      plain++;
      expect(fast).toEqual({ ...readOne(format, text), printed: text });
    };
    const line = plainLine.map((tokens) => tokens.join(' '));
    const small = fc.integer({ min: -50, max: 50 }).map(String);
    const text = fc.oneof(
      fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('')),
      line,
      line.map((each) => `${each}\n`),
      fc
        .tuple(fc.constantFrom('', '', '0', '+', '-', '-0', ' '), fc.oneof(number.map(String), small))
        .map((all) => all.join('')),
    );
    fc.assert(fc.property(text, check), { numRuns: runs(2000) });
    expect(plain).toBeGreaterThan(runs(20));
  },
);

test.each(FIELDS)('the texts of other fields as an answer of the kind %s', (_, tree, texts) => {
  const format = new TreeAnswerFormat(tree);
  for (const text of [...texts, ...FIELDS.flatMap(([, , others]) => others)]) {
    for (const printed of [text, `${text}\n`, `${text}0`, ` ${text}`, `${text}zz`]) {
      const fast = format.readPlain(printed);
      if (fast !== null) expect(fast, printed).toEqual({ ...readOne(format, printed), printed });
    }
  }
});

/** Reads a printed answer with the code for any answer; null if it is not exactly one answer. */
function readOne(format: TreeAnswerFormat, text: string): object | null {
  const bytes = Buffer.from(text.endsWith('\n') ? text : `${text}\n`);
  const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  if (!format.find(bytes, 0, bytes.length, true, extent, null)) return null;
  return format.isOver(bytes, extent.end) ? format.parse(bytes, extent, null) : null;
}

test('the fast look says no where an answer is more or something else than plain lines', () => {
  const text = Buffer.from('ab\n');
  expect(new TreeAnswerFormat(words('1')).isAsPrinted(text, 1)).toBe(true);
  for (const tree of [
    words('1', 'xyz'),
    int(null, null),
    words('n'),
    words('0'),
    { label: 'Case #', body: null },
    { label: null, body: null },
    { label: null, body: { kind: 'line', mayBeEmpty: true } },
  ] satisfies AnswerTree[])
    expect(new TreeAnswerFormat(tree).isAsPrinted(text, 1), JSON.stringify(tree)).toBe(false);
});
