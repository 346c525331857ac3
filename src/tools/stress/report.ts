/** The texts that `stress` prints about a failure and at the end of a search. */

import { decodeText, MIB } from '../../core/bytes.js';
import { formatCommandLine } from '../../core/command-line.js';
import type { Deadline } from '../../core/deadline.js';
import { formatCount, formatQuantity } from '../../core/format-count.js';
import { escapeUnprintable } from '../../core/printable.js';
import { ProgramRunner } from '../../engine/exec/program.js';
import { prepareProgram } from '../../engine/exec/sandbox.js';
import { assembleInput } from '../../formats/assemble-input.js';
import type { LargestSizes } from '../cases/case-sizes.js';
import type { UntriedCaseCount } from './case-groups.js';
import { commandToSolve, quoteProgram, type StressPlan } from './plan.js';
import { saveRegressionCase } from './regression-cases.js';
import type { Counterexample, StressProgress } from './stress.js';

/** Bytes of a program's output that `stress` saves next to the smallest case. */
const MAX_SAVED_OUTPUT_BYTES = MIB;

/** Saves a counterexample in the current folder unless it was saved before. Returns the text to print about it. */
export async function saveCounterexample(
  plan: StressPlan,
  found: Counterexample,
  deadline: Deadline,
): Promise<string> {
  const { failure, batch, shrunkCases } = found;
  const { inputFormat } = plan.problem;
  const count = shrunkCases.length;
  const input = assembleInput(inputFormat, shrunkCases, batch.head.bytes);
  const lines = indentedLines(input);
  const cases = formatQuantity(count, 'case');
  if (batch.savedAs !== null) {
    return joinLines([
      `${batch.savedAs}, saved before: ${failure.description}`,
      `${cases}:`,
      ...lines,
      'repeat with:',
      `  ${commandToRepeat(plan, found, batch.savedAs)}`,
    ]);
  }
  const { expected } = failure;
  const again = deadline.isOver ? failure.got : await outputOf(plan, input);
  const isRightAgain = failure.kind === 'wrong' && Buffer.from(expected).equals(again);
  const files = await saveRegressionCase(plan, { input, expected, got: isRightAgain ? failure.got : again });
  return joinLines([
    `${batch.origin}, seed ${plan.seed}: ${failure.description}`,
    `${cases}, shrunk from a batch of ${formatCount(batch.cases.length)}:`,
    ...lines,
    `saved ${Object.values(files).join(', ')}; repeat with:`,
    `  ${commandToRepeat(plan, found, files.input)}`,
    ...(isRightAgain ? ['run once more, the program was right: its answers change from run to run'] : []),
  ]);
}

/** Joins lines, in which names and texts of programs must not begin further lines. */
function joinLines(lines: readonly string[]): string {
  return [...lines.map(escapeUnprintable), ''].join('\n');
}

function indentedLines(input: Uint8Array): string[] {
  const text = decodeText(input).trimEnd();
  return text.split('\n').map((line) => `  ${line}`);
}

/**
 * Returns the command that repeats the failure. For a wrong answer it is `check`, which shows the wrong and the right
 * answer. For a crash or a timeout it is `solve`, which reports the failure. But `solve` gives each case to the program alone
 * if it fails on several; then only the program itself repeats its failure.
 */
function commandToRepeat(plan: StressPlan, { failure, shrunkCases }: Counterexample, input: string): string {
  if (failure.kind !== 'wrong' && shrunkCases.length === 1) return commandToSolve(plan, plan.argv, input);
  const file = formatCommandLine([input]);
  const program = `${formatCommandLine(plan.argv)} < ${file}`;
  if (failure.kind !== 'wrong') return program;
  const check = [`boardmill check ${formatCommandLine(plan.problem.words)} ${file} -`, ...checkOptions(plan)];
  return `${program} | ${check.join(' ')}`;
}

/** Returns the options with which `check` decides as this search does. */
function checkOptions({ reference, answerOptions: { tolerance, checker } }: StressPlan): string[] {
  return [
    ...(reference === null ? [] : [`--exec ${quoteProgram(reference)}`]),
    ...(tolerance === null ? [] : [`--tolerance ${tolerance}`]),
    ...(checker === null ? [] : [`--checker ${quoteProgram(checker)}`]),
  ];
}

/** Runs the program on the input, in the time of one case, and returns its output, byte for byte. */
async function outputOf(plan: StressPlan, input: Uint8Array): Promise<Uint8Array> {
  const { argv, sandbox } = await prepareProgram(plan.argv, plan.sandbox);
  const program = new ProgramRunner(argv, { sandbox });
  try {
    const timeoutMs = plan.timeoutSeconds * 1000;
    return (await program.run(input, { timeoutMs, outputBytes: MAX_SAVED_OUTPUT_BYTES })).stdout;
  } finally {
    program.close();
  }
}

/** Describes what was tried: "no difference in 120 cases, 2 rounds, boards up to 3x3, seed 7". */
export function summarizeSearch(
  plan: StressPlan,
  progress: StressProgress,
  left: UntriedCaseCount | null,
): string {
  const { failures, cases, rounds, regressionCases, largest } = progress;
  const found = failures === 1 ? '1 failure' : `${formatCount(failures)} different failures`;
  const what = failures === 0 ? 'no difference' : found;
  const all = left?.count === 0n ? 'all ' : '';
  const saved = regressionCases === 0 ? [] : [formatQuantity(regressionCases, 'regression case')];
  return [
    `${what} in ${all}${formatQuantity(cases, 'case')}`,
    formatQuantity(rounds, 'round'),
    ...saved,
    ...describeLargestSizes(largest),
    ...(plan.enumeration === null ? [`seed ${plan.seed}`] : []),
    ...(left === null || left.count === 0n ? [] : [describeCasesLeft(plan, left)]),
  ].join(', ');
}

/** Describes how many cases were not tried: "512 boards are left". */
export function describeCasesLeft({ problem }: StressPlan, { count, isExact }: UntriedCaseCount): string {
  const noun = problem.boardLines === undefined ? 'case' : 'board';
  const isLarge = count >= LARGE_COUNT;
  const number = isLarge ? `about 10^${String(count).length - 1}` : count.toLocaleString('en-US');
  return `${isExact ? '' : 'at most '}${number} ${noun}${count === 1n ? ' is' : 's are'} left`;
}

/** From this number on, only the size of a number is shown. */
const LARGE_COUNT = 10n ** 40n;

/** Describes the largest sizes: boards, or the numbers that say how long things are, or else the longest case. */
export function describeLargestSizes({ board, numbers, bytes }: LargestSizes): string[] {
  if (bytes === 0) return [];
  if (board !== null) return [`boards up to ${board.rows}x${board.cols}`];
  if (numbers.size === 0) return [`cases up to ${formatQuantity(bytes, 'byte')}`];
  return [...numbers].map(([name, largest]) => `${name} up to ${formatCount(largest)}`);
}
