/** Reports what became of the mutants: a table of the files, then the mutants that no test kills. */

/** Longer texts of sources are cut. */
const MAX_TEXT = 90;

/** Joins mutants with their verdicts, in the form of the JSON report. */
export function reportOf({ rooms, count, seed, tests, places, mutants, verdicts }) {
  const results = mutants.map((mutant, index) => {
    const { id, file, line, operator, from, to } = mutant;
    const { number: _number, ...verdict } = verdicts[index];
    return { id, file, line, operator, from, to, ...verdict };
  });
  return { rooms, count, seed, tests, places, results };
}

/** Returns the report as text. */
export function textOf({ rooms, seed, places, results }) {
  const files = [...new Set(results.map(({ file }) => file))];
  const rows = files.map((file) => [file, ...countsOf(results.filter((each) => each.file === file))]);
  const table = tableOf([
    ['file', 'drawn', 'killed by npm test', 'killed by test:all', 'survived', 'not covered'],
    ...rows,
    ['all', ...countsOf(results)],
  ]);
  const open = ['survived', 'not covered'].flatMap((status) =>
    results.filter((result) => result.status === status).map(describe),
  );
  const drawn = `${results.length} of ${places} mutants of ${rooms.join(', ')}, seed ${seed}`;
  return [drawn, '', table, ...open.flatMap((text) => ['', text]), ''].join('\n');
}

/** `test:all` runs the tests of `npm test`, too, so its column counts what either kills. */
function countsOf(results) {
  const count = (test) => String(results.filter(test).length);
  return [
    String(results.length),
    count(({ by }) => by === 'npm test'),
    count(({ status }) => status === 'killed'),
    count(({ status }) => status === 'survived'),
    count(({ status }) => status === 'not covered'),
  ];
}

function tableOf(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const cell = (text, column) => (column === 0 ? text.padEnd(widths[column]) : text.padStart(widths[column]));
  return rows.map((row) => row.map(cell).join('  ')).join('\n');
}

/** Describes a mutant that no test kills. */
export function describe({ id, file, line, operator, from, to, status, tests, unusable, unconfirmed }) {
  const covering = tests?.length > 0 ? `  reached by ${listed(tests)}\n` : '';
  const failing = unusable?.length > 0 ? `  also by ${listed(unusable)}, which cannot be used\n` : '';
  const once = (unconfirmed ?? []).map((how) => `  failed once, but not again: ${how}\n`).join('');
  return `${file}:${line}${status === undefined ? '' : ` ${status}`} (${operator})
  -  ${oneLine(from)}
  +  ${oneLine(to)}
${covering}${failing}${once}  npm run mutants -- --only ${id}`;
}

function listed(files) {
  return files.length <= 4
    ? files.join(', ')
    : `${files.slice(0, 3).join(', ')} and ${files.length - 3} others`;
}

function oneLine(text) {
  const line = text.replace(/\s+/g, ' ');
  if (line === '') return '(nothing)';
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT / 2)} ... ${line.slice(-MAX_TEXT / 2)}`;
}
