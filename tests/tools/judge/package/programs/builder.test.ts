/** How programs of a package are built, with compilers that only make the files that a build must have. */
import { existsSync, mkdirSync, readdirSync, truncateSync, utimesSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  MAX_BUILT_BYTES,
  MAX_BUILT_FILES,
  MAX_BUILT_FOLDER_DEPTH,
  MAX_CACHED_BUILDS,
} from '../../../../../src/tools/judge/package/limits.js';
import {
  assertProgramUnchanged,
  ProgramBuilder,
} from '../../../../../src/tools/judge/package/programs/builder.js';
import { CommandRunner } from '../../../../../src/tools/judge/package/programs/command-runner.js';
import {
  NO_HINTS,
  type ProgramHints,
  readProgramSource,
} from '../../../../../src/tools/judge/package/programs/program-source.js';
import { PackageConstants } from '../../../../../src/tools/judge/package/read/constants.js';
import { hasPython } from '../../../../support/programs.js';
import { allowSlowTests } from '../../../../support/slow-tests.js';
import { folderForEachTest } from '../../../../support/temporary-folder.js';
import { type Files, writePackage } from '../package-folder.js';

allowSlowTests();

const folder = folderForEachTest();

/** A compiler that makes the file `$MADE`, or the messages `$SAID` and no file. */
const COMPILER = `#!/bin/sh
[ -z "$SAID" ] || { printf "$SAID"; exit 1; }
[ -z "$MADE" ] || { mkdir -p "$(dirname "$MADE")" && : >"$MADE"; }
`;

beforeEach(() => {
  writePackage(folder.at('bin'), { 'g++': COMPILER, javac: COMPILER, java: COMPILER });
  vi.stubEnv('PATH', `${folder.at('bin')}${delimiter}${process.env.PATH}`);
  vi.stubEnv('XDG_CACHE_HOME', folder.at('cache'));
});
afterEach(() => void vi.unstubAllEnvs());

/** Returns a builder whose compilers see these variables. */
function builderWith(variables: NodeJS.ProcessEnv = {}, constants = new PackageConstants([])) {
  const commands = new CommandRunner({ PATH: process.env.PATH, ...variables }, null);
  return new ProgramBuilder({
    folder: folder.path,
    compilationSeconds: 20,
    constants,
    commands,
    warn: () => {},
  });
}

interface Given {
  readonly hints?: Partial<ProgramHints>;
  readonly variables?: NodeJS.ProcessEnv;
}

/** Builds a program with these files. */
function build(files: Files, { hints = {}, variables = {} }: Given = {}) {
  writePackage(folder.at('program'), files);
  const source = readProgramSource('submissions/x/program', folder.at('program'), { ...NO_HINTS, ...hints });
  return builderWith(variables).build(source);
}

describe.skipIf(!hasPython)('a program in Python', () => {
  test('is not built if any of its sources has a mistake of syntax', async () => {
    const main = 'import lib\nprint(lib.f())\n';
    expect(await build({ 'main.py': main, 'lib.py': 'def f(): return 1\n' })).toMatchObject({
      kind: 'built',
    });
    expect(await build({ 'main.py': main, 'lib.py': 'def f( return 1\n' })).toMatchObject({
      kind: 'broken',
      reason: expect.stringMatching(/^exited with code 1: (SyntaxError: |.*lib\.py)/),
    });
  });
});

describe('a program in Java', () => {
  const CLASS = (name: string) => `class ${name} { public static void main(String[] args) {} }\n`;

  test.each<[string, Files, string, string, Partial<ProgramHints>?]>([
    ['of one file', { 'a.java': `public ${CLASS('Solver')}` }, 'Solver', 'Solver.class'],
    ['in a package', { 'a.java': `package x.y;\n${CLASS('A')}` }, 'x.y.A', 'x/y/A.class'],
    [
      'with a stated class',
      { 'a.java': CLASS('A'), 'b.java': CLASS('B') },
      'B',
      'B.class',
      { entryPoint: 'B' },
    ],
    [
      'with a stated file',
      { 'a.java': CLASS('A'), 'b.java': CLASS('B') },
      'B',
      'B.class',
      { entryPoint: 'B.java' },
    ],
  ])('%s is run by the name of its main class', async (_what, files, name, made, hints = {}) => {
    const built = await build(files, { hints, variables: { MADE: made } });
    if (built.kind !== 'built') throw new Error(built.reason);
    expect(built.words[0]).toBe(folder.at('bin/java'));
    expect(built.words.slice(-3)).toEqual(['-cp', built.folder, name]);
    expect(existsSync(join(built.folder, made))).toBe(true);
  });
});

describe('a build is broken', () => {
  const SCRIPT = (text: string) => `#!/bin/sh\n${text}\n`;

  test.each<[string, Files, NodeJS.ProcessEnv, string]>([
    ['that makes no class', { 'a.java': 'class A {}' }, {}, 'the build made no Main.class'],
    ['that makes no program', { 'a.cpp': '' }, {}, 'the build made no boardmill-program'],
    ['whose script makes no `run`', { build: SCRIPT('true') }, {}, 'the build made no run'],
    ['whose script fails', { build: SCRIPT('echo no; exit 3') }, {}, 'exited with code 3: no'],
    [
      'whose compiler has an error after warnings',
      { 'a.cpp': '' },
      { SAID: '\\na.cpp:1: warning: x\\n  a.cpp:2: Error: y\\na.cpp:3: error: z\\n' },
      'exited with code 1: a.cpp:2: Error: y',
    ],
    [
      'whose compiler says something else',
      { 'a.cpp': '' },
      { SAID: '\\n  what?\\nx' },
      'exited with code 1: what?',
    ],
  ])('%s', async (_what, files, variables, reason) => {
    expect(await build(files, { variables })).toEqual({ kind: 'broken', reason });
  });

  const NESTED = `i=0; while [ $i -lt ${MAX_BUILT_FOLDER_DEPTH} ]; do mkdir a; cd a; i=$((i + 1)); done`;

  test.each([
    ['bytes', `dd if=/dev/null of=sparse bs=1 seek=${MAX_BUILT_BYTES + 1}`, 'more than 512 MiB'],
    ['files', `seq ${MAX_BUILT_FILES} | xargs mkdir`, `more than ${MAX_BUILT_FILES} files and folders`],
    ['nested folders', NESTED, `folders that are nested more than ${MAX_BUILT_FOLDER_DEPTH} deep`],
  ])('whose script leaves too many %s', async (_what, commands, excess) => {
    const script = SCRIPT(`printf '#!/bin/sh\n' >run\n${commands}`);
    expect(await build({ build: script })).toEqual({ kind: 'broken', reason: `the build left ${excess}` });
  });

  test('and leaves nothing in the cache', async () => {
    await build({ 'a.cpp': '' });
    expect(readdirSync(folder.at('cache/boardmill/builds'))).toEqual([]);
  });
});

test('a program that grows in the cache is not read, but built again', async () => {
  const files = { build: "#!/bin/sh\nprintf '#!/bin/sh\\n' >run\n" };
  const built = await build(files);
  if (built.kind !== 'built') throw new Error(built.reason);
  // Only a sparse file can be so large here, and to read it would take hours.
  truncateSync(join(built.folder, 'run'), 1024 * MAX_BUILT_BYTES);
  await expect(assertProgramUnchanged(built)).rejects.toThrow('was changed after it was built');
  expect(await build(files)).toMatchObject({ kind: 'built' });
});

describe('a program is skipped', () => {
  test.each<[string, Files, string]>([
    [
      'in an unknown language',
      { 'a.xyz': '', 'b.abc': '', 'c.xyz': '' },
      'boardmill knows no language with the ending .xyz or .abc',
    ],
    ['that nothing says how to run', { solve: '' }, 'submissions/x/program is not executable'],
    ['without files', { '.hidden': '' }, 'it has no files'],
  ])('%s', async (_what, files, reason) => {
    expect(await build(files)).toEqual({ kind: 'skipped', reason });
  });
});

describe('the sources that are built', () => {
  /** Builds a script with constants and the included files. Returns what the build's folder has. */
  async function builtFiles(
    files: Files,
    constants: Record<string, string>,
  ): Promise<Record<string, string>> {
    writePackage(folder.path, files);
    const source = readProgramSource('submissions/x/program', folder.at('program'));
    const built = await builderWith({}, new PackageConstants(Object.entries(constants))).build(source, {
      hasIncludes: true,
    });
    if (built.kind !== 'built') throw new Error(built.reason);
    const names = readdirSync(built.folder).filter((name) => !name.startsWith('.'));
    return Object.fromEntries(
      names.map((name) => [name, String(readProgramSource(name, join(built.folder, name)).files[0].bytes)]),
    );
  }

  test('are those of the submission and of the package, in which constants have their values', async () => {
    const files = {
      'program/a.sh': 'echo {{N}} {{N}} {{M}} {{ N }} é',
      'program/lib.sh': 'of the submission',
      'include/default/lib.sh': 'of all languages',
      'include/default/all.sh': 'x {{N}}',
      'include/bash/lib.sh': 'of the language',
      'include/cpp/lib.h': 'of another language',
    };
    expect(await builtFiles(files, { N: '7' })).toEqual({
      'a.sh': 'echo 7 7 {{M}} {{ N }} é',
      'lib.sh': 'of the language',
      'all.sh': 'x 7',
    });
  });
});

describe('the cache of builds', () => {
  test.each([
    ['is the folder that XDG_CACHE_HOME names', () => folder.at('cache'), 'cache/boardmill/builds'],
    ['is in the home of the user if that is empty', () => '', 'home/.cache/boardmill/builds'],
    ['is in the home of the user if that is missing', () => undefined, 'home/.cache/boardmill/builds'],
  ])('%s', (_what, cacheOf, path) => {
    vi.stubEnv('HOME', folder.at('home'));
    vi.stubEnv('XDG_CACHE_HOME', cacheOf());
    builderWith();
    expect(existsSync(folder.at(path))).toBe(true);
  });

  /** A compiler that makes a program which prints `$FOO`. */
  const PRINTER = '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho "echo $FOO" >"$2"\n';
  const buildWith = (variables: NodeJS.ProcessEnv) => build({ 'a.cpp': '' }, { variables });
  beforeEach(() => void writePackage(folder.at('bin'), { 'g++': PRINTER }));

  test('has one build for each environment, whatever the temporary folder', async () => {
    const one = await buildWith({ FOO: '1', BAR: '', TMPDIR: '/tmp/a' });
    expect(await buildWith({ TMPDIR: '/tmp/b', BAR: '', FOO: '1' })).toEqual(one);
    expect(await buildWith({ FOO: '2', BAR: '' })).not.toMatchObject(one);
    expect(await buildWith({ BAR: '' })).not.toMatchObject(one);
  });

  test('has one build for each compiler, also if a compiler is replaced or edited', async () => {
    const first = await buildWith({});
    expect(await buildWith({})).toEqual(first);
    writePackage(folder.at('bin'), { 'g++': PRINTER.replace('$FOO', '$BAR') });
    const edited = await buildWith({});
    expect(edited).not.toMatchObject(first);
    writePackage(folder.at('other'), { 'g++': PRINTER });
    vi.stubEnv('PATH', `${folder.at('other')}${delimiter}${process.env.PATH}`);
    const inOtherFolder = await buildWith({});
    for (const each of [first, edited]) expect(inOtherFolder).not.toMatchObject(each);
  });

  test('keeps the builds that were used last', () => {
    const builds = folder.at('cache/boardmill/builds');
    for (let age = 0; age <= MAX_CACHED_BUILDS; age++) {
      const path = join(builds, `${age}`);
      mkdirSync(path, { recursive: true, mode: 0o700 });
      utimesSync(path, 1e9 - age, 1e9 - age);
    }
    builderWith();
    const kept = readdirSync(builds);
    expect(kept).toHaveLength(MAX_CACHED_BUILDS);
    expect(kept).not.toContain(`${MAX_CACHED_BUILDS}`);
  });

  test('keeps a build that another run may be making, but not what a run has left that was killed', () => {
    const [running, killed] = ['running', 'killed'].map((name) =>
      folder.at(`cache/boardmill/builds/unfinished-${name}`),
    );
    for (const path of [running, killed]) mkdirSync(path, { recursive: true, mode: 0o700 });
    utimesSync(killed, 1e9, 1e9);
    builderWith();
    expect([running, killed].map((path) => existsSync(path))).toEqual([true, false]);
  });
});
