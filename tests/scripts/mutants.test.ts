/** The script that measures what the tests miss: its operators, its switches, its draws, and how it ends processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { draw } from '../../scripts/mutants/draw.mjs';
import { mutantsOfKernel, readKernel, writeKernel } from '../../scripts/mutants/kernels.mjs';
import { mutantsOf } from '../../scripts/mutants/places.mjs';
import { killRun } from '../../scripts/mutants/processes.mjs';
import { withSwitches } from '../../scripts/mutants/schemata.mjs';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();

/** Returns what a source can become: `operator: from -> to` for each mutant. */
function changesOf(text: string): string[] {
  return mutantsOf('a.ts', text).map(({ operator, from, to }) => `${operator}: ${from} -> ${to}`);
}

describe('operators', () => {
  test.each<[string, string[]]>([
    ['f(a + b)', ['arithmetic: a + b -> (a) - (b)']],
    ['f(a % 2)', ['arithmetic: a % 2 -> (a) * (2)']],
    ['f(a >>> 1)', ['bits: a >>> 1 -> (a) << (1)']],
    [
      'f(a < b)',
      [
        'equality: a < b -> (a) <= (b)',
        'equality: a < b -> (a) >= (b)',
        'conditional: a < b -> true',
        'conditional: a < b -> false',
      ],
    ],
    [
      'f(a === b)',
      ['equality: a === b -> (a) !== (b)', 'conditional: a === b -> true', 'conditional: a === b -> false'],
    ],
    ['f(a ?? b)', ['logical: a ?? b -> (a) && (b)']],
    [
      'f(a || b)',
      ['logical: a || b -> (a) && (b)', 'conditional: a || b -> true', 'conditional: a || b -> false'],
    ],
    ['a += b', ['assignment: a += b -> a -= b']],
    ['a ??= b', ['assignment: a ??= b -> a &&= b']],
    ['i++', ['update: i++ -> i--']],
    ['--i', ['update: --i -> ++i']],
    ['f(-a)', ['unary: -a -> +(a)']],
    ['f(~a)', ['unary: ~a -> (a)']],
    ['f(!a)', ['negation: !a -> (a)']],
    ['f(true)', ['boolean: true -> false']],
    ["f('x')", ["string: 'x' -> ''"]],
    ["f('')", ["string: '' -> 'mutant'"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a source
    ['f(`x${a}`)', ["string: `x${a}` -> ''"]],
    ['f([a])', ['array: [a] -> []']],
    ['f([])', ["array: [] -> ['mutant']"]],
    ['f({ a })', ['object: { a } -> {}']],
    ['f(/^a$/u)', ['regex: /^a$/u -> /a$/u', 'regex: /^a$/u -> /^a/u']],
    ['f(() => a)', ['arrow: a -> undefined']],
    ['a.startsWith(b)', ['method: a.startsWith(b) -> a.endsWith(b)']],
    ['Math.min(a, b)', ['method: Math.min(a, b) -> Math.max(a, b)']],
    ['a.some(f)', ['method: a.some(f) -> a.every(f)']],
    ['a.slice(1)', ['method: a.slice(1) -> a']],
    ['a.trim()', ['method: a.trim() -> a']],
    ['if (a) f()', ['conditional: a -> true', 'conditional: a -> false']],
    ['f(a ? b : c)', ['conditional: a -> true', 'conditional: a -> false']],
    ['while (a) f()', ['conditional: a -> false']],
    ['for (;a;) f()', ['conditional: a -> false']],
    ['{ f(); g(); }', ['block: f(); g(); -> ']],
    ['switch (a) { case 1: f(); }', ['block: f(); -> ']],
    ['a?.b', ['optional-chaining: a?.b -> a.b']],
    ['a?.[b]', ['optional-chaining: a?.[b] -> a[b]']],
    ['a?.(b)', ['optional-chaining: a?.(b) -> a(b)']],
  ])('%s', (text, changes) => {
    expect(changesOf(text)).toEqual(changes);
  });

  test('a part of an optional chain is replaced with the whole chain', () => {
    expect(changesOf('a?.trim().b.c?.d')).toEqual([
      'optional-chaining: a?.trim().b.c?.d -> a?.trim().b.c.d',
      'method: a?.trim().b.c?.d -> a.b.c?.d',
      'optional-chaining: a?.trim().b.c?.d -> a.trim().b.c?.d',
    ]);
  });

  test.each([
    ["import { a } from './a.js';"],
    ["export * from './a.js';"],
    ["type A = 'a' | [true];"],
    ["let a: 'a';"],
    ['[a, b] = c'],
    ['({ a, b: [c] } = d)'],
    ["const { 'a-b': c } = d;"],
    ["await import('./a.js');"],
    ["new URL('./a.js', import.meta.url);"],
    ["throw new Stop('no such case');"],
    ["f(new CaseError('no such case'));"],
    ['class A extends B { constructor() { super(); } }'],
    ['delete a?.b'],
  ])('%s is left as it is', (text) => {
    expect(changesOf(text)).toEqual([]);
  });

  test('the kind of an exception is mutated, unlike its message', () => {
    expect(changesOf("throw new CaseError('input', 'no such case');")).toEqual(["string: 'input' -> ''"]);
  });

  test('several mutants of a place have different ids', () => {
    expect(mutantsOf('a.ts', '\n f(a < b);').map(({ id }) => id)).toEqual([
      'a.ts:2:4:equality',
      'a.ts:2:4:equality.2',
      'a.ts:2:4:conditional',
      'a.ts:2:4:conditional.2',
    ]);
  });
});

describe('switches', () => {
  const SOURCE = `
    function area(sides) {
      const [width, height] = sides.length > 1 ? sides : [sides[0], sides[0]];
      if (width < 0 || height < 0) return 'none';
      return width * height;
    }
    export const areas = [[2, 3], [4], [-1, 1]].map((sides) => area(sides));`;
  const mutants = mutantsOf('a.ts', SOURCE).map((mutant, index) => ({ ...mutant, number: index + 1 }));
  const code = ts.transpile(withSwitches(SOURCE, mutants), { module: ts.ModuleKind.CommonJS });

  /** Returns what the source computes with mutants, or as it is if the only number is 0. */
  function areasWith(...active: number[]): unknown {
    const exports: { areas?: unknown } = {};
    const realm = { process: { env: { BOARDMILL_MUTANT: active.join(',') } } };
    new Function('exports', 'globalThis', code)(exports, realm);
    return exports.areas;
  }

  function numberOf(from: string, to: string): number {
    return mutants.find((mutant) => mutant.from === from && mutant.to === to)!.number;
  }

  test('without an active mutant the source is as it was', () => {
    expect(mutants.length).toBeGreaterThan(20);
    expect(areasWith(0)).toEqual([6, 16, 'none']);
  });

  test.each<[string, string, unknown]>([
    ['width * height', '(width) / (height)', [2 / 3, 1, 'none']],
    ["'none'", "''", [6, 16, '']],
    ['width < 0 || height < 0', '(width < 0) && (height < 0)', [6, 16, -1]],
    ['[4]', '[]', [6, Number.NaN, 'none']],
    ['area(sides)', 'undefined', [undefined, undefined, undefined]],
  ])('%s becomes %s', (from, to, expected) => {
    expect(areasWith(numberOf(from, to))).toEqual(expected);
  });

  test('several mutants can be active', () => {
    const [product, none] = [numberOf('width * height', '(width) / (height)'), numberOf("'none'", "''")];
    expect(areasWith(product, none)).toEqual([2 / 3, 1, '']);
  });

  test('an emptied block does nothing', () => {
    const block = mutants.find(({ operator }) => operator === 'block')!;
    expect(areasWith(block.number)).toEqual([undefined, undefined, undefined]);
  });

  test('lines keep their numbers, and a hashbang stays first', () => {
    const text = '#!/usr/bin/env node\nf(a + b);\n';
    const [mutant] = mutantsOf('a.ts', text);
    const lines = withSwitches(text, [{ ...mutant, number: 1 }]).split('\n');
    expect(lines.length).toBe(3);
    expect(lines[0]).toBe('#!/usr/bin/env node');
    expect(lines[1]).toMatch(/f\(\(__mutant\(1\) \? \(a\) - \(b\) : a \+ b\)\);$/);
  });
});

test('in a kernel, instructions and constants of functions are changed, and each result is a valid module', () => {
  const kernel = new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    // Type, function, export `f`, and code: (i32.lt_s (i32.add (local.get 0) (i32.const 7)) (local.get 0)).
    ...[1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f, 3, 2, 1, 0, 7, 5, 1, 1, 0x66, 0, 0],
    ...[10, 12, 1, 10, 0, 0x20, 0, 0x41, 7, 0x6a, 0x20, 0, 0x48, 0x0b],
  ]);
  const file = `${folder}/kernel.wasm`;
  writeFileSync(file, kernel);
  const text = readKernel(file);
  const results = mutantsOfKernel(text).map((mutant) => {
    expect(writeKernel(text, mutant, [file])).toBe(true);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)));
    const f = exports.f as (value: number) => number;
    return [mutant.from, mutant.to, f(5), f(2 ** 31 - 8), f(2 ** 31 - 7)];
  });
  expect(results).toEqual([
    ['i32.lt_s', 'i32.le_s', 0, 0, 1],
    ['i32.add', 'i32.sub', 1, 1, 1],
    ['i32.const 7', 'i32.const 8', 0, 1, 1],
  ]);
});

test('a seed draws the same mutants again, each once, and another seed draws others', () => {
  const all = Array.from({ length: 1000 }, (_, index) => index);
  const drawn = draw(all, 50, 7);
  expect(new Set(drawn).size).toBe(50);
  expect(draw(all, 50, 7)).toEqual(drawn);
  expect(draw(all, 50, 8)).not.toEqual(drawn);
  expect(draw(all, 2000, 7)).toEqual(all);
});

test('a run ends with the processes that have left its process group', async () => {
  const env = { ...process.env, TMPDIR: `${folder}/run/t` };
  const script = 'setsid sleep 1000 & setsid sleep 1000 & echo started; wait';
  const leader = spawn('sh', ['-c', script], { env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  await once(leader.stdout, 'data');
  killRun(leader.pid!, `${folder}/run`);
  // The pipe closes when the last process that can write to it has ended.
  const [code, signal] = await once(leader, 'close');
  expect([code, signal]).toEqual([null, 'SIGKILL']);
});
