/** The work that a grammar is charged for when it sets elements of arrays. */
import { expect, test } from 'vitest';
import { GrammarVariables } from '../../../src/formats/checktestdata/language/variables.js';

test('a new element counts once, and a change of an element counts nothing', () => {
  const variables = new GrammarVariables(1);
  for (const key of [0, 1, 2, 7, 'a']) expect(variables.setElement(0, key, 5)).toBe(1);
  for (const key of [0, 2, 7, 'a']) expect(variables.setElement(0, key, 6)).toBe(0);
  expect(variables.size(0)).toBe(5);
});

test('a case copies an array of the head once, before its first change, and the head keeps its elements', () => {
  const [head, ofCase] = [new GrammarVariables(1), new GrammarVariables(1)];
  for (const key of [0, 1, 2]) head.setElement(0, key, key);
  ofCase.restore(head);
  expect([0, 1, 3].map((key) => ofCase.setElement(0, key, 9))).toEqual([3, 0, 1]);
  expect([...ofCase.entries(0)].map(([, value]) => value)).toEqual([9, 9, 2, 9]);
  expect([...head.entries(0)].map(([, value]) => value)).toEqual([0, 1, 2]);
});
