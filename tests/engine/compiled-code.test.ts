/**
 * Tests of what keeps V8 from compiling the same code several times. A process of its own asks V8, because only a function with
 * V8's own syntax (`%IsSmi`) can do that.
 */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const BUILD = new URL('../../build/src/', import.meta.url);

/** Returns what a script prints that may use V8's own syntax, and functions of the build. */
function ask(script: string): unknown {
  const imported = `const load = (path) => import(new URL(path, '${BUILD}'));`;
  const printed = execFileSync(
    process.execPath,
    ['--allow-natives-syntax', '--input-type=module', '--eval', `${imported}\n${script}`],
    { encoding: 'utf8' },
  );
  return JSON.parse(printed);
}

test('code that reads bytes stays compiled when Node makes its first Buffer, and when memory is first transferred', () => {
  const found = ask(`
    const { settleBytes } = await load('core/settle-bytes.js');
    settleBytes();
    const cursor = { bytes: new Uint8Array(8) };
    function sum() {
      let total = 0;
      for (let at = 0; at < cursor.bytes.length; at++) total += cursor.bytes[at];
      return total;
    }
    const COMPILED = 1 << 4;
    const isCompiled = () => {
      sum();
      return (%GetOptimizationStatus(sum) & COMPILED) !== 0;
    };
    %PrepareFunctionForOptimization(sum);
    isCompiled();
    %OptimizeFunctionOnNextCall(sum);
    const found = { first: isCompiled() };
    const { createHash } = await import('node:crypto');
    createHash('sha256').digest();
    found.afterBuffer = isCompiled();
    const memory = new ArrayBuffer(8);
    const { port1, port2 } = new MessageChannel();
    port1.postMessage(memory, [memory]);
    found.afterTransfer = isCompiled();
    port1.close();
    console.log(JSON.stringify(found));
  `);
  expect(found).toEqual({ first: true, afterBuffer: true, afterTransfer: true });
});

test('a position from a handoff has small integers where the number is one', () => {
  const found = ask(`
    const { createHandoff, fillHandoff, readHandoff } = await load('engine/parallel-scan/handoff.js');
    const handoff = createHandoff();
    const read = (offset, cases) => {
      fillHandoff(handoff, { offset, cases, searching: 'no', isOver: false });
      const position = readHandoff(handoff);
      return [position.offset, %IsSmi(position.offset), position.cases, %IsSmi(position.cases)];
    };
    console.log(JSON.stringify([read(0, 7), read(2 ** 31 - 1, 2), read(2 ** 31, 3), read(2 ** 40 + 5, 2 ** 32 + 1)]));
  `);
  expect(found).toEqual([
    [0, true, 7, true],
    [2 ** 31 - 1, true, 2, true],
    [2 ** 31, false, 3, true],
    [2 ** 40 + 5, false, 2 ** 32 + 1, false],
  ]);
});
