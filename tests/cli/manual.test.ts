/** Tests of the manual page: it has the texts of `--help`, and programs that show manual pages can read it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { manPage, readCommands } from '../../scripts/make-man.mjs';
import type { CommandSyntax, OptionRow } from '../../src/cli/arguments/option.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ROOT } from './boardmill.js';

interface Texts {
  readonly commands: readonly {
    readonly usage: string;
    readonly description: string;
    readonly syntax: CommandSyntax;
  }[];
  readonly common: {
    readonly options: Readonly<Record<string, OptionRow>>;
    readonly description: string;
    readonly exitCodes: readonly (readonly [string, string])[];
  };
}

const folder = temporaryFolder();
const { version, description, man } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const texts: Texts = await readCommands(pathToFileURL(join(ROOT, 'build/')));
const page = pageOf(texts);

function pageOf(all: Texts): string {
  return manPage({ version, summary: description, ...all });
}

/** Returns the page without the escapes of roff, which the tests compare with the texts of `--help`. */
function plain(roff: string): string {
  const letters: Record<string, string> = { aq: "'", dq: '"', ga: '`', ha: '^', ti: '~' };
  return roff
    .replace(/\\f[BIR]|\\&/g, '')
    .replace(/\\\((\w\w)/g, (_, name: string) => letters[name])
    .replace(/\\\[u(\w+)\]/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('\\-', '-')
    .replaceAll('\\e', '\\');
}

/** Returns the lines of the page below the heading of the command. */
function pageOfCommand(usage: string): string {
  const [, part] = plain(page).split(`\n.SS "boardmill ${usage}"\n`);
  return part.split(/\n\.S[SH] /)[0];
}

describe.each(texts.commands)('the manual page of boardmill $usage', ({ usage, description, syntax }) => {
  const part = pageOfCommand(usage).toLowerCase();

  test('has the descriptions of the command and its arguments', () => {
    const descriptions = [description, ...Object.values(syntax.arguments).map(({ describe }) => describe)];
    expect(descriptions.filter((each) => !part.includes(each.toLowerCase()))).toEqual([]);
  });

  test('has every option with all its names and its description', () => {
    for (const [name, { alias, describe }] of Object.entries(syntax.options)) {
      const names = [...(alias === undefined ? [] : [`-${alias}`]), `--${name}`].join(', ').toLowerCase();
      const [, label = ''] = new RegExp(`^\\.tp\\n(${names}\\b.*)\\n`, 'm').exec(part) ?? [];
      expect(part, names).toContain(`${label}\n${describe.toLowerCase()}`);
      expect(label, `--${name}`).not.toBe('');
    }
  });
});

test('the page has each example of the help once', () => {
  const examples = texts.commands.flatMap(({ syntax }) => syntax.examples ?? []).map(([command]) => command);
  expect(examples.length).toBeGreaterThan(20);
  const lines = plain(page).split('\n');
  expect(examples.filter((example) => lines.filter((line) => line === example).length !== 1)).toEqual([]);
});

test('the page has every exit code of the help', () => {
  const codes = texts.common.exitCodes;
  expect(codes.length).toBeGreaterThan(5);
  for (const [code, meaning] of codes) {
    expect(plain(page).toLowerCase()).toContain(`\n${code}\n${meaning.toLowerCase()}.\n`);
  }
});

test('another description of an option changes the page', () => {
  const [first, ...others] = texts.commands;
  const output = { ...first.syntax.options.output, describe: 'something new' };
  const syntax = { ...first.syntax, options: { ...first.syntax.options, output } };
  expect(plain(pageOf({ ...texts, commands: [{ ...first, syntax }, ...others] }))).toContain(
    '\nSomething new.\n',
  );
  expect(plain(page)).not.toContain('Something new');
});

test('npm link installs the page, because package.json has a list of pages', () => {
  expect(man).toEqual(['dist/boardmill.1']);
});

test('the package contains the page that the texts give', () => {
  expect(readFileSync(join(ROOT, 'dist/boardmill.1'), 'utf8')).toBe(page);
});

/** Descriptions that roff would misread if they were not escaped. */
const ODD_DESCRIPTIONS = [
  '.so a request',
  "'br a request with a quote",
  'A \\fBbackslash\\fR and \\n',
  'A --long-option, `quotes`, \'more\', "double" ^ ~',
  'Héllo 过河卒',
];

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}

describe.skipIf(!isInstalled('groff'))('groff (skipped if it is not installed)', () => {
  test('accepts the page without a warning', () => {
    const { stderr, status } = spawnSync('groff', ['-man', '-ww', '-z', '-Tutf8'], {
      input: page,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('shows every description as it is written', () => {
    const options = Object.fromEntries(
      ODD_DESCRIPTIONS.map((describe, i) => [`odd${i}`, { ...texts.common.options.help, describe }]),
    );
    const odd = pageOf({ ...texts, common: { ...texts.common, options } });
    const shown = execFileSync('groff', ['-man', '-Tutf8', '-P-cbou', '-rLL=200n'], {
      input: odd,
      encoding: 'utf8',
    });
    expect(ODD_DESCRIPTIONS.filter((text) => !shown.includes(text))).toEqual([]);
  });
});

test.skipIf(!isInstalled('man'))('man shows the page (skipped if man is not installed)', () => {
  const path = join(folder, 'boardmill.1');
  writeFileSync(path, page);
  const { stdout, status } = spawnSync('man', ['-l', path], {
    encoding: 'utf8',
    env: { ...process.env, MANPAGER: 'cat', PAGER: 'cat', MANWIDTH: '100' },
  });
  expect(status).toBe(0);
  expect(stdout).toContain('boardmill solve <problem> [inputs..]');
});
