/** Tests of what boardmill tells people to type who have not read its help: a table of command lines and messages. */
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'shell-quote';
import { expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Outcome, shell } from './boardmill.js';
import { boardmill } from './in-turn.js';

const THE_PROBLEMS = `the problems are ${PROBLEMS.map(({ name }) => name).join(', ')}, and files of your own (FILE.mjs, FILE.ctd)`;

/** Writes the files that the command lines name, and returns their folder. */
function makeFolder(): string {
  const folder = temporaryFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('f.in', '2\n1 1\n.\n2 2\n..\n.#\n');
  write('board.txt', '..\n.#\n');
  write('unclear', 'what is this?\n');
  write('-x.in', '1\n1 1\n.\n');
  for (const name of ['a.cpp', 'a.py', 'late.cpp', 'Mine.java', 'b.rs', 'kayles.mjs', 'nim.ctd'])
    write(name, '');
  for (const name of ['a', 'prog']) write(name, '#!/bin/sh\necho 1\n');
  for (const name of ['a', 'prog']) chmodSync(join(folder, name), 0o755);
  mkdirSync(join(folder, 'outdir'));
  mkdirSync(join(folder, '-'));
  mkdirSync(join(folder, 'data'));
  write('data/zu.in', '1 1\n3 2\n#.\n.X\nOO\n');
  return folder;
}

const temporary = temporaryFolder();
const cwd = makeFolder();
const files = readdirSync(cwd);

/** Runs the command line in a shell if it redirects its input. */
function run(line: string): Promise<Outcome> {
  if (/[<|]/.test(line)) return shell(line, { cwd });
  return boardmill((parse(line) as string[]).slice(1), { cwd });
}

test.each<[string, string, string]>([
  ['boardmill bt < f.in', 'unknown command bt, which is a problem', 'boardmill solve bt < f.in'],
  ['boardmill bt solve f.in', 'unknown command bt, which is a problem', 'boardmill solve bt f.in'],
  ['boardmill help bt', 'unknown command bt, which is a problem', 'boardmill problems bt'],
  ['boardmill version', 'unknown command version', 'boardmill --version'],
  ['boardmill -v', 'unknown option -v', 'boardmill --version'],
  ['boardmill list', 'unknown command list', 'boardmill problems'],
  ['boardmill run bt f.in', 'unknown command run', 'boardmill solve bt f.in'],
  ['boardmill gen bt -n 5', 'unknown command gen', 'boardmill generate bt --cases 5'],
  ['boardmill diff bt f.in f.ans', 'unknown command diff', 'boardmill check bt f.in f.ans'],
  ['boardmill f.in', 'unknown command f.in, which is a file', 'boardmill solve bacterial-tactics f.in'],
  [
    'boardmill solve f.in',
    'no problem is named "f.in", which is a file with an input of bacterial-tactics',
    'boardmill solve bacterial-tactics f.in',
  ],
  [
    'boardmill solve data',
    'no problem is named "data", which is a folder with an input of river-pawn',
    'boardmill solve river-pawn data',
  ],
  [
    'boardmill solve < f.in',
    `missing argument <problem>; ${THE_PROBLEMS}; this is an input of bacterial-tactics`,
    'boardmill solve bacterial-tactics < f.in',
  ],
  [
    'boardmill solve unclear',
    'no problem is named "unclear", which is a file, and ./kayles.mjs is beside it',
    'boardmill solve ./kayles.mjs unclear',
  ],
  ['boardmill solve f.in bt', 'f.in is not a problem; the problem comes first', 'boardmill solve bt f.in'],
  [
    'boardmill solve kayles < f.in',
    'no problem is named "kayles", but there is ./kayles.mjs',
    'boardmill solve ./kayles.mjs < f.in',
  ],
  [
    'boardmill validate nim f.in',
    'no problem is named "nim", but there is ./nim.ctd',
    'boardmill validate ./nim.ctd f.in',
  ],
  [
    'boardmill solve bacterial f.in',
    'no problem is named "bacterial"',
    'boardmill solve bacterial-tactics f.in',
  ],
  ['boardmill solve bt -i f.in', 'unknown option -i', 'boardmill solve bt f.in'],
  ['boardmill solve bt --input=f.in', 'unknown option --input', 'boardmill solve bt f.in'],
  ['boardmill solve bt f.in --threads=4', 'unknown option --threads', 'boardmill solve bt f.in --jobs 4'],
  ['boardmill solve bt f.in -t4', 'unknown option -t', 'boardmill solve bt f.in --jobs 4'],
  [
    'boardmill solve bt data --output-dir=x',
    'unknown option --output-dir',
    'boardmill solve bt data --out-dir x',
  ],
  ['boardmill solve bt f.in -v', 'unknown option -v', 'boardmill solve bt f.in --stats -'],
  [
    'boardmill solve bt --nimber < f.in',
    'unknown option --nimber',
    'boardmill solve bt --format csv --columns nimber < f.in',
  ],
  [
    'boardmill solve bt f.in --columns nimber',
    '--columns needs the output format ndjson or csv',
    'boardmill solve bt f.in --format csv --columns nimber',
  ],
  [
    'boardmill solve bt data -o outdir/',
    '--output needs a file, and outdir/ is a folder',
    'boardmill solve bt data --out-dir outdir',
  ],
  [
    'boardmill solve bt f.in -o outdir',
    '--output needs a file, and outdir is a folder',
    'boardmill solve bt f.in -o outdir/f.ans',
  ],
  [
    'boardmill solve bt - -o outdir < f.in',
    '--output needs a file, and outdir is a folder',
    'boardmill solve bt - -o outdir/answers.ans < f.in',
  ],
  [
    'boardmill solve bt f.in -o fresh/',
    '--output needs a file, and fresh/ is a folder',
    'mkdir -p fresh && boardmill solve bt f.in -o fresh/f.ans',
  ],
  ['boardmill solve bt f', 'cannot open f: no such file or directory', 'boardmill solve bt f.in'],
  [
    'boardmill stress cf138d ./a',
    './a is a program, not an argument of stress',
    'boardmill stress cf138d --exec ./a',
  ],
  [
    'boardmill stress bt ./prog ./a.py',
    './prog is a program, not an argument of stress',
    "boardmill stress bt --exec ./prog --reference 'python3 ./a.py'",
  ],
  [
    'boardmill stress bt ./a.cpp',
    './a.cpp is a program in C++, not an argument of stress',
    'g++ -O2 -o ./a ./a.cpp && boardmill stress bt --exec ./a',
  ],
  [
    'boardmill stress bt --exec ./a.cpp',
    'cannot run ./a.cpp: it is C++ source, which must be compiled',
    'g++ -O2 -o ./a ./a.cpp && boardmill stress bt --exec ./a',
  ],
  [
    'boardmill stress bt --exec a.cpp',
    'cannot run a.cpp: it is C++ source, which must be compiled',
    'g++ -O2 -o a a.cpp && boardmill stress bt --exec ./a',
  ],
  [
    'boardmill solve bt f.in --exec Mine.java',
    'cannot run Mine.java: it is Java source, which must be compiled',
    "javac Mine.java && boardmill solve bt f.in --exec 'java -cp . Mine'",
  ],
  [
    "boardmill stress bt --exec ./a --reference 'a.py --slow'",
    'cannot run a.py: it is Python source, which an interpreter runs',
    "boardmill stress bt --exec ./a --reference 'python3 a.py --slow'",
  ],
  [
    'boardmill stress bt --exec=./a --generator a.py',
    'cannot run a.py: it is Python source, which an interpreter runs',
    "boardmill stress bt --exec ./a --generator 'python3 a.py'",
  ],
  [
    'boardmill check bt f.in f.in --checker a.py',
    'cannot run a.py: it is Python source, which an interpreter runs',
    "boardmill check bt f.in f.in --checker 'python3 a.py'",
  ],
  [
    'boardmill bench bt f.in --vs prog',
    'cannot run prog: it is in this folder, which needs ./',
    'boardmill bench bt f.in --vs ./prog',
  ],
  [
    'boardmill judge bt f.in --exec ./b --exec a.py',
    'cannot run ./b: there is only its source',
    "rustc -O -o ./b ./b.rs && boardmill judge bt f.in --exec ./b --exec 'python3 a.py'",
  ],
  [
    'boardmill judge bt f.in ./a',
    './a is a program, not an argument of judge',
    'boardmill judge bt f.in --exec ./a',
  ],
  [
    'boardmill judge bt ./a < /dev/null',
    './a is a program, not an argument of judge',
    'boardmill stress bt --exec ./a',
  ],
  [
    'boardmill bench bt ./prog',
    './prog is a program, not an argument of bench',
    'boardmill bench bt --vs ./prog',
  ],
  [
    'boardmill solve bt ./prog',
    './prog is a program, not an argument of solve',
    'boardmill solve bt --exec ./prog',
  ],
  [
    'boardmill explain bt 3x3',
    '3x3 is a size, not an input',
    'boardmill generate bt --cases 1 --rows 3 --cols 3 | boardmill explain bt',
  ],
  ['boardmill play bt 3x4', '3x4 is a size, not an input', 'boardmill play bt --rows 3 --cols 4'],
  ['boardmill generate bt 10', 'unexpected argument 10', 'boardmill generate bt --cases 10'],
  ['boardmill generate bt', 'missing option --cases', 'boardmill generate bt --cases 10'],
  ['boardmill stats bt f.in --nimber', 'unknown option --nimber', 'boardmill stats bt f.in'],
  ['boardmill nimbers bt f.in', 'unknown command nimbers', 'boardmill stats bt f.in'],
  [
    'boardmill stress bt late.cpp',
    'late.cpp is a program in C++, not an argument of stress',
    'g++ -O2 -o late late.cpp && boardmill stress bt --exec ./late',
  ],
  ['boardmill -- solve bt f.in', 'the command must come before --', 'boardmill solve bt f.in'],
  ['boardmill solve bt -x.in', '-x.in begins with a dash, as options do', 'boardmill solve bt ./-x.in'],
  [
    'boardmill check bt f.in ./prog',
    './prog is a program, not an answer file',
    'boardmill judge bt f.in --exec ./prog',
  ],
])('%s', async (line, mistake, command) => {
  const { code, stdout, stderr } = await run(line);
  expect(stderr).toBe(`boardmill: ${mistake}; type: ${command}\n`);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(readdirSync(cwd)).toEqual(files);
});

test.runIf(process.platform === 'linux')('standard input from another folder is named, too', async () => {
  const { stderr } = await run('boardmill zu < data/zu.in');
  expect(stderr).toBe(
    'boardmill: unknown command zu, which is a problem; type: boardmill solve zu < data/zu.in\n',
  );
});

test.each<[string, string]>([
  [
    'boardmill solve < unclear',
    `missing argument <problem>; ${THE_PROBLEMS}; type, for example: boardmill solve bacterial-tactics < unclear`,
  ],
  [
    'boardmill stress ./a.cpp',
    `./a.cpp is a program in C++, not an argument of stress; ${THE_PROBLEMS}; type, for example: g++ -O2 -o ./a ./a.cpp && boardmill stress bacterial-tactics --exec ./a`,
  ],
  [
    'boardmill compare bt f.in',
    'unknown command compare; the answers to f.in are in another file; type, for example: boardmill check bt f.in f.ans',
  ],
  [
    'boardmill compare bt',
    'unknown command compare; check needs an input and the answers to it; type, for example: boardmill check bt f.in f.ans',
  ],
  [
    'boardmill check data outdir',
    'no problem is named "data", which is a folder with an input of river-pawn; type: boardmill check river-pawn data (compares each NAME.in with the NAME.ans beside it), or, for each file: boardmill check river-pawn NAME.in NAME.ans',
  ],
  [
    'boardmill check bt data outdir',
    'data is a folder; type: boardmill check bt data (compares each NAME.in with the NAME.ans beside it), or, for each file: boardmill check bt NAME.in NAME.ans',
  ],
  [
    'boardmill test bt f.in ./a',
    'unknown command test; type: boardmill check bt f.in f.ans (compares answers), boardmill stress bt --exec ./a (searches for a case on which a program fails), or boardmill judge bt f.in --exec ./a (runs programs on inputs)',
  ],
])('%s names several commands', async (line, message) => {
  const { code, stdout, stderr } = await run(line);
  expect(stderr).toBe(`boardmill: ${message}\n`);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test.each([
  [
    'boardmill solve bt f.in --forse',
    'unknown option --forse; did you mean --force?; see `boardmill solve --help`',
  ],
  ['boardmill solve bt f.in -n 3', 'unknown option -n; see `boardmill solve --help`'],
  [
    'boardmill generate bt --case 3 --seed 1',
    'unknown option --case; did you mean --cases?; see `boardmill generate --help`',
  ],
  [
    'boardmill solve bt data -o -',
    '--output takes one input in the format text; --out-dir DIR writes the answers of each input into a folder, and --format csv (or ndjson) writes those of all inputs as one table; see `boardmill solve --help`',
  ],
  [
    'boardmill solve bt data --out-dir -',
    '--out-dir needs a folder; one that is named - is typed ./-; see `boardmill solve --help`',
  ],
  [
    'boardmill solve bt data --ext /../q',
    '--ext needs an ending such as .ans, got "/../q"; see `boardmill solve --help`',
  ],
  [
    'boardmill solve bt f.in -o -- -x.ans',
    '--output needs a file, got --; a name that begins with a dash is typed ./-NAME; see `boardmill solve --help`',
  ],
  [
    'boardmill stress bt --exec "./a.py | cat"',
    '--exec does not run a shell, so "|" has no meaning: quote it, or use sh -c \'...\'; see `boardmill stress --help`',
  ],
])('no rule changes the message of another mistake: %s', async (line, message) => {
  const { stderr } = await run(line);
  expect(stderr).toBe(`boardmill: ${message}\n`);
});

/** A board without the numbers around it: the problem, the input, the place of the error, and the complete input. */
test.each([
  ['bt', '..\n.#\n', '1:1', '1\n2 2\n..\n.#\n'],
  ['bt', '2 2\n..\n.#\n1 1\n.\n', '2:1', '2\n2 2\n..\n.#\n1 1\n.\n'],
  ['darkraft', 'LR\nXX\n', '1:1', '2 2\nLR\nXX\n'],
  ['link-and-pop', 'AU BU\nAU BU\n', '1:1', '2 2\nAU BU\nAU BU\n0 0\n'],
  ['zu', '#.\n.X\nOO\n', '1:1', '1 1\n3 2\n#.\n.X\nOO\n'],
])('solve %s completes a bare board %j', async (problem, board, place, complete) => {
  const args = ['solve', problem, '-q', '-j', '1'];
  const { code, stdout, stderr } = await boardmill(args, { cwd, stdin: board });
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^boardmill: <stdin>:${place}: .*; the input lacks "`));
  const printf = complete.replaceAll('\n', '\\n');
  expect(stderr.split('; type: ')[1]).toBe(`printf '${printf}' | boardmill ${args.join(' ')}\n`);
  expect(await boardmill(args, { stdin: complete })).toMatchObject({ code: 0, stderr: '' });
});

/** The numbers of such a problem could be anything, so a number before them would make other cases of them. */
test('no numbers are said to lack at the beginning of an input of a module', async () => {
  const module = `import { defineProblem, formats } from 'boardmill';
    const { counted, int, ints } = formats;
    export default defineProblem({ name: 'sums', input: counted({ n: int(1, 9), a: ints('n') }), solve: ({ n }) => n });`;
  writeFileSync(join(temporary, 'sums.mjs'), module);
  const stdin = '2\n1 7\n';
  const { code, stderr } = await boardmill(['solve', './sums.mjs'], { cwd: temporary, stdin });
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: 'boardmill: <stdin>:3:1: case 2: expected 2 cases, got the end of the input after 1 case\n',
  });
});

test('solve completes a bare board in a file', async () => {
  const { stderr } = await boardmill(['solve', 'bt', 'board.txt'], { cwd });
  const [, command] = stderr.split('; type: ');
  expect(command).toBe("(printf '1\\n2 2\\n'; cat board.txt) | boardmill solve bt\n");
  expect(await shell(command, { cwd })).toEqual({ code: 0, stdout: 'Case #1: 0\n', stderr: '' });
});
