/** Answers held to an answer file that comes in pieces of any size. */
import { expect, test } from 'vitest';
import { AnswerComparer, type AnswerDifference } from '../../../src/engine/tools/compare.js';
import type { AnswerFormat } from '../../../src/problems/answer-format.js';
import { answerFormat as bacterialTactics } from '../../../src/problems/bacterial-tactics/format.js';
import { answerFormat as darkraft } from '../../../src/problems/darkraft/format.js';
import { answerFormat as linkAndPop } from '../../../src/problems/link-and-pop/format.js';
import { answerFormat as riverPawn } from '../../../src/problems/river-pawn/format.js';
import { bytesOf } from '../../support/inputs.js';
import { inPieces } from '../../support/scanning.js';
import { allowSlowTests } from '../../support/slow-tests.js';

allowSlowTests();

interface Options {
  readonly exact?: boolean;
  readonly max?: number;
  readonly pieceBytes?: number;
  /** The answers come in chunks of so many. */
  readonly chunk?: number;
}

/** `expected`: an answer each. Returns the differences as `kind case line:column expected > got`, and the counts. */
async function compare(
  answerFormat: AnswerFormat<unknown>,
  expected: readonly string[],
  got: string,
  options: Options = {},
) {
  const { exact = false, max = 100, pieceBytes = 1 << 16, chunk = expected.length } = options;
  const found: AnswerDifference[] = [];
  const comparison = new AnswerComparer(inPieces(bytesOf(got), pieceBytes), {
    answerFormat,
    exact,
    maxReported: max,
    onDifference: async (difference) => void found.push(difference),
  });
  for (let at = 0; at < expected.length; at += chunk)
    await comparison.write(bytesOf(expected.slice(at, at + chunk).join('')));
  await comparison.finish();
  const told = found.map(
    ({ kind, caseNumber, location, expected, got }) =>
      `${kind} ${caseNumber ?? '-'} ${location.line}:${location.column} ${JSON.stringify(expected)} > ${JSON.stringify(got)}`,
  );
  return { told, counts: comparison.counts, cases: comparison.cases, isSame: comparison.isSame };
}

const BT = ['Case #1: 0\n', 'Case #2: 7\n', 'Case #3: 12\n'];
const DARK = ['WIN\n', 'LOSE\n', 'WIN\n'];
const ZU = ['Red 75\n', 'Tie\n', 'Black 2\n'];
const POP = ['Case 1\n...\n.F.\n', 'Case 2\n..\n'];

const SCENARIOS = [
  { name: 'the same', answerFormat: bacterialTactics, due: BT, got: BT.join(''), told: [] },
  { name: 'no cases, no answers', answerFormat: darkraft, due: [], got: '', told: [] },
  {
    name: 'other blanks',
    answerFormat: bacterialTactics,
    due: BT,
    got: '\n\tCase  #1:\r\n0 Case #2: 7\r\nCase #3:\n12',
    told: [],
  },
  {
    name: 'a wrong count',
    answerFormat: bacterialTactics,
    due: BT,
    got: 'Case #1: 0\nCase #2: 8\nCase #3: 12\n',
    told: ['differs 2 2:10 "Case #2: 7" > "Case #2: 8"'],
  },
  {
    name: 'a count that begins alike',
    answerFormat: bacterialTactics,
    due: BT,
    got: 'Case #1: 0\nCase #2: 77\nCase #3: 1\n',
    told: ['differs 2 2:10 "Case #2: 7" > "Case #2: 77"', 'differs 3 3:10 "Case #3: 12" > "Case #3: 1"'],
  },
  {
    name: 'a case left out',
    answerFormat: bacterialTactics,
    due: BT,
    got: 'Case #1: 0\nCase #3: 12\n',
    told: ['missing 2 2:1 "Case #2: 7" > null'],
  },
  {
    name: 'a file cut off',
    answerFormat: bacterialTactics,
    due: BT,
    got: 'Case #1: 0\nCase #2',
    told: [
      'differs 1 2:1 "Case #1: 0" > "Case #1: 0\\nCase #2"',
      'missing 2 2:8 "Case #2: 7" > null',
      'missing 3 2:8 "Case #3: 12" > null',
    ],
  },
  {
    name: 'one too many',
    answerFormat: bacterialTactics,
    due: BT,
    got: `${BT.join('')}Case #4: 1\n`,
    told: ['unexpected - 4:1 null > "Case #4: 1"'],
  },
  {
    name: 'an answer twice',
    answerFormat: bacterialTactics,
    due: BT,
    got: `${BT[0]}${BT.join('')}`,
    told: ['unexpected - 2:1 null > "Case #1: 0"'],
  },
  {
    name: 'words before the first',
    answerFormat: bacterialTactics,
    due: BT,
    got: `hello\n${BT.join('')}`,
    told: ['unexpected - 1:1 null > "hello"'],
  },
  {
    name: 'an empty file',
    answerFormat: darkraft,
    due: DARK.slice(0, 1),
    got: '\n',
    told: ['missing 1 2:1 "WIN" > null'],
  },
  {
    name: 'a wrong word',
    answerFormat: darkraft,
    due: DARK,
    got: 'WIN WIN WIN',
    told: ['differs 2 1:5 "LOSE" > "WIN"'],
  },
  {
    name: 'a line too many',
    answerFormat: darkraft,
    due: DARK,
    got: 'WIN\nLOSE\nWIN\nWIN\n',
    told: ['unexpected - 4:1 null > "WIN"'],
  },
  {
    name: 'a word too many shifts the rest, as with any checker',
    answerFormat: riverPawn,
    due: ZU,
    got: 'Red 75 plies\nTie\nBlack 2\n',
    told: [
      'differs 2 1:8 "Tie" > "plies"',
      'differs 3 2:1 "Black 2" > "Tie"',
      'unexpected - 3:1 null > "Black 2"',
    ],
  },
  {
    name: 'a broken answer takes its line, no more',
    answerFormat: riverPawn,
    due: ZU,
    got: 'Rot 75\nTie\nBlack 2\n',
    told: ['differs 1 1:1 "Red 75" > "Rot 75"'],
  },
  {
    name: 'a row that differs',
    answerFormat: linkAndPop,
    due: POP,
    got: 'Case 1\n...\n.G.\nCase 2\n..\n',
    told: ['differs 1 3:1 "Case 1\\n...\\n.F." > "Case 1\\n...\\n.G."'],
  },
  {
    name: 'a row too few and one too many',
    answerFormat: linkAndPop,
    due: POP,
    got: 'Case 1\n...\nCase 2\n..\n..\n',
    told: [
      'differs 1 2:4 "Case 1\\n...\\n.F." > "Case 1\\n..."',
      'differs 2 5:1 "Case 2\\n.." > "Case 2\\n..\\n.."',
    ],
  },
  { name: 'exact: the same', answerFormat: linkAndPop, due: POP, got: POP.join(''), exact: true, told: [] },
  {
    name: 'exact: CRLF',
    answerFormat: darkraft,
    due: DARK,
    got: 'WIN\nLOSE\r\nWIN\n',
    exact: true,
    told: ['differs 2 2:5 "LOSE\\n" > "LOSE\\r\\n"'],
  },
  {
    name: 'exact: a blank line between',
    answerFormat: darkraft,
    due: DARK,
    got: 'WIN\n\nLOSE\nWIN\n',
    exact: true,
    told: ['differs 2 2:1 "LOSE\\n" > "\\nLOSE\\n"'],
  },
  {
    name: 'exact: a blank at a line end',
    answerFormat: bacterialTactics,
    due: BT,
    got: 'Case #1: 0 \nCase #2: 7\nCase #3: 12\n',
    exact: true,
    told: ['differs 1 1:11 "Case #1: 0\\n" > "Case #1: 0 \\n"'],
  },
  {
    name: 'exact: no line end at the end',
    answerFormat: darkraft,
    due: DARK,
    got: 'WIN\nLOSE\nWIN',
    exact: true,
    told: ['differs 3 3:4 "WIN\\n" > "WIN"'],
  },
  {
    name: 'exact: blank lines at the end',
    answerFormat: darkraft,
    due: DARK,
    got: 'WIN\nLOSE\nWIN\n\n \n',
    exact: true,
    told: ['unexpected - 4:1 null > "\\n \\n"'],
  },
  {
    name: 'exact: a case left out',
    answerFormat: bacterialTactics,
    due: BT,
    got: 'Case #1: 0\nCase #3: 12\n',
    exact: true,
    told: ['missing 2 2:1 "Case #2: 7\\n" > null'],
  },
];

test.each(SCENARIOS)('$name', async ({ answerFormat, due, got, exact = false, told }) => {
  const whole = await compare(answerFormat, due, got, { exact });
  expect(whole.told).toEqual(told);
  expect(whole.isSame).toBe(told.length === 0);
  expect(whole.cases).toBe(due.length);
});

test('neither the pieces of the file nor the chunks of answers matter', async () => {
  for (const { name, answerFormat, due, got, exact = false, told } of SCENARIOS) {
    for (let pieceBytes = 1; pieceBytes <= 7; pieceBytes++) {
      for (const chunk of [1, 2]) {
        const outcome = await compare(answerFormat, due, got, { exact, pieceBytes, chunk });
        expect(outcome.told, `${name}: pieces of ${pieceBytes}, chunks of ${chunk}`).toEqual(told);
      }
    }
  }
});

test('past the first few, differences are counted and no more', async () => {
  const { told, counts } = await compare(darkraft, DARK, 'LOSE\nWIN\n', { max: 1 });
  expect(told).toHaveLength(1);
  expect(counts).toEqual({ differs: 2, missing: 1, unexpected: 0 });
});

test('megabytes of blanks are not kept', async () => {
  const blanks = new Uint8Array(1 << 16).fill(0x0a);
  let given = 0;
  async function* pieces() {
    for (; given < 1000; given++) yield blanks;
    yield bytesOf('WIN\n');
  }
  const found: AnswerDifference[] = [];
  const comparison = new AnswerComparer(pieces(), {
    answerFormat: darkraft,
    exact: false,
    maxReported: 1,
    onDifference: async (difference) => void found.push(difference),
  });
  const before = process.memoryUsage().arrayBuffers;
  await comparison.write(bytesOf('LOSE\n'));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20);
  expect(found).toMatchObject([{ kind: 'differs', location: { line: 1000 * (1 << 16) + 1, column: 1 } }]);
});

test('the file is read no further than its cases are known', async () => {
  let pulled = 0;
  async function* pieces() {
    for (; pulled < 1000; pulled++) yield bytesOf('WIN\n');
  }
  const comparison = new AnswerComparer(pieces(), {
    answerFormat: darkraft,
    exact: false,
    maxReported: 1,
    onDifference: async () => {},
  });
  await comparison.write(bytesOf('WIN\nWIN\nWIN\n'));
  expect(pulled).toBeLessThanOrEqual(4);
  expect(comparison.isSame).toBe(true);
});
