/** What `npm run pairs` runs: a small problem of each kind, the arguments of each command, and a value of each option. */

/** The kinds of problems. `problem` and `words` are what the command line gets; `hasSolver` is false if a program must solve. */
const KINDS = [
  {
    name: 'board',
    problem: 'bt',
    input: 'board.in',
    answers: 'board.ans',
    words: [],
    sizes: ['--rows', '1..2', '--cols', '1..2'],
    hasSolver: true,
  },
  {
    name: 'module',
    problem: './sums.mjs',
    input: 'module.in',
    answers: 'module.ans',
    words: [],
    sizes: [],
    hasSolver: true,
  },
  {
    name: 'grammar',
    problem: './one.ctd',
    input: 'one.in',
    answers: 'one.ans',
    words: [],
    sizes: [],
    hasSolver: false,
  },
  {
    name: 'grammar with `--multitest`',
    problem: './many.ctd',
    input: 'many.in',
    answers: 'many.ans',
    words: ['--multitest'],
    sizes: [],
    hasSolver: false,
  },
];

/** The kinds of problem packages, by the versions of their format. */
const PACKAGES = ['legacy', '2025-09'].map((format) => ({
  name: `package (${format})`,
  problem: format,
  input: 'board.in',
  answers: 'board.ans',
  words: [],
  sizes: [],
  hasSolver: true,
}));

/** Returns the kinds of problems with which a command is tried. */
export const kindsOf = (command) => (command === 'judge --package' ? PACKAGES : KINDS);

/** Solves the board game: in JavaScript, so that only `grade` needs Python. */
const NIMBERS = `#!/usr/bin/env node
const words = require('node:fs').readFileSync(0, 'utf8').split(/\\s+/);
const moves = (board) => [board, [...(board[0] ?? '')].map((_, column) => board.map((row) => row[column]).join(''))].flatMap(
  (rows) => rows.flatMap((row, i) => (row.includes('#') ? [] : [[row.length, rows.slice(0, i), rows.slice(i + 1)]])));
const known = new Map();
function nimber(board) {
  const key = board.join();
  if (!known.has(key)) {
    const reached = new Set(moves(board).map(([, before, after]) => nimber(before) ^ nimber(after)));
    let least = 0;
    while (reached.has(least)) least++;
    known.set(key, least);
  }
  return known.get(key);
}
for (let number = 1, at = 1; number <= Number(words[0]); number++) {
  const board = words.slice(at + 2, at + 2 + Number(words[at]));
  at += 2 + board.length;
  const wins = moves(board).filter(([, before, after]) => nimber(before) === nimber(after));
  console.log('Case #' + number + ': ' + wins.reduce((sum, [size]) => sum + size, 0));
}
`;

const SUM_OF_LINE = 'for (i = 1; i <= NF; i++) sum += $i; print sum + 0; sum = 0';

/** The program that solves the problem of each kind. */
export const PROGRAMS = {
  board: NIMBERS,
  module: `#!/bin/sh\nexec awk 'NR > 1 && NR % 2 == 1 { ${SUM_OF_LINE} }'\n`,
  grammar: `#!/bin/sh\nexec awk 'NR == 2 { ${SUM_OF_LINE} }'\n`,
  'grammar with `--multitest`': `#!/bin/sh\nexec awk 'NR > 1 { $1 = 0; ${SUM_OF_LINE} }'\n`,
};

/** The same in Python, of which `grade` makes mutants. */
export const IN_PYTHON = {
  board: `import functools, sys

@functools.lru_cache(None)
def nimber(board):
    values = set(nimber(before) ^ nimber(after) for _, before, after in moves(board))
    return next(n for n in range(len(values) + 1) if n not in values)

def moves(board):
    for rows in (board, tuple("".join(row) for row in zip(*board))):
        for i, row in enumerate(rows):
            if "#" not in row:
                yield len(row), rows[:i], rows[i + 1:]

words = sys.stdin.read().split()
at = 1
for case in range(1, int(words[0]) + 1):
    board = tuple(words[at + 2:at + 2 + int(words[at])])
    at += 2 + len(board)
    wins = sum(size for size, before, after in moves(board) if nimber(before) == nimber(after))
    print("Case #%d: %d" % (case, wins))
`,
  module: 'for case in range(int(input())):\n    input()\n    print(sum(map(int, input().split())))\n',
  grammar: 'input()\nprint(sum(map(int, input().split())))\n',
  'grammar with `--multitest`':
    'for case in range(int(input())):\n    print(sum(map(int, input().split()[1:])))\n',
};

/** What all packages have. */
const PACKAGE = {
  'data/sample/1.in': '2\n',
  'data/sample/1.ans': '4\n',
  'data/secret/1.in': '3\n',
  'data/secret/1.ans': '9\n',
  'data/secret/2.in': '4\n',
  'data/secret/2.ans': '16\n',
  'submissions/accepted/right.py': 'print(int(input()) ** 2)\n',
  'submissions/wrong_answer/wrong.py': 'print(int(input()) * 2)\n',
  // Its first verdict is not the expected one, so that --all has something to go on with.
  'submissions/wrong_answer/crashes.py': 'raise SystemExit(1)\n',
  'input_validators/validate.py':
    'import re, sys\nsys.exit(42 if re.fullmatch(r"\\d+\\n", sys.stdin.read()) else 43)\n',
};

const packageOf = (format) => ({
  ...PACKAGE,
  'problem.yaml': `problem_format_version: ${format}\nname: Square\nlimits:\n  time_limit: 5\n`,
});

/** The files of the folder in which a command runs. */
export const FILES = {
  'board.in': '3\n2 2\n..\n.#\n1 1\n.\n2 3\n...\n#..\n',
  'board.ans': 'Case #1: 0\nCase #2: 2\nCase #3: 5\n',
  'sums.mjs': `import { defineProblem, formats } from 'boardmill';
const { counted, int, ints } = formats;
export default defineProblem({
  name: 'sums',
  input: counted({ n: int(1, 3), a: ints('n', -2, 2) }),
  solve: ({ a }) => a.reduce((sum, value) => sum + value, 0),
});
`,
  'module.in': '3\n2\n1 2\n1\n-2\n3\n-1 0 1\n',
  'module.ans': '3\n-2\n0\n',
  'one.ctd': 'INT(1, 9, n) NEWLINE REP(n, SPACE) INT(-9, 9) END NEWLINE EOF\n',
  'one.in': '3\n1 2 4\n',
  'one.ans': '7\n',
  'many.ctd': 'INT(1, 9, t) NEWLINE REP(t) INT(1, 5, n) REP(n) SPACE INT(-9, 9) END NEWLINE END EOF\n',
  'many.in': '3\n2 1 2\n1 7\n2 -5 5\n',
  'many.ans': '3\n7\n0\n',
  old: 'something else\n',
  'full/part-1.in': 'something else\n',
  'full/part-0001.in': 'something else\n',
  ...inFolder('legacy', packageOf('legacy')),
  ...inFolder('2025-09', packageOf('2025-09')),
};

function inFolder(folder, files) {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

/** Commands that take a problem, with their arguments for a kind of problem, without the options that the kind needs itself. */
export const COMMANDS = {
  solve: ({ problem, input }) => [problem, input],
  generate: ({ problem, name }) => [problem, '--seed', '1', ...(name === 'grammar' ? [] : ['--cases', '3'])],
  validate: ({ problem, input }) => [problem, input],
  stats: ({ problem, input }) => [problem, input],
  extract: ({ problem, input }) => [problem, input, '--cases', '1'],
  split: ({ problem, input }) => [problem, input, '--every', '1', '--dir', 'parts'],
  check: ({ problem, input, answers }) => [problem, input, answers],
  stress: ({ problem }) => [problem, '--exec', './right', '--seed', '1', '--rounds', '1'],
  judge: ({ problem, input }) => [problem, input, '--exec', './right'],
  'judge --package': ({ problem }) => ['--package', problem],
  grade: ({ problem, input }) => [problem, input, '--program', 'right.py', '--seed', '1', '--time', '1'],
  explain: ({ problem, input }) => [problem, input, '--case', '2'],
  census: ({ problem, sizes }) => [problem, ...sizes],
  bench: ({ problem, input }) => [problem, input, '--runs', '1', '--warmup', '0', '--jobs', '1'],
  problems: ({ problem }) => [problem],
};

/** The option that a command needs if boardmill cannot solve the problem itself. */
export const SOLVED_BY_PROGRAM = {
  solve: ['--exec', './right'],
  check: ['--exec', './right'],
  stress: ['--reference', './right'],
  bench: ['--exec', './right'],
};

/**
 * The words of each option, after those that it needs to have a meaning (`with`), and in place of others (`without`).
 * `COMMAND OPTION` is an option of one command, `OPTION VALUE` one value of it. ANSWERS is the kind's file of answers, and SIZES the options
 * that its profile `all` needs, QUEUE the URL of a Redis server. Of an option with a list of values, each is tried.
 */
export const OPTIONS = {
  output: { words: ['--output', 'new'] },
  jobs: { words: ['--jobs', '1'] },
  'bench jobs': { words: ['--jobs', '1,2'] },
  columns: { with: ['--format', 'csv'], words: ['--columns', 'line'] },
  force: { with: ['--output', 'old'], words: ['--force'] },
  'validate force': { with: ['--junit', 'old'], words: ['--force'] },
  'stats force': { with: ['--html', 'old'], words: ['--force'] },
  'check force': { with: ['--junit', 'old'], words: ['--force'] },
  'split force': { with: ['--dir', 'full'], words: ['--force'] },
  'judge force': { with: ['--html', 'old'], words: ['--force'] },
  'explain force': { with: ['--html', 'old'], words: ['--force'] },
  'bench force': { with: ['--html', 'old'], words: ['--force'] },
  resume: { with: ['--output', 'new'], words: ['--resume'] },
  ext: { words: ['--ext', '.out'] },
  'out-dir': { words: ['--out-dir', 'answers'] },
  'solve stats': { words: ['--stats', 'new'] },
  audit: { words: ['--audit', '100%'] },
  shard: { with: ['--output', 'part'], words: ['--shard', '1/2'] },
  exec: { words: ['--exec', './right'] },
  queue: { words: ['--queue', 'QUEUE'] },
  'shared-input': { words: ['--shared-input'] },
  'wait-workers': { words: ['--wait-workers', '60'] },
  'generate exec': { with: ['--suite', 'suite'], words: ['--exec', './right'] },
  timeout: { words: ['--timeout', '30'] },
  progress: { words: ['--progress'] },
  quiet: { words: ['--quiet'] },
  'exec-cases': { words: ['--exec-cases', '1'] },
  'memory-limit': { words: ['--memory-limit', '4G'] },
  sandbox: { words: ['--sandbox'] },
  'bench solver': { words: ['--solver', 'portable'] },
  chunk: { words: ['--chunk', '64K'] },
  retries: { words: ['--retries', '0'] },
  multitest: { words: ['--multitest'] },
  'cases-loop': { words: ['--cases-loop', '1'] },
  answers: { words: ['--answers', 'tokens:1'] },
  'stats answers': { with: ['--expected', 'ANSWERS'], words: ['--answers', 'tokens:1'] },
  'also-compare': { words: ['--also-compare', 'right'] },
  'generate cases': { words: ['--cases', '2'] },
  count: { without: ['--seed', '--cases'], words: ['--profile', 'all', '--count', 'SIZES'] },
  seed: { words: ['--seed', '2'] },
  'generate profile all': { without: ['--seed'], words: ['--profile', 'all', '--cases', '3', 'SIZES'] },
  'stress profile all': { words: ['--profile', 'all', 'SIZES'] },
  rows: { words: ['--rows', '2'] },
  cols: { words: ['--cols', '2'] },
  'stress rows': { with: ['--cols', '2'], words: ['--rows', '2'] },
  'stress cols': { with: ['--rows', '2'], words: ['--cols', '2'] },
  set: { words: ['--set', '1'] },
  'validate set': { with: ['--contest'], words: ['--set', '1'] },
  density: { words: ['--density', '0.5'] },
  'generate dir': { words: ['--dir', 'inputs'] },
  'split dir': { words: ['--dir', 'other'] },
  suite: { words: ['--suite', 'suite'] },
  contest: { words: ['--contest'] },
  json: { words: ['--json'] },
  junit: { words: ['--junit', 'new.xml'] },
  expected: { words: ['--expected', 'ANSWERS'] },
  symmetries: { words: ['--symmetries'] },
  html: { words: ['--html', 'new.html'] },
  cases: { words: ['--cases', '1..1'] },
  'explain cases': { without: ['--case'], words: ['--cases', '1..1'] },
  every: { words: ['--every', '2'] },
  exact: { words: ['--exact'] },
  max: { words: ['--max', '0'] },
  tolerance: { words: ['--tolerance', '0.5'] },
  checker: { words: ['--checker', './checker'] },
  reference: { words: ['--reference', './right'] },
  generator: { words: ['--generator', './generator'] },
  rounds: { words: ['--rounds', '2'] },
  find: { words: ['--find', '2'] },
  slowest: { words: ['--slowest'] },
  time: { words: ['--time', '2'] },
  package: { words: ['--package', 'legacy'] },
  only: { words: ['--only', 'submissions/accepted/*'] },
  all: { words: ['--all'] },
  'check-inputs': { words: ['--check-inputs'] },
  env: { words: ['--env', 'HOME'] },
  matrix: { words: ['--matrix'] },
  keep: { words: ['--keep', 'new'] },
  'export-markdown': { words: ['--export-markdown', 'new.md'] },
  'export-json': { words: ['--export-json', 'new.json'] },
  'export-slowest': { words: ['--export-slowest', 'new'] },
  program: { words: ['--program', 'right.py'] },
  into: { words: ['--into', 'tests'] },
  case: { words: ['--case', '2'] },
  proof: { with: ['--json'], words: ['--proof'] },
  svg: { words: ['--svg', 'new.svg'] },
  moves: { with: ['--svg', 'new.svg'], words: ['--moves'] },
  vs: { words: ['--vs', './right'] },
  runs: { words: ['--runs', '2'] },
  warmup: { words: ['--warmup', '1'] },
  details: { words: ['--details'] },
};

/** Options that need a Redis server. */
export const OF_QUEUES = ['queue', 'shared-input', 'wait-workers'];

/**
 * Options that leave what is seen of these small examples as it is, with the reason. If any other option changes nothing, it is
 * ignored, which is a fault.
 */
export const WITHOUT_EFFECT = {
  jobs: 'answers do not depend on it',
  queue: 'answers do not depend on it',
  'shared-input': 'answers do not depend on it',
  'wait-workers': 'a worker process comes at once',
  chunk: 'answers do not depend on it',
  solver: 'all solvers give the same answers',
  retries: 'no worker fails',
  timeout: 'no case takes long',
  'memory-limit': 'no program takes much',
  sandbox: 'no program does what it forbids',
  exec: 'the program is right',
  reference: 'the program is right',
  'bench warmup': 'runs to warm up are not shown',
  'census resume': 'nothing was interrupted',
  'stress rows': 'the program is right on boards of any size',
  'stress cols': 'the program is right on boards of any size',
  'profile random': 'it is the usual one',
  time: 'no search takes so long',
  'exec-cases': 'the program is right on any number of cases',
  'also-compare': 'no file changes',
  progress: 'there is no terminal',
  quiet: 'some of these runs print no message',
  'on-error': 'no case fails',
  'cases-loop': 'the grammar has one loop',
  answers: 'each answer is one word on a line of its own, and some commands read none',
  annotations: 'there are no errors',
  env: 'no program reads the variable',
  exact: 'the answers are the same bytes',
  max: 'there are no differences',
  tolerance: 'there are no differences',
  checker: 'there are no differences',
  generator: 'the program is right on its inputs, too',
  find: 'there is nothing to find',
  into: 'no test is missing, or none is found within a second',
};
