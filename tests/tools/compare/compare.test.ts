/** Tests of the comparison behind `check`: expected answers, and an answer file that arrives in pieces of any size. */
import { expect, test } from 'vitest';
import { BYTE_COMPARATOR, TOKEN_COMPARATOR } from '../../../src/engine/comparators.js';
import { copyHeadToSharedMemory } from '../../../src/engine/cut/task-head.js';
import type { CasesWithoutAnswers } from '../../../src/engine/sink.js';
import { problem as bacterialTactics } from '../../../src/games/bacterial-tactics/index.js';
import { problem as darkraft } from '../../../src/games/darkraft/index.js';
import { problem as linkAndPop } from '../../../src/games/link-and-pop/index.js';
import { problem as riverPawn } from '../../../src/games/river-pawn/index.js';
import type { Problem } from '../../../src/problems/problem.js';
import {
  AnswerComparingSink,
  type AnswerDifference,
  type CompareOptions,
} from '../../../src/tools/compare/compare.js';
import { bytesOf } from '../../support/inputs.js';
import { inPieces } from '../../support/scanning.js';
import { allowSlowTests } from '../../support/slow-tests.js';

allowSlowTests();

interface Options {
  readonly exact?: boolean;
  readonly max?: number;
  readonly pieceBytes?: number;
  /** Number of expected answers that are given to the comparer at a time. */
  readonly answersPerChunk?: number;
}

const HEAD = copyHeadToSharedMemory(null);

/** Returns so many answered cases. They have no bytes, because no answer of these problems depends on its case. */
function answeredCases(count: number): CasesWithoutAnswers {
  return { bytes: new Uint8Array(0), starts: new Uint32Array(count + 1), count, firstCase: 1, head: HEAD };
}

/** Returns the options with which `check` compares answers; `exact` is the option of the same name. */
function compareOptions(
  { inputFormat, answerFormat }: Problem,
  exact: boolean,
): Omit<CompareOptions, 'maxReported' | 'onDifference'> {
  return {
    inputFormat,
    answerFormat,
    comparator: exact ? BYTE_COMPARATOR : TOKEN_COMPARATOR,
    wholeLines: exact,
  };
}

/**
 * Compares the output `got` with the answers `expected`, one string per case. Returns the counts of differences, and
 * the reported differences as `kind case line:column expected > got`.
 */
async function compare(problem: Problem, expected: readonly string[], got: string, options: Options = {}) {
  const { exact = false, max = 100, pieceBytes = 1 << 16, answersPerChunk = expected.length } = options;
  const found: AnswerDifference[] = [];
  const comparison = new AnswerComparingSink(inPieces(bytesOf(got), pieceBytes), {
    ...compareOptions(problem, exact),
    maxReported: max,
    onDifference: async (difference) => void found.push(difference),
  });
  for (let at = 0; at < expected.length; at += answersPerChunk) {
    const answers = expected.slice(at, at + answersPerChunk);
    await comparison.write(bytesOf(answers.join('')), null, answeredCases(answers.length));
  }
  await comparison.finish();
  const differences = found.map(
    ({ kind, caseNumber, location, expected, got }) =>
      `${kind} ${caseNumber ?? '-'} ${location.line}:${location.column} ${JSON.stringify(expected)} > ${JSON.stringify(got)}`,
  );
  return { differences, counts: comparison.counts, cases: comparison.cases, isSame: comparison.isSame };
}

const BACTERIAL_ANSWERS = ['Case #1: 0\n', 'Case #2: 7\n', 'Case #3: 12\n'];
const DARKRAFT_ANSWERS = ['WIN\n', 'LOSE\n', 'WIN\n'];
const PAWN_ANSWERS = ['Red 75\n', 'Tie\n', 'Black 2\n'];
const LINK_ANSWERS = ['Case 1\n...\n.F.\n', 'Case 2\n..\n'];

const SCENARIOS = [
  {
    name: 'the expected answers',
    problem: bacterialTactics,
    expected: BACTERIAL_ANSWERS,
    got: BACTERIAL_ANSWERS.join(''),
    differences: [],
  },
  {
    name: 'no answers, and no case is expected',
    problem: darkraft,
    expected: [],
    got: '',
    differences: [],
  },
  {
    name: 'other whitespace',
    problem: bacterialTactics,
    expected: BACTERIAL_ANSWERS,
    got: '\n\tCase  #1:\r\n0 Case #2: 7\r\nCase #3:\n12',
    differences: [],
  },
  {
    name: 'a wrong number',
    problem: bacterialTactics,
    expected: BACTERIAL_ANSWERS,
    got: 'Case #1: 0\nCase #2: 8\nCase #3: 12\n',
    differences: ['differs 2 2:10 "Case #2: 7" > "Case #2: 8"'],
  },
  {
    name: 'numbers of which only the first digits are right',
    problem: bacterialTactics,
    expected: BACTERIAL_ANSWERS,
    got: 'Case #1: 0\nCase #2: 77\nCase #3: 1\n',
    differences: [
      'differs 2 2:10 "Case #2: 7" > "Case #2: 77"',
      'differs 3 3:10 "Case #3: 12" > "Case #3: 1"',
    ],
  },
  {
    name: 'no answer to a case between others',
    problem: bacterialTactics,
    expected: BACTERIAL_ANSWERS,
    got: 'Case #1: 0\nCase #3: 12\n',
    differences: ['missing 2 2:1 "Case #2: 7" > null'],
  },
  {
    name: 'its end in the middle of a label',
    problem: bacterialTactics,
    expected: BACTERIAL_ANSWERS,
    got: 'Case #1: 0\nCase #2',
    differences: [
      'differs 1 2:1 "Case #1: 0" > "Case #1: 0\\nCase #2"',
      'missing 2 2:8 "Case #2: 7" > null',
      'missing 3 2:8 "Case #3: 12" > null',
    ],
  },
  {
    name: 'one answer too many',
    problem: bacterialTactics,
    expected: BACTERIAL_ANSWERS,
    got: `${BACTERIAL_ANSWERS.join('')}Case #4: 1\n`,
    differences: ['unexpected - 4:1 null > "Case #4: 1"'],
  },
  {
    name: 'an answer that is printed twice',
    problem: bacterialTactics,
    expected: BACTERIAL_ANSWERS,
    got: `${BACTERIAL_ANSWERS[0]}${BACTERIAL_ANSWERS.join('')}`,
    differences: ['unexpected - 2:1 null > "Case #1: 0"'],
  },
  {
    name: 'a word before the first answer',
    problem: bacterialTactics,
    expected: BACTERIAL_ANSWERS,
    got: `hello\n${BACTERIAL_ANSWERS.join('')}`,
    differences: ['unexpected - 1:1 null > "hello"'],
  },
  {
    name: 'nothing but a line end',
    problem: darkraft,
    expected: DARKRAFT_ANSWERS.slice(0, 1),
    got: '\n',
    differences: ['missing 1 2:1 "WIN" > null'],
  },
  {
    name: 'a wrong word',
    problem: darkraft,
    expected: DARKRAFT_ANSWERS,
    got: 'WIN WIN WIN',
    differences: ['differs 2 1:5 "LOSE" > "WIN"'],
  },
  {
    name: 'one line too many',
    problem: darkraft,
    expected: DARKRAFT_ANSWERS,
    got: 'WIN\nLOSE\nWIN\nWIN\n',
    differences: ['unexpected - 4:1 null > "WIN"'],
  },
  {
    name: 'one word too many, which shifts the answers after it',
    problem: riverPawn,
    expected: PAWN_ANSWERS,
    got: 'Red 75 plies\nTie\nBlack 2\n',
    differences: [
      'differs 2 1:8 "Tie" > "plies"',
      'differs 3 2:1 "Black 2" > "Tie"',
      'unexpected - 3:1 null > "Black 2"',
    ],
  },
  {
    name: 'a malformed answer, which does not affect the next line',
    problem: riverPawn,
    expected: PAWN_ANSWERS,
    got: 'Rot 75\nTie\nBlack 2\n',
    differences: ['differs 1 1:1 "Red 75" > "Rot 75"'],
  },
  {
    name: 'a board with a wrong row',
    problem: linkAndPop,
    expected: LINK_ANSWERS,
    got: 'Case 1\n...\n.G.\nCase 2\n..\n',
    differences: ['differs 1 3:1 "Case 1\\n...\\n.F." > "Case 1\\n...\\n.G."'],
  },
  {
    name: 'a board with a row too few and a board with a row too many',
    problem: linkAndPop,
    expected: LINK_ANSWERS,
    got: 'Case 1\n...\nCase 2\n..\n..\n',
    differences: [
      'differs 1 2:4 "Case 1\\n...\\n.F." > "Case 1\\n..."',
      'differs 2 5:1 "Case 2\\n.." > "Case 2\\n..\\n.."',
    ],
  },
  {
    name: 'the expected bytes, with --exact',
    problem: linkAndPop,
    expected: LINK_ANSWERS,
    got: LINK_ANSWERS.join(''),
    exact: true,
    differences: [],
  },
  {
    name: 'a CRLF, with --exact',
    problem: darkraft,
    expected: DARKRAFT_ANSWERS,
    got: 'WIN\nLOSE\r\nWIN\n',
    exact: true,
    differences: ['differs 2 2:5 "LOSE\\n" > "LOSE\\r\\n"'],
  },
  {
    name: 'an empty line between two answers, with --exact',
    problem: darkraft,
    expected: DARKRAFT_ANSWERS,
    got: 'WIN\n\nLOSE\nWIN\n',
    exact: true,
    differences: ['differs 2 2:1 "LOSE\\n" > "\\nLOSE\\n"'],
  },
  {
    name: 'a whitespace character at the end of a line, with --exact',
    problem: bacterialTactics,
    expected: BACTERIAL_ANSWERS,
    got: 'Case #1: 0 \nCase #2: 7\nCase #3: 12\n',
    exact: true,
    differences: ['differs 1 1:11 "Case #1: 0\\n" > "Case #1: 0 \\n"'],
  },
  {
    name: 'no line end after the last answer, with --exact',
    problem: darkraft,
    expected: DARKRAFT_ANSWERS,
    got: 'WIN\nLOSE\nWIN',
    exact: true,
    differences: ['differs 3 3:4 "WIN\\n" > "WIN"'],
  },
  {
    name: 'blank lines after the last answer, with --exact',
    problem: darkraft,
    expected: DARKRAFT_ANSWERS,
    got: 'WIN\nLOSE\nWIN\n\n \n',
    exact: true,
    differences: ['unexpected - 4:1 null > "\\n \\n"'],
  },
  {
    name: 'no answer to a case between others, with --exact',
    problem: bacterialTactics,
    expected: BACTERIAL_ANSWERS,
    got: 'Case #1: 0\nCase #3: 12\n',
    exact: true,
    differences: ['missing 2 2:1 "Case #2: 7\\n" > null'],
  },
];

test.each(SCENARIOS)(
  'the right differences are reported if an output has $name',
  async ({ problem, expected, got, exact = false, differences }) => {
    const outcome = await compare(problem, expected, got, { exact });
    expect(outcome.differences).toEqual(differences);
    expect(outcome.isSame).toBe(differences.length === 0);
    expect(outcome.cases).toBe(expected.length);
  },
);

test('the reported differences depend neither on the pieces of the output nor on the chunks of expected answers', async () => {
  for (const { name, problem, expected, got, exact = false, differences } of SCENARIOS) {
    for (let pieceBytes = 1; pieceBytes <= 7; pieceBytes++) {
      for (const answersPerChunk of [1, 2]) {
        const outcome = await compare(problem, expected, got, { exact, pieceBytes, answersPerChunk });
        expect(
          outcome.differences,
          `${name}: pieces of ${pieceBytes} bytes, chunks of ${answersPerChunk} answers`,
        ).toEqual(differences);
      }
    }
  }
});

test('after the largest number of reported differences, further differences are only counted', async () => {
  const { differences, counts } = await compare(darkraft, DARKRAFT_ANSWERS, 'LOSE\nWIN\n', { max: 1 });
  expect(differences).toHaveLength(1);
  expect(counts).toEqual({ differs: 2, missing: 1, unexpected: 0 });
});

test('if the output cannot be read to its end, the differences before that place are reported', async () => {
  async function* pieces() {
    yield bytesOf('LOSE\nLOSE\n');
    throw new Error('damaged');
  }
  const found: AnswerDifference[] = [];
  const comparison = new AnswerComparingSink(pieces(), {
    ...compareOptions(darkraft, false),
    maxReported: 9,
    onDifference: async (difference) => void found.push(difference),
  });
  const comparing = comparison.write(bytesOf('WIN\nLOSE\nWIN\n'), null, answeredCases(3));
  await expect(comparing).rejects.toThrow('damaged');
  expect(found).toMatchObject([{ kind: 'differs', caseNumber: 1, expected: 'WIN', got: 'LOSE' }]);
});

test('megabytes of whitespace before an answer is not kept in memory', async () => {
  const whitespace = new Uint8Array(1 << 16).fill(0x0a);
  let given = 0;
  async function* pieces() {
    for (; given < 300; given++) yield whitespace;
    yield bytesOf('WIN\n');
  }
  const found: AnswerDifference[] = [];
  const comparison = new AnswerComparingSink(pieces(), {
    ...compareOptions(darkraft, false),
    maxReported: 1,
    onDifference: async (difference) => void found.push(difference),
  });
  const before = process.memoryUsage().arrayBuffers;
  await comparison.write(bytesOf('LOSE\n'), null, answeredCases(1));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20);
  expect(found).toMatchObject([{ kind: 'differs', location: { line: 300 * (1 << 16) + 1, column: 1 } }]);
});

test('the compared output is read only as far as expected answers are known', async () => {
  let pulled = 0;
  async function* pieces() {
    for (; pulled < 1000; pulled++) yield bytesOf('WIN\n');
  }
  const comparison = new AnswerComparingSink(pieces(), {
    ...compareOptions(darkraft, false),
    maxReported: 1,
    onDifference: async () => {},
  });
  await comparison.write(bytesOf('WIN\nWIN\nWIN\n'), null, answeredCases(3));
  expect(pulled).toBeLessThanOrEqual(4);
  expect(comparison.isSame).toBe(true);
});
