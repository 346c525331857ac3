/** Explains cases for `explain`. The "answer" to a case is the text that `explain` prints about it. */
import { MAX_PROOF_ENTRIES } from '../src/engine/limits.js';
import type { ExplainSettings, ExplanationOutput } from '../src/engine/output-settings.js';
import {
  EXPLANATION_SCHEMA,
  type Explainer,
  type Explanation,
  ProofTooLarge,
} from '../src/problems/explanation.js';
import type { AnswerPrinting } from '../src/problems/output-formats.js';
import { type BatchContext, CaseFailure, type Problem, type Solver } from '../src/problems/problem.js';

/** Prints the texts as they are. */
export const PRINTED_EXPLANATIONS: AnswerPrinting<string> = {
  label: () => '',
  print: (text, _, out) => out.utf8(text),
  toJson: (text) => text,
};

/** Returns the text that `explain` prints about a case. `printBoard` returns the rows of the board. */
type Describe = (value: unknown, caseNumber: number) => string;

/** Creates the solver whose answers are explanations. Cases before the first case to explain get an empty text. */
export async function createExplainingSolver(
  problem: Problem,
  { firstCase, output }: ExplainSettings,
): Promise<Solver<string, unknown>> {
  const describe = await createDescribe(problem, output);
  return {
    name: 'portable',
    lanes: 1,
    fallbackCases: 0,
    solve(cases, count, answers, context) {
      for (let i = 0; i < count; i++) {
        const caseNumber = (context as BatchContext).firstCase + i;
        answers[i] = caseNumber < firstCase ? '' : describeOrFail(describe, cases[i], caseNumber);
      }
    },
  };
}

/** A proof that is too large costs its case. Any other error is a failure of the solver. */
function describeOrFail(describe: Describe, value: unknown, caseNumber: number): string | CaseFailure {
  try {
    return describe(value, caseNumber);
  } catch (error) {
    if (!(error instanceof ProofTooLarge)) throw error;
    const { entries, what } = error;
    const counts = `${entries.toLocaleString('en')} ${what}, more than ${MAX_PROOF_ENTRIES.toLocaleString('en')}`;
    return new CaseFailure('refused', `its proof would list ${counts}; leave --proof out for this case`);
  }
}

async function createDescribe(problem: Problem, output: ExplanationOutput): Promise<Describe> {
  const rowsOf = problem.caseColumns!.board as (value: unknown) => string[];
  if (output.kind === 'board') return (value, number) => jsonLine({ case: number, board: rowsOf(value) });
  const explainer = await problem.loadExplainer!();
  const explain = createExplain(problem.name, explainer, rowsOf, output.kind === 'json' && output.hasProof);
  if (output.kind === 'json') return (value, number) => jsonLine(explain(value, number));
  if (output.kind === 'svg') {
    const { drawExplanation } = await import('../src/drawing/explanation.js');
    return (value, number) =>
      jsonLine({ case: number, svg: drawExplanation(explain(value, number), { moves: output.hasMoves }) });
  }
  const { explanationText } = await import('../src/explain/text.js');
  return (value, number) => explanationText(explain(value, number), output);
}

/** Returns the function that explains a case of the problem with this name. */
function createExplain(
  problem: string,
  explainer: Explainer<unknown>,
  rowsOf: (value: unknown) => string[],
  hasProof: boolean,
): (value: unknown, caseNumber: number) => Explanation {
  return (value, caseNumber) => ({
    schema: EXPLANATION_SCHEMA,
    problem,
    case: caseNumber,
    board: rowsOf(value),
    ...explainer.explain(value, hasProof, MAX_PROOF_ENTRIES),
  });
}

function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
