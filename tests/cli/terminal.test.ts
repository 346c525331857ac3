/** The bar, the table of `bench` and the line of `stress` on a real terminal, and what each way out leaves there. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { program } from '../support/programs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { hasTmux, PATIENCE, PROMPT, Terminal } from '../support/terminal.js';
import { folderForEachTest, MAIN, ROOT } from './boardmill.js';

allowSlowTests();

const ROWS = 10;
const COMMAND = `${PROMPT} ./go`;
const SOLVE = 'solve bt - -o answers';

/** Four cases, of which two can be answered: only what follows a case says that it is over. */
const HALF = '4\n1 1\n.\n1 1\n.\n1 1\n';
const REST = '.\n1 1\n.\n';
const BAD_REST = 'z\n1 1\n.\n';

/** The bar in the middle of that run, by columns. */
const BARS = new Map([
  [20, /^ 50% ETA \d\d:\d\d$/],
  [40, /^ 50% ETA \d\d:\d\d \| 2 cases \| 0.00 MB\/s$/],
  [80, /^(?=.{79}$) 50% ETA \d\d:\d\d \| 2 cases \| 0.00 MB\/s \| \d+ cases\/s █+░+$/],
  [120, /^(?=.{119}$) 50% ETA \d\d:\d\d \| 2 cases \| 0.00 MB\/s \| \d+ cases\/s █+░+$/],
]);
const barOf = (columns: number) => BARS.get(columns) as RegExp;

const folder = folderForEachTest();
const { at } = folder;
let terminal: Terminal;
/** What the run reads on standard input, where that is held open. */
let input: FileHandle | null = null;

afterEach(async () => {
  await endInput();
  await terminal.close();
});

const makeFifo = (name: string) => execFileSync('mkfifo', [at(name)]);
const writeScript = (name: string, text: string) =>
  writeFileSync(at(name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });

/** Types ./go in a terminal, which runs boardmill with these arguments. */
async function go(args: string, { columns = 80, rows = ROWS, before = '' } = {}): Promise<void> {
  writeScript('go', `${before}\necho $$ > pid\nexec '${process.execPath}' ${args}`);
  terminal = await Terminal.open({ cwd: folder.path, columns, rows });
  await terminal.type('./go', 'Enter');
}

/** A run that has read `half` of its input and waits for the rest. */
async function goHalfway(half: string, args: string, options: Parameters<typeof go>[1] = {}): Promise<void> {
  makeFifo('input');
  await go(`${PLANT} '${MAIN}' ${args} -j 1 --chunk 1 < input`, options);
  input = await open(at('input'), 'w');
  await input.write(half);
}

async function endInput(rest = ''): Promise<void> {
  if (rest !== '') await input?.write(rest);
  await input?.close();
  input = null;
}

/** After these lines comes the prompt, on a line of its own, and the terminal works as before. */
async function expectLeft(after: readonly (string | RegExp)[]): Promise<void> {
  await terminal.untilLines([COMMAND, ...after, PROMPT]);
  expect(await terminal.state()).toEqual({ cursor: true, wrap: true, column: PROMPT.length + 1 });
}

/** On SIGUSR2, what no handler expects. */
const PLANT = `--import 'data:text/javascript,process.on("SIGUSR2", () => { throw new Error("planted") })'`;

const interrupt = () => terminal.type('C-c');
const signal = (name: NodeJS.Signals) => process.kill(Number(readFileSync(at('pid'), 'utf8')), name);

const SKIPPED = hasTmux ? '' : ': skipped, there is no tmux (apt-get install tmux)';

describe.skipIf(!hasTmux)(`on a terminal${SKIPPED}`, () => {
  test('the bar fits after each resize, and no old line stays', async () => {
    await goHalfway(HALF, SOLVE, { columns: 40 });
    await terminal.untilLines([COMMAND, barOf(40)]);
    for (const columns of [80, 120, 40, 120, 80, 40, 20, 40, 120, 40, 80]) {
      await terminal.resize(columns, ROWS);
      await terminal.untilLines([COMMAND, barOf(columns)]);
      // Even a process that is killed leaves the terminal in order.
      expect(await terminal.state()).toMatchObject({ cursor: true, wrap: true });
    }
    await endInput(REST);
    await expectLeft([]);
    expect(readFileSync(at('answers'), 'utf8')).toContain('Case #4: 2\n');
  });

  test('nor does one stay at the bottom of a screen that is full', async () => {
    await goHalfway(HALF, SOLVE, { columns: 120, before: 'yes full | head -n 30' });
    const full = Array<string>(30).fill('full');
    for (const columns of [120, 40, 80, 20, 120]) {
      await terminal.resize(columns, ROWS);
      await terminal.untilLines([COMMAND, ...full, barOf(columns)]);
    }
    await endInput(REST);
    await expectLeft(full);
  });

  test('on a terminal that is too narrow for anything, nothing is shown, and the run goes on', async () => {
    await goHalfway(HALF, SOLVE, { columns: 4 });
    await vi.waitFor(() => expect(existsSync(at('answers.checkpoint'))).toBe(true), PATIENCE);
    await terminal.untilLines([COMMAND]);
    await terminal.resize(80, ROWS);
    await terminal.untilLines([COMMAND, barOf(80)]);
  });

  test('without a known size, cases and speed are shown', async () => {
    await goHalfway('1 1\nL\n1 1\nR\n1 1\n', 'solve darkraft - -o answers');
    await terminal.untilLines([COMMAND, /^ 2 cases \| 0.00 MB\/s \| \d+ cases\/s$/]);
    await terminal.resize(24, ROWS);
    await terminal.untilLines([COMMAND, /^ 2 cases \| 0.00 MB\/s$/]);
  });

  test('the bar stays below warnings', async () => {
    await goHalfway('5\n1 1\nz\n1 1\n.\n1 1\n', `${SOLVE} --on-error mark`);
    const warning = /^boardmill: <stdin>:3:1: case 1: .* got "z"$/;
    await terminal.untilLines([COMMAND, warning, /^ 40% ETA \d\d:\d\d \| 2 cases /]);
    await endInput(`${REST}1 1\n?\n`);
    await expectLeft([warning, /^boardmill: <stdin>:11:1: case 5: .* got "\?"$/]);
  });

  test('the bar stays below answers', async () => {
    await goHalfway(HALF, 'solve bt -');
    await terminal.untilLines([COMMAND, 'Case #1: 2', 'Case #2: 2', barOf(80)]);
    await endInput(REST);
    await expectLeft(['Case #1: 2', 'Case #2: 2', 'Case #3: 2', 'Case #4: 2']);
  });

  test('the bar of check stays below differences', async () => {
    writeFileSync(at('answers'), 'Case #1: 9\nCase #2: 2\nCase #3: 2\nCase #4: 2\n');
    await goHalfway(HALF, 'check bt - answers');
    const difference = /^answers:1:\d+: case 1: /;
    await terminal.untilLines([COMMAND, difference, barOf(80)]);
    await endInput(REST);
    await expectLeft([difference, /4 cases/]);
  });

  test('^Z makes room for the shell; fg draws the bar again below', async () => {
    await goHalfway(HALF, SOLVE);
    await terminal.untilLines([COMMAND, barOf(80)]);
    await terminal.type('C-z');
    const stopped = /Stopped/;
    await terminal.untilLines([COMMAND, stopped, PROMPT]);
    await terminal.type('fg', 'Enter');
    await terminal.untilLines([COMMAND, stopped, `${PROMPT} fg`, './go', barOf(80)]);
  });

  describe('a way out after a resize leaves the terminal in order:', () => {
    test.each([
      { way: 'the end', leave: () => endInput(REST), after: [] },
      { way: 'bad input', leave: () => endInput(BAD_REST), after: [/^boardmill: .*: case 3: .* got "z"$/] },
      { way: 'a signal', leave: interrupt, after: [/^boardmill: .* SIGINT after 2 cases/] },
      {
        way: 'an uncaught exception',
        leave: () => signal('SIGUSR2'),
        after: [/^boardmill: internal error: planted /],
      },
    ])('$way', async ({ leave, after }) => {
      await goHalfway(HALF, SOLVE);
      await terminal.untilLines([COMMAND, barOf(80)]);
      await terminal.resize(40, ROWS);
      await terminal.untilLines([COMMAND, barOf(40)]);
      await leave();
      await expectLeft(after);
    });

    const REMINDER = /^boardmill: SIGINT: finishing the cases/;

    test('a second signal', async () => {
      makeFifo('gate');
      writeScript('hang', `trap '' INT; read line < gate`);
      await goHalfway(HALF, `${SOLVE} --exec ./hang`);
      await terminal.untilLines([COMMAND, /^ {2}0% ETA --:-- \| 0 cases .*░$/]);
      await terminal.resize(40, ROWS);
      await interrupt();
      await terminal.untilLines([COMMAND, REMINDER, /^ {2}0% ETA --:-- \| 0 cases \| 0.00 MB\/s$/]);
      await interrupt();
      await expectLeft([REMINDER]);
    });

    test('a second signal while a file operation hangs, so that the signal itself ends the process', async () => {
      makeFifo('nobody-reads');
      await goHalfway(HALF, 'solve bt - -o nobody-reads');
      await terminal.untilLines([COMMAND, / 0 cases \| 0.00 MB\/s \| 0 cases\/s$/]);
      await terminal.resize(24, ROWS);
      await interrupt();
      await terminal.untilLines([COMMAND, REMINDER, / 0 cases \| 0.00 MB\/s$/]);
      await interrupt();
      await expectLeft([REMINDER]);
    });
  });

  test('the table of bench fits after each resize; what is known stays when a signal ends it', async () => {
    const sample = join(ROOT, 'data/bacterial-tactics/sample/statement');
    makeFifo('gate');
    // In its third run it hangs.
    writeScript('other', `echo >> runs; [ $(wc -l < runs) -lt 3 ] || read line < gate; cat '${sample}.ans'`);
    await go(`'${MAIN}' bench bt '${sample}.in' -j 1 --runs 6 --warmup 0 --vs ./other`, { rows: 30 });
    const label = { own: /^boardmill -j 1 /, other: /^\.\/other / };
    const isTable = (line: string) => /^(program|boardmill -j|\.\/other|round) ?/.test(line);
    for (const columns of [40, 120, 60, 200, 80]) {
      await terminal.resize(columns, 30);
      const cut = (line: RegExp) => new RegExp(`^(?=.{0,${columns - 1}}$)${line.source.slice(1)}`);
      const heading = columns < 120 ? /^program / : /^program .* answers$/;
      const table = [heading, label.own, label.other, /^round 3 of 6: boardmill -j 1: /];
      await terminal.untilLines(table.map(cut), isTable);
    }
    await interrupt();
    // The whole table stays, in as many blocks of columns as fit.
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

  test('the line of stress fits after each resize and goes away', async () => {
    const exec = program('bacterial-tactics').replaceAll("'", '"');
    await go(`'${MAIN}' stress bt --exec '${exec}' --seed 5 --time 1000 -j 1`);
    for (const { columns, line } of [
      { columns: 80, line: /^ round [\d,]+ \| [\d,]+ cases$/ },
      { columns: 15, line: /^ round [\d,]+$/ },
      { columns: 40, line: /^ round [\d,]+ \| [\d,]+ cases$/ },
    ]) {
      await terminal.resize(columns, ROWS);
      await terminal.untilLines([COMMAND, line]);
    }
    await interrupt();
    await expectLeft([/^boardmill: no difference in /]);
  });
});
