/**
 * Verifies explanations: reads each one beside the board of its case in the input, and checks every statement that it makes.
 * The code in this folder shares nothing with the solvers, the formats and `explain`, so a mistake in one of them cannot be
 * repeated here.
 */
import { BoardmillError, CaseError } from '../core/errors.js';
import { checkBacterialTactics } from './bacterial-tactics.js';
import { checkDarkraft } from './darkraft.js';
import {
  assertEqual,
  assertTextListEqual,
  type ExplanationFields,
  FalseStatement,
  failCheck,
  isIntegerWithin,
  isObject,
  readExplanationFields,
  showExplanationValue,
} from './facts.js';
import { type InputLayout, InputReader } from './input.js';
import { readJsonLines } from './json-lines.js';
import { INPUT_LAYOUTS } from './layouts.js';
import { checkLinkAndPop } from './link-and-pop.js';
import { checkRiverPawn } from './river-pawn.js';

const SCHEMA = 'boardmill/explanation/1';
const COMMON_FIELDS = ['schema', 'problem', 'case', 'board', 'answer'];

/** A stream of bytes and the name that messages give it. */
interface NamedBytes {
  readonly name: string;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** How the explanations of one problem are verified. */
interface Subject {
  readonly layout: InputLayout;
  /** The fields of an explanation besides those that every problem has. */
  readonly fields: readonly string[];
  readonly optionalFields?: readonly string[];
  /** Checks the fields of an explanation. Throws a FalseStatement that names the first statement that does not hold. */
  check(board: readonly string[], fields: ExplanationFields): void;
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  'bacterial-tactics': {
    layout: INPUT_LAYOUTS['bacterial-tactics'],
    fields: ['nimber', 'moves', 'play', 'proof'],
    check: checkBacterialTactics,
  },
  darkraft: {
    layout: INPUT_LAYOUTS.darkraft,
    fields: ['nimber', 'nimbers', 'moves', 'play', 'proof'],
    check: checkDarkraft,
  },
  'link-and-pop': {
    layout: INPUT_LAYOUTS['link-and-pop'],
    fields: ['turns', 'final', 'proof'],
    check: checkLinkAndPop,
  },
  'river-pawn': {
    layout: INPUT_LAYOUTS['river-pawn'],
    fields: ['moves', 'play', 'proof'],
    optionalFields: ['repeats'],
    check: checkRiverPawn,
  },
};

/** The names of the problems whose explanations can be verified. */
export const VERIFIABLE_PROBLEMS = Object.keys(SUBJECTS);

/** What was verified. */
export interface VerificationResult {
  readonly explanations: number;
  /** Number of cases with an explanation. */
  readonly explained: number;
  /** Number of cases of the input; null if a case after the last one that is explained is invalid. */
  readonly cases: number | null;
}

/**
 * Verifies a stream of explanations, one on each line, in the order of their cases. Throws a FalseStatement if a statement does
 * not hold, and an error of kind `input` if the input or a line cannot be read, or if there is no explanation although the
 * input has cases.
 */
export async function verifyExplanations(
  problem: string,
  input: NamedBytes,
  explanations: NamedBytes,
): Promise<VerificationResult> {
  const subject = SUBJECTS[problem];
  const boards = new BoardFinder(new InputReader(input.name, input.pieces, subject.layout));
  let count = 0;
  for await (const { line, value } of readJsonLines(explanations.name, explanations.pieces)) {
    await verifyOne({ problem, subject, boards }, value, `${explanations.name}:${line}`);
    count++;
  }
  if (count === 0 && (await boards.find(1, explanations.name)) !== null)
    throw new BoardmillError('input', `${explanations.name}: no explanation, got an empty file`);
  return { explanations: count, explained: boards.found, cases: await boards.countAll() };
}

async function verifyOne(
  { problem, subject, boards }: { problem: string; subject: Subject; boards: BoardFinder },
  value: unknown,
  place: string,
): Promise<void> {
  if (!isObject(value) || (!Object.hasOwn(value, 'schema') && !Object.hasOwn(value, 'problem')))
    throw new BoardmillError(
      'input',
      `${place}: no explanation, got ${isObject(value) ? 'another object' : showExplanationValue(value)}`,
    );
  const number = await withPlace(place, async () => readHead(value, problem));
  const board = await boards.find(number, place);
  await withPlace(`${place}: case ${number}`, async () => {
    if (board === null) failCheck(`the input has only ${boards.caseCount} cases`);
    assertTextListEqual(value.board, 'board', board, 'this is the row in the input');
    if (!Object.hasOwn(value, 'proof'))
      failCheck('the explanation has no proof; `boardmill explain --json --proof` writes one');
    const { fields, optionalFields } = subject;
    subject.check(
      board,
      readExplanationFields(value, 'the explanation', [...COMMON_FIELDS, ...fields], optionalFields),
    );
  });
}

/** Puts `place` in front of the message of a FalseStatement that `work` throws. */
async function withPlace<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FalseStatement ? new FalseStatement(`${place}: ${error.message}`) : error;
  }
}

/** Checks the fields `schema` and `problem` of an explanation, and returns the number of its case. */
function readHead(explanation: ExplanationFields, problem: string): number {
  assertEqual(explanation.schema, 'schema', SCHEMA, 'verify knows no other one');
  assertEqual(explanation.problem, 'problem', problem, 'this is the problem of the command line');
  if (!isIntegerWithin(explanation.case, 1, Number.MAX_SAFE_INTEGER))
    failCheck(`case is ${showExplanationValue(explanation.case)}, expected the number of a case, from 1`);
  return explanation.case;
}

/** Finds the boards of cases whose numbers do not decrease, and reads the input only once. */
class BoardFinder {
  readonly #reader: InputReader;
  #board: readonly string[] | null = null;
  #found = 0;

  constructor(reader: InputReader) {
    this.#reader = reader;
  }

  /** The number of cases that were read so far. */
  get caseCount(): number {
    return this.#reader.caseCount;
  }

  /** The number of different cases whose boards were found. */
  get found(): number {
    return this.#found;
  }

  /** Returns the number of cases of the input; null if the cases after those that were found cannot be read. */
  async countAll(): Promise<number | null> {
    try {
      return await this.#reader.countAll();
    } catch (error) {
      if (error instanceof CaseError) return null;
      throw error;
    }
  }

  /** Returns the board of a case, or null if the input has no such case. */
  async find(number: number, place: string): Promise<readonly string[] | null> {
    if (number < this.caseCount)
      throw new BoardmillError(
        'input',
        `${place}: case ${number} comes after case ${this.caseCount}; verify reads the input once, so explanations must be in the order of their cases`,
      );
    if (this.caseCount < number) this.#found++;
    while (this.caseCount < number) {
      this.#board = await this.#reader.next();
      if (this.#board === null) return null;
    }
    return this.#board;
  }
}
