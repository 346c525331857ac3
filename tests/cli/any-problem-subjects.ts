/**
 * Tests of every command on every kind of problem and on every layout of an input: built-in problems, modules with and
 * without `solve`, and grammars. The right answers come from a sum in this file and from the oracles, never from boardmill.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { solveLiterally as solveBacterialTactics } from '../oracles/bacterial-tactics.js';
import { solveLiterally as solveDarkraft } from '../oracles/darkraft.js';
import { solveLiterally as solveLinkAndPop } from '../oracles/link-and-pop.js';
import { cellsOf, type PlainCase, randomCase, styleOf } from '../support/inputs.js';
import { program } from '../support/programs.js';
import { Random } from '../support/random.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Outcome, ROOT } from './boardmill.js';
import { boardmill } from './in-turn.js';

type LayoutName = 'counted' | 'until-end' | 'until-terminator' | 'single';

/** A test case: its text in an input, its answer in an output, and its answer as ndjson. */
interface OwnCase {
  readonly text: string;
  readonly json: unknown;
  /** Returns the answer as this case of an output. */
  answer(caseNumber: number): string;
}

/** A problem as a user names it, and what is known about its inputs. */
interface Subject {
  readonly title: string;
  readonly layout: LayoutName;
  /** The words that stand for `<problem>` on the command line, with the options that a grammar needs. */
  readonly words: readonly string[];
  /** The name of the problem in file names. */
  readonly name: string;
  readonly hasSolver: boolean;
  /** The command of a program that solves the problem. */
  readonly program: string;
  /** The command of a program that is wrong, and the text of the smallest case that shows it; null if there is none. */
  readonly wrong: { readonly program: string; readonly smallest: string } | null;
  readonly cases: readonly OwnCase[];
  /** Spoils a case, so that the case is invalid and the next one is still found. */
  spoil(text: string): string;
  /** The text that stands for the terminator. */
  readonly terminator: string;
  /** Asserts that the text is a valid case of the problem. */
  assertCase(lines: string[]): void;
  /** Returns the number of lines of the case whose first line is given. */
  linesOfCase(firstLine: string): number;
}

const OWN = join(ROOT, 'tests/fixtures/own');
const LAYOUTS: readonly LayoutName[] = ['counted', 'until-end', 'until-terminator', 'single'];

// ---- problems of one's own: the answer to some numbers is their sum ----

const NUMBERS = [[5], [3, -4], [1, 2, 3], [-9, -9, -9, -9, -9], [0]];

function sumCase(layout: LayoutName, numbers: readonly number[], isJsonText: boolean): OwnCase {
  const sum = numbers.reduce((total, value) => total + value, 0);
  return {
    text: `${numbers.length}\n${numbers.join(' ')}\n`,
    json: isJsonText ? `${sum}` : sum,
    answer: (caseNumber) => (layout === 'counted' ? `Case #${caseNumber}: ${sum}\n` : `${sum}\n`),
  };
}

function sumSubject(layout: LayoutName, kind: 'module' | 'module without solve' | 'grammar'): Subject {
  const file = {
    module: `${layout}.mjs`,
    'module without solve': `${layout}-unsolved.mjs`,
    grammar: `${layout}.ctd`,
  };
  const answers = kind !== 'grammar' || layout !== 'counted' ? [] : ['--answers', 'label:Case #'];
  const multitest = kind === 'grammar' && layout !== 'single' ? ['--multitest'] : [];
  const numbers = layout === 'single' ? NUMBERS.slice(2, 3) : NUMBERS;
  const command = `awk -f '${join(OWN, 'program.awk')}' ${layout}`;
  // The answer of the module with the layout `single` is a line, and so are the answers of grammars.
  const isJsonText = kind === 'grammar' || layout === 'single';
  return {
    title: kind,
    layout,
    words: [join(OWN, file[kind]), ...answers, ...multitest],
    name: kind === 'module without solve' ? `${layout}-unsolved` : layout,
    hasSolver: kind === 'module',
    program: command,
    wrong: { program: `${command} wrong`, smallest: '2\n0 0\n' },
    cases: numbers.map((each) => sumCase(layout, each, isJsonText)),
    spoil: (text) => text.replace(/-?\d+\n$/, '10\n'),
    terminator: '0\n',
    assertCase([header, row]) {
      const values = row.split(' ').map(Number);
      expect(values).toHaveLength(Number(header));
      expect(values.every((value) => Number.isInteger(value) && Math.abs(value) <= 9)).toBe(true);
      expect(values.length).toBeLessThanOrEqual(5);
    },
    linesOfCase: () => 2,
  };
}

// ---- built-in problems ----

const BUILT_IN = {
  counted: { name: 'bacterial-tactics', solve: solveBacterialTactics, print: labelled },
  'until-end': { name: 'darkraft', solve: solveDarkraft, print: plain },
  'until-terminator': { name: 'link-and-pop', solve: solveLinkAndPop, print: rows },
  single: { name: 'darkraft', solve: solveDarkraft, print: plain },
} as const;

function labelled(answer: unknown, caseNumber: number): string {
  return `Case #${caseNumber}: ${answer}\n`;
}

function plain(answer: unknown): string {
  return `${answer}\n`;
}

function rows(answer: unknown, caseNumber: number): string {
  return [`Case ${caseNumber}`, ...(answer as string[]), ''].join('\n');
}

function boardSubject(layout: LayoutName): Subject {
  const { name, solve, print } = BUILT_IN[layout];
  const style = styleOf(name);
  const random = new Random(13);
  const cases = Array.from({ length: layout === 'single' ? 1 : 4 }, () => randomCase(style, 2, 3, random));
  const toCase = (plainCase: PlainCase): OwnCase => {
    const cells = Uint8Array.from(cellsOf(style, plainCase));
    const answer = solve({ rows: plainCase.rows, cols: plainCase.cols, cells });
    const join = style.letters.length === 1 ? '' : ' ';
    return {
      text: `2 3\n${plainCase.cells.map((row) => `${row.join(join)}\n`).join('')}`,
      json: answer,
      answer: (caseNumber) => print(answer, caseNumber),
    };
  };
  return {
    title: 'built-in',
    layout,
    words: [name],
    name,
    hasSolver: true,
    program: program(name),
    wrong: name === 'link-and-pop' ? null : { program: program(name, 'garbage-on-1x1'), smallest: '' },
    cases: cases.map(toCase),
    spoil: (text) => text.replace(/.\n$/, '?\n'),
    terminator: '0 0\n',
    assertCase([header, ...board]) {
      expect(board.length).toBe(Number(header.split(' ')[0]));
      const cells = new RegExp(`^(?:${style.letters.map((letters) => `[${letters}]`).join('')} ?)+$`);
      for (const row of board) expect(row).toMatch(cells);
    },
    linesOfCase: (firstLine) => 1 + Number(firstLine.split(' ')[0]),
  };
}

// ---- texts ----

function inputOf({ layout, terminator }: Subject, texts: readonly string[]): string {
  const head = layout === 'counted' ? `${texts.length}\n` : '';
  return `${head}${texts.join('')}${layout === 'until-terminator' ? terminator : ''}`;
}

function answersTo(cases: readonly OwnCase[]): string {
  return cases.map((each, i) => each.answer(i + 1)).join('');
}

/** Returns the texts of the cases in an input that boardmill wrote. */
function casesIn({ layout, terminator, linesOfCase, assertCase }: Subject, input: string): string[] {
  const lines = input.split('\n');
  expect(lines.pop()).toBe('');
  const announced = layout === 'counted' ? Number(lines.shift()) : null;
  if (layout === 'until-terminator') expect(`${lines.pop()}\n`).toBe(terminator);
  const texts: string[] = [];
  while (lines.length > 0) {
    const caseLines = lines.splice(0, linesOfCase(lines[0]));
    assertCase(caseLines);
    texts.push(`${caseLines.join('\n')}\n`);
  }
  if (announced !== null) expect(texts).toHaveLength(announced);
  return texts;
}

// ---- the table ----

/** What a command gets: the problem, a folder with the files of `prepare`, and a way to run boardmill in that folder. */
interface Bench {
  readonly subject: Subject;
  readonly texts: readonly string[];
  readonly answers: string;
  readonly lastIndex: number;
  run(args: readonly string[]): Promise<Outcome>;
  read(name: string): string;
  write(name: string, text: string): void;
  names(): string[];
}

/**
 * Creates the folder of a subject, with a good input, a copy of it with other whitespace, and an input with an invalid case.
 */
function prepare(subject: Subject, root: string): Bench {
  const folder = join(root, `${subject.title}-${subject.layout}`.replaceAll(' ', '-'));
  mkdirSync(folder);
  const texts = subject.cases.map(({ text }) => text);
  const lastIndex = Math.min(2, texts.length - 1);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const good = inputOf(subject, texts);
  write('good.in', good);
  write('crlf.in', good.replaceAll('\n', ' \r\n').replace(/ \r\n$/, ''));
  write('bad.in', inputOf(subject, texts.with(lastIndex, subject.spoil(texts[lastIndex]))));
  return {
    subject,
    texts,
    answers: answersTo(subject.cases),
    lastIndex,
    run: (args) => boardmill(args, { cwd: folder }),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    write,
    names: () => readdirSync(folder),
  };
}

/** The options with which the problem is solved: `--exec` if it has no solver. */
function solverOf({ hasSolver, program: command }: Subject): string[] {
  return hasSolver ? [] : ['--exec', command];
}

const COMMANDS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  async solve({ subject, answers, run, read }) {
    const args = ['good.in', 'crlf.in', '--ext', '.ans', '-j', '1'];
    expect(await run(['solve', ...subject.words, ...args, ...solverOf(subject)])).toMatchObject({ code: 0 });
    expect([read('good.ans'), read('crlf.ans')]).toEqual([answers, answers]);
  },

  async 'solve without a solver'({ subject, run }) {
    const { code, stdout, stderr } = await run(['solve', ...subject.words, 'good.in']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('has no solver; --exec CMD');
  },

  async 'solve --exec'({ subject, answers, run }) {
    const args = ['good.in', '--exec', subject.program, '--exec-cases', '2', '-j', '2'];
    expect(await run(['solve', ...subject.words, ...args])).toMatchObject({ code: 0, stdout: answers });
  },

  async 'solve --on-error mark --format ndjson'({ subject, lastIndex, run }) {
    const args = ['bad.in', '--on-error', 'mark', '--format', 'ndjson', '-j', '1', ...solverOf(subject)];
    const { code, stdout, stderr } = await run(['solve', ...subject.words, ...args]);
    const printed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const expected = subject.cases.map(({ json }, i) => ({ case: i + 1, answer: json }));
    const error = { kind: 'input', line: expect.any(Number), column: expect.any(Number) };
    expect(printed).toEqual(
      (expected as object[]).with(lastIndex, { case: lastIndex + 1, error: expect.objectContaining(error) }),
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`bad\\.in:\\d+:\\d+: case ${lastIndex + 1}: expected .*, got `));
  },

  async 'solve --resume'({ subject, answers, lastIndex, run, read, write, names }) {
    const solve = ['solve', ...subject.words, 'once.in', '-o', 'once.ans', '-j', '1', ...solverOf(subject)];
    write('once.in', read('bad.in'));
    expect(await run([...solve, '--chunk', '1'])).toMatchObject({ code: 3 });
    const hasAnswers = lastIndex > 0;
    expect(names().includes('once.ans')).toBe(false);
    expect(names().includes('once.ans.checkpoint')).toBe(hasAnswers);
    write('once.in', read('good.in'));
    expect(await run([...solve, '--resume', '--stats', 'stats.json'])).toMatchObject({ code: 0 });
    expect(read('once.ans')).toBe(answers);
    expect(JSON.parse(read('stats.json'))).toMatchObject({ resumedCases: lastIndex });
  },

  async check({ subject, lastIndex, run, read, write }) {
    const wrong = answersTo(
      subject.cases.with(lastIndex, { ...subject.cases[lastIndex], answer: (k) => wrongAnswer(subject, k) }),
    );
    write('wrong.ans', wrong);
    const { code, stdout } = await run([
      'check',
      ...subject.words,
      'good.in',
      'wrong.ans',
      '--json',
      '-j',
      '1',
      ...solverOf(subject),
    ]);
    expect(code).toBe(1);
    const { cases, differences } = JSON.parse(stdout);
    expect({ cases, differing: differences.map((each: { case: number }) => each.case) }).toEqual({
      cases: subject.cases.length,
      differing: [lastIndex + 1],
    });
    expect(read('wrong.ans')).toBe(wrong);
  },

  async validate({ subject, lastIndex, run }) {
    const { code, stdout } = await run([
      'validate',
      ...subject.words,
      'good.in',
      'crlf.in',
      'bad.in',
      '--json',
    ]);
    expect(code).toBe(3);
    const [good, crlf, bad] = JSON.parse(stdout).files;
    expect(good).toMatchObject({ errors: [], cases: subject.cases.length });
    expect(crlf.errors).not.toEqual([]);
    expect(bad.errors[0]).toMatchObject({
      case: lastIndex + 1,
      what: expect.stringMatching(/^expected .*, got /),
    });
  },

  async generate({ subject, run, read }) {
    const cases = subject.layout === 'single' ? 1 : 6;
    const args = ['--cases', `${cases}`, '--seed', '4'];
    const { code, stdout } = await run(['generate', ...subject.words, ...args]);
    expect(code).toBe(0);
    expect(casesIn(subject, stdout)).toHaveLength(cases);
    if (subject.layout !== 'counted') return;
    expect(await run(['generate', ...subject.words, ...args, '-o', 'made.in'])).toMatchObject({ code: 0 });
    expect(read('made.in')).toBe(stdout);
  },

  async extract({ subject, texts, lastIndex, run }) {
    const range = lastIndex === 0 ? '1' : `2..${lastIndex + 1}`;
    const { code, stdout } = await run(['extract', ...subject.words, 'good.in', '--cases', range]);
    const chosen = lastIndex === 0 ? texts.slice(0, 1) : texts.slice(1, lastIndex + 1);
    expect({ code, stdout }).toEqual({ code: 0, stdout: inputOf(subject, chosen) });
  },

  async split({ subject, texts, run, read, names }) {
    const args = ['good.in', '--every', '2', '--dir', 'parts', '-q'];
    expect(await run(['split', ...subject.words, ...args])).toMatchObject({ code: 0, stderr: '' });
    expect(names()).toContain('parts');
    for (let from = 0; from < texts.length; from += 2) {
      const part = read(`parts/part-000${from / 2 + 1}.in`);
      expect(part).toBe(inputOf(subject, texts.slice(from, from + 2)));
    }
  },

  async stress({ subject, run, read }) {
    const reference = subject.hasSolver ? [] : ['--reference', subject.program];
    const args = ['--exec', subject.wrong!.program, ...reference, '--seed', '1', '--rounds', '20', '-j', '1'];
    const { code, stdout } = await run(['stress', ...subject.words, ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('repeat with:') });
    const [smallest, ...more] = casesIn(subject, read(`stress-${subject.name}-1.in`));
    expect(more).toEqual([]);
    if (subject.wrong!.smallest !== '') expect(smallest).toBe(subject.wrong!.smallest);
    const check = stdout.trimEnd().split('\n').at(-1)!;
    if (!subject.hasSolver) expect(check).toContain(' --exec ');
  },

  async bench({ subject, run, read }) {
    const few = ['--jobs', '1', '--runs', '1', '--warmup', '0'];
    const args = ['good.in', ...few, '-q', '--export-json', 'bench.json'];
    const { code, stderr } = await run(['bench', ...subject.words, ...args, ...solverOf(subject)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(read('bench.json'))).toMatchObject({ input: { cases: subject.cases.length } });
  },
};

/** Returns the text of a well-formed answer that is wrong. */
function wrongAnswer({ cases, name, layout }: Subject, caseNumber: number): string {
  const right = cases[caseNumber - 1].answer(caseNumber);
  if (name === 'darkraft') return right === 'WIN\n' ? 'LOSE\n' : 'WIN\n';
  if (name === 'link-and-pop')
    return right.replace(/(\S)\n$/, (_, letter) => `${letter === 'S' ? 'U' : 'S'}\n`);
  return layout === 'counted' ? `Case #${caseNumber}: 99\n` : '99\n';
}

const KINDS = [
  boardSubject,
  (layout: LayoutName) => sumSubject(layout, 'module'),
  (layout: LayoutName) => sumSubject(layout, 'module without solve'),
  (layout: LayoutName) => sumSubject(layout, 'grammar'),
];

/** The commands that only some subjects can be tried with. */
const CONDITIONS: Readonly<Record<string, (subject: Subject) => boolean>> = {
  'solve without a solver': ({ hasSolver }) => !hasSolver,
  stress: ({ wrong }) => wrong !== null,
  // tests/cli/bench.test.ts tries the built-in problems.
  bench: ({ title }) => title !== 'built-in',
};

/**
 * Declares the tests of all commands with some of the subjects. Each number from 0 to 3 stands for a Latin square: each command
 * meets each kind of problem once and each layout once. All four squares together are the whole table.
 */
export function testCommands(squares: readonly number[]): void {
  const root = temporaryFolder();
  LAYOUTS.forEach((layout, column) => {
    KINDS.forEach((subjectOf, row) => {
      const subject = subjectOf(layout);
      const commands = Object.entries(COMMANDS).filter(
        ([name], i) =>
          squares.includes((i + row + column) % LAYOUTS.length) && (CONDITIONS[name]?.(subject) ?? true),
      );
      describe(`${subject.title}, ${layout}`, () => {
        const bench = prepare(subject, root);
        test.each(commands)('%s', async (_name, work) => work(bench));
      });
    });
  });
}
