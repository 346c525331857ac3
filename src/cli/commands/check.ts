/** `boardmill check`: an answer file against the answers, case by case. */
import type { Argv } from 'yargs';
import { pluralize } from '../../core/errors.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { streamSink } from '../../engine/output/open-sink.js';
import { openSource, type Source } from '../../engine/read.js';
import { run as runEngine } from '../../engine/run.js';
import { Tally } from '../../engine/tally.js';
import { AnswerComparer, type AnswerDifference } from '../../engine/tools/compare.js';
import { parseCountOption, usageError } from '../arguments/parse-options.js';
import { openDispatcher, parseSolving, SOLVING_OPTIONS, type Solving } from '../arguments/solving-options.js';
import { type ArgumentsOf, describeExamples, PROBLEM_WORD } from '../command.js';
import { EXIT, printMessage } from '../exit.js';
import { InputBeginning, suggestProblem } from '../inputs/recognize.js';
import { stopOnSignal } from '../signals.js';
import { isBarWanted, startProgress } from '../status/progress.js';
import { printAbove } from '../status/terminal.js';

export function options(words: Argv) {
  return words
    .positional('problem', PROBLEM_WORD)
    .positional('input', {
      type: 'string',
      demandOption: true,
      describe: 'the test cases; - is standard input',
    })
    .positional('answers', {
      type: 'string',
      demandOption: true,
      describe: 'answers to check; - is standard input',
    })
    .options({
      exact: { type: 'boolean', default: false, describe: 'compare bytes, not tokens' },
      max: { type: 'string', requiresArg: true, describe: 'number of differences to show (default: 10)' },
      json: { type: 'boolean', default: false, describe: 'print the result as JSON' },
      ...SOLVING_OPTIONS,
    })
    .epilogue(
      describeExamples([
        ['boardmill check darkraft big.in big.ans', 'are these the right answers?'],
        ["boardmill check zu t.in mine.ans --exec './brute'", 'compare with the answers of another program'],
      ]),
    );
}

const DEFAULT_MAX = 10;

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  if (args.input === '-' && args.answers === '-')
    throw usageError('only one of the two can be standard input');
  const max = parseCountOption('--max', args.max, 0) ?? DEFAULT_MAX;
  const solving = await parseSolving(args, (message) => {
    if (!args.quiet) printMessage(message);
  });
  await assertDistinct({
    reads: [
      { path: args.input, role: 'input' },
      { path: args.answers, role: 'answers to check' },
    ],
    writes: [],
  });
  const input = await openSource(args.input);
  const answers = await openSource(args.answers);
  const beginning = new InputBeginning(input.pieces);
  const differences: AnswerDifference[] = [];
  const stdout = streamSink(process.stdout);
  const write = (text: string) => stdout.write(Buffer.from(text), null);
  // Differences may go to the terminal that shows the bar.
  const print = (text: string) => (process.stdout.isTTY ? printAbove(() => write(text)) : write(text));
  const comparison = new AnswerComparer(answers.pieces, {
    answerFormat: solving.problem.answerFormat,
    exact: args.exact,
    maxReported: max,
    onDifference: async (difference) => {
      if (args.json) differences.push(difference);
      else await print(describeDifference(difference, answers.name, args.exact));
    },
  });
  try {
    await compare({ ...input, pieces: beginning.pieces }, comparison, solving, isBarWanted(args));
  } catch (error) {
    throw await suggestProblem(error, beginning, solving.problem);
  } finally {
    await Promise.all([input.close(), answers.close()]);
  }
  await print(args.json ? asJson(solving, comparison, differences) : summary(comparison, max));
  return comparison.isSame ? EXIT.ok : EXIT.differs;
}

async function compare(
  input: Source,
  comparison: AnswerComparer,
  solving: Solving,
  isBarShown: boolean,
): Promise<void> {
  const { problem, chunkBytes, jobs, retries } = solving;
  const dispatcher = await openDispatcher(solving);
  const signals = stopOnSignal();
  const closeInput = () => void input.close();
  signals.stop.addEventListener('abort', closeInput);
  const tally = new Tally();
  tally.inputBytes = input.size;
  const progress = await startProgress(tally, isBarShown);
  const settings = { outputFormat: 'text', onError: 'stop' } as const;
  try {
    await runEngine(
      input,
      comparison,
      dispatcher,
      { problem, settings, chunkBytes, jobs, retries, warn: printMessage, stop: signals.stop },
      tally,
    );
    await comparison.finish();
    await solving.programFiles?.assertUnchanged();
  } finally {
    progress.stop();
    await dispatcher.close();
    signals.release();
  }
}

function describeDifference(
  { kind, caseNumber, location, expected, got }: AnswerDifference,
  file: string,
  exact: boolean,
): string {
  const where = `${file}:${location.line}:${location.column}`;
  const subject = caseNumber === null ? '' : `case ${caseNumber}: `;
  const told = (text: string | null) =>
    text === null ? 'nothing' : exact ? JSON.stringify(text) : printable(text);
  if (kind === 'unexpected') return `${where}: an answer to no case that is due: ${oneLine(told(got))}\n`;
  const isShort = exact || ![expected, got].some((text) => text?.includes('\n'));
  if (isShort) return `${where}: ${subject}expected ${told(expected)}, got ${told(got)}\n`;
  return `${where}: ${subject}expected (left), got (right)\n${sideBySide(told(expected), told(got))}`;
}

const SHOWN_CHARS = 100;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}...` : line;
}

/** Line by line, `>` before those that differ. */
function sideBySide(expected: string, got: string): string {
  const left = expected.split('\n');
  const right = got.split('\n');
  const width = Math.max(...left.map(({ length }) => length));
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, i) => {
    const sign = left[i] === right[i] ? ' ' : '>';
    return `  ${sign} ${(left[i] ?? '').padEnd(width)}  |  ${right[i] ?? ''}`.trimEnd();
  });
  return `${rows.join('\n')}\n`;
}

/** What a terminal shows as it is; a line end alone ends a line. */
function printable(text: string): string {
  return text
    .replace(/[ \t\r]+$/gm, '')
    .replace(/[^\n -~]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function summary({ cases, counts, isSame }: AnswerComparer, max: number): string {
  const total = counts.differs + counts.missing + counts.unexpected;
  const told = [
    counts.differs > 0 ? `${counts.differs} differ` : '',
    counts.missing > 0 ? `${counts.missing} without an answer` : '',
    counts.unexpected > 0 ? `${counts.unexpected} to no case that is due` : '',
    total > max ? `the first ${max} are shown` : '',
  ].filter((part) => part !== '');
  return `${pluralize(cases, 'case')}: ${isSame ? 'all answers agree' : told.join(', ')}\n`;
}

function asJson(
  { problem }: Solving,
  { cases, counts, isSame }: AnswerComparer,
  differences: readonly AnswerDifference[],
): string {
  const listed = differences.map(({ kind, caseNumber, location, expected, got }) => ({
    kind,
    case: caseNumber,
    ...location,
    expected,
    got,
  }));
  return `${JSON.stringify({ problem: problem.name, cases, agree: isSame, ...counts, differences: listed }, null, 2)}\n`;
}
