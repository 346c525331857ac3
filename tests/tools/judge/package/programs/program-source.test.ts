/** Which files are a program of a package, in which language it is written, and which file of it is the main one. */
import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MAX_FOLDER_DEPTH, MAX_SOURCE_FILES } from '../../../../../src/tools/judge/package/limits.js';
import { LANGUAGES } from '../../../../../src/tools/judge/package/programs/languages.js';
import {
  mainSourceOf,
  NO_HINTS,
  type ProgramHints,
  programmingLanguageOf,
  readProgramSource,
  sourcesIn,
} from '../../../../../src/tools/judge/package/programs/program-source.js';
import { folderForEachTest } from '../../../../support/temporary-folder.js';
import { type Files, writePackage } from '../package-folder.js';

const folder = folderForEachTest();

const SCRIPT = '#!/bin/sh\n';

/** Reads a program with these files, of which a file that begins with `#!` is executable. */
function programOf(files: Files, hints: Partial<ProgramHints> = {}) {
  writePackage(folder.at('program'), files);
  return readProgramSource('submissions/x/program', folder.at('program'), { ...NO_HINTS, ...hints });
}

describe('the language and the main source', () => {
  test.each<[string, string, Files, Partial<ProgramHints>?]>([
    ['cpp', 'a.cpp', { 'a.cpp': '' }],
    ['c', 'a.c', { 'a.c': '', 'a.h': '' }],
    ['cpp', 'a.C', { 'a.C': '' }],
    ['python3', 'a.py', { 'a.py': 'print()\n' }],
    ['python3', 'a.py', { 'a.py': '#!/usr/bin/env python3\n' }],
    ['python2', 'a.py', { 'a.py': '#!/usr/bin/env python2\n' }],
    ['python3', 'a.py', { 'a.py': 'x\n#!/usr/bin/env python2\n' }],
    ['python2', 'a.py2', { 'a.py2': '' }],
    ['bash', 'b.sh', { 'b.sh': '', 'readme.txt': '' }],
    ['executable', 'solve', { solve: SCRIPT, readme: '' }],
  ])('are %s and %s: %j', (code, main, files, hints = {}) => {
    const program = programOf(files, hints);
    const language = programmingLanguageOf(program)!;
    expect([language.code, mainSourceOf(program, language)]).toEqual([code, main]);
  });

  test.each<[string, string, string, Files, Partial<ProgramHints>?]>([
    ['a script `run` beside sources', 'scripts', 'run', { run: SCRIPT, 'main.py': '' }],
    ['a script `build` beside sources', 'scripts', 'run', { build: SCRIPT, 'main.py': '' }],
    ['a `run` that is not executable', 'python3', 'main.py', { run: 'x', 'main.py': '' }],
    ['a `run` in a folder', 'python3', 'main.py', { 'bin/run': SCRIPT, 'main.py': '' }],
    ['more sources of one language', 'c', 'a.c', { 'a.c': '', 'b.c': '', 'c.cpp': '' }],
    ['equally many of two languages', 'cpp', 'b.cpp', { 'a.py': '', 'b.cpp': '' }],
    ['a source called main', 'python3', 'main.py', { 'a.py': '', 'main.py': '', 'mainly.py': '' }],
    ['a source called Main', 'java', 'Main.java', { 'A.java': '', 'Main.java': '' }],
    ['a main of another language', 'python3', 'a.py', { 'a.py': '', 'b.py': '', 'main.js': '' }],
    ['a stated main', 'python3', 'b.py', { 'a.py': '', 'b.py': '', 'main.py': '' }, { entryPoint: 'b.py' }],
    ['a stated main that is not there', 'python3', 'a.py', { 'a.py': '' }, { entryPoint: 'Main' }],
    ['a stated language', 'c', 'b.c', { 'a.cpp': '', 'a2.cpp': '', 'b.c': '' }, { language: 'c' }],
    ['a language that is not known', 'bash', 'a.sh', { 'a.sh': '' }, { language: 'apl' }],
  ])('of a folder with %s', (_what, code, main, files, hints = {}) => {
    const program = programOf(files, hints);
    const language = programmingLanguageOf(program)!;
    expect([language.code, mainSourceOf(program, language)]).toEqual([code, main]);
  });

  test.each<[string, Files]>([
    ['no files', { '.hidden': SCRIPT }],
    ['a text', { 'solve.txt': 'x' }],
    ['two executables', { one: SCRIPT, two: SCRIPT }],
  ])('are not known of a folder with %s', (_what, files) => {
    expect(programmingLanguageOf(programOf(files))).toBeNull();
  });
});

describe('the files of a program', () => {
  test('are those of its folders by name, without hidden files and what Python leaves', () => {
    const { files } = programOf({
      'b.py': 'two',
      'a/z.py': 'one',
      '.git/config': '',
      __pycache__: '',
      'a/__pycache__/z.py': '',
      'a/.z.py.swp': '',
    });
    expect(files.map(({ name, bytes }) => `${name} ${bytes}`)).toEqual(['a/z.py one', 'b.py two']);
  });

  test('are one file under its own name', () => {
    folder.write('a.py', 'x');
    const { files } = readProgramSource('submissions/x/a.py', folder.at('a.py'));
    expect(files).toEqual([{ name: 'a.py', bytes: Buffer.from('x'), isExecutable: false }]);
  });

  test('are executable if their mode says so, or if they name an interpreter', () => {
    writePackage(folder.at('program'), { binary: 'x', script: SCRIPT, text: 'x' });
    chmodSync(folder.at('program/script'), 0o644);
    chmodSync(folder.at('program/binary'), 0o755);
    const { files } = readProgramSource('x', folder.at('program'));
    expect(files.filter(({ isExecutable }) => isExecutable).map(({ name }) => name)).toEqual([
      'binary',
      'script',
    ]);
  });

  test('that the compiler gets are those in its language', () => {
    const program = programOf({ 'a.cc': '', 'b.cpp': '', 'b.h': '', 'c.c': '', 'lib/d.cxx': '' });
    expect(sourcesIn(program, LANGUAGES[0]).map(({ name }) => name)).toEqual(['a.cc', 'b.cpp', 'lib/d.cxx']);
  });

  const manyFiles = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.h`, '']));

  test.each<[string, Files, string]>([
    ['too many', manyFiles(MAX_SOURCE_FILES + 1), `has more than ${MAX_SOURCE_FILES} files`],
    ['nested too deep', { [`${'d/'.repeat(MAX_FOLDER_DEPTH)}a.py`]: '' }, 'is nested in too many folders'],
  ])('are refused if they are %s', (_what, files, message) => {
    expect(() => programOf(files)).toThrow(
      expect.objectContaining({ kind: 'input', message: expect.stringContaining(message) }),
    );
  });

  test('are read if they are as many and as deep as they may be', () => {
    const deep = `${'d/'.repeat(MAX_FOLDER_DEPTH - 1)}a.py`;
    expect(programOf({ ...manyFiles(MAX_SOURCE_FILES - 1), [deep]: '' }).files).toHaveLength(
      MAX_SOURCE_FILES,
    );
  });
});
