import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../../src/core/bytes.js';
import { scanIntoChunks } from '../../../src/engine/cut/scan.js';
import type { GrammarOptions } from '../../../src/formats/checktestdata/cases/cases.js';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';
import { GrammarInputFormat } from '../../../src/formats/checktestdata/reading/grammar-format.js';
import { inPieces } from '../../support/scanning.js';
import { scanAll } from './scan-all.js';

const ARRAYS = `
INT(1,100,t) NEWLINE
REP(t)
  INT(1,1000,n) NEWLINE
  REPI(i,n,SPACE) INT(-9,9,a[i]) END NEWLINE
END`;

function formatOf(text: string, options: GrammarOptions = { multitest: true }): GrammarInputFormat {
  return new GrammarInputFormat(parseGrammar(text, 'test.ctd'), options);
}

/** The cases as text. Checks that the number of bytes that arrive at a time changes nothing. */
function casesOf(format: GrammarInputFormat, input: string): (string | null)[] {
  const whole = scanAll(format, input);
  for (const piece of [1, 2, 3, 7]) expect(scanAll(format, input, piece)).toEqual(whole);
  return whole.cases.map((value) => (value === null ? null : Buffer.from(value.bytes).toString('latin1')));
}

/** The cases as text, from the scanner of the engine. The input arrives in pieces of `pieceBytes` bytes. */
async function casesInPieces(
  format: GrammarInputFormat,
  input: string,
  pieceBytes: number,
): Promise<string[]> {
  const parser = format.createParser();
  const cases: string[] = [];
  const pieces = inPieces(Buffer.from(input), pieceBytes);
  const settings = { onError: 'stop', chunkBytes: () => 2, hash: null, startPosition: null } as const;
  for await (const item of scanIntoChunks(pieces, { inputFormat: format, ...settings })) {
    if (item.kind === 'end') {
      expect(item.fault).toBeNull();
      continue;
    }
    parser.useHead(item.head);
    for (let i = 0; i + 1 < item.starts.length; i++)
      cases.push(
        Buffer.from(parser.parse(item.bytes, item.starts[i], item.starts[i + 1], null)!.bytes).toString(),
      );
  }
  return cases;
}

function printed(write: (out: ByteWriter) => void): string {
  const out = new ByteWriter();
  write(out);
  return Buffer.from(out.take()).toString('latin1');
}

describe('cases of a REP whose count the head reads', () => {
  const format = formatOf(ARRAYS);

  test('cuts an input in canonical layout at its cases', () => {
    expect(casesOf(format, '2\n3\n1 2 3\n1\n-4\n')).toEqual(['3\n1 2 3\n', '1\n-4\n']);
    const scanned = scanAll(format, '2\n3\n1 2 3\n1\n-4\n');
    expect(scanned).toMatchObject({ announced: 2, headValue: { t: 2 }, rest: '' });
    expect(scanned.cases[0]!.variables).toEqual({ t: 2, n: 3, i: 3 });
    expect(format.ending).toBe('counted');
  });

  test('reads a byte order mark before the head, and before the first case if there is no head', () => {
    const mark = '\u00ef\u00bb\u00bf';
    expect(casesOf(format, `${mark}1\n1\n-4\n`)).toEqual(['1\n-4\n']);
    expect(casesOf(formatOf('WHILE(!ISEOF) INT(1,9) NEWLINE END'), `${mark}5\n6\n`)).toEqual(['5\n', '6\n']);
    expect(casesOf(formatOf('INT(1,9) NEWLINE', {}), `${mark}5\n`)).toEqual(['5\n']);
  });

  test('reads CRLF, extra whitespace, blank lines, and a missing line end at the end', () => {
    const input = '\r\n 2 \r\n\r\n  3\r\n\t1   2\r\n3 \r\n\r\n1\r\n-4';
    expect(casesOf(format, input)).toEqual(['3\n1 2 3\n', '1\n-4\n']);
  });

  test('does not enforce the bounds of the number of cases', () => {
    expect(scanAll(format, `200\n${'1\n1\n'.repeat(200)}`)).toMatchObject({ announced: 200, faults: [] });
  });

  test('reports the first fault of a case, and finds the next case', () => {
    const input = '4\n2\n1 x\n1\n1\n2\n1 10\n1\n5\n';
    expect(casesOf(format, input)).toEqual([null, '1\n1\n', null, '1\n5\n']);
    expect(scanAll(format, input).faults).toEqual([
      { offset: 6, expected: 'an integer from -9 to 9 (a)', got: '"x"' },
      { offset: 16, expected: 'an integer from -9 to 9 (a)', got: '"10"' },
    ]);
  });

  test('prints the head with another number of cases, and the smallest head', () => {
    expect(printed((out) => format.printHead(Buffer.from('57'), 3, out))).toBe('3\n');
    expect(printed((out) => format.printHead(null, 4, out))).toBe('4\n');
    expect(printed((out) => format.printTail(null, out))).toBe('');
  });

  test('keeps the other tokens of the head', () => {
    const head = formatOf(
      'REGEX("[a-z]+",s) SPACE INT(1,9,t) NEWLINE INT(0,5,k) NEWLINE REP(t) INT(0,k) NEWLINE END',
    );
    const { head: bytes, headValue } = scanAll(head, 'abc   2\r\n\r\n5\n1\n2\n');
    expect(headValue).toEqual({ t: 2, k: 5 });
    expect(printed((out) => head.printHead(bytes, 12, out))).toBe('abc 12\n5\n');
    expect(printed((out) => head.printHead(null, 7, out))).toMatch(/^[a-z] 7\n0\n$/);
  });
});

describe('cases that depend on their number in the input', () => {
  const growing = formatOf('INT(1,99,t) NEWLINE REPI(i,t) REP(i+1,SPACE) INT(0,9) END NEWLINE END');

  test('have the index of their iteration', () => {
    expect(casesOf(growing, '3\n5\n5 6\n5 6 7\n')).toEqual(['5\n', '5 6\n', '5 6 7\n']);
    expect(casesOf(growing, '3\n5\nx 6\n5 6 7\n')).toEqual(['5\n', null, '5 6 7\n']);
    const numbered = formatOf(
      'INT(1,99,t) NEWLINE REPI(c,t) STRING("Case ") INT(c+1,c+1) NEWLINE END STRING("=") INT(c,c) NEWLINE',
    );
    expect(scanAll(numbered, '2\nCase 1\nCase 2\n=2\n')).toMatchObject({ faults: [], rest: '' });
    expect(scanAll(numbered, '2\nCase 2\nCase 2\n=2\n').faults).toMatchObject([{ offset: 7 }]);
  });

  test('are read up to a condition on the index', () => {
    const three = formatOf('WHILEI(i,i<3) INT(i,9) NEWLINE END');
    expect(scanAll(three, '0\n1\n2\n3\n')).toMatchObject({ cases: [{}, {}, {}], faults: [], rest: '3\n' });
    const terminated = formatOf('WHILEI(i,i<1||n>0) INT(0,9,n) NEWLINE END');
    expect(scanAll(terminated, '5\n0\n7')).toMatchObject({ cases: [{}], rest: '7' });
    expect(scanAll(terminated, '0\n7')).toMatchObject({ cases: [], rest: '7' });
  });

  test.each([1, 4, 1000])('are cut in the same way into chunks of %i bytes', async (chunkBytes) => {
    const input = Buffer.from('4\n5\n5 6\n5 6 7\n5 6 7 8\n');
    const options = { inputFormat: growing, onError: 'stop', hash: null, startPosition: null } as const;
    const parser = growing.createParser();
    const texts: string[] = [];
    for await (const item of scanIntoChunks(inPieces(input, 3), {
      ...options,
      chunkBytes: () => chunkBytes,
    })) {
      if (item.kind === 'end') expect(item.fault).toBeNull();
      else {
        parser.useHead(item.head);
        for (let i = 0; i + 1 < item.starts.length; i++) {
          parser.useIndex?.(item.firstCase - 1 + i);
          const value = parser.parse(item.bytes, item.starts[i], item.starts[i + 1], null);
          texts.push(Buffer.from(value?.bytes ?? '').toString());
        }
      }
    }
    expect(texts).toEqual(['5\n', '5 6\n', '5 6 7\n', '5 6 7 8\n']);
  });
});

describe('the search for the next case after a bad one', () => {
  const letters = formatOf(
    'WHILE(!ISEOF) STRING("(") NEWLINE WHILE(!MATCH(")")) REGEX("[a-c(]") NEWLINE END STRING(")") NEWLINE END',
  );

  test('does not try each line up to the end of a long bad case', () => {
    const scanner = letters.createScanner();
    const bytes = new Uint8Array(Buffer.from(`x\n${'(\n'.repeat(10_000)}`));
    const search = { at: 1, isInsideToken: false };
    scanner.readHead(bytes, bytes.length, false);
    expect(scanner.findNextCase(bytes, 1025, false, search)).toBe(false);
    expect(scanner.findNextCase(bytes, 1026, false, search)).toBe(true);
    expect(search.at).toBe(2);
  });

  test('takes linear time if each line could begin a case that is bad only at its end', () => {
    const block = `${'(\n'.repeat(20_000)}x\n`;
    const input = `x\n${block.repeat(3)}(\na\n)\n`;
    const { cases, faults } = scanAll(letters, input);
    expect(cases.map((found) => found !== null)).toEqual([false, false, false, false, true]);
    expect(faults).toHaveLength(4);
  });

  test('passes over a line whose case would take many steps', () => {
    const slow = formatOf('WHILE(!ISEOF) REP(400000) ASSERT(1==1) END REGEX("[a-c]") NEWLINE END');
    expect(nextCaseIn(slow, 'x\na\nb\n')).toBe(6);
    expect(
      nextCaseIn(formatOf('WHILE(!ISEOF) REP(400) ASSERT(1==1) END REGEX("[a-c]") NEWLINE END'), 'x\na\nb\n'),
    ).toBe(2);
  });

  /** Returns the index of the next case after a bad one at the start of the text. */
  function nextCaseIn(format: GrammarInputFormat, text: string): number {
    const bytes = new Uint8Array(Buffer.from(text));
    const search = { at: 0, isInsideToken: false };
    expect(format.createScanner().findNextCase(bytes, bytes.length, true, search)).toBe(true);
    return search.at;
  }
});

describe('other layouts', () => {
  test('cases up to a terminator, which the body reads', () => {
    const format = formatOf(
      'SET(n=1) WHILE(n>0) INT(0,9,n) NEWLINE IF(n>0) REP(n,SPACE) INT(0,9) END NEWLINE END END',
    );
    expect(format.ending).toBe('until-terminator');
    expect(format.terminator).toBe('"0"');
    expect(casesOf(format, '2\n1 2\n1\n7\n0\n')).toEqual(['2\n1 2\n', '1\n7\n']);
    expect(scanAll(format, '2\n1 2\n0\n9').rest.trim()).toBe('9');
    expect(printed((out) => format.printTail(null, out))).toBe('0\n');
  });

  test('cases up to the end of the input', () => {
    const format = formatOf('WHILE(!ISEOF) INT(1,9,n) SPACE REP(n,SPACE) REGEX("[a-z]+") END NEWLINE END');
    expect(format.ending).toBe('until-end');
    expect(casesOf(format, '2 ab c\n1 d\n\n')).toEqual(['2 ab c\n', '1 d\n']);
  });

  test('a MATCH that ends the loop of the cases', () => {
    const format = formatOf('WHILE(!MATCH("#")) INT(1,9) NEWLINE END STRING("#") NEWLINE');
    expect(casesOf(format, '1\n2\n#\n')).toEqual(['1\n', '2\n']);
    expect(printed((out) => format.printTail(null, out))).toBe('#\n');
  });

  test('a file that is one case', () => {
    const format = formatOf(ARRAYS, {});
    expect(format.ending).toBe('single');
    expect(casesOf(format, '2\n1\n1\n1\n-4\n\n')).toEqual(['2\n1\n1\n1\n-4\n']);
    expect(scanAll(format, '2\n1\n1\n').faults).toHaveLength(1);
  });

  test('another loop as the cases', () => {
    const two =
      'INT(1,9,t) NEWLINE REP(t) INT(1,9) NEWLINE END INT(1,9,u) NEWLINE REP(u) INT(0,1) NEWLINE END';
    expect(casesOf(formatOf(two, { multitest: true, casesLoop: 1 }), '2\n1\n2\n1\n1\n')).toEqual([
      '1\n',
      '2\n',
    ]);
    expect(casesOf(formatOf(two), '2\n1\n2\n1\n1\n')).toEqual(['1\n']);
    expect(() => formatOf(two, { multitest: true, casesLoop: 3 })).toThrow(
      '--cases-loop 3: there are 2 loops at the top level',
    );
    expect(() => formatOf('INT(1,9,n) NEWLINE')).toThrow(
      /expected a loop at the top level.*without `--multitest`, the whole input is one case/,
    );
  });

  test('cases on one line', () => {
    const format = formatOf('INT(1,9,t) NEWLINE REP(t,SPACE) INT(1,99) END NEWLINE');
    expect(casesOf(format, '3\n10 2 33\n')).toEqual(['10', '2', '33']);
  });

  test('lines whose first letters are whitespace', () => {
    const format = formatOf('INT(1,9,t) NEWLINE REP(t) REP(2) REGEX("[ #]{3}") NEWLINE END END');
    expect(casesOf(format, '2\n  #\n#  \n # \n   \n')).toEqual(['  #\n#  \n', ' # \n   \n']);
    expect(casesOf(format, '2\r\n  #\r\n#  \r\n\r\n # \r\n## \r\n')).toEqual(['  #\n#  \n', ' # \n## \n']);
  });

  test.each([
    ['WHILE(!ISEOF) REGEX("[a-z ]{1,3}") NEWLINE END', 'ab\n   \nc\n \n', ['ab\n', '   \n', 'c\n', ' \n']],
    ['WHILE(!ISEOF) REGEX("[a-z ]{1,3}") NEWLINE END', 'ab\n\n\nc\r\n\n\n', ['ab\n', 'c\n']],
    ['WHILE(!ISEOF) REGEX("[a-z]*") NEWLINE END', '\nab\n\nc\n\n', ['\n', 'ab\n', '\n', 'c\n', '\n']],
    ['INT(1,9,t) NEWLINE REP(t) REGEX("[a-z ]*") NEWLINE END', '4\n\n \nx\n\n', ['\n', ' \n', 'x\n', '\n']],
    ['INT(1,9,t) NEWLINE REP(t) REGEX("[a-z ]+") NEWLINE END EOF', '2\n\n \nx\n\n', [' \n', 'x\n']],
  ])('lines of which some are blank, wherever a piece ends: %s on %j', async (grammar, text, cases) => {
    expect(casesOf(formatOf(grammar), text)).toEqual(cases);
    for (let size = 1; size <= text.length; size++)
      expect(await casesInPieces(formatOf(grammar), text, size)).toEqual(cases);
  });

  test('every line, if any line may be a case', async () => {
    const format = formatOf('WHILE(!ISEOF) REGEX("[a ]*") NEWLINE END');
    const line = fc.string({ unit: fc.constantFrom('a', ' '), maxLength: 3 }).map((text) => `${text}\n`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1 }),
        fc.integer({ min: 1, max: 9 }),
        async (lines, size) => {
          expect(await casesInPieces(format, lines.join(''), size)).toEqual(lines);
        },
      ),
    );
  });

  test('lines whose length a MATCH decides', () => {
    const format = formatOf('INT(1,9,t) NEWLINE REP(t) WHILE(!MATCH("\\n"),SPACE) INT(0,99) END NEWLINE END');
    expect(casesOf(format, '3\n1 2 3\n4\n5 6\n')).toEqual(['1 2 3\n', '4\n', '5 6\n']);
    expect(casesOf(format, '3\r\n1  2 3 \r\n4\r\n5 6')).toEqual(['1 2 3\n', '4\n', '5 6\n']);
  });

  test('a case that ends where the next one begins differently', () => {
    const format = formatOf(
      'INT(1,9,t) NEWLINE REP(t) STRING("#") NEWLINE WHILE(MATCH("0123456789")) INT(0,99) NEWLINE END END',
    );
    expect(casesOf(format, '3\n#\n1\n2\n#\n#\n3\n')).toEqual(['#\n1\n2\n', '#\n', '#\n3\n']);
    const other = formatOf(
      'INT(1,9,t) NEWLINE REP(t) STRING("#") NEWLINE WHILE(!MATCH("#") && 1==1) INT(0,99) NEWLINE END END',
    );
    expect(casesOf(other, '2\n#\n1\n2\n#\n')).toHaveLength(2);
  });
});

describe('grammars that only validate can use', () => {
  const messageOf = (text: string, options: GrammarOptions = { multitest: true }) => {
    try {
      formatOf(text, options).assertUsable();
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('are refused with the place that needs another case', () => {
    expect(messageOf('INT(1,9,t) NEWLINE REP(t) INT(1,k) NEWLINE END')).toContain('to set k before this');
    for (const loop of ['WHILE(n != 0)', 'WHILEI(i, n != i)', 'WHILE(!ISEOF && n > 1)', 'REP(n)'])
      expect(messageOf(`INT(1,9,k) NEWLINE ${loop} INT(0,k,n) NEWLINE END`)).toContain(
        'to set n before this',
      );
    expect(messageOf('INT(1,9,k) NEWLINE WHILEI(i, i < k) INT(0,k,n) NEWLINE END')).toBeNull();
    expect(
      messageOf('INT(0,9,n) NEWLINE WHILE(n>0) REP(n) INT(0,9) NEWLINE END INT(0,9,n) NEWLINE END'),
    ).toContain('expected this not to depend on the n that an earlier case may have set');
    expect(messageOf('INT(1,9,t) NEWLINE REP(t,STRING(",")) INT(1,9) END NEWLINE')).toContain(
      'SPACE or NEWLINE',
    );
    for (const separator of ['SPACE', 'NEWLINE'])
      expect(messageOf(`INT(1,9,t) NEWLINE REP(t,${separator}) INT(1,9) END NEWLINE`)).toBeNull();
    expect(messageOf('REP(5) SET(a=1) END')).toContain('reads something');
    expect(messageOf('REP(5) SET(a=1) END')).toMatch(
      /only validate can use this grammar, and without it every command can, which takes the whole input as one case$/,
    );
  });

  const T = 'INT(1,9,t) NEWLINE';
  test.each([
    ['an IF', `SET(s=0) ${T} REP(t) INT(1,5,n) NEWLINE SET(s=s+n) IF(s>6) INT(1,2) NEWLINE END END`],
    ['a count', `SET(k=0) ${T} REP(t) SET(k=k+1) REP(k,SPACE) INT(1,9) END NEWLINE END`],
    ['a text', `SET(k="a") ${T} REP(t) STRING(k) NEWLINE SET(k="b") END`],
    [
      'a copy',
      `SET(s=0) ${T} REP(t) INT(1,5,n) SET(s=s+n) SET(c=s*2) SET(d=c) WHILE(d>9) INT(1,2,d) END NEWLINE END`,
    ],
    [
      'an inner loop',
      `SET(s=0,c=0) ${T} REP(t) SET(c=1) REP(2) REP(c) INT(1,5,n) NEWLINE END SET(c=s) END SET(s=n) END`,
    ],
    [
      'a branch',
      `SET(k=1) ${T} REP(t) INT(0,1,b) IF(b==1) SET(k=2) END REP(k) SPACE INT(1,9) END NEWLINE END`,
    ],
    [
      'an index',
      `SET(a[0]=1,k=0) ${T} REP(t) INT(1,9,a[k]) REP(a[0]) SPACE INT(1,9) END NEWLINE SET(k=k+1) END`,
    ],
    ['an element', `SET(a[0]=1,a[1]=2) ${T} REP(t) INT(0,9,a[0]) REP(a[1]) SPACE INT(1,9) END NEWLINE END`],
    ['the end of the loop', `${T} SET(k=0) WHILE(k<t) INT(1,9) NEWLINE SET(k=k+1) END`],
    ['the end of the loop, by a copy', 'SET(w=0) WHILE(w<3) INT(1,3,x) NEWLINE SET(w=x) END'],
    ['a terminator', 'SET(n=1,m=1) WHILE(n+m>0) INT(0,9,n) IF(n>0) SPACE INT(0,9,m) END NEWLINE END'],
    ['a place', `SET(k=0) ${T} REP(t) INT(1,9,a[k]) REP(a[0]) SPACE INT(1,9) END NEWLINE SET(k=k+1) END`],
    ['the tail', `SET(s=0) ${T} REP(t) INT(1,9,n) NEWLINE SET(s=s+n) END STRING("=") INT(s,s) NEWLINE`],
    ['what it takes away', `SET(k=2) ${T} REP(t) INT(1,k,n) NEWLINE UNSET(k) END`],
    ['bounds of what a case reads', `SET(u=1) ${T} REP(t) INT(u,100,u) NEWLINE END`],
  ])('are refused if %s depends on an earlier case', (_, text) => {
    expect(messageOf(text)).toMatch(
      /^test\.ctd:1:\d+: expected this not to depend on the [a-z] that an earlier/,
    );
  });

  test.each([
    [
      'a sum that is asserted',
      `SET(s=0) ${T} REP(t) INT(1,5,n) NEWLINE SET(s=s+n) ASSERT(s<9) END ASSERT(s>1)`,
    ],
    ['what is left', `SET(s=20) ${T} REP(t) INT(1,s,n) NEWLINE SET(s=s-n) END`],
    [
      'both branches',
      `SET(k=1) ${T} REP(t) INT(0,1,b) IF(b==1) SET(k=2) ELSE SET(k=3) END REP(k) SPACE INT(1,9) END NEWLINE END`,
    ],
    ['UNSET', `SET(a[0]=1) ${T} REP(t) UNSET(a) INT(1,9,a[0]) REP(a[0]) SPACE INT(1,9) END NEWLINE END`],
    [
      'the same index',
      `REPI(i,2) INT(1,9) NEWLINE END ${T} REP(t) REPI(i,2) REP(i) SPACE END INT(1,9) END NEWLINE END`,
    ],
    [
      'a name of the head that is read first',
      `INT(1,9,n) NEWLINE ${T} REP(t) INT(1,9,n) REP(n) SPACE INT(1,9) END NEWLINE END`,
    ],
    ['a value of the head', `INT(1,9,n) NEWLINE ${T} REP(t) REP(n) INT(1,9) SPACE END NEWLINE END`],
  ])('are not those with %s', (_, text) => {
    expect(messageOf(text)).toBeNull();
  });

  test('are used if an input is one case, which runs in order', () => {
    expect(messageOf('INT(1,9,t) NEWLINE REP(t,STRING(",")) INT(1,9,k) END NEWLINE INT(1,k)', {})).toBeNull();
  });

  test('are used if they only count cases, or check assertions in the tail', () => {
    expect(messageOf(ARRAYS)).toBeNull();
    expect(messageOf(`SET(sum=0) ${ARRAYS} ASSERT(sum<=100)`)).toBeNull();
    expect(messageOf('INT(1,9,t) NEWLINE REPI(c,t) INT(1,9,x[c]) NEWLINE END ASSERT(UNIQUE(x))')).toBeNull();
  });
});

describe('bad grammars and inputs do not hang', () => {
  test('an iteration that reads nothing is a fault', () => {
    const format = formatOf('INT(1,9,t) NEWLINE REP(t) REGEX("[a-z]*") END');
    expect(scanAll(format, '2\n5 6\n').faults[0].expected).toBe('a case that is not empty');
  });

  test('a loop without end is a fault', () => {
    const format = formatOf('INT(1,9,t) NEWLINE REP(t) INT(0,9) NEWLINE WHILE(1==1) END END');
    expect(scanAll(format, '1\n5\n').faults[0].got).toBe('more steps');
  });

  test.each([
    ['an exponent', 'SET(x=1^(2^330000))'],
    ['an index', 'SET(x=2^330000,a[0]=1) ASSERT(a[x]==1)'],
    ['a number', 'ASSERT(2^330000==1)'],
    ['a text', `STRING("${'a'.repeat(1000)}")`],
  ])('a message shows the beginning of a long value: %s', (_, commands) => {
    const format = formatOf(`INT(1,9,t) NEWLINE REP(t) INT(0,9) NEWLINE ${commands} END`);
    const [{ expected, got }] = scanAll(format, '1\n5\n').faults;
    expect(`${expected} ${got}`.length).toBeLessThan(200);
    expect(got).not.toBe('more steps');
  });

  // step-limits.long.test.ts tries the other values.
  test.each([
    'SET(x=3) REP(60) SET(z=x^200000) END',
    'SET(x=3^200000,y=3^200000) REP(5000) IF(x==y) SET(q=1) END END',
  ])('the size of a value counts as steps: %s', (commands) => {
    const format = formatOf(`INT(1,9,t) NEWLINE REP(t) INT(0,9) NEWLINE ${commands} END`);
    expect(scanAll(format, '1\n5\n').faults[0]?.got).toBe('more steps');
  });

  test('an error of the grammar in a case is a fault with its place in the grammar', () => {
    const format = formatOf('INT(1,9,t) NEWLINE REP(t) INT(0,9,a) NEWLINE ASSERT(5/a>0) END');
    expect(scanAll(format, '1\n0\n').faults[0]).toEqual({
      offset: 4,
      expected: 'a number other than 0 after / (test.ctd:1:54)',
      got: '0',
    });
  });

  test('an empty input, and a head that does not match, are faults', () => {
    expect(scanAll(formatOf(ARRAYS), '').headFault).toMatchObject({ offset: 0, got: 'the end of the input' });
    expect(scanAll(formatOf(ARRAYS), 'x').headFault).toMatchObject({ offset: 0, got: '"x"' });
    // Memory of the engine has other bytes after those of the input.
    const memory = new Uint8Array(Buffer.from('\n 12 of another input'));
    expect(formatOf(ARRAYS).createScanner().readHead(memory, 2, true)).toMatchObject({
      offset: 2,
      got: 'the end of the input',
    });
    const scanner = formatOf('REP(1) INT(0,9) NEWLINE END STRING("end")').createScanner();
    scanner.readHead(memory, memory.length, true);
    expect(scanner.findTail(Buffer.from('1\nen of another input'), 2, 4, true, true)).toBe(2);
    expect(scanner.tailFault).toEqual({ offset: 2, expected: '"end"', got: '"en"' });
  });
});
