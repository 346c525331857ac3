/** `boardmill verify`: checks the proofs in the explanations that `explain` has written. */

import { loadProblem } from '../../catalog/registry.js';
import { pluralize } from '../../core/errors.js';
import { openSource } from '../../engine/input/read.js';
import { isGrammarPath, isModulePath } from '../../problems/modules/module-path.js';
import { FalseStatement } from '../../verify/facts.js';
import { VERIFIABLE_PROBLEMS, type VerificationResult, verifyExplanations } from '../../verify/verify.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { parseProblem } from '../arguments/problem-argument.js';
import * as row from '../arguments/rows.js';
import { usageError } from '../arguments/usage-error.js';
import { EXIT_CODE, printError, printMessage } from '../exit.js';
import { withInput } from '../inputs/with-input.js';

export const syntax = {
  arguments: {
    problem: row.gameArgument(VERIFIABLE_PROBLEMS),
    input: row.requiredArgument('file with the test cases that are explained, or - for standard input'),
    explanation: row.requiredArgument(
      'file with explanations as JSON, one on each line; - is standard input',
    ),
  },
  options: { quiet: row.QUIET_OPTION },
  examples: [
    [
      'boardmill explain bt big.in --json --proof | boardmill verify bt big.in -',
      'explain every case of big.in, and check each explanation',
    ],
    ['boardmill verify zu t.in t.json', 'check the explanations in t.json'],
  ],
  notes:
    'verify reads the boards from the input and plays by the rules of the game. It shares no code with the solvers. If a statement is not true, verify names it and stops with exit code 1. At a line that is not an explanation it stops with exit code 3. Explanations must be in the order of their cases. Cases without an explanation are skipped. That the line of a tie in river-pawn is the shortest one is checked as far as a search of 20 million positions goes.',
} satisfies CommandSyntax;

type VerifyArguments = CommandLineValues<typeof syntax>;

export async function run(args: VerifyArguments): Promise<number> {
  if (args.input === '-' && args.explanation === '-')
    throw usageError('<input> and <explanation> cannot both be standard input');
  const name = problemName(args.problem);
  try {
    const verified = await verifyFiles(name, args);
    if (!args.quiet) printMessage(describe(verified));
    return EXIT_CODE.ok;
  } catch (error) {
    if (!(error instanceof FalseStatement)) throw error;
    printError(error.message);
    return EXIT_CODE.differs;
  }
}

/** Says how many explanations hold, and how many cases they explain unless these are all. */
function describe({ explanations, explained, cases }: VerificationResult): string {
  const holds = `${pluralize(explanations, 'explanation')} ${explanations === 1 ? 'holds' : 'hold'}`;
  if (explained === cases) return holds;
  return cases === null
    ? `${holds}, for ${pluralize(explained, 'case')}; the input cannot be read to its end`
    : `${holds}, for ${explained} of ${pluralize(cases, 'case')}`;
}

/** Returns the full name of the problem. Modules and grammars have no explanations. */
function problemName(problem: string): string {
  const name = isGrammarPath(problem) || isModulePath(problem) ? problem : parseProblem(problem).name;
  if (VERIFIABLE_PROBLEMS.includes(name)) return name;
  throw usageError(`verify knows only the games ${VERIFIABLE_PROBLEMS.join(', ')}, got ${problem}`);
}

/** Checks all explanations. Fails if a proof is wrong. */
async function verifyFiles(
  name: string,
  { input, explanation }: VerifyArguments,
): Promise<VerificationResult> {
  return withInput(input, await loadProblem(name), async (source, stop) => {
    const explanations = await openSource(explanation, { stop });
    try {
      return await verifyExplanations(name, source, explanations);
    } finally {
      await explanations.close();
    }
  });
}
