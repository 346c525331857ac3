/** Tests of `--version`, `--help`, `help`, `problems`, and the aliases of problem names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { COMMANDS } from '../../src/cli/command-list.js';
import { EXIT_CODES, helpOf } from '../../src/cli/help.js';
import { fixtureOf } from '../fixtures/problems.mjs';
import { boardmill as boardmillInOwnProcess, exitOf, ROOT, start, textOf } from './boardmill.js';
import { boardmill } from './in-turn.js';

test('--version prints the version in package.json', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(await boardmillInOwnProcess(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

describe.each([[['--help']], [['solve', '--help']]])('boardmill with %j', (args) => {
  test('help shows the usage and examples or exit codes, and exits with code 0', async () => {
    const { code, stdout, stderr } = await boardmill(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/boardmill solve/);
    expect(stdout).toMatch(args.includes('solve') ? /Examples:/ : /Exit codes:/);
  });
});

test('the help fits 80 columns, and breaks no example and no exit code', async () => {
  for (const entry of [undefined, ...COMMANDS]) {
    const lines = (await helpOf(entry)).split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const examples = (await entry?.load())?.syntax.examples ?? [];
    for (const [command] of examples) expect(lines).toContain(`  ${command}`);
    for (const [code] of entry === undefined ? EXIT_CODES : [])
      expect(lines.filter((line) => line.startsWith(`  ${code.padEnd(3)}  `))).toHaveLength(1);
  }
  expect((await helpOf(undefined)).split('Exit codes:')[1]).not.toMatch(/^ {2}[a-zA-Z]/m);
});

test('the help assumes 80 columns if the terminal does not report its size', async () => {
  const expected = await helpOf(undefined);
  const { columns } = process.stdout;
  try {
    process.stdout.columns = 0;
    expect(await helpOf(undefined)).toBe(expected);
  } finally {
    process.stdout.columns = columns;
  }
});

test.each([
  { args: ['help'], same: ['--help'] },
  { args: ['help', 'solve'], same: ['solve', '--help'] },
])('boardmill with $args prints the same as with $same', async ({ args, same }) => {
  const outcome = await boardmill(args);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome).toEqual(await boardmill(same));
});

test('boardmill help with an unknown command exits with code 2', async () => {
  expect(await boardmill(['help', 'slove'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'boardmill: unknown command slove; did you mean solve?; see `boardmill --help`\n',
  });
});

test('boardmill problems lists all names and aliases of problems', async () => {
  const { code, stdout } = await boardmill(['problems']);
  for (const { name, aliases } of PROBLEMS) {
    for (const each of [name, ...aliases]) expect(stdout).toContain(each);
  }
  expect(code).toBe(0);
});

test('boardmill problems --json prints limits that include those of the contest', async () => {
  const { stdout } = await boardmill(['problems', '--json']);
  const list = JSON.parse(stdout) as { name: string; limits: { maxRows: number; maxCells: number } }[];
  expect(list.map(({ name }) => name)).toEqual(PROBLEMS.map(({ name }) => name));
  for (const { name, limits } of list) {
    const { maxRows, maxCells } = fixtureOf(name).statement;
    expect(limits.maxRows, name).toBeGreaterThanOrEqual(maxRows);
    expect(limits.maxCells, name).toBeGreaterThanOrEqual(maxCells);
  }
});

test.each(['zu', '过河卒', 'P9169', 'LOJ3958'])('the alias %s means river-pawn', async (alias) => {
  const { stdout } = await boardmill(['solve', alias], { stdin: '0 1\n3 3\n#.#\nO.O\n.X.\n' });
  expect(stdout).toBe('Black 2\n');
});

test.each([[['problems']], [['--help']], [['--version']], [['completion']]])(
  'boardmill with %j prints no error if its output pipe is closed',
  async (args) => {
    const child = start(args);
    child.stdout.destroy();
    child.stdin.end();
    const [code, stderr] = await Promise.all([exitOf(child), textOf(child.stderr)]);
    expect(stderr).toBe('');
    expect([0, 141]).toContain(code);
  },
);
