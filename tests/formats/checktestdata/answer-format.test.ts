import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../../src/core/bytes.js';
import type { AnswerExtent, AnswerScope } from '../../../src/formats/answer-format.js';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';
import { GrammarAnswerFormat } from '../../../src/formats/checktestdata/reading/answer-format.js';
import type { CaseOfGrammar } from '../../../src/formats/checktestdata/reading/grammar-format.js';

const GRAMMAR =
  'IF(MATCH("N")) STRING("NO") ELSE STRING("YES") NEWLINE REP(n,SPACE) INT(1,k) END END NEWLINE';

function scopeOf(n: number): AnswerScope<CaseOfGrammar> {
  return { value: { bytes: new Uint8Array(0), variables: { n } }, head: { k: 9, n: 1 } };
}

/** Reads one answer for each scope; the bytes arrive `piece` at a time. Null stands for a malformed answer. */
function answers(
  grammar: string,
  output: string,
  counts: readonly number[],
  piece: number,
): (string | null)[] {
  const format = new GrammarAnswerFormat(parseGrammar(grammar, 'answer.ctd'), true);
  const bytes = new Uint8Array(Buffer.from(output));
  const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  const found: (string | null)[] = [];
  let end = Math.min(piece, bytes.length);
  for (const n of counts) {
    const from: number = extent.end;
    let result = format.find(bytes, from, end, end === bytes.length, extent, scopeOf(n));
    while (result === null) {
      end = Math.min(bytes.length, end + piece);
      result = format.find(bytes, from, end, end === bytes.length, extent, scopeOf(n));
    }
    if (!result) break;
    found.push(format.parse(bytes, extent, scopeOf(n))?.text ?? null);
  }
  return found;
}

describe.each([1, 4, 1000])('%d bytes at a time', (piece) => {
  test('answers whose length the case decides', () => {
    expect(answers(GRAMMAR, 'YES\n1 2 3\nNO\nYES\n9\n', [3, 5, 1], piece)).toEqual([
      'YES\n1 2 3',
      'NO',
      'YES\n9',
    ]);
  });

  test('other whitespace', () => {
    expect(answers(GRAMMAR, '\r\n YES \r\n\r\n1  2\r\n\nNO', [2, 5], piece)).toEqual(['YES\n1 2', 'NO']);
  });

  test('a malformed answer ends with its line', () => {
    expect(answers(GRAMMAR, 'YES\n1 99 3\nNO\n', [3, 1], piece)).toEqual([null, 'NO']);
    expect(answers(GRAMMAR, 'MAYBE so\nNO\n', [3, 1], piece)).toEqual([null, 'NO']);
    expect(answers(GRAMMAR, 'YES\n1', [2, 1], piece)).toEqual([null]);
  });

  test('an answer without text, where the grammar accepts it', () => {
    const lines = 'REP(n) INT(0,99) NEWLINE END';
    expect(answers(lines, '\n1\n2\n\n3\n\n', [0, 2, 0, 1, 0, 0], piece)).toEqual([
      '',
      '1\n2',
      '',
      '3',
      '',
      '',
    ]);
    expect(answers('REP(n,SPACE) INT(0,99) END NEWLINE', '\n1 2\n\n', [0, 2, 0], piece)).toEqual([
      '',
      '1 2',
      '',
    ]);
    expect(answers(lines, '1\n', [1, 2], piece)).toEqual(['1']);
    expect(answers(lines, 'x\n1\n', [0, 1, 1], piece)).toEqual(['', null, '1']);
  });

  test('lines that may be blank are counted', () => {
    const lines = 'REP(n) REGEX("[a-z ]*") NEWLINE END';
    expect(answers(lines, '\nq\nx\n\nz\n', [2, 3], piece)).toEqual(['\nq', 'x\n\nz']);
    expect(answers(lines, 'q\nx\n\n\nz\n', [2, 3], piece)).toEqual(['q\nx', '\n\nz']);
    expect(answers(lines, '\n\n', [1, 0, 1, 1], piece)).toEqual(['', '', '']);
    expect(answers(lines, ' a\nb \n\n', [1, 2], piece)).toEqual([' a', 'b \n']);
    expect(answers(lines, 'a\n1\nb\n', [1, 1, 1], piece)).toEqual(['a', null, 'b']);
    expect(answers(lines, 'a1\nb\n', [2, 1], piece)).toEqual([null, 'b']);
    expect(answers('REGEX("[^\\n]*") NEWLINE', '\r\na\n\n', [1, 1, 1, 1], piece)).toEqual(['\r', 'a', '']);
    expect(answers('REGEX("[a-z]*") NEWLINE', 'ab \t\r\n \n', [1, 1], piece)).toEqual(['ab', '']);
    expect(answers('NEWLINE REGEX("[ab]*") NEWLINE', '\nb\n\n\n', [1, 1, 1], piece)).toEqual(['\nb', '\n']);
    const words = 'REP(n-1,SPACE) STRING("x") END NEWLINE REGEX("[ab]*") NEWLINE';
    expect(answers(words, '\nb\nx x\n\n\na\n', [1, 3, 1], piece)).toEqual(['\nb', 'x x\n', '\na']);
    const rest = 'INT(0,9) NEWLINE REGEX("[a-z]*") NEWLINE';
    expect(answers(rest, '\n1\n\n\n2\nb\n3', [1, 1, 1], piece)).toEqual(['1\n', '2\nb', '3\n']);
  });

  test('an answer without text does not hide that one is missing', () => {
    expect(answers('WHILE(!ISEOF) REGEX("x[0-9]") NEWLINE END', 'x1\nx2\n', [1, 1], piece)).toEqual([
      'x1\nx2',
    ]);
    expect(answers('WHILE(MATCH("x")) REGEX("x[0-9]") NEWLINE END', 'x1\nx2\ny\n', [1, 1], piece)).toEqual([
      'x1\nx2',
      null,
    ]);
    expect(answers('REGEX("[a-z]*")', 'a\n', [1, 1], piece)).toEqual(['a']);
    const unlessTwo = 'IF(n==2) WHILE(!MATCH("0")) INT(1,9) NEWLINE END INT(0,0) NEWLINE END';
    expect(answers(unlessTwo, '1\n4\n0\n0\n', [1, 2, 1, 2, 1], piece)).toEqual(['', '1\n4\n0', '', '0', '']);
    expect(answers('REGEX("[a-z]*") NEWLINE', 'a\n', [1, 1], piece)).toEqual(['a']);
  });

  test('an EOF at the end of the grammar is the end of the answer', () => {
    expect(answers('INT(0,99) NEWLINE EOF', '1\n2\n', [1, 1], piece)).toEqual(['1', '2']);
  });
});

test('an answer keeps its bytes, whatever they are', () => {
  const format = new GrammarAnswerFormat(parseGrammar('REGEX(".*") NEWLINE', 'answer.ctd'), false);
  const bytes = Buffer.from('\xff\xc3\xbf x\n', 'latin1');
  const extent = { start: 0, bodyStart: 0, end: bytes.length, caseNumber: null };
  const out = new ByteWriter();
  format.print(format.parse(bytes, extent, null)!, 1, out);
  expect(Buffer.from(out.take())).toEqual(bytes);
});

test('prints an answer with a line end', () => {
  const out = new ByteWriter();
  new GrammarAnswerFormat(parseGrammar(GRAMMAR, 'answer.ctd'), true).print(
    { text: 'YES\n1 ä', isNothing: false },
    1,
    out,
  );
  expect(Buffer.from(out.take()).toString()).toBe('YES\n1 ä\n');
  new GrammarAnswerFormat(parseGrammar(GRAMMAR, 'answer.ctd'), true).print(
    { text: '', isNothing: true },
    1,
    out,
  );
  expect(out.take()).toHaveLength(0);
});
