/** A terminator whose condition uses the head: an input is refused whose terminator would not be one. */
import { expect, test } from 'vitest';
import { assembleInput, UnfitCasesError } from '../../src/formats/assemble-input.js';
import { formats } from '../../src/formats/language/formats.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';
import { defineProblem } from '../../src/problems/modules/define-problem.js';

const { int, untilTerminator } = formats;

function assemble(when: string, head: string): string {
  const input = untilTerminator('0', { n: int(0, 9) }, { head: { h: int(0, 3) }, when });
  const { layout } = defineProblem({ name: 't', input, solve: ({ n }) => n }).description;
  return Buffer.from(
    assembleInput(new TreeInputFormat(layout), [Buffer.from('5\n')], Buffer.from(head)),
  ).toString();
}

test('an input of some cases has its terminator if the head allows it', () => {
  expect(assemble('n = h', '0\n')).toBe('0\n5\n0\n');
  expect(assemble('n < h', '2\n')).toBe('2\n5\n0\n');
});

test('an input of some cases is refused if the head makes its terminator a case', () => {
  for (const [when, head] of [
    ['n = h', '2\n'],
    ['n < h', '0\n'],
  ])
    expect(() => assemble(when, head)).toThrow(UnfitCasesError);
});
