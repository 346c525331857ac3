/** The job of `explain`. The "answer" to a case is the text that `explain` prints about it. */
import { formatCount } from '../../src/core/format-count.js';
import { MAX_PROOF_ENTRIES } from '../../src/engine/limits.js';
import type {
  ExplainedCase,
  ExplainJob,
  ExplanationFormat,
  ExplanationOutput,
} from '../../src/engine/output-settings.js';
import {
  EXPLANATION_SCHEMA,
  type Explainer,
  type Explanation,
  ProofTooLarge,
} from '../../src/problems/explanation.js';
import type { AnswerPrinting } from '../../src/problems/output-formats.js';
import { type BatchContext, CaseFailure, type Problem, type Solver } from '../../src/problems/problem.js';
import { ChunkSolver } from '../chunk-solver.js';
import type { ChunkWorker } from './chunk-worker.js';

/** Prints the texts of explanations without any change. */
const PRINTED_EXPLANATIONS: AnswerPrinting<string> = {
  label: () => '',
  print: (text, _, out) => out.utf8(text),
  toJson: (text) => text,
};

/** A function that returns the text that a worker thread sends about a case. */
type Describe = (value: unknown, caseNumber: number) => string;

/** Creates the worker that explains cases. */
export async function createExplainingWorker(problem: Problem, job: ExplainJob): Promise<ChunkWorker> {
  const formats = { inputFormat: problem.inputFormat, answerFormat: PRINTED_EXPLANATIONS };
  return new ChunkSolver(formats, await createExplainingSolver(problem, job), false);
}

/** Creates the solver whose answers are explanations. Cases before the first case to explain get an empty text. */
async function createExplainingSolver(
  problem: Problem,
  { firstCase, output }: ExplainJob,
): Promise<Solver<string, unknown>> {
  const describe = await createDescribe(problem, output, firstCase);
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

/** If a proof is too large, only its case has no answer. Any other error counts as a failure of the solver. */
function describeOrFail(describe: Describe, value: unknown, caseNumber: number): string | CaseFailure {
  try {
    return describe(value, caseNumber);
  } catch (error) {
    if (!(error instanceof ProofTooLarge)) throw error;
    const { entries, what } = error;
    const counts = `${formatCount(entries)} ${what}, more than ${formatCount(MAX_PROOF_ENTRIES)}`;
    return new CaseFailure('refused', `its proof would list ${counts}; leave --proof out for this case`);
  }
}

async function createDescribe(
  problem: Problem,
  { printed, drawing, hasBoard }: ExplanationOutput,
  firstCase: number,
): Promise<Describe> {
  const rowsOf = problem.caseColumns!.board as (value: unknown) => string[];
  const explainer = await problem.loadExplainer!();
  const hasProof = printed?.kind === 'json' && printed.hasProof;
  const explain = createExplain(problem.name, explainer, rowsOf, hasProof);
  const print = await createPrint(printed, firstCase);
  if (drawing === null && !hasBoard) return (value, number) => print(explain(value, number));
  const draw = drawing === null ? null : await createDraw(drawing.hasMoves);
  return (value, number) => {
    // A page needs only the board, and no explanation: it explains the board itself.
    const explanation = draw === null && printed === null ? null : explain(value, number);
    const explained: ExplainedCase = {
      case: number,
      printed: explanation === null ? '' : print(explanation),
      svg: explanation === null || draw === null ? null : draw(explanation),
      board: hasBoard ? rowsOf(value) : null,
    };
    return jsonLine(explained);
  };
}

/** Returns the function that prints explanations. Texts are separated by an empty line. */
async function createPrint(
  form: ExplanationFormat | null,
  firstCase: number,
): Promise<(explanation: Explanation) => string> {
  if (form === null) return () => '';
  if (form.kind === 'json') return jsonLine;
  const { explanationText } = await import('../../src/explain/text/text.js');
  return (explanation) =>
    `${explanation.case === firstCase ? '' : '\n'}${explanationText(explanation, form)}`;
}

async function createDraw(moves: boolean): Promise<(explanation: Explanation) => string> {
  const { drawExplanation } = await import('../../src/explain/drawing/explanation.js');
  return (explanation) => drawExplanation(explanation, { moves });
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
