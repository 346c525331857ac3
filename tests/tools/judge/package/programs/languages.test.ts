/** The languages of packages: each is built and run with fake tools, which note how they are called. */
import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ProgramBuilder } from '../../../../../src/tools/judge/package/programs/builder.js';
import { CommandRunner } from '../../../../../src/tools/judge/package/programs/command-runner.js';
import { LANGUAGES } from '../../../../../src/tools/judge/package/programs/languages.js';
import {
  NO_HINTS,
  type ProgramHints,
  readProgramSource,
} from '../../../../../src/tools/judge/package/programs/program-source.js';
import { PackageConstants } from '../../../../../src/tools/judge/package/read/constants.js';
import { folderForEachTest } from '../../../../support/temporary-folder.js';
import { type Files, writePackage } from '../package-folder.js';

const folder = folderForEachTest();

const TOOLS = [
  ...['kotlinc', 'java', 'scalac', 'scala', 'mcs', 'mono', 'ghc', 'ocamlopt', 'fpc', 'swipl', 'sbcl'],
  ...['ruby', 'php', 'julia', 'pypy3', 'python3', 'perl', 'javac', 'g++', 'gcc'],
];

/** A tool that notes its arguments, and makes the file that it is told to make. A Python says where it is. */
const TOOL = `#!/bin/sh
case "$2" in *sys.executable*) echo "$0"; exit;; *sys.prefix*) exit 1;; esac
echo "\${0##*/} $*" >>"$LOG"
[ -z "$MADE" ] || { : >"$MADE"; chmod +x "$MADE"; }
`;

beforeEach(() => {
  writePackage(folder.at('bin'), Object.fromEntries(TOOLS.map((name) => [name, TOOL])));
  vi.stubEnv('PATH', `${folder.at('bin')}${delimiter}${process.env.PATH}`);
  vi.stubEnv('XDG_CACHE_HOME', folder.at('cache'));
});
afterEach(() => void vi.unstubAllEnvs());

async function build(files: Files, made: string, hints: Partial<ProgramHints> = {}) {
  writePackage(folder.at('program'), files);
  folder.write('log', '');
  const names = Object.keys(files);
  const path = names.length === 1 ? folder.at(`program/${names[0]}`) : folder.at('program');
  const variables = { PATH: process.env.PATH, LOG: folder.at('log'), MADE: made };
  const builder = new ProgramBuilder({
    folder: folder.path,
    compilationSeconds: 20,
    constants: new PackageConstants([]),
    commands: new CommandRunner(variables, null),
    warn: () => {},
  });
  return builder.build(readProgramSource('submissions/x/program', path, { ...NO_HINTS, ...hints }));
}

/** Builds a program, and returns how it was built and is run, with short names of folders. */
async function commandsOf(files: Files, made: string, hints: Partial<ProgramHints> = {}) {
  const built = await build(files, made, hints);
  if (built.kind !== 'built') throw new Error(built.reason);
  const shorten = (text: string) =>
    text
      .replaceAll(`${folder.at('cache')}/boardmill/builds/`, '')
      .replaceAll(/(unfinished-\w+|[0-9a-f]{64})\/program/g, 'DIR')
      .replaceAll(`${folder.at('bin')}/`, '')
      .trim();
  return {
    build: shorten(readFileSync(folder.at('log'), 'utf8')),
    run: shorten(built.words.join(' ')),
  };
}

const JAVA = '-Dfile.encoding=UTF-8 -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError -Xss{stack}m -Xmx{memory}m';
const PYTHON_CHECK = 'import sys; [compile(open(f, "rb").read(), f, "exec") for f in sys.argv[1:]]';
const JVM_OPTIONS = JAVA.split(' ').map((option) => `-J${option}`);

describe('a program in', () => {
  test.each<[language: string, files: Files, made: string, build: string, run: string]>([
    [
      'Kotlin',
      { 'a.kt': 'fun main() {}' },
      'boardmill-program.jar',
      'kotlinc DIR/a.kt -include-runtime -nowarn -d DIR/boardmill-program.jar',
      `java ${JAVA} -jar DIR/boardmill-program.jar`,
    ],
    [
      'C#',
      { 'a.cs': '' },
      'boardmill-program.exe',
      'mcs -optimize+ -nologo -warn:0 -r:System.Numerics -out:DIR/boardmill-program.exe DIR/a.cs',
      'mono DIR/boardmill-program.exe',
    ],
    [
      'Haskell',
      { 'a.hs': '' },
      'boardmill-program',
      'ghc -O2 -w -v0 -rtsopts -outputdir DIR -o DIR/boardmill-program DIR/a.hs',
      'DIR/boardmill-program +RTS -M{memory}m -K{stack}m -RTS',
    ],
    [
      'OCaml',
      { 'a.ml': '' },
      'boardmill-program',
      'ocamlopt -w -a -I +unix -I +str unix.cmxa str.cmxa -o DIR/boardmill-program DIR/a.ml',
      'DIR/boardmill-program',
    ],
    [
      'Pascal',
      { 'a.pas': '', 'main.pas': '' },
      'boardmill-program',
      'fpc -O2 -Sh -v0 -oDIR/boardmill-program DIR/main.pas',
      'DIR/boardmill-program',
    ],
    [
      'Prolog',
      { 'a.pl': 'main :- true.' },
      'boardmill-program',
      'swipl -O -q -g main -t halt -o DIR/boardmill-program -c DIR/a.pl',
      'DIR/boardmill-program',
    ],
    [
      'Lisp',
      { 'a.lisp': '' },
      '',
      '',
      'sbcl --noinform --dynamic-space-size {memory} --control-stack-size {stack} --script DIR/a.lisp',
    ],
    ['Ruby', { 'a.rb': '' }, '', '', 'ruby DIR/a.rb'],
    [
      'PHP',
      { 'a.php': '' },
      '',
      '',
      'php -n -d display_errors=stderr -d html_errors=0 -d memory_limit={memory}M DIR/a.php',
    ],
    ['Julia', { 'a.jl': '' }, '', '', 'julia --startup-file=no --heap-size-hint={memory}M DIR/a.jl'],
    ['Perl', { 'a.pl': '#!/usr/bin/perl\n' }, '', '', 'perl DIR/a.pl'],
    [
      'Python for PyPy',
      { 'a.py': '#!/usr/bin/env pypy3\n' },
      '',
      `pypy3 -c ${PYTHON_CHECK} DIR/a.py`,
      'pypy3 DIR/a.py',
    ],
    ['Python', { 'a.py': '' }, '', `python3 -c ${PYTHON_CHECK} DIR/a.py`, 'python3 DIR/a.py'],
    [
      'Python, in a folder that is a module',
      { '__init__.py': '', '__main__.py': '', 'main.py': '', 'a.py': '' },
      '',
      `python3 -c ${PYTHON_CHECK} DIR/__init__.py DIR/__main__.py DIR/a.py DIR/main.py`,
      'python3 DIR/__main__.py',
    ],
  ])('%s is built and run with its tools', async (_language, files, made, build, run) => {
    expect(await commandsOf(files, made)).toEqual({ build, run });
  });

  test('Scala in a package must make the class of its main object', async () => {
    const files = { 'a.scala': 'package p.q\nobject Solver extends App {}' };
    expect(await build(files, 'x')).toEqual({
      kind: 'broken',
      reason: 'the build made no p/q/Solver.class',
    });
  });

  test('Scala without a package is run by the name of its main object', async () => {
    const files = { 'a.scala': 'object Other\nobject Solver { def main(args: Array[String]) = {} }' };
    expect(await commandsOf(files, 'Solver.class')).toEqual({
      build: 'scalac -encoding UTF-8 -nowarn -d DIR DIR/a.scala',
      run: `scala ${JVM_OPTIONS.join(' ')} -cp DIR Solver`,
    });
  });

  test.each([
    ['@main def solve() = {}', 'solve'],
    ['object A extends X with App', 'A'],
    ['// object B extends App\nobject C extends App', 'C'],
  ])('Scala has its main object: %j', async (text, name) => {
    expect((await commandsOf({ 'a.scala': text }, `${name}.class`)).run).toMatch(new RegExp(` ${name}$`));
  });
});

describe('submissions.yaml states the language', () => {
  test.each<[language: string, files: Files, made: string, hints: Partial<ProgramHints>, run: string]>([
    ['python3', { 'a.txt': '' }, '', {}, 'python3 DIR/a.txt.py'],
    ['python3', { solve: '' }, '', {}, 'python3 DIR/solve.py'],
    ['ruby', { 'a.py': '' }, '', {}, 'ruby DIR/a.py.rb'],
    ['cpp', { 'a.in': '' }, 'boardmill-program', {}, 'DIR/boardmill-program'],
    ['python3', { one: '', two: '' }, '', { entryPoint: 'two' }, 'python3 DIR/two.py'],
    // A language that boardmill does not know is that of the ending, such as a variant of it.
    ['python3numpy', { 'a.py': '' }, '', {}, 'python3 DIR/a.py'],
  ])('%s of %j', async (language, files, made, hints, run) => {
    expect((await commandsOf(files, made, { ...hints, language })).run).toBe(run);
  });

  test('and boardmill does not know it, nor the ending', async () => {
    expect(await build({ 'a.xyz': '' }, '', { language: 'apl' })).toEqual({
      kind: 'skipped',
      reason: 'boardmill knows no language apl, which submissions.yaml states',
    });
  });
});

describe('an interpreter that is not installed is named', () => {
  test.each<[what: string, files: Files, reason: string]>([
    [
      'a script',
      { solve: '#!/usr/bin/no-such-tool\n' },
      'solve needs /usr/bin/no-such-tool, which is not installed',
    ],
    [
      'a script by env',
      { solve: '#! /usr/bin/env -S lua5 -x\n' },
      'solve needs lua5, which is not installed',
    ],
    ['`run` of a folder', { run: '#!/opt/x\n', 'a.py': '' }, 'run needs /opt/x, which is not installed'],
    [
      '`build` of a folder',
      { build: '#!/opt/y\n', 'a.py': '' },
      'build needs /opt/y, which is not installed',
    ],
  ])('%s', async (_what, files, reason) => {
    expect(await build(files, '')).toEqual({ kind: 'skipped', reason });
  });

  test('PyPy, of a script that wants it', async () => {
    vi.stubEnv('PATH', '/nowhere');
    expect(await build({ 'a.py': '#!/usr/bin/pypy3\n' }, '')).toEqual({
      kind: 'skipped',
      reason: 'there is no pypy3 that works',
    });
  });

  test('and one that is installed is not', async () => {
    const built = await build({ solve: '#!/bin/sh\necho 1\n' }, '');
    expect(built.kind).toBe('built');
  });
});

test('each language has a code and endings of its own', () => {
  const codes = LANGUAGES.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  const endings = LANGUAGES.filter(({ firstLine }) => firstLine === undefined).flatMap(
    (each) => each.endings,
  );
  expect(new Set(endings).size).toBe(endings.length);
});
