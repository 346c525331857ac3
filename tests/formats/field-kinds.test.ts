/**
 * What each kind of field looks like, written down: how it is printed, its tokens, its JSON, and its names in messages. The
 * other tests of formats compare parts of boardmill with each other, so that a mistake that all of them share would pass.
 */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../src/core/bytes.js';
import { describeAnswer } from '../../src/formats/answers/answer-descriptions.js';
import { answerToJson } from '../../src/formats/answers/answer-json.js';
import { TreeAnswerFormat } from '../../src/formats/answers/answers.js';
import { TreeCaseSource } from '../../src/formats/cases/draw.js';
import { TreeCaseMeasure } from '../../src/formats/cases/measure-tree.js';
import { simplerTreeCases } from '../../src/formats/cases/shrink.js';
import { describeLayout } from '../../src/formats/language/describe-tree.js';
import { NameScope } from '../../src/formats/language/expression-values.js';
import { formats } from '../../src/formats/language/formats.js';
import { toAnswerTree } from '../../src/formats/language/layouts.js';
import { FieldScope } from '../../src/formats/language/scope.js';
import { countsOfField, hasToken } from '../../src/formats/language/shapes.js';
import { hasTokenInEveryCase } from '../../src/formats/language/takes-token.js';
import type { Field } from '../../src/formats/language/tree.js';
import { copyOfRecord } from '../../src/formats/tree/copy-value.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';
import { tokensOfValue } from '../../src/formats/tree/value-tokens.js';
import { KINDS } from '../support/field-kinds.js';
import { SEED } from '../support/random-tests.js';
import { plain, printInput, readByTree } from '../support/tree-reading.js';

const { counted, int, line, list, many, word } = formats;

describe.each(Object.entries(KINDS))('a field of the kind %s', (kind, row) => {
  const { value, printed, tokens, json, words, beginsWithAny } = row;
  const field = row.field as Field;
  const layout = (fields: Record<string, unknown>) => counted(fields as { f: ReturnType<typeof word> });

  test('has its builder in `formats`', () => {
    expect(field.kind).toBe(kind);
  });

  test('is printed and read as an input has it', () => {
    const fields = { k: int(), f: field, l: int() };
    const given = { k: 7, f: value, l: 8 };
    for (const [input, text] of [
      [layout(fields), printed],
      [counted([fields as never]), row.printedInLine],
    ] as const) {
      const out = new ByteWriter();
      new TreeInputFormat(input).printCase(given, out);
      expect(Buffer.from(out.take()).toString()).toBe(text);
      const [read] = readByTree(input, Buffer.from(`1\n${text}`)).cases;
      expect(plain(read.value)).toEqual(plain(given));
    }
  });

  test('is read as an answer has it', () => {
    expect(answerToJson(field, readAsAnswer(field, printed.slice(1, -2).trim()))).toEqual(json);
  });

  test.each(row.bad)('%j does not take %j, in an input and in an answer', (refusing, text) => {
    const [read] = readByTree(layout({ f: refusing }), Buffer.from(`1\n${text}\n`)).cases;
    expect(read?.value ?? null).toBeNull();
    expect(readAsAnswer(refusing, text)).toBeNull();
  });

  test('has these measures', () => {
    const { numbers } = new TreeCaseMeasure(layout({ f: field }));
    expect(numbers.map(({ name }) => name)).toEqual(row.measured);
  });

  test('has these tokens, this JSON and these words', () => {
    expect([...tokensOfValue(field, value)]).toEqual(tokens);
    expect(answerToJson(field, value)).toEqual(json);
    expect(describeLayout(layout({ f: field })).split('\n')).toContain(`  f  ${words[0]}`);
    expect(describeAnswer(field, new NameScope([], new Map()))).toBe(words[1]);
  });

  test('begins as many records as its first tokens fit', () => {
    const input = layout({ e: list(many, { f: field } as never), end: line() });
    const text = printed.slice(1, -2).trim();
    const [read] = readByTree(input, Buffer.from(`1\n${text}\n${text}\n!\n`)).cases;
    const expected = beginsWithAny ? null : { e: [{ f: value }, { f: value }], end: '!' };
    expect(plain(read.value)).toEqual(plain(expected));
  });

  test('ends as many records of an answer as fit, if what follows is no value of it, such as one out of bounds', () => {
    const single = row.bad.filter(([, text]) => tokens.length === 1 && /^\S+$/.test(text));
    for (const [refusing, text] of single) {
      const answer = { e: list(many, { f: refusing } as never), w: word() };
      expect(plain(readAsAnswer(answer, text))).toEqual({ e: [], w: text });
    }
  });

  test('is drawn with no element that would be read as its end', () => {
    const length = ['count', 'rows'].find((name) => name in field);
    expect(length !== undefined).toBe(countsOfField(field).length > 0);
    if (length === undefined) return;
    const end = { kind: 'until-token', token: tokens[0] };
    const input = layout({ f: { ...field, [length]: end }, l: int(1, 3) });
    const request = { profile: 'random', cases: 50, maxSize: 5 } as const;
    const source = new TreeCaseSource(input, { ...request, seed: `${SEED}` }, () => new Uint8Array());
    const drawn = Array.from({ length: 50 }, (_, index) => source.caseAt(index));
    const read = readByTree(input, printInput(input, drawn)).cases;
    expect(read.map(({ value }) => plain(value))).toEqual(drawn.map(plain));
  });

  test('keeps its value while another field is made simpler', () => {
    const input = layout({ k: int(0, 9), f: field });
    const simpler = [...simplerTreeCases(input, { k: 7, f: value }, {})];
    const kept = simpler.filter(({ f }) => isDeepStrictEqual(plain(f), plain(value)));
    expect(kept.map(({ k }) => k)).toContain(0);
  });

  test('has a value of which a change to a copy is not seen', () => {
    const copy = copyOfRecord({ f: value });
    expect(plain(copy)).toEqual(plain({ f: value }));
    if (typeof value === 'object') expect(copy.f).not.toBe(value);
  });

  test('always has a token, or does not, as two parts of boardmill say', () => {
    const { shape } = layout({ f: field });
    if (countsOfField(field).length > 0) return;
    expect(hasToken(shape)).toBe(hasTokenInEveryCase(shape, new FieldScope(shape.records, null)));
  });
});

/** Reads the text as one answer, which is the field or has the fields; null if it is none. */
function readAsAnswer(answer: unknown, text: string): unknown {
  const format = new TreeAnswerFormat(toAnswerTree(answer, counted({ n: int() })));
  const bytes = Buffer.from(`${text}\n`);
  const extent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  if (!format.find(bytes, 0, bytes.length, true, extent, null)) return null;
  return format.isOver(bytes, extent.end) ? (format.parse(bytes, extent, null)?.value ?? null) : null;
}
