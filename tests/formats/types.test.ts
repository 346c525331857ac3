/** What the TypeScript compiler says to an author: good problems compile, and each mistake has an error on its line. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const folder = new URL('../fixtures/format-types/', import.meta.url);
const problemsFile = fileURLToPath(new URL('problems.ts', folder));
const mistakesFile = fileURLToPath(new URL('mistakes.mts', folder));

/** Mistakes that the compiler cannot see, because types do not know the order of properties. */
const INVISIBLE_MISTAKES = ['tooLate'];

const program = ts.createProgram([problemsFile, mistakesFile], {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  exactOptionalPropertyTypes: true,
  // Fewer declarations make the test faster. Authors need neither a browser's nor Node's.
  lib: ['lib.es2023.d.ts'],
  types: [],
  skipLibCheck: true,
});

function errorsIn(file: string): readonly ts.Diagnostic[] {
  const source = program.getSourceFile(file);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
}

/** The line of an error, from 1. */
function lineOf(error: ts.Diagnostic): number {
  return (error.file?.getLineAndCharacterOfPosition(error.start ?? 0).line ?? -1) + 1;
}

describe('the types of formats and defineProblem', () => {
  it('accept all good problems', () => {
    const messages = errorsIn(problemsFile).map(
      (error) => `${lineOf(error)}: ${ts.flattenDiagnosticMessageText(error.messageText, '\n')}`,
    );
    expect(messages).toEqual([]);
  });

  it('refuse each mistake on its line, and nothing else', () => {
    const mistakes = readFileSync(mistakesFile, 'utf8')
      .split('\n')
      .flatMap((text, index) => {
        const name = /^ {2}(\w+): \(\) =>/.exec(text)?.[1];
        return name === undefined || INVISIBLE_MISTAKES.includes(name) ? [] : [index + 1];
      });
    const lines = new Set(errorsIn(mistakesFile).map(lineOf));
    expect(mistakes.length).toBeGreaterThanOrEqual(14);
    expect([...lines].sort((a, b) => a - b)).toEqual(mistakes);
  });

  it('name the missing int in the error', () => {
    const messages = errorsIn(mistakesFile).map((error) =>
      ts.flattenDiagnosticMessageText(error.messageText, '\n'),
    );
    expect(messages.join('\n')).toContain(`no int 'm' is read before 'a'`);
    expect(messages.join('\n')).toContain(`no int 'kk' is read before 'rows'`);
  });
});
