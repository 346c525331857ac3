/** Tests of mistyped command lines. boardmill exits with code 2, prints one line and writes no file. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'shell-quote';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { boardmill as boardmillInOwnProcess, type Outcome, shell } from './boardmill.js';
import { boardmill } from './in-turn.js';

const cwd = temporaryFolder();
writeFileSync(join(cwd, 'g.in'), '1\n1 1\n.\n');
writeFileSync(join(cwd, 'plain'), 'echo 1\n');
mkdirSync(join(cwd, 'folder'));
const files = readdirSync(cwd);

/** Runs the command line in a shell if it needs one: if it runs another program or redirects its input. */
function run(line: string): Promise<Outcome> {
  if (/[$<]/.test(line)) return shell(`boardmill ${line}`, { cwd });
  return boardmill(parse(line) as string[], { cwd });
}

test.each<[string, string]>([
  ['solv bt', 'unknown command solv; did you mean solve?; see `boardmill --help`'],
  ['qwertz', 'unknown command qwertz; see `boardmill --help`'],
  ['solve bt g.in --forse', 'unknown option --forse; did you mean --force?; see `boardmill solve --help`'],
  ['solve bt g.in --ouput=x', 'unknown option --ouput; did you mean --output?; see `boardmill solve --help`'],
  ['-- solve bt g.in', 'the command must come before --; type: boardmill solve bt g.in'],
  ['problems bt --json true', 'unexpected argument ./true; see `boardmill problems --help`'],
  ['solve bt g.in -x', 'unknown option -x; see `boardmill solve --help`'],
  ['solve bt g.in --qwertz', 'unknown option --qwertz; see `boardmill solve --help`'],
  [
    'solve bt g.in --output.x 3',
    'unknown option --output.x; did you mean --output?; see `boardmill solve --help`',
  ],
  [
    'solve bt g.in --no-output',
    'unknown option --no-output; did you mean --output?; see `boardmill solve --help`',
  ],
  ['solve bt g.in --no-exec', 'unknown option --no-exec; see `boardmill solve --help`'],
  ['generate bt --cases 1 --no-seed', 'unknown option --no-seed; see `boardmill generate --help`'],
  ['split bt g.in --every 1 --no-dir', 'unknown option --no-dir; see `boardmill split --help`'],
  ['bench bt g.in --no-html', 'unknown option --no-html; see `boardmill bench --help`'],
  [
    'solve bt g.in ---output zz',
    'unknown option ---output; did you mean --output?; see `boardmill solve --help`',
  ],
  [
    'solve bt g.in --onError mark',
    'unknown option --onError; did you mean --on-error?; see `boardmill solve --help`',
  ],
  ['solve bt g.in --__proto__ 3', 'unknown option --__proto__; see `boardmill solve --help`'],
  ['solve bt g.in --force=maybe', '--force takes no value, got --force=maybe; see `boardmill solve --help`'],
  [
    'solve bt g.in --no-progress=x',
    '--no-progress takes no value, got --no-progress=x; see `boardmill solve --help`',
  ],
  [
    'solve bt g.in --format 0x10',
    '--format must be one of text, ndjson, csv, got "0x10"; see `boardmill solve --help`',
  ],
  [
    'solve bt g.in --chunk 1.5',
    '--chunk needs a size from 1 to 256M, such as 64K or 4M, got "1.5"; see `boardmill solve --help`',
  ],
  [
    'generate bt --cases 1 --rows 5..2',
    '--rows needs a range such as 2..8 or one number, of at least 1, got "5..2"; see `boardmill generate --help`',
  ],
  [
    'solve bt "$(printf \'g\\377.in\')"',
    'an argument is not UTF-8: g\ufffd.in; see `boardmill solve --help`',
  ],
  [
    'solve bt g.in -o "$(printf \'g\\377\')"',
    'an argument is not UTF-8: g\ufffd; see `boardmill solve --help`',
  ],
  ['solve bt "$(printf \'a\\nb\\033[31m\')"', 'cannot open a\\x0ab\\x1b[31m: no such file or directory'],
  ['problems bt x', 'unexpected argument x; see `boardmill problems --help`'],
  ['split bt g.in --dir parts', 'missing option --every; see `boardmill split --help`'],
  ['solve bt g.in -o', '--output needs a file; see `boardmill solve --help`'],
  ["solve bt g.in -o ''", '--output needs a file; see `boardmill solve --help`'],
  ['solve bt g.in --output=', '--output needs a file; see `boardmill solve --help`'],
  ['solve bt g.in --stats', '--stats needs a file; see `boardmill solve --help`'],
  ["solve bt g.in --stats ''", '--stats needs a file; see `boardmill solve --help`'],
  ["solve bt g.in --ext ''", '--ext needs an ending such as .ans; see `boardmill solve --help`'],
  ["solve bt ''", 'the name of an input is empty; see `boardmill solve --help`'],
  ["split bt g.in --every 1 --dir ''", '--dir needs a folder; see `boardmill split --help`'],
  ['bench bt g.in --html=', '--html needs a file; see `boardmill bench --help`'],
  ['solve bt g.in -j', '--jobs needs a value; see `boardmill solve --help`'],
  ['solve bt g.in --format', '--format needs one of text, ndjson, csv; see `boardmill solve --help`'],
  ['solve bt g.in --on-error --stats -', '--on-error needs one of stop, mark; see `boardmill solve --help`'],
  [
    'check bt g.in g.ans --solver',
    '--solver needs one of auto, simd, portable; see `boardmill check --help`',
  ],
  [
    'generate bt --cases 1 --profile -o x.in',
    '--profile needs one of tiny, random, contest-max, hard, all; see `boardmill generate --help`',
  ],
  ['solve bt g.in --exec', '--exec needs a program; see `boardmill solve --help`'],
  ["stress bt --exec ''", '--exec needs a program; see `boardmill stress --help`'],
  [
    `solve bt g.in --exec "cat 'x"`,
    "--exec has a quote that is not closed: cat 'x; see `boardmill solve --help`",
  ],
  [
    `solve bt g.in --exec 'cat "x'`,
    '--exec has a quote that is not closed: cat "x; see `boardmill solve --help`',
  ],
  [`bench bt g.in --vs "./x '"`, "--vs has a quote that is not closed: ./x '; see `boardmill bench --help`"],
  ['solve bt g.in --exec ./folder', 'cannot run ./folder: it is a directory'],
  ['solve bt g.in --exec ./plain', 'cannot run ./plain: it is not executable (chmod +x makes it so)'],
  ['solve bt g.in --exec ./none', 'cannot run ./none: there is no such program'],
  ['bench bt g.in --vs ./none', 'cannot run ./none: there is no such program'],
  [
    'solve bt g.in --solver magic',
    '--solver must be one of auto, simd, portable, got "magic"; see `boardmill solve --help`',
  ],
  ['solve bt g.in --format text --format ndjson', '--format was given 2 times; see `boardmill solve --help`'],
  [
    'solve bt g.in --on-error=stop --on-error=mark',
    '--on-error was given 2 times; see `boardmill solve --help`',
  ],
  ['solve bt g.in --solver auto --solver simd', '--solver was given 2 times; see `boardmill solve --help`'],
  ['solve bt g.in -j 1 --jobs 2', '--jobs was given 2 times; see `boardmill solve --help`'],
  [
    'generate bt --cases 1 --profile tiny --profile hard',
    '--profile was given 2 times; see `boardmill generate --help`',
  ],
  ['solve bt notadir/x.in', 'cannot open notadir/x.in: no such file or directory'],
  ['solve bt g.in/x.in', 'cannot open g.in/x.in: not a directory'],
  ['solve bt < folder', 'cannot open <stdin>: it is a directory'],
])('this command line is refused with exit code 2: boardmill %s', async (line, message) => {
  const { code, stdout, stderr } = await run(line);
  expect(stderr).toBe(`boardmill: ${message}\n`);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(readdirSync(cwd)).toEqual(files);
});

test.each([
  ['generate', 'bt', '--cases', '1', '--seed', '1', '-o'],
  ['extract', 'bt', 'g.in', '--cases', '1', '-o'],
  ['solve', 'bt', 'g.in', '--stats'],
  ['solve', 'bt', 'g.in', '-o'],
  ['bench', 'bt', 'g.in', '--export-json'],
])(
  'boardmill %s %s refuses an output name that leaves no room for endings such as .partial',
  async (...words) => {
    for (const length of [241, 250, 255, 300]) {
      const name = 'g'.repeat(length);
      const { code, stdout, stderr } = await boardmill([...words, name], { cwd });
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: '',
        stderr: `boardmill: cannot create ${name}: name too long\n`,
      });
    }
    expect(readdirSync(cwd)).toEqual(files);
  },
);

test.each(['1e-9', '0.0001', '1e99', '0', '-1', '5x', 's', '1e400'])(
  'solve refuses --timeout %s and names the limits',
  async (timeout) => {
    const { code, stderr } = await boardmill(['solve', 'bt', 'g.in', `--timeout=${timeout}`], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^boardmill: --timeout needs a time from 0\.001 to 2,000,000 seconds, such as 5 or 500ms, /,
    );
  },
);

// A run without cases starts no worker.
test.each(['5', '5s', '0.5', '500ms', '1e3', '2m', '1h', '.5s'])(
  'solve accepts --timeout %s',
  async (timeout) => {
    const args = ['solve', 'bt', '-', '--exec', 'true', '--timeout', timeout];
    expect(await boardmill(args, { cwd, stdin: '0\n' })).toEqual({ code: 0, stdout: '', stderr: '' });
  },
);

describe('numbers and ranges on the command line', () => {
  const generate = (...words: string[]) => boardmill(['generate', 'bt', '--seed', '1', ...words]);

  test('generate reads --cases 1e2 as 100 and 2.5e1 as 25', async () => {
    expect((await generate('--cases', '1e2')).stdout).toBe((await generate('--cases', '100')).stdout);
    expect((await generate('--cases', '2.5e1')).stdout).toMatch(/^25\n/);
  });

  test('generate reads --rows 5-9 as 5..9', async () => {
    const withDash = await generate('--cases', '20', '--rows', '5-9');
    expect(withDash.stdout).toBe((await generate('--cases', '20', '--rows', '5..9')).stdout);
    expect(withDash.code).toBe(0);
  });

  test('generate --cases 0 prints an empty input if the input format has one', async () => {
    expect((await generate('--cases', '0')).stdout).toBe('0\n');
    expect((await boardmill(['generate', 'link-and-pop', '--cases', '0', '--seed', '1'])).stdout).toBe(
      '0 0\n',
    );
    const { stdout } = await boardmill(['generate', 'zu', '--cases', '0', '--seed', '1']);
    expect(stdout).toBe('0 0\n');
    expect(await boardmill(['solve', 'zu'], { stdin: stdout })).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

test('an option without a value may be repeated', async () => {
  const outcome = await boardmill(['solve', 'bt', 'g.in', '-q', '-q', '--quiet'], { cwd });
  expect(outcome).toEqual({ code: 0, stdout: 'Case #1: 2\n', stderr: '' });
});

describe('options that are typed as other programs take them', () => {
  test.each([
    ['solve bt g.in -ox.ans', 'x.ans'],
    ['solve bt g.in -o=x.ans', 'x.ans'],
    ['solve bt g.in -qfoq.ans', 'q.ans'],
    ['solve bt g.in -fqj1 -oh', 'h'],
  ])('a value may be attached to its letter: boardmill %s', async (line, name) => {
    const outcome = await boardmill(parse(line) as string[], { cwd });
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(cwd, name), 'utf8')).toBe('Case #1: 2\n');
    rmSync(join(cwd, name));
  });

  test.each(['-q solve bt g.in', '-j 1 --format text solve bt g.in', '--jobs=1 -q solve bt g.in'])(
    'options may stand before the command: boardmill %s',
    async (line) => {
      const outcome = await boardmill(parse(line) as string[], { cwd });
      expect(outcome).toEqual({ code: 0, stdout: 'Case #1: 2\n', stderr: '' });
    },
  );

  test('the value of an option before the command is not the command', async () => {
    const outcome = await boardmill(['-o', 'check', 'solve', 'bt', 'g.in'], { cwd });
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: '' });
    rmSync(join(cwd, 'check'));
  });
});

describe('help', () => {
  const COMMANDS =
    'solve generate validate extract split check verify stress bench problems completion'.split(' ');

  test('boardmill without a command prints the help on standard error and exits with code 2', async () => {
    const { code, stdout, stderr } = await boardmill([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const command of COMMANDS) expect(stderr).toContain(`\n  ${command} `);
  });

  test.each([
    ['-h'],
    ['-V'],
    ...COMMANDS.flatMap((command) => [
      [command, '-h'],
      [command, '-V'],
    ]),
  ])('boardmill %s %s prints the same as with the long option', async (...words) => {
    const outcome = await boardmill(words);
    const long = words.map((word) => ({ '-h': '--help', '-V': '--version' })[word] ?? word);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome).toEqual(await boardmill(long));
    expect(outcome.stdout).toMatch(words.includes('-V') ? /^\d+\.\d+\.\d+\S*\n$/ : /--help/);
  });

  test.each(COMMANDS)(
    'the help of %s fits 80 columns, and each example is on a line of its own',
    async (command) => {
      const { stdout } = await boardmill([command, '--help']);
      const lines = stdout.split('\n');
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
      const sections = stdout.split('\n\n').filter((section) => /^(More e|E)xamples:/.test(section));
      const examples = sections.flatMap((section) =>
        section.split('\n').filter((line) => /^ {2}\S/.test(line)),
      );
      for (const example of examples) expect(example).toContain('boardmill ');
      if (sections[0] !== undefined)
        expect(stdout.indexOf(sections[0])).toBeLessThan(stdout.indexOf('\nOptions:'));
      expect(stdout).not.toMatch(/\[(string|boolean|array)\]/);
    },
  );
});

test('help names values, and has the most used options first, in groups', async () => {
  const { stdout } = await boardmill(['solve', '--help']);
  const headings = stdout.split('\n').filter((line) => /^[A-Z].*:$/.test(line));
  expect(headings).toEqual([
    'Examples:',
    'Arguments:',
    'Options:',
    'Several machines:',
    'With --exec:',
    'How cases are solved:',
    'Grammars:',
    'All commands:',
    'More examples:',
  ]);
  expect(stdout).toMatch(/Options:\n {2}-o, --output FILE +file for the answers/);
  expect(stdout).toContain('\n      --timeout SECONDS ');
  expect(stdout).toContain('\n      --[no-]progress ');
});

test('a standard output of which only a part can be written is reported', async () => {
  // A limit on the file size simulates a disk that becomes full. Only the message of the system differs.
  for (const command of [
    'solve --help',
    'completion bash',
    'problems --json',
    'generate bt --cases 999 --seed 1',
  ]) {
    const file = join(cwd, 'part');
    const { code, stderr } = await shell(`ulimit -f 1; boardmill ${command} > ${file}`);
    expect({ command, code, stderr }).toEqual({
      command,
      code: 4,
      stderr: 'boardmill: cannot write standard output: file too large\n',
    });
    expect(statSync(file).size).toBeGreaterThan(0);
  }
});

test('a full device at standard output is reported as such, not as an internal error', async () => {
  for (const command of ['problems', 'solve --help', 'completion bash']) {
    const { code, stderr } = await shell(`boardmill ${command} > /dev/full`);
    expect({ command, code, stderr }).toEqual({
      command,
      code: 4,
      stderr: 'boardmill: cannot write standard output: no space left on device\n',
    });
  }
});

test('validate prints one line if its input does not exist', async () => {
  const { code, stdout, stderr } = await boardmill(['validate', 'bt', 'nofile'], { cwd });
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: 'boardmill: cannot open nofile: no such file or directory\n',
  });
});

test('boardmill prints the same messages in another locale', async () => {
  const env = { LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' };
  const { stderr } = await boardmillInOwnProcess(['solve', 'bt', '--forse'], { env });
  expect(stderr).toContain('unknown option --forse; did you mean --force?');
});
