/** The limits with which a program of a package runs, and which of its failures mean that memory ran out. */
import { describe, expect, test } from 'vitest';
import { KIB, MIB } from '../../../../../src/core/bytes.js';
import { EXECUTABLE_LANGUAGE, LANGUAGES } from '../../../../../src/tools/judge/package/programs/languages.js';
import { commandWithLimits } from '../../../../../src/tools/judge/package/programs/run-program.js';

function languageOf(code: string) {
  const language = [...LANGUAGES, EXECUTABLE_LANGUAGE].find((each) => each.code === code);
  if (language === undefined) throw new Error(`no language ${code}`);
  return language;
}

/** Returns the limits and the words of the command of a program in a language. */
function limited(code: string, memoryBytes: number) {
  const words = ['tool', '-Xmx{memory}m', '-Xss{stack}m', 'a.in'];
  const program = { kind: 'built', language: languageOf(code), words, folder: '/x', digest: '' } as const;
  return commandWithLimits(program, memoryBytes);
}

describe('the limits of memory and stack', () => {
  test.each([
    // The system limits these programs, in KiB.
    ['cpp', 64 * MIB, 64 * KIB, 16 * KIB],
    ['python3', 256 * MIB, 256 * KIB, 64 * KIB],
    ['executable', 2048 * MIB, 2048 * KIB, 256 * KIB],
    // The runtimes of these limit themselves.
    ['java', 64 * MIB, 0, 0],
    ['javascript', 64 * MIB, 0, 0],
  ])('of %s with %d bytes', (code, memoryBytes, memory, stack) => {
    expect(limited(code, memoryBytes).limits).toEqual([`${memory}`, `${stack}`]);
  });

  test.each([
    [64 * MIB, 64, 16],
    [2048 * MIB, 2048, 256],
    [3 * MIB + 1, 3, 1],
    [KIB, 1, 1],
  ])('are words of the command: %d bytes', (memoryBytes, memory, stack) => {
    expect(limited('java', memoryBytes).words).toEqual(['tool', `-Xmx${memory}m`, `-Xss${stack}m`, 'a.in']);
  });
});

describe('memory ran out', () => {
  const lastLine = (line: string) => `; its last line on standard error: ${JSON.stringify(line)}`;

  test.each([
    ['cpp', `was killed by SIGABRT${lastLine('  what():  std::bad_alloc')}`, true],
    ['cpp', 'was killed by SIGABRT', false],
    ['python3', `exited with code 1${lastLine('MemoryError')}`, true],
    ['python3', `exited with code 1${lastLine('IndexError')}`, false],
    ['java', 'exited with code 3', true],
    ['java', 'exited with code 1', false],
    ['java', 'exited with code 33', false],
    ['javascript', 'was killed by SIGABRT', true],
    ['javascript', 'exited with code 1', false],
    ['rust', `was killed by SIGABRT${lastLine('memory allocation of 8 bytes failed')}`, true],
    ['rust', `was killed by SIGABRT${lastLine('fatal runtime error: stack overflow')}`, false],
    ['rust', 'exited with code 101', false],
    ['go', `exited with code 2${lastLine('fatal error: out of memory')}`, true],
  ])('in %s if it %s: %s', (code, reason, isMemory) => {
    expect(languageOf(code).memoryFailure.test(reason)).toBe(isMemory);
  });
});
