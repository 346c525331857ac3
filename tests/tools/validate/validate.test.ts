/** Tests of `validate`. Its findings are compared with the errors of `solve`, and with the canonical layout. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadProblem } from '../../../src/catalog/registry.js';
import type { Problem } from '../../../src/problems/problem.js';
import { validateInput } from '../../../src/tools/validate/validate.js';
import type { ValidationFinding } from '../../../src/tools/validate/validation.js';
import { anyCases, anyInput, anyLayout, bytesOf, linesOf, printInput, STYLES } from '../../support/inputs.js';
import { runs } from '../../support/random-tests.js';
import { inPieces, scanInput } from '../../support/scanning.js';
import { allowSlowTests } from '../../support/slow-tests.js';

allowSlowTests();

interface Outcome {
  readonly findings: ValidationFinding[];
  readonly cases: number;
}

async function validateBytes(
  problem: Problem,
  bytes: Uint8Array,
  pieceBytes = 65536,
  contest = false,
): Promise<Outcome> {
  const found = validateInput(inPieces(bytes, pieceBytes), problem, { contest, set: null });
  const findings: ValidationFinding[] = [];
  for (;;) {
    const next = await found.next();
    if (next.done) return { findings, cases: next.value.cases };
    findings.push(next.value);
  }
}

const describeFinding = ({ line, column, caseNumber, what }: ValidationFinding) =>
  `${line}:${column}: ${caseNumber === null ? '' : `case ${caseNumber}: `}${what}`;
const formatErrorsOf = (findings: readonly ValidationFinding[]) =>
  findings.filter(({ rule }) => rule === 'format');

describe.each(STYLES)('$name', (style) => {
  const data = fileURLToPath(new URL(`../../../data/${style.name}`, import.meta.url));
  const problem = loadProblem(style.name);

  const invalid = readdirSync(join(data, 'invalid')).filter((name) => name.endsWith('.in'));

  test.each(invalid)(
    '%s: the first error that validate reports is the one that stops solve',
    async (name) => {
      const bytes = readFileSync(join(data, 'invalid', name));
      const expectation = readFileSync(join(data, 'invalid', name.replace(/in$/, 'expect.json')), 'utf8');
      const { stop } = JSON.parse(expectation) as { stop: { stderr: string[] } };
      const { findings } = await validateBytes(await problem, bytes);
      expect(`${name}:${describeFinding(formatErrorsOf(findings)[0])}`).toBe(stop.stderr[0]);
    },
  );

  test('validate reports the same invalid cases as solve --on-error mark, for pieces of any size', async () => {
    const strict = await problem;
    await fc.assert(
      fc.asyncProperty(anyInput(style, 3), fc.constantFrom(1, 3, 7, 100), async (bytes, pieceBytes) => {
        const { findings, cases } = await validateBytes(strict, bytes);
        const marked = await scanInput(style, inPieces(bytes, 65536), 100, 'mark');
        const firstErrors = new Map(
          formatErrorsOf(findings)
            .map((one) => [one.caseNumber, one])
            .reverse() as never,
        );
        const bad = marked.cases.filter(({ fault }) => fault !== null);
        expect(cases).toBe(marked.cases.length);
        for (const { number, fault } of bad) {
          expect(describeFinding(firstErrors.get(number) as ValidationFinding)).toBe(
            fault?.replace(/^(\d+:\d+): /, `$1: case ${number}: `),
          );
        }
        const casesWithErrors = new Set(formatErrorsOf(findings).map(({ caseNumber }) => caseNumber));
        for (const { number } of bad) casesWithErrors.delete(number);
        expect([...casesWithErrors].length, 'the end of the input may be one more error').toBe(
          marked.end ? 1 : 0,
        );
        expect(await validateBytes(strict, bytes, pieceBytes)).toEqual({ findings, cases });
      }),
      { numRuns: runs(80) },
    );
  });

  test('validate has no finding for a well-formed input exactly if the input is in canonical layout', async () => {
    const strict = await problem;
    await fc.assert(
      fc.asyncProperty(anyCases(style), anyLayout(), async (cases, layout) => {
        const text = layout(linesOf(style, cases));
        const { findings } = await validateBytes(strict, bytesOf(text));
        expect(formatErrorsOf(findings)).toEqual([]);
        expect(findings.length > 0).toBe(text !== printInput(style, cases));
        const places = findings.map(({ line, column }) => line * 1e6 + column);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }),
      { numRuns: runs(100) },
    );
  });

  test('a single blank that is not as in the canonical layout is reported', async () => {
    const strict = await problem;
    const whitespace = fc.constantFrom('', ' ', '\n', '  ', '\t', '\r\n', '\n\n', ' \n', '\n ');
    await fc.assert(
      fc.asyncProperty(anyCases(style), fc.nat(), whitespace, async (cases, choice, blank) => {
        const text = printInput(style, cases);
        const gaps = [...text.matchAll(/\s/g)].map(({ index }) => index);
        const at = gaps[choice % gaps.length];
        fc.pre(text[at] !== blank);
        const changed = text.slice(0, at) + blank + text.slice(at + 1);
        expect((await validateBytes(strict, bytesOf(changed))).findings).not.toEqual([]);
      }),
      { numRuns: runs(100) },
    );
  });

  test('the statement sample has no finding, and is within the constraints', async () => {
    const bytes = readFileSync(join(data, 'sample', 'statement.in'));
    expect((await validateBytes(await problem, bytes, 65536, true)).findings).toEqual([]);
  });
});

describe('the findings of an input, and their locations', () => {
  const scenarios: [string, string, string, string[]][] = [
    [
      'each bad row of a case',
      'bacterial-tactics',
      '2\n4 2\n.\n..\n?.\n...\n1 1\n.\n',
      [
        'format 3:1: case 1: expected row 1 of 4 (2 of ".#"), got 1: "."',
        'format 5:1: case 1: expected row 3 of 4 (2 of ".#"), got "?."',
        'format 6:1: case 1: expected row 4 of 4 (2 of ".#"), got more: "..."',
      ],
    ],
    [
      'bad rows, and rows that are missing',
      'darkraft',
      '3 1\nLL\nx\n1 1\nL\n',
      [
        'format 2:1: case 1: expected row 1 of 3 (1 of "LRX"), got more: "LL"',
        'format 3:1: case 1: expected row 2 of 3 (1 of "LRX"), got "x"',
        'format 4:1: case 1: expected row 3 of 3 (1 of "LRX"), got "1"',
      ],
    ],
    [
      'each bad block, and a missing terminator',
      'link-and-pop',
      '1 2\nAS ?S\n2 1\nAB\nC\n',
      [
        'format 2:4: case 1: expected block 2 of 2 in row 1 of 1 (a letter and one of "UDLRS"), got "?S"',
        'format 4:1: case 2: expected block 1 of 1 in row 1 of 2 (a letter and one of "UDLRS"), got "AB"',
        'format 5:1: case 2: expected block 1 of 1 in row 2 of 2 (a letter and one of "UDLRS"), got "C"',
        'format 6:1: expected a case or "0 0", got the end of the input',
      ],
    ],
    [
      'a bad row and a surplus row',
      'darkraft',
      '1 2\nL?\nLL\n1 1\nL\n',
      [
        'format 2:2: case 1: expected one of "LRX" in row 1 of 1, got "?"',
        'format 3:1: case 1: expected 1 row, got one more: "LL"',
      ],
    ],
    [
      'a row on the same line as its header',
      'darkraft',
      '1 2 LL\n1 1\nL\n',
      [
        'words-a-line 1:5: case 1: the size of a board needs a line of its own with 2 tokens; this line has one more',
      ],
    ],
    [
      'lines with more or fewer blocks than a row',
      'link-and-pop',
      '2 2\nAS\nAS AS AS\n0 0\n',
      [
        'words-a-line 2:3: case 1: a row needs a line of its own with 2 tokens; this line ends after 1',
        'words-a-line 3:7: case 1: a row needs a line of its own with 2 tokens; this line has one more',
      ],
    ],
    [
      'an id on a line of its own',
      'river-pawn',
      '0\n1\n2 2\nOO\n.X\n',
      [
        'words-a-line 1:2: the start of the input needs a line of its own with 2 tokens; this line ends after 1',
        'words-a-line 2:2: the size of a board needs a line of its own with 2 tokens; this line ends after 1',
      ],
    ],
    [
      'all deviations from the canonical layout',
      'darkraft',
      '\ufeff01 1\r\nL\n\n 1\t1 \nL  \n2  2\nLL\rLL',
      [
        'byte-order-mark 1:1: a byte order mark',
        'leading-zero 1:4: case 1: leading zeros in a count (1)',
        'carriage-return 1:8: case 1: the line ends in CR LF',
        'empty-line 3:1: an empty line',
        'leading-blank 4:2: case 2: a blank before the first token of the line',
        'odd-blank 4:3: case 2: a tab instead of a space',
        'trailing-blank 4:5: case 2: a blank at the end of the line',
        'trailing-blank 5:2: case 2: 2 blanks at the end of the line',
        'double-blank 6:4: case 3: 2 blanks between two tokens',
        'odd-blank 7:3: case 3: the byte \\x0d instead of a space',
        'words-a-line 7:4: case 3: a row needs a line of its own with 1 token; this line has one more',
        'final-newline 7:6: case 3: the last line does not end in LF',
      ],
    ],
    [
      'boards that exceed the constraints, some of them with other errors',
      'darkraft',
      '21 1\n?\n1 21\nLLLLLLLLLLLLLLLLLLLLL\n41 1\n',
      [
        'contest 1:1: case 1: in the contest: expected the number of rows (1 to 20), got "21"',
        'format 2:1: case 1: expected row 1 of 21 (1 of "LRX"), got "?"',
        'format 3:1: case 1: expected row 2 of 21 (1 of "LRX"), got "1"',
        'contest 3:3: case 2: in the contest: expected the number of columns (1 to 20), got "21"',
        'format 5:1: case 3: expected the number of rows (1 to 40), got "41"',
      ],
    ],
    ['no case', 'bacterial-tactics', '0\n', []],
    ['no bytes', 'darkraft', '', ['format 1:1: expected a case, got an empty input']],
  ];

  test.each(scenarios)(
    'validate has the right findings for an input with: %s',
    async (_, name, text, expected) => {
      const { findings } = await validateBytes(await loadProblem(name), bytesOf(text), 65536, true);
      expect(findings.map((finding) => `${finding.rule} ${describeFinding(finding)}`)).toEqual(expected);
    },
  );
});
