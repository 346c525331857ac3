/**
 * Makes the manual page from the texts that `--help` prints. The build writes the page to dist/boardmill.1. The page is
 * in roff with the macros of man(7), which all versions of `man` can show.
 */

/**
 * What the environment and the files mean to boardmill. `--help` does not have these texts. Each entry is a name and its
 * meaning.
 */
const ENVIRONMENT = [
  ['BOARDMILL_DEBUG', 'If it is set, the report of an internal error includes the stack of calls.'],
  ['CI', 'If it is set, boardmill shows no progress bar.'],
  ['NO_COLOR', 'If it is set, boardmill prints no colours.'],
  ['PATH', 'The folders in which boardmill looks for the programs of --exec, and for sh, which starts them.'],
  ['SHELL', 'The shell for which `boardmill completion` prints a script.'],
  ['TERM', 'If it is dumb, boardmill shows no progress bar.'],
  ['TMPDIR', 'The folder for temporary files.'],
  [
    'XDG_STATE_HOME',
    'The folder that contains the ledger, the record of the files that boardmill wrote. The default is ~/.local/state.',
  ],
];

const FILES = [
  [
    'FILE.partial',
    'The answers so far, while a run with -o FILE works. FILE appears when the run is complete.',
  ],
  ['FILE.checkpoint', 'How far an interrupted run has come. --resume continues the run from there.'],
  [
    '$XDG_STATE_HOME/boardmill/answers/',
    'The ledger. Without --force, a command replaces only files that the same command wrote.',
  ],
];

const SEE_ALSO = [
  'node(1), parallel(1)',
  'The tutorial docs/your-own-problem.md in the package explains how to describe a problem of your own.',
];

/**
 * Returns the manual page. `commands` are the commands with their usage, description and syntax; `common` has the options that
 * all commands share, what boardmill is, and its exit codes.
 */
export function manPage({ version, summary, commands, common }) {
  return [
    `.TH BOARDMILL 1 "" "boardmill ${escapeText(version)}" "boardmill manual"`,
    // Hyphenation and adjusted lines would change commands, so they are off.
    '.nh',
    '.ad l',
    ...section('NAME', [`boardmill \\- ${escapeText(summary)}`]),
    ...section('SYNOPSIS', ['.nf', ...commands.map(({ usage }) => formatUsage(usage)), '.fi']),
    ...section('DESCRIPTION', paragraph(common.description)),
    ...section('OPTIONS', formatOptions(common.options)),
    ...section('COMMANDS', commands.flatMap(formatCommand)),
    ...section('EXIT STATUS', common.exitCodes.flatMap(formatTerm)),
    ...section('ENVIRONMENT', ENVIRONMENT.flatMap(formatTerm)),
    ...section('FILES', FILES.flatMap(formatTerm)),
    ...section('EXAMPLES', formatExamples(commands.flatMap(({ syntax }) => syntax.examples ?? []))),
    ...section('SEE ALSO', SEE_ALSO.flatMap(paragraph)),
    '',
  ].join('\n');
}

/** Returns the texts of all commands of the build in `compiledFolder`, a URL that ends in a slash. */
export async function readCommands(compiledFolder) {
  const load = (path) => import(new URL(path, compiledFolder).href);
  const [{ COMMANDS }, { COMMON_OPTIONS, valueNameOf }, { EXIT_CODES, PROGRAM_DESCRIPTION }] =
    await Promise.all([
      load('src/cli/command-list.js'),
      load('src/cli/arguments/syntax.js'),
      load('src/cli/help.js'),
    ]);
  const withValueNames = (options) =>
    Object.fromEntries(
      Object.entries(options).map(([name, row]) => [name, { ...row, value: valueNameOf(row) }]),
    );
  const commands = COMMANDS.map(async ({ usage, description, load }) => {
    const { syntax } = await load();
    return { usage, description, syntax: { ...syntax, options: withValueNames(syntax.options) } };
  });
  return {
    commands: await Promise.all(commands),
    common: { options: COMMON_OPTIONS, description: PROGRAM_DESCRIPTION, exitCodes: EXIT_CODES },
  };
}

function section(title, lines) {
  return [`.SH ${title}`, ...lines];
}

/** Formats a command with its arguments, its options and the notes below them. The examples have a section of their own. */
function formatCommand({ usage, description, syntax }) {
  return [
    `.SS "${quoteArgument(`boardmill ${usage}`)}"`,
    escapeLine(toSentence(description)),
    ...Object.entries(syntax.arguments).flatMap(([name, { describe }]) => formatTerm([name, describe])),
    ...formatOptions(syntax.options),
    ...(syntax.notes === undefined ? [] : formatNote(syntax.notes)),
  ];
}

/** Formats a usage line such as `solve <problem> [inputs..]`. */
function formatUsage(usage) {
  return `\\fBboardmill\\fR ${escapeText(usage)}`;
}

function formatOptions(options) {
  return Object.entries(options).flatMap(([name, option]) => formatOption(name, option));
}

function formatOption(name, option) {
  const { alias, isFlag, flagWords, otherwise } = option;
  const plain = flagWords === undefined ? '' : ` [\\fI${escapeText(flagWords.join('|'))}\\fR]`;
  const value = isFlag ? plain : ` \\fI${escapeText(option.value)}\\fR`;
  const names = [
    ...(alias === undefined ? [] : [`-${alias}`]),
    `--${name}`,
    ...(isFlag && otherwise ? [`--no-${name}`] : []),
  ];
  const label = names.map((each) => `\\fB${escapeText(each)}\\fR`).join(', ');
  return ['.TP', label + value, escapeLine(describeOption(option))];
}

/** Returns the description of an option. That of a choice is followed by its default, as `--help` prints it. */
function describeOption({ describe, choices, otherwise }) {
  const hasDefault = choices !== undefined && otherwise !== null;
  return toSentence(hasDefault ? `${describe} (default: ${otherwise})` : describe);
}

function formatTerm([term, description]) {
  return ['.TP', `\\fB${escapeText(term)}\\fR`, escapeLine(toSentence(description))];
}

/** Formats the text below the options. Indented lines are commands, and stay lines of their own. */
function formatNote(text) {
  return text.split('\n\n').flatMap((part) => {
    const lines = part.split('\n');
    if (!lines.some((line) => line.startsWith('  '))) return paragraph(part);
    return lines.flatMap((line) =>
      line.startsWith('  ') ? ['.RS', '.nf', escapeLine(line.trim()), '.fi', '.RE'] : paragraph(line),
    );
  });
}

function paragraph(text) {
  return ['.PP', escapeLine(text)];
}

function formatExamples(examples) {
  return examples.flatMap(([command, explanation]) => [
    '.PP',
    escapeLine(toSentence(explanation)),
    '.PP',
    '.RS',
    '.nf',
    escapeLine(command),
    '.fi',
    '.RE',
  ]);
}

/** Formats the list of exit codes: a line for each code, after a heading and before a hint. */
/** Makes a sentence of a description. A first word such as `auto:` is what a user types, so it stays small. */
function toSentence(text) {
  const sentence = text.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Escapes a line of text. A dot or a quote at its beginning would make the line a request to roff. */
function escapeLine(text) {
  return escapeText(text).replace(/^(?=[.'])/, '\\&');
}

/** Escapes a text for roff: a backslash begins an escape, and a plain hyphen may be printed as another character. */
function escapeText(text) {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll('`', '\\(ga')
    .replaceAll("'", '\\(aq')
    .replace(/\s*\n\s*/g, ' ')
    .replace(
      /[^\x20-\x7e]/gu,
      (letter) => `\\[u${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}

/** Escapes a text inside the quotes of an argument of a macro. */
function quoteArgument(text) {
  return escapeText(text).replaceAll('"', '\\(dq');
}
