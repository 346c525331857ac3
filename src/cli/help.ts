/** Prints the help: of all commands, or of one. It is made from the table of the command, as the manual page is. */
import type { ArgumentRow, CommandSyntax, Example, OptionRow } from './arguments/option.js';
import { COMMON_OPTIONS, optionLabelOf } from './arguments/syntax.js';
import { COMMANDS, type CommandEntry } from './command-list.js';

/** What boardmill is, for the help and the manual page. */
export const PROGRAM_DESCRIPTION =
  'Solves files of many test cases in parallel: of board games, and of problems of your own. Answers keep the input order.';

type Term = readonly [term: string, description: string];

export const EXIT_CODES: readonly Term[] = [
  [
    '0',
    'every case was answered (check, stress, bench, judge: and all answers agree; verify: and all explanations hold; grade: and no new test was found)',
  ],
  [
    '1',
    'some cases differ, an explanation does not hold, a new test was found, or cases were answered ERROR under --on-error mark',
  ],
  ['2', 'wrong usage, or a file that cannot be opened, created or overwritten'],
  ['3', 'invalid input'],
  ['4', 'a worker, a program, the system or boardmill itself failed'],
  ['129', 'stopped by SIGHUP'],
  ['130', 'stopped by SIGINT'],
  ['141', 'the reader of standard output closed it'],
  ['143', 'stopped by SIGTERM'],
];

const MAX_WIDTH = 100;
const DEFAULT_WIDTH = 80;

/** Returns the help of the command, or of boardmill if there is none. Its lines fit the terminal. */
export async function helpOf(entry: CommandEntry | undefined): Promise<string> {
  // A terminal that does not report its size has 0 columns.
  const width = Math.min(MAX_WIDTH, process.stdout.columns || process.stderr.columns || DEFAULT_WIDTH);
  const sections =
    entry === undefined ? programSections() : commandSections(entry, (await entry.load()).syntax);
  return `${sections.map((lines) => lines.flatMap((line) => wrapLine(line, width)).join('\n')).join('\n\n')}\n`;
}

/** A line of the help: a text, or a term with its description beside it, which begins at this column. */
type HelpLine = string | { readonly term: string; readonly description: string; readonly column: number };

/** What most people want first. */
const PROGRAM_EXAMPLES: readonly Example[] = [
  ['boardmill solve bacterial-tactics big.in -o big.ans', 'solve a file on all processors'],
  ['boardmill stress bacterial-tactics --exec ./mine', 'search for a case on which ./mine is wrong'],
];

function programSections(): HelpLine[][] {
  const commands = COMMANDS.map(({ usage, description }): Term => [usage, description]);
  return [
    ['boardmill <command>'],
    [PROGRAM_DESCRIPTION],
    ['Examples:', ...formatExamples(PROGRAM_EXAMPLES)],
    ['Commands:', ...listTerms(commands)],
    ['Options:', ...listTerms(termsOf(COMMON_OPTIONS))],
    ['Exit codes:', ...listTerms(EXIT_CODES)],
    ['`boardmill help <command>` shows the options of a command.'],
  ];
}

/** How many examples stand above the options. */
const FIRST_EXAMPLES = 2;

function commandSections({ usage, description }: CommandEntry, syntax: CommandSyntax): HelpLine[][] {
  const { examples = [], notes } = syntax;
  const operands = Object.entries(syntax.arguments).map(([name, row]): Term => [name, describeArgument(row)]);
  return [
    [`boardmill ${usage}`],
    [description],
    ...section('Examples:', formatExamples(examples.slice(0, FIRST_EXAMPLES))),
    ...section('Arguments:', listTerms(operands)),
    ...groupsOf(syntax).flatMap(([name, rows]) => section(`${name}:`, listTerms(termsOf(rows)))),
    ...section('More examples:', formatExamples(examples.slice(FIRST_EXAMPLES))),
    ...(notes === undefined ? [] : notes.split('\n\n').map((part) => part.split('\n'))),
  ];
}

/** A section with a heading; none if it has no lines. */
function section(heading: string, lines: readonly HelpLine[]): HelpLine[][] {
  return lines.length === 0 ? [] : [[heading, ...lines]];
}

/** Each command gets a line of its own, because a column would break it. */
function formatExamples(examples: readonly Example[]): string[] {
  return examples.flatMap(([command, explanation]) => [`  ${command}`, `      ${explanation}`]);
}

/** Returns the options of a command in groups: those without a group first, those of all commands last. */
function groupsOf({ options }: CommandSyntax): [name: string, rows: Record<string, OptionRow>][] {
  const groups = new Map<string, Record<string, OptionRow>>([['Options', {}]]);
  for (const [name, row] of Object.entries(options)) {
    const group = row.group ?? 'Options';
    groups.set(group, { ...groups.get(group), [name]: row });
  }
  return [...groups, ['All commands', COMMON_OPTIONS]];
}

function termsOf(rows: Readonly<Record<string, OptionRow>>): Term[] {
  return Object.entries(rows).map(([name, row]) => {
    const indent = row.alias === undefined ? '    ' : '';
    return [indent + optionLabelOf(name, row), describeOption(row)];
  });
}

/** Returns the description of an option. That of a choice is followed by its default, and of a required option by that fact. */
function describeOption({ describe, choices, otherwise, isRequired }: OptionRow): string {
  if (isRequired) return `${describe} (required)`;
  return choices === undefined || otherwise === null ? describe : `${describe} (default: ${otherwise})`;
}

function describeArgument({ describe, choices }: ArgumentRow): string {
  return choices === undefined ? describe : `${describe}: ${choices.join(', ')}`;
}

/** A longer term has its description below it. */
const MAX_TERM_LENGTH = 26;

function listTerms(terms: readonly Term[]): HelpLine[] {
  const lengths = terms.map(([term]) => term.length).filter((length) => length <= MAX_TERM_LENGTH);
  const column = Math.max(0, ...lengths) + 4;
  return terms.map(([term, description]) => ({ term, description, column }));
}

/** Breaks a line at blanks so that it fits. A word that is longer than a line stays whole. */
function wrapLine(line: HelpLine, width: number): string[] {
  if (typeof line === 'string') {
    const indent = /^ */.exec(line)?.[0] ?? '';
    return wrapWords(line.trim(), width - indent.length).map((each) => indent + each);
  }
  const { term, description, column } = line;
  const [first, ...others] = wrapWords(description, width - column);
  const indent = ' '.repeat(column);
  const isBeside = term.length + 4 <= column;
  const beginning = isBeside ? [`  ${term}`.padEnd(column) + first] : [`  ${term}`, indent + first];
  return [...beginning, ...others.map((each) => indent + each)];
}

function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}
