/** Tests of the tables that describe the commands, and of what derives from a row. */
import { describe, expect, test } from 'vitest';
import * as row from '../../src/cli/arguments/rows.js';
import { COMMON_OPTIONS, readOptionValues } from '../../src/cli/arguments/syntax.js';
import { COMMANDS } from '../../src/cli/command-list.js';

describe.each(COMMANDS)('the table of boardmill $usage', ({ usage, load }) => {
  test('has the arguments of the usage line', async () => {
    const { syntax } = await load();
    const described = Object.entries(syntax.arguments).map(([name, { otherwise }]) =>
      otherwise === undefined ? `<${name}>` : `[${name}]`,
    );
    const [, ...shown] = usage.replaceAll('..', '').split(' ');
    expect(described).toEqual(shown);
  });

  test('names options of the command in `needs` and `excludes`', async () => {
    const { syntax } = await load();
    const related = Object.values(syntax.options).flatMap(({ needs, excludes = [] }) => [
      ...(needs === undefined ? [] : [needs]),
      ...excludes,
    ]);
    const names = related.map((relation) => (typeof relation === 'string' ? relation : relation[0]));
    expect(names.filter((name) => !(name in syntax.options))).toEqual([]);
  });

  test('names in the texts of options only programs that the command runs', async () => {
    const { options } = (await load()).syntax;
    const texts = Object.values(options).map(({ describe }) => describe);
    if (!('exec' in options)) expect(texts.filter((text) => /with --exec\b/.test(text))).toEqual([]);
  });

  test('has each name and each letter once', async () => {
    const { options } = (await load()).syntax;
    const all = { ...options, ...COMMON_OPTIONS };
    const letters = Object.values<{ alias?: string }>(all).flatMap(({ alias }) => alias ?? []);
    expect(new Set(letters).size).toBe(letters.length);
    expect(Object.keys(all)).toHaveLength(Object.keys(options).length + Object.keys(COMMON_OPTIONS).length);
  });
});

describe('the values of a command line', () => {
  const syntax = {
    arguments: { problem: row.PROBLEM_ARGUMENT, inputs: row.INPUTS_ARGUMENT },
    options: {
      'exec-cases': row.countOption(1, 'a number', { needs: 'exec' }),
      exec: row.programOption('a program', { excludes: [['quiet', 'programs are loud']] }),
      quiet: row.QUIET_OPTION,
      env: row.repeatableOption(row.textOption('a name')),
      retries: row.optionWithDefault(1, row.countOption(0, 'a number')),
      progress: row.flagOption('a bar', { otherwise: true }),
      solver: row.choiceOption(['auto', 'simd'], 'auto', 'a solver'),
    },
  };
  const read = (typed: Record<string, unknown>) => readOptionValues(syntax, { problem: 'bt', ...typed });

  test('are those of the rows if nothing is typed', () => {
    expect(read({})).toEqual({
      problem: 'bt',
      inputs: [],
      execCases: null,
      exec: null,
      quiet: false,
      env: [],
      retries: 1,
      progress: true,
      solver: 'auto',
    });
  });

  test('are parsed', () => {
    const typed = { exec: "a 'b c'", 'exec-cases': '1e3', env: ['A', 'B'], retries: '0', progress: false };
    expect(read(typed)).toMatchObject({
      exec: ['a', 'b c'],
      execCases: 1000,
      env: ['A', 'B'],
      retries: 0,
      progress: false,
    });
  });

  test('of a repeatable option are a list also if it is given once', () => {
    expect(read({ env: 'A' }).env).toEqual(['A']);
  });

  test('of a flag that is given several times are the last one', () => {
    expect(read({ quiet: [true, false] }).quiet).toBe(false);
  });

  test.each([
    [{ 'exec-cases': '0', exec: 'a' }, '--exec-cases needs a whole number of at least 1, got "0"'],
    [{ 'exec-cases': '3' }, '--exec-cases needs --exec'],
    [{ exec: 'a', quiet: true }, '--exec and --quiet cannot be used together: programs are loud'],
    [{ retries: ['1', '2'] }, '--retries was given 2 times'],
    [{ env: ['A', ''] }, '--env needs a value'],
  ])('%j is refused', (typed, message) => {
    expect(() => read(typed)).toThrow(message);
  });
});
