/** `boardmill check`: solves an input and compares an answer file with the right answers, case by case. */
import type { Argv } from 'yargs';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { streamSink } from '../../engine/output/open-sink.js';
import { PLAIN_SETTINGS } from '../../engine/output-settings.js';
import { openSource, type Source } from '../../engine/read.js';
import { run as runEngine } from '../../engine/run.js';
import { Tally } from '../../engine/tally.js';
import { AnswerComparer, type AnswerDifference } from '../../engine/tools/compare.js';
import { ANSWER_OPTIONS, openMatcher, parseAnswerOptions } from '../arguments/answer-options.js';
import { parseCountOption, usageError } from '../arguments/parse-options.js';
import {
  openDispatcher,
  parseSolvingOptions,
  SOLVING_OPTIONS,
  type SolvingOptions,
} from '../arguments/solving-options.js';
import { type ArgumentsOf, formatExamples, PROBLEM_ARGUMENT } from '../command.js';
import { EXIT_CODE, printMessage } from '../exit.js';
import { formatCount, formatQuantity } from '../format-count.js';
import { addProblemSuggestion, InputBeginning } from '../inputs/recognize.js';
import { stopOnSignal } from '../signals.js';
import { isBarWanted, startProgress } from '../status/progress.js';
import { printAboveStatus } from '../status/terminal.js';

const DEFAULT_MAX_DIFFERENCES = 10;

export function options(parser: Argv) {
  return parser
    .positional('problem', PROBLEM_ARGUMENT)
    .positional('input', {
      type: 'string',
      demandOption: true,
      describe: 'file with the test cases; - is standard input',
    })
    .positional('answer-file', {
      type: 'string',
      demandOption: true,
      describe: 'file with the answers to check; - is standard input',
    })
    .options({
      exact: {
        type: 'boolean',
        default: false,
        describe: 'compare byte by byte; the default is to compare tokens, ignoring blanks and line ends',
      },
      max: {
        type: 'string',
        requiresArg: true,
        describe: `number of differences to show (default: ${DEFAULT_MAX_DIFFERENCES})`,
      },
      json: { type: 'boolean', default: false, describe: 'print the differences as JSON' },
      ...ANSWER_OPTIONS,
      ...SOLVING_OPTIONS,
    })
    .epilogue(
      formatExamples([
        ['boardmill check darkraft big.in big.ans', 'check the answers in big.ans'],
        [
          "boardmill check zu t.in mine.ans --exec './brute'",
          'take the right answers from the program ./brute',
        ],
      ]),
    );
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  if (args.input === '-' && args.answerFile === '-')
    throw usageError('<input> and <answer-file> cannot both be standard input');
  const max = parseCountOption('--max', args.max, 0) ?? DEFAULT_MAX_DIFFERENCES;
  const solving = await parseSolvingOptions(args, (message) => {
    if (!args.quiet) printMessage(message);
  });
  const answerOptions = await parseAnswerOptions(args);
  await assertDistinct({
    reads: [
      ...[...solving.chosen.paths, ...answerOptions.paths].map((path) => ({
        path,
        role: 'problem or checker',
      })),
      { path: args.input, role: 'input' },
      { path: args.answerFile, role: 'answers to check' },
    ],
    writes: [],
  });
  const input = await openSource(args.input);
  const answers = await openSource(args.answerFile);
  const beginning = new InputBeginning(input.pieces);
  const differences: AnswerDifference[] = [];
  const stdout = streamSink(process.stdout);
  const write = (text: string) => stdout.write(Buffer.from(text), null);
  // Standard output may be the terminal that shows the progress bar.
  const print = (text: string) => (process.stdout.isTTY ? printAboveStatus(() => write(text)) : write(text));
  const { answerFormat } = solving.problem;
  const signals = stopOnSignal((signal) => {
    if (!args.quiet)
      printMessage(`${signal}: finishing the cases that are being compared; a second signal stops at once`);
  });
  const { timeoutSeconds } = solving;
  const limits = { timeoutSeconds, stop: signals.stop };
  const { matcher, close } = await openMatcher(solving.problem, answerOptions, solving.jobs, limits);
  const comparison = new AnswerComparer(answers.pieces, {
    inputFormat: solving.problem.inputFormat,
    answerFormat,
    matcher,
    wholeLines: args.exact,
    maxReported: max,
    onDifference: async (difference) => {
      if (args.json) differences.push(difference);
      else {
        const { dueCase } = difference;
        const dueLabel = dueCase === null ? null : answerFormat.label(dueCase);
        await print(describeDifference(difference, dueLabel, answers.name, args.exact));
      }
    },
  });
  try {
    const source = { ...input, pieces: beginning.pieces };
    await compareAnswers(source, comparison, solving, isBarWanted(args), signals.stop);
  } catch (error) {
    throw await addProblemSuggestion(error, beginning, solving.problem);
  } finally {
    await Promise.all([input.close(), answers.close(), close()]);
    signals.release();
  }
  await print(args.json ? formatJson(solving, comparison, differences) : formatSummary(comparison, max));
  return comparison.isSame ? EXIT_CODE.ok : EXIT_CODE.differs;
}

/** Solves the input and passes the right answers to the comparison. */
async function compareAnswers(
  input: Source,
  comparison: AnswerComparer,
  solving: SolvingOptions,
  isBarShown: boolean,
  stop: AbortSignal,
): Promise<void> {
  const { problem, chunkBytes, jobs, retries } = solving;
  const dispatcher = await openDispatcher(solving);
  const closeInput = () => void input.close();
  stop.addEventListener('abort', closeInput);
  const tally = new Tally();
  tally.inputBytes = input.size;
  const progress = await startProgress(tally, isBarShown);
  try {
    await runEngine(
      input,
      comparison,
      dispatcher,
      { problem, settings: PLAIN_SETTINGS, chunkBytes, jobs, retries, warn: printMessage, stop },
      tally,
    );
    await comparison.finish();
    await solving.programFiles?.assertUnchanged();
  } finally {
    progress.stop();
    await dispatcher.close();
  }
}

/** `dueLabel` is the label of the answer that is expected next, such as `Case #4:`; null after the last case. */
function describeDifference(
  { kind, caseNumber, location, expected, got, reason }: AnswerDifference,
  dueLabel: string | null,
  file: string,
  exact: boolean,
): string {
  const where = `${file}:${location.line}:${location.column}`;
  const show = (text: string | null) =>
    text === null ? 'no answer' : exact ? JSON.stringify(text) : escapeUnprintable(text);
  if (kind === 'unexpected') {
    const position = dueLabel === null ? 'after the last answer' : `where "${dueLabel}" was due`;
    return `${where}: unexpected text ${position}: ${oneLine(show(got))}\n`;
  }
  const isShort = exact || ![expected, got].some((text) => text?.includes('\n'));
  const why = reason === null ? '' : `: ${oneLine(escapeUnprintable(reason))}`;
  if (isShort) return `${where}: case ${caseNumber}: expected ${show(expected)}, got ${show(got)}${why}\n`;
  return `${where}: case ${caseNumber} differs${why}:\n${sideBySide(show(expected), show(got))}`;
}

const MAX_SHOWN_CHARACTERS = 100;

/** Returns the text on one line, cut off if it is long. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_SHOWN_CHARACTERS ? `${line.slice(0, MAX_SHOWN_CHARACTERS)}...` : line;
}

const EXPECTED_HEADING = 'expected';
const GOT_HEADING = 'got';

/** Formats two answers of several lines as two columns with headings. Lines that differ begin with `>`. */
function sideBySide(expected: string, got: string): string {
  const left = expected.split('\n');
  const right = got.split('\n');
  const width = Math.max(EXPECTED_HEADING.length, ...left.map(({ length }) => length));
  const formatRow = (sign: string, leftCell: string, rightCell: string) =>
    `  ${sign} ${leftCell.padEnd(width)} | ${rightCell}`.trimEnd();
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, i) =>
    formatRow(left[i] === right[i] ? ' ' : '>', left[i] ?? '', right[i] ?? ''),
  );
  return `${[formatRow(' ', EXPECTED_HEADING, GOT_HEADING), ...rows].join('\n')}\n`;
}

/**
 * Replaces all characters except printable ASCII and line feeds by escapes such as `\\x1b`, so that answers cannot
 * send commands to the terminal. Blanks at the ends of lines are removed.
 */
function escapeUnprintable(text: string): string {
  return text
    .replace(/[ \t\r]+$/gm, '')
    .replace(/[^\n -~]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Formats the last line of the output: the number of cases, and how many of them differ. */
function formatSummary({ cases, counts, isSame }: AnswerComparer, max: number): string {
  const total = counts.differs + counts.missing + counts.unexpected;
  const parts = [
    counts.differs > 0 ? `${formatCount(counts.differs)} ${counts.differs === 1 ? 'differs' : 'differ'}` : '',
    counts.missing > 0 ? `${formatCount(counts.missing)} without an answer` : '',
    counts.unexpected > 0 ? formatQuantity(counts.unexpected, 'unexpected answer') : '',
    total > max ? describeLimit(max) : '',
  ].filter((part) => part !== '');
  return `${formatQuantity(cases, 'case')}: ${isSame ? 'all answers agree' : parts.join(', ')}\n`;
}

/** Says that `--max` limited the number of differences that were shown. */
function describeLimit(max: number): string {
  if (max === 0) return 'none shown';
  return max === 1 ? 'only the first shown' : `only the first ${formatCount(max)} shown`;
}

function formatJson(
  { problem }: SolvingOptions,
  { cases, counts, isSame }: AnswerComparer,
  differences: readonly AnswerDifference[],
): string {
  const listed = differences.map(({ kind, caseNumber, location, expected, got, reason }) => ({
    kind,
    case: caseNumber,
    ...location,
    expected,
    got,
    ...(reason === null ? {} : { reason }),
  }));
  return `${JSON.stringify({ problem: problem.name, cases, agree: isSame, ...counts, differences: listed }, null, 2)}\n`;
}
