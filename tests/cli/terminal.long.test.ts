/** Tests of the progress bar, the table of `bench` and the line of `stress` on a real terminal. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { program } from '../support/programs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { hasTmux, PATIENCE, PROMPT, Terminal } from '../support/terminal.js';
import { MAIN, ROOT } from './boardmill.js';

allowSlowTests();

const ROWS = 10;
const COMMAND = `${PROMPT} ./go`;
const SOLVE = 'solve bt - -o answers';

/** The start of an input of four cases. boardmill can answer two of them, because case 3 is incomplete. */
const HALF = '4\n1 1\n.\n1 1\n.\n1 1\n';
/** The rest of the input that starts with HALF. */
const REST = '.\n1 1\n.\n';
/** A rest of the input in which case 3 is bad. */
const BAD_REST = 'z\n1 1\n.\n';

/** The expected progress bar after two of four cases, for each number of columns of the terminal. */
const BARS = new Map([
  [20, /^ 50% ETA \d\d:\d\d$/],
  [40, /^ 50% ETA \d\d:\d\d \| 2 cases \| 0.00 MB\/s$/],
  [80, /^(?=.{79}$) 50% ETA \d\d:\d\d \| 2 cases \| 0.00 MB\/s \| \d+ cases\/s █+░+$/],
  [120, /^(?=.{119}$) 50% ETA \d\d:\d\d \| 2 cases \| 0.00 MB\/s \| \d+ cases\/s █+░+$/],
]);
const barOf = (columns: number) => BARS.get(columns) as RegExp;

/** The line with which a run of four cases ends. */
const ENDED = /^boardmill: 4 cases in \d+\.\d+ s: answers$/;

/** What a run prints if it has not ended some time after the first signal. */
const REMINDER = /^boardmill: SIGINT: .*; a second signal stops at once$/;

const folder = folderForEachTest();
const { at } = folder;
let terminal: Terminal;
/** The FIFO that a run reads as standard input, while the test keeps it open. */
let input: FileHandle | null = null;

afterEach(async () => {
  await endInput();
  await terminal.close();
});

const makeFifo = (name: string) => execFileSync('mkfifo', [at(name)]);
const writeScript = (name: string, text: string) =>
  writeFileSync(at(name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });

/**
 * Opens a terminal and types ./go, a script that runs Node with these arguments.
 * `before` is a command that the script runs first.
 */
async function startInTerminal(args: string, { columns = 80, rows = ROWS, before = '' } = {}): Promise<void> {
  writeScript('go', `${before}\necho $$ > pid\nexec '${process.execPath}' ${args}`);
  terminal = await Terminal.open({ cwd: folder.path, columns, rows });
  await terminal.type('./go', 'Enter');
}

/** Starts a run in a terminal, and writes `half` of its input. The run then waits for the rest. */
async function startHalfway(
  half: string,
  args: string,
  options: Parameters<typeof startInTerminal>[1] = {},
): Promise<void> {
  makeFifo('input');
  await startInTerminal(`${THROW_ON_SIGUSR2} '${MAIN}' ${args} -j 1 --chunk 1 < input`, options);
  input = await open(at('input'), 'w');
  await input.write(half);
}

/** Writes the rest of the input, if any, and closes the input. */
async function endInput(rest = ''): Promise<void> {
  if (rest !== '') await input?.write(rest);
  await input?.close();
  input = null;
}

/**
 * Expects that these lines follow the command, then a prompt in a line of its own.
 * Also expects that the cursor is visible and that line wrapping is on.
 */
async function expectRestoredTerminal(lines: readonly (string | RegExp)[]): Promise<void> {
  // A busy machine may need so much time for what a run still finishes that the user is reminded of a second signal.
  const isExpected = lines.includes(REMINDER);
  await terminal.untilLines([COMMAND, ...lines, PROMPT], (line) => isExpected || !REMINDER.test(line));
  expect(await terminal.state()).toEqual({ cursor: true, wrap: true, column: PROMPT.length + 1 });
}

/** The Node option that makes boardmill throw an uncaught exception on SIGUSR2. */
const THROW_ON_SIGUSR2 = `--import 'data:text/javascript,process.on("SIGUSR2", () => { throw new Error("planted") })'`;

const pressCtrlC = () => terminal.type('C-c');
const sendSignal = (name: NodeJS.Signals) => process.kill(Number(readFileSync(at('pid'), 'utf8')), name);

const SKIPPED = hasTmux ? '' : ' (skipped: tmux is not installed; apt-get install tmux)';

describe.skipIf(!hasTmux)(`on a terminal${SKIPPED}`, () => {
  test('the progress bar fits the terminal after each resize, and no old line remains', async () => {
    await startHalfway(HALF, SOLVE, { columns: 40 });
    await terminal.untilLines([COMMAND, barOf(40)]);
    for (const columns of [80, 120, 40, 120, 80, 40, 20, 40, 120, 40, 80]) {
      await terminal.resize(columns, ROWS);
      await terminal.untilLines([COMMAND, barOf(columns)]);
      // The cursor is visible and wrapping is on during the run, so even a killed run leaves them so.
      expect(await terminal.state()).toMatchObject({ cursor: true, wrap: true });
    }
    await endInput(REST);
    await expectRestoredTerminal([ENDED]);
    expect(readFileSync(at('answers'), 'utf8')).toContain('Case #4: 2\n');
  });

  test.each([
    ['solve', 'a file, a folder, or a pipe'],
    ['explain', 'a file or a pipe'],
  ])('%s without an input says in one line what is missing', async (command, inputs) => {
    await startInTerminal(`'${MAIN}' ${command} bt`, { columns: 200 });
    await expectRestoredTerminal([
      `boardmill: ${command} needs an input: ${inputs}; standard input is a terminal; type: boardmill generate bt --cases 10 | boardmill ${command} bt`,
    ]);
  });

  test('no old progress bar remains after a resize at the bottom of a full screen', async () => {
    await startHalfway(HALF, SOLVE, { columns: 120, before: 'yes full | head -n 30' });
    const full = Array<string>(30).fill('full');
    for (const columns of [120, 40, 80, 20, 120]) {
      await terminal.resize(columns, ROWS);
      await terminal.untilLines([COMMAND, ...full, barOf(columns)]);
    }
    await endInput(REST);
    await expectRestoredTerminal([...full, ENDED]);
  });

  test('a terminal of 4 columns shows no progress bar, and the run continues', async () => {
    await startHalfway(HALF, SOLVE, { columns: 4 });
    await vi.waitFor(() => expect(existsSync(at('answers.checkpoint'))).toBe(true), PATIENCE);
    await terminal.untilLines([COMMAND]);
    await terminal.resize(80, ROWS);
    await terminal.untilLines([COMMAND, barOf(80)]);
  });

  test('the status line shows cases and speed if the size of the input is not known', async () => {
    await startHalfway('1 1\nL\n1 1\nR\n1 1\n', 'solve darkraft - -o answers');
    await terminal.untilLines([COMMAND, /^ 2 cases \| 0.00 MB\/s \| \d+ cases\/s$/]);
    await terminal.resize(24, ROWS);
    await terminal.untilLines([COMMAND, /^ 2 cases \| 0.00 MB\/s$/]);
  });

  test('the progress bar stays below warnings', async () => {
    await startHalfway('5\n1 1\nz\n1 1\n.\n1 1\n', `${SOLVE} --on-error mark`);
    const warning = /^boardmill: <stdin>:3:1: case 1: .* got "z"$/;
    await terminal.untilLines([COMMAND, warning, /^ 40% ETA \d\d:\d\d \| 2 cases /]);
    await endInput(`${REST}1 1\n?\n`);
    await expectRestoredTerminal([
      warning,
      /^boardmill: <stdin>:11:1: case 5: .* got "\?"$/,
      /^boardmill: 5 cases in /,
    ]);
  });

  test('the progress bar stays below answers on the same terminal', async () => {
    await startHalfway(HALF, 'solve bt -');
    await terminal.untilLines([COMMAND, 'Case #1: 2', 'Case #2: 2', barOf(80)]);
    await endInput(REST);
    await expectRestoredTerminal(['Case #1: 2', 'Case #2: 2', 'Case #3: 2', 'Case #4: 2']);
  });

  test('the last line of a run says from where it was resumed, and none is printed with -q', async () => {
    writeFileSync(at('good.in'), HALF + REST);
    writeFileSync(at('bad.in'), HALF + BAD_REST);
    const run = (words: string) => `'${MAIN}' solve bt bad.in -o answers -j 1 ${words}`;
    const node = (words: string) => `'${process.execPath}' ${run(words)}`;
    const before = `${node('-q --chunk 1')}; cp good.in bad.in; ${node('--resume')}; ${node('-q -f')}`;
    await startInTerminal(run(''), { before });
    const failed = /^boardmill: bad\.in:7:1: case 3: /;
    const resumed = /^boardmill: 2 cases in \d+\.\d+ s, resumed after case 2: answers$/;
    await expectRestoredTerminal([failed, resumed, 'boardmill: answers is up to date']);
  });

  test('the last line of a run also says if it was resumed from the beginning', async () => {
    writeFileSync(at('good.in'), HALF + REST);
    writeFileSync(at('bad.in'), HALF + BAD_REST);
    const run = (words: string) => `'${MAIN}' solve bt bad.in -o answers -j 1 ${words}`;
    const node = (words: string) => `'${process.execPath}' ${run(words)}`;
    // The failure is in the first chunk, so there is no checkpoint after a case.
    const before = `${node('-q --chunk 1M')}; ${node('')}; cp good.in bad.in`;
    await startInTerminal(run('--resume'), { before, columns: 200 });
    const failed = /^boardmill: bad\.in:7:1: case 3: /;
    const left =
      'boardmill: answers.checkpoint is left from a run that failed; --resume continues from the beginning, --force starts over';
    const resumed = /^boardmill: 4 cases in \d+\.\d+ s, resumed from the beginning: answers$/;
    await expectRestoredTerminal([failed, left, resumed]);
  });

  test('the progress bar of check stays below the differences', async () => {
    writeFileSync(at('answers'), 'Case #1: 9\nCase #2: 2\nCase #3: 2\nCase #4: 2\n');
    await startHalfway(HALF, 'check bt - answers');
    const difference = /^answers:1:\d+: case 1: /;
    await terminal.untilLines([COMMAND, difference, barOf(80)]);
    await endInput(REST);
    await expectRestoredTerminal([difference, /4 cases/]);
  });

  test('Ctrl-Z removes the progress bar before the shell prompt, and fg draws it again', async () => {
    await startHalfway(HALF, SOLVE);
    await terminal.untilLines([COMMAND, barOf(80)]);
    await terminal.type('C-z');
    const stopped = /Stopped/;
    await terminal.untilLines([COMMAND, stopped, PROMPT]);
    await terminal.type('fg', 'Enter');
    await terminal.untilLines([COMMAND, stopped, `${PROMPT} fg`, './go', barOf(80)]);
  });

  describe('the terminal after a resize and the end of a run', () => {
    test.each([
      { way: 'the end of the input', leave: () => endInput(REST), after: [ENDED] },
      {
        way: 'bad input',
        leave: () => endInput(BAD_REST),
        after: [
          /^boardmill: .*: case 3: .* got "z"$/,
          /^boardmill: failed after 2 cases in \d+\.\d+ s: answers\.partial \(--resume continues\)$/,
        ],
      },
      { way: 'a signal', leave: pressCtrlC, after: [/^boardmill: .* SIGINT after 2 cases/] },
      {
        way: 'an uncaught exception',
        leave: () => sendSignal('SIGUSR2'),
        after: [/^boardmill: internal error: planted /],
      },
    ])('boardmill restores the resized terminal after $way', async ({ leave, after }) => {
      await startHalfway(HALF, SOLVE);
      await terminal.untilLines([COMMAND, barOf(80)]);
      await terminal.resize(40, ROWS);
      await terminal.untilLines([COMMAND, barOf(40)]);
      await leave();
      await expectRestoredTerminal(after);
    });

    test('boardmill restores the resized terminal after a second signal', async () => {
      makeFifo('gate');
      writeScript('hang', `trap '' INT; read line < gate`);
      await startHalfway(HALF, `${SOLVE} --exec ./hang`);
      await terminal.untilLines([COMMAND, /^ {2}0% ETA --:-- \| 0 cases .*░$/]);
      await terminal.resize(40, ROWS);
      await pressCtrlC();
      await terminal.untilLines([COMMAND, REMINDER, /^ {2}0% ETA --:-- \| 0 cases \| 0.00 MB\/s$/]);
      await pressCtrlC();
      await expectRestoredTerminal([REMINDER]);
    });

    test('boardmill restores the resized terminal after a signal while nobody reads the output', async () => {
      makeFifo('nobody-reads');
      await startHalfway(HALF, 'solve bt - -o nobody-reads');
      await terminal.untilLines([COMMAND, / 0 cases \| 0.00 MB\/s \| 0 cases\/s$/]);
      await terminal.resize(24, ROWS);
      await pressCtrlC();
      await expectRestoredTerminal([/^boardmill: stopped by SIGINT$/]);
    });
  });

  test('the table of bench fits the terminal after each resize, and its results remain after a signal', async () => {
    const sample = join(ROOT, 'data/bacterial-tactics/sample/statement');
    makeFifo('gate');
    // The program that bench compares hangs in its third run.
    writeScript('other', `echo >> runs; [ $(wc -l < runs) -lt 3 ] || read line < gate; cat '${sample}.ans'`);
    await startInTerminal(`'${MAIN}' bench bt '${sample}.in' -j 1 --runs 6 --warmup 0 --vs ./other`, {
      rows: 30,
    });
    const label = { own: /^boardmill -j 1 /, other: /^\.\/other / };
    const isTable = (line: string) => /^(program|boardmill -j|\.\/other|round) ?/.test(line);
    for (const columns of [40, 120, 60, 200, 80]) {
      await terminal.resize(columns, 30);
      const cut = (line: RegExp) => new RegExp(`^(?=.{0,${columns - 1}}$)${line.source.slice(1)}`);
      const heading = columns < 120 ? /^program / : /^program .* answers$/;
      const table = [heading, label.own, label.other, /^round 3 of 6: boardmill -j 1: /];
      await terminal.untilLines(table.map(cut), isTable);
    }
    await pressCtrlC();
    // The whole table remains, broken into blocks of columns that fit the terminal.
    const blocks = [
      /^program .* processors$/,
      label.own,
      label.other,
      /^program .* answers$/,
      label.own,
      label.other,
    ];
    await terminal.untilLines(
      [...blocks, /^boardmill: .* SIGINT$/, PROMPT],
      (line) => isTable(line) || line === PROMPT || line.includes('SIGINT'),
    );
  });

  test('the table of judge says how many cases are judged, close to the lines above, and leaves no empty lines', async () => {
    makeFifo('gate');
    // The program answers the first run of two cases, and hangs in the second one.
    writeScript('mine', `cat > in; echo >> runs; [ $(wc -l < runs) -lt 2 ] || read line < gate; cat answers`);
    writeFileSync(at('answers'), 'Case #1: 1\nCase #2: 1\n');
    writeFileSync(at('a.in'), `6\n${'1 1\n.\n'.repeat(6)}`);
    writeFileSync(at('a.ans'), Array.from({ length: 6 }, (_, i) => `Case #${i + 1}: 1\n`).join(''));
    await startInTerminal(`'${MAIN}' judge bt a.in --exec ./mine --exec-cases 2 -j 1`, { columns: 100 });
    const row = /^\.\/mine +2 /;
    await terminal.untilLines([COMMAND, /^program /, row, '2 of 6 cases']);
    const screen = await terminal.screen();
    expect(screen.slice(0, 4).map((line) => line.split(' ')[0])).toEqual(['>', 'program', './mine', '2']);
    await pressCtrlC();
    await pressCtrlC();
    await vi.waitFor(async () => expect((await terminal.lines()).at(-1)).toBe(PROMPT), PATIENCE);
    const left = await terminal.screen();
    expect(left.slice(0, left.lastIndexOf(PROMPT) + 1)).not.toContain('');
    expect(left).not.toContain('2 of 6 cases');
  });

  test('the status line of stress fits the terminal after each resize, and is removed at the end', async () => {
    const exec = program('bacterial-tactics').replaceAll("'", '"');
    await startInTerminal(`'${MAIN}' stress bt --exec '${exec}' --seed 5 --time 1000 -j 1`);
    for (const { columns, line } of [
      { columns: 80, line: /^ round [\d,]+ \| [\d,]+ cases$/ },
      { columns: 15, line: /^ round [\d,]+$/ },
      { columns: 40, line: /^ round [\d,]+ \| [\d,]+ cases$/ },
    ]) {
      await terminal.resize(columns, ROWS);
      await terminal.untilLines([COMMAND, line]);
    }
    await pressCtrlC();
    await expectRestoredTerminal([/^boardmill: no difference in /]);
  });
});
