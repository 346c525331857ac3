/** Tests of what the operators change, and of the build in which many mutants are. */
import { execFileSync } from 'node:child_process';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Node } from 'web-tree-sitter';
import { MutantFinder } from '../../../src/tools/grade/mutants/find-mutants.js';
import { type Mutant, readableText, sourceOfMutant } from '../../../src/tools/grade/mutants/mutant.js';
import { MUTATED_LANGUAGES } from '../../../src/tools/grade/mutants/mutated-languages.js';
import {
  C_MUTANT_SWITCH,
  MUTANT_HITS_PREFIX,
  MUTANT_HITS_VARIABLE,
  MUTANT_VARIABLE,
  sourceWithMutants,
} from '../../../src/tools/grade/mutants/switched-source.js';
import { allowSlowTests } from '../../support/slow-tests.js';
import { folderForEachTest } from '../../support/temporary-folder.js';

allowSlowTests();

const folder = folderForEachTest();

async function mutantsOf(code: string, source: string): Promise<Mutant[]> {
  const language = MUTATED_LANGUAGES.find(({ codes }) => codes.includes(code))!;
  return (await MutantFinder.open(language)).find(source);
}

/** Returns the changes of one operator as texts: "what -> what else". */
async function changesOf(code: string, operator: string, source: string): Promise<string[]> {
  const mutants = await mutantsOf(code, source);
  return mutants
    .filter((mutant) => mutant.operator === operator)
    .map(({ original, text }) => `${original} -> ${text.trim()}`.trimEnd());
}

/** A C++ function with this text. */
const inFunction = (text: string) => `int f(int a, int b, int *v) { ${text} }`;

describe('a deep source', () => {
  const nested = (depth: number) => inFunction(`${'if (a) {'.repeat(depth)}a = 2;${'}'.repeat(depth)}`);

  test('is read in a time that does not grow with its depth for each node', async () => {
    const parent = vi.spyOn(Node.prototype, 'parent', 'get');
    onTestFinished(() => parent.mockRestore());
    expect(await changesOf('c', 'dropped branch', nested(100))).toHaveLength(100);
    // tree-sitter walks to a parent from the root.
    expect(parent.mock.calls.length).toBeLessThan(5000);
  });

  test.each([
    ['statements', nested(1000)],
    ['parentheses', inFunction(`return ${'('.repeat(30_000)}1${')'.repeat(30_000)};`)],
  ])('is refused if it has too many levels of %s', async (_what, source) => {
    await expect(mutantsOf('c', source)).rejects.toMatchObject({
      kind: 'usage',
      message: 'the program is nested too deeply: its syntax tree has more than 1000 levels',
    });
  });
});

describe('the operators for C and C++', () => {
  test.each([
    ['relational', 'return a <= b;', ['a <= b -> a < b']],
    ['relational', 'return a == b;', ['a == b -> a != b']],
    ['and for or', 'return a && b;', ['a && b -> a || b']],
    ['dropped condition', 'return a || b;', ['a || b -> a', 'a || b -> b']],
    ['arithmetic', 'return a ^ b + 0x1F;', ['a ^ b + 0x1F -> a | b + 0x1F', 'b + 0x1F -> b - 0x1F']],
    ['dropped operand', 'return a % b;', ['a % b -> a']],
    ['dropped negation', 'return !a - -b;', ['!a -> a', '-b -> b']],
    ['off by one', 'return 7LL;', ['7LL -> 8LL', '7LL -> 6LL']],
    ['off by one', 'return 0;', ['0 -> 1']],
    ['off by one', 'return 0.5;', []],
    ['lower limit', "return 1'000'000'007;", ["1'000'000'007 -> 100000000"]],
    ['lower limit', 'return 0x3f3f3f3f;', ['0x3f3f3f3f -> 106110956']],
    ['array bound', 'int w[100]; return w[5];', ['100 -> (100) / 2']],
    ['off by one', 'int w[100]; return w[5];', ['5 -> 6', '5 -> 4']],
    ['true for false', 'bool c = true;', ['true -> false']],
    [
      'min for max',
      'return std::min(a, max(a, b));',
      ['std::min(a, max(a, b)) -> std::max(a, max(a, b))', 'max(a, b) -> min(a, b)'],
    ],
    ['dropped branch', 'if (a) return b; return a;', ['a -> 0']],
    ['dropped branch', 'if (a) return b; else return a;', ['a -> 0', 'a -> 1']],
    ['dropped branch', 'if (int c = a) return c; return 0;', []],
    ['dropped branch', 'return a ? 5 : 6;', ['a -> 0', 'a -> 1']],
    ['dropped memo', 'if (v[a] != -1) return v[a]; return 0;', ['v[a] != -1 -> 0']],
    ['dropped statement', 'a += b; g(a); a++; printf("%d", a);', ['a += b; -> ;', 'g(a); -> ;', 'a++; -> ;']],
    ['dropped initialisation', 'a = 0; memset(v, 0, 8); a = b;', ['a = 0; -> ;', 'memset(v, 0, 8); -> ;']],
    [
      'dropped jump',
      'while (a) { if (b) break; switch (a) { case 1: break; } continue; }',
      ['break; -> ;', 'continue; -> ;'],
    ],
    ['early break', 'for (;;) { a++; }', [' -> break;']],
    ['first instead of best', 'for (;;) if (a < b) { g(); a = b; }', ['a = b; -> { a = b; break; }']],
    ['first instead of best', 'if (a < b) a = b;', []],
    ['narrower number', 'long long c = a; double d = b;', ['long long -> int', 'double -> float']],
    [
      'kept between test cases',
      'int c = 0; const int d = 0; int e = a; vector<int> w;',
      ['int c = 0; -> static int c = 0;', 'vector<int> w; -> static vector<int> w;'],
    ],
  ])('%s changes: %s', async (operator, text, expected) => {
    expect(await changesOf('cpp', operator, inFunction(text))).toEqual(expected);
  });

  test('a definition of a type as another one is narrowed', async () => {
    expect(await changesOf('cpp', 'narrower number', '#define int long long\n')).toEqual([
      'long long -> int',
    ]);
  });

  test('a linear search takes the place of a binary one, and counts as slower', async () => {
    const mutants = await mutantsOf('cpp', inFunction('return lower_bound(v, v + a, b) - v;'));
    const [slow] = mutants.filter(({ operator }) => operator === 'linear search');
    expect(slow.text).toMatch(/^std::find_if\(v, v \+ a, /);
    expect(slow.isAboutTime).toBe(true);
  });

  test('what must be known when a program is built is a mutant of its own', async () => {
    const source =
      'const int N = 5;\nint a[N + 1];\nenum { B = 3 };\nint f(int x) { switch (x) { case 7: return 9; } return x; }';
    const mutants = await mutantsOf('cpp', source);
    const formOf = (number: string) => mutants.find(({ original }) => original === number)?.form;
    expect(['5', '3', '7', '9'].map(formOf)).toEqual(['text', 'text', 'text', 'expression']);
  });

  test('lines and columns count from 1, and what the parser cannot read stays', async () => {
    const [first] = await mutantsOf('c', '\n  int f(int a) {\n  return a < 2; }\n@@@\n');
    expect([first.line, first.column, first.number]).toEqual([3, 10, 1]);
  });

  test.each(['utf8', 'latin1'] as const)('columns count characters of a source in %s', async (encoding) => {
    const bytes = Buffer.from('int f(int a) { /* größer */ return a < "ä"[0]; }', encoding);
    const [first] = await mutantsOf('c', bytes.toString('latin1'));
    expect([first.column, readableText(first.original)]).toEqual([36, 'a < "ä"[0]']);
  });
});

describe('the operators for Python', () => {
  test.each([
    ['relational', 'x = a < b <= c', ['a < b <= c -> a <= b <= c', 'a < b <= c -> a < b < c']],
    ['arithmetic', 'x = a // b + c', ['a // b -> a / b', 'a // b + c -> a // b - c']],
    ['and for or', 'x = a and b', ['a and b -> a or b']],
    ['dropped negation', 'x = not a', ['not a -> (a)']],
    ['off by one', 'x = range(n)', ['n -> (n) - 1', 'n -> (n) + 1']],
    ['off by one', 'x = range(a, n)', ['n -> (n) - 1', 'n -> (n) + 1']],
    ['min for max', 'x = min(a, b)', ['min -> max']],
    ['dropped branch', 'if a:\n  f()\nelif b:\n  g()', ['a -> False', 'a -> True', 'b -> False']],
    ['dropped branch', 'x = a if b else c', ['b -> False', 'b -> True']],
    ['dropped memo', '@lru_cache(None)\ndef f(): pass', ['@lru_cache(None) ->']],
    ['dropped statement', 'a += 1\nprint(a)\nf(a)', ['a += 1 -> pass', 'f(a) -> pass']],
    ['dropped initialisation', 'a = []\nb.clear()', ['a = [] -> pass', 'b.clear() -> pass']],
    ['early break', 'for x in y:\n    f(x)\n', [' -> break']],
    ['first instead of best', 'for x in y:\n  if x < b:\n    b = x\n', [' -> break']],
  ])('%s changes: %s', async (operator, source, expected) => {
    expect(await changesOf('python3', operator, source)).toEqual(expected);
  });

  test('an added break has the indentation of its block', async () => {
    const source = 'while True:\n    if a:\n        b = 1\n';
    const [best] = (await mutantsOf('python3', source)).filter(
      ({ operator }) => operator === 'first instead of best',
    );
    expect(sourceOfMutant(source, best)).toBe('while True:\n    if a:\n        b = 1\n        break\n');
  });
});

/** A program that prints something for each number, with nested changes, changes of the same text, and dangling branches. */
const PROGRAM = `#include <stdio.h>
static int table[8];
static int best(int n) {
  int found = -1;
  for (int i = 0; i < 8 && n >= 0; i++) {
    if (table[i] == n) found = i;
    else if (table[i] > n + 1) { found -= 1; continue; }
    if (found > 5 || (found == 2 && !(n % 3))) break;
  }
  return found;
}
int main(void) {
  int n;
  for (int i = 0; i < 8; i++) table[i] = (i * 5 + 3) % 8;
  while (scanf("%d", &n) == 1) {
    int sum = 0;
    for (int i = 0; i < 3; i++) { sum += best(n - i); }
    printf("%d\\n", sum > 1 ? sum : -sum);
  }
  return 0;
}
`;
const NUMBERS = Array.from({ length: 14 }, (_, i) => i - 3).join('\n');

/** Builds a program of these sources. */
function build(name: string, sources: readonly string[]): string {
  const files = sources.map((text, index) => {
    folder.write(`${name}-${index}.c`, text);
    return folder.at(`${name}-${index}.c`);
  });
  execFileSync('cc', ['-O0', '-w', '-o', folder.at(name), ...files]);
  return folder.at(name);
}

/** Returns what a program prints, or that it was stopped: the mutants that never end, and print without end. */
function outputOf(path: string, environment: NodeJS.ProcessEnv = {}, input = NUMBERS): string {
  try {
    const limits = {
      timeout: 2000,
      maxBuffer: 1e6,
      stdio: ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore'],
    };
    return execFileSync(path, { input, env: environment, ...limits }).toString();
  } catch {
    return 'stopped or crashed';
  }
}

test('each mutant does the same in the build of many mutants and in one of its own', async () => {
  const mutants = (await mutantsOf('c', PROGRAM)).filter(({ form }) => form !== 'text');
  expect(mutants.length).toBeGreaterThan(60);
  const shared = build('shared', [
    sourceWithMutants(PROGRAM, mutants, C_MUTANT_SWITCH),
    C_MUTANT_SWITCH.reader,
  ]);
  const right = outputOf(build('right', [PROGRAM]));
  expect(outputOf(shared)).toBe(right);
  // Every twelfth one, because each needs a build.
  const some = mutants.filter((_, index) => index % 12 === 0);
  const outputs = some.map((mutant) => {
    const own = outputOf(build('own', [sourceOfMutant(PROGRAM, mutant)]));
    expect([mutant, outputOf(shared, { [MUTANT_VARIABLE]: String(mutant.number) })]).toEqual([mutant, own]);
    return own;
  });
  expect(outputs.filter((output) => output !== right).length).toBeGreaterThan(some.length / 3);
});

test('the build of many mutants counts how often the program comes to the changed place', async () => {
  const source =
    'int printf(const char *, ...);\nint main(void) { for (int i = 0; i < 5; i++) printf("%d", i + 2); return 0; }\n';
  const mutants = (await mutantsOf('c', source)).filter(({ form }) => form !== 'text');
  const shared = build('shared', [
    sourceWithMutants(source, mutants, C_MUTANT_SWITCH),
    C_MUTANT_SWITCH.reader,
  ]);
  const sum = mutants.find(({ original }) => original === 'i + 2')!;
  const environment = { [MUTANT_VARIABLE]: String(sum.number), [MUTANT_HITS_VARIABLE]: '1' };
  expect(outputOf(shared, environment, '')).toBe(`-2-1012\n${MUTANT_HITS_PREFIX} 5\n`);
});
