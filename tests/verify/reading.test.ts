/** How `verify` reads inputs and streams of explanations, good and hostile ones. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CaseError } from '../../src/core/errors.js';
import { locationAfter, measureSpan, TEXT_START } from '../../src/core/location.js';
import { type InputLayout, InputReader } from '../../src/verify/input.js';
import { INPUT_LAYOUTS } from '../../src/verify/layouts.js';
import { anyInput, printInput, randomCase, type Style, styleOf } from '../support/inputs.js';
import { readPlainly } from '../support/plain-reader.js';
import { Random } from '../support/random.js';
import { runs } from '../support/random-tests.js';
import { inPieces } from '../support/scanning.js';
import { EXPLAINED_STYLES, explain, verifyText } from './explained.js';

/** Reads all boards with the reader of verify. Returns their cells, and where the first fault is. */
async function readBoards(style: Style, bytes: Uint8Array, pieceBytes: number) {
  const layout: InputLayout = INPUT_LAYOUTS[style.name as keyof typeof INPUT_LAYOUTS];
  const reader = new InputReader('in', inPieces(bytes, pieceBytes), layout);
  const boards: string[] = [];
  try {
    for (let board = await reader.next(); board !== null; board = await reader.next())
      boards.push(board.join('').replaceAll(' ', ''));
    return { boards, fault: null };
  } catch (error) {
    const { case: number, line, column } = error as CaseError;
    expect(error).toBeInstanceOf(CaseError);
    return { boards, fault: { number, line, column } };
  }
}

describe.each(EXPLAINED_STYLES)('the reader of $name', (style) => {
  test.each([
    { what: 'good', damages: 0 },
    { what: 'damaged', damages: 3 },
  ])('agrees with the plain reader on $what inputs in any layout', async ({ damages }) => {
    await fc.assert(
      fc.asyncProperty(
        anyInput(style, damages),
        fc.integer({ min: 1, max: 40 }),
        async (bytes, pieceBytes) => {
          const plain = readPlainly(style, bytes);
          const { boards, fault } = await readBoards(style, bytes, pieceBytes);
          expect(boards).toEqual(plain.cases.map(({ cells }) => cells));
          const place = plain.fault && locationAfter(TEXT_START, measureSpan(bytes, 0, plain.fault.offset));
          expect(fault).toEqual(plain.fault && { number: plain.fault.caseNumber, ...place });
        },
      ),
      { numRuns: runs(75) },
    );
  });
});

describe('a stream of explanations', async () => {
  const style = styleOf('bacterial-tactics');
  const random = new Random(5);
  const cases = Array.from({ length: 4 }, () => randomCase(style, 3, 3, random));
  const input = printInput(style, cases);
  const lines = await Promise.all(
    cases.map(async (plain, i) => JSON.stringify(await explain(style, plain, i + 1))),
  );
  const verify = (text: string, pieceBytes?: number) => verifyText(style.name, input, text, pieceBytes);

  test('may leave out cases, repeat a case, and have blank lines, CRLF, and no last line end', async () => {
    expect(await verify(lines.join('\n'), 7)).toBe(4);
    expect(await verify(`\ufeff${lines[1]}\r\n \n\n${lines[3]}\n`)).toBe(2);
    expect(await verify(`${lines[2]}\n${lines[2]}\n`)).toBe(2);
  });

  test('whose cases are out of order is refused', async () => {
    expect(await verify(`${lines[2]}\n${lines[0]}\n`)).toBe(
      'BoardmillError: json:2: case 1 comes after case 3; verify reads the input once, so explanations must be in the order of their cases',
    );
  });

  test('without an explanation is refused', async () => {
    for (const text of ['', '\n \r\n'])
      expect(await verify(text)).toBe('BoardmillError: json: no explanation, got an empty file');
  });

  test('holds if there is none and the input has no cases', async () => {
    expect(await verifyText('bacterial-tactics', '0\n', '')).toBe(0);
    expect(await verifyText('link-and-pop', '0 0\n', '\n')).toBe(0);
  });

  test('whose rows have other whitespace is false', async () => {
    expect(await verify(lines[0].replace('"board":["', '"board":[" '))).toMatch(
      /^FalseStatement: json:1: case 1: board\[0\] is /,
    );
  });

  test('with a case that the input lacks is false', async () => {
    expect(await verify(lines[3].replace('"case":4', '"case":9'))).toBe(
      'FalseStatement: json:1: case 9: the input has only 4 cases',
    );
  });

  test('without a proof is refused, and the message says how to get one', async () => {
    const { proof, ...rest } = JSON.parse(lines[0]);
    expect(proof).toBeDefined();
    expect(await verify(JSON.stringify(rest))).toBe(
      'FalseStatement: json:1: case 1: the explanation has no proof; `boardmill explain --json --proof` writes one',
    );
  });

  test('reports an error of the input at its place', async () => {
    const bad = input.replace(/\n3 3\n(.{3})\n/, '\n3 3\n$1x\n');
    expect(await verifyText(style.name, bad, lines.join('\n'))).toMatch(
      /^CaseError: in:3:1: case 1: expected a row of 3 letters of .#, got "/,
    );
  });

  test.each([
    ['{"schema":"boardmill/explanation/1"', 36],
    ['{"a":01}', 7],
    ['{a:1}', 2],
    ['{} {}', 4],
    ['{"a":[1,2,}', 1],
    ['{"a":"b', 8],
    ['nul', 1],
    ['nul at position 7', 1],
  ])(
    'with %s, which is no JSON, is refused, in column %i as far as Node says where',
    async (text, column) => {
      const message = await verify(text);
      expect(message).toMatch(/^BoardmillError: json:1:\d+: expected one explanation as JSON, but \S[^\n]+$/);
      expect(message).toContain(`json:1:${column}:`);
    },
  );

  test('whose object has a key twice is refused, also if the last value is true', async () => {
    const twice = 'BoardmillError: json:1: an object has a key twice';
    expect(await verify(lines[0].replace('"answer":', '"answer":99,"answer":'))).toBe(twice);
    expect(await verify(lines[0].replace('"answer":', '"answer":99,"\\u0061nswer":'))).toBe(twice);
    expect(await verify(lines[0].replace(/(\[.*?)\{("\w+":)/, '$1{$2[{}],$2'))).toBe(twice);
    expect(await verify('[{"a:\\"b":":"},{"a:\\"b":{"__proto__":1}}]')).toContain('no explanation, got');
  });

  test('whose numbers would be rounded is refused', async () => {
    const refused = /^BoardmillError: json:1: the number \d\S{1,39} is not written as an integer$/;
    for (const text of ['1.0000000000000000000001', '1e0', '1E-0', '1.0', '0.99999999999999999999'])
      expect(await verify(lines[0].replace('"case":1', `"case":${text}`)), text).toMatch(refused);
    expect(await verify(lines[0].replace('{', '{"1.5e3":"1.5e3 123456789012345678",'))).not.toMatch(refused);
  });

  test.each(['[]', '1', 'null', '"text"', '{}', '{"case":1,"answer":3}'])(
    'with %s is not an explanation',
    async (text) => {
      expect(await verify(text)).toMatch(/^BoardmillError: json:1: no explanation, got /);
    },
  );

  test('with values that are very deep, large or many is rejected without a crash', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const many = `[${'[1,1,1,1,0],'.repeat(50_000)}[]]`;
    const values = [
      deep,
      many,
      '1e999',
      '-1e999',
      '9007199254740993',
      '"\\u0000\\ud800"',
      '{"__proto__":1}',
      '{"length":5}',
    ];
    const good = JSON.parse(lines[0]);
    for (const value of values) {
      for (const field of Object.keys(good)) {
        const text = JSON.stringify({ ...good, [field]: 'HERE' }).replace('"HERE"', value);
        expect(await verify(text)).toMatch(/^FalseStatement: json:1: [^\n]{1,300}$/);
      }
      const proof = lines[0].replace(/"rectangles":\[\[1,/, `"rectangles":[[${value},`);
      expect(await verify(proof)).toMatch(/^FalseStatement: json:1: [^\n]{1,300}$/);
    }
  });

  test('with more arrays than memory could hold is refused', async () => {
    const text = `{"schema":[${'[],'.repeat(6_000_001)}[]]}`;
    expect(await verify(text)).toMatch(
      /^BoardmillError: json:1: more than 6000000 arrays and objects on one line/,
    );
  });
});
