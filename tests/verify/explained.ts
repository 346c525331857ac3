/** Makes explanations of small random boards, and verifies them without a process. */

import { loadProblem } from '../../src/catalog/registry.js';
import { EXPLAINED_GAMES } from '../../src/explain/page-file/boards.js';
import type { Board } from '../../src/formats/boards/board.js';
import type { ExplanationBody } from '../../src/problems/explanation.js';
import { verifyExplanations } from '../../src/verify/verify.js';
import { bytesOf, type PlainCase, printInput, STYLES, type Style } from '../support/inputs.js';
import { inPieces } from '../support/scanning.js';

/** The games that can be explained; a new game may be without. */
export const EXPLAINED_STYLES = STYLES.filter(({ name }) => EXPLAINED_GAMES.includes(name));

const MAX_PROOF_ENTRIES = 100_000;

/** Returns the rows of a case as an explanation has them. */
export function rowsOf(style: Style, { cells }: PlainCase): string[] {
  return cells.map((row) => row.join(style.letters.length === 1 ? '' : ' '));
}

/** Returns the board of a case as the solvers get it. */
export function boardOf(style: Style, { rows, cols, cells }: PlainCase): Board {
  const text = [
    `${rows} ${cols}`,
    ...cells.map((row) => row.join(style.letters.length === 1 ? '' : ' ')),
  ].join('\n');
  const bytes = bytesOf(text);
  return style.inputFormat.createParser().parse(bytes, 0, bytes.length, null) as Board;
}

/** Returns the explanation of a case, with its proof. */
export async function explain(style: Style, plain: PlainCase, number: number): Promise<ExplanationBody> {
  const { loadExplainer } = await loadProblem(style.name);
  const explainer = await loadExplainer!();
  return {
    schema: 'boardmill/explanation/1',
    problem: style.name,
    case: number,
    board: rowsOf(style, plain),
    ...explainer.explain(boardOf(style, plain), true, MAX_PROOF_ENTRIES),
  };
}

/** Verifies a text of explanations of an input. Returns their number, or the message of the error. */
export async function verifyText(
  problem: string,
  input: string,
  explanations: string,
  pieceBytes = 1 << 16,
): Promise<number | string> {
  const inputBytes = { name: 'in', pieces: inPieces(bytesOf(input), pieceBytes) };
  const json = { name: 'json', pieces: inPieces(bytesOf(explanations), pieceBytes) };
  return verifyExplanations(problem, inputBytes, json).then(
    ({ explanations }) => explanations,
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

/** Verifies an explanation of a case of an input. */
export function verifyCase(
  style: Style,
  cases: readonly PlainCase[],
  explanation: unknown,
): Promise<number | string> {
  return verifyText(style.name, printInput(style, cases), JSON.stringify(explanation));
}
