import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_MATCH, parseRegex, Regex } from '../../../src/formats/checktestdata/language/regex.js';
import { runs } from '../../support/random-tests.js';

function match(pattern: string, text: string): string | null {
  const bytes = Buffer.from(text, 'latin1');
  const end = new Regex(pattern).match(bytes, 0, bytes.length, () => {});
  return end === NO_MATCH ? null : text.slice(0, end);
}

describe('what matches', () => {
  test.each([
    ['a.c', 'a\nc', 'a\nc'],
    ['p|ps', 'ps', 'p'],
    ['ps|p', 'ps', 'ps'],
    ['a{2,3}', 'aaaa', 'aaa'],
    ['a{,2}', 'aaaa', 'aa'],
    ['a{2}', 'a', null],
    ['[a-c-]+', 'b-d', 'b-'],
    ['[---]', '-', '-'],
    ['[^\\]]+', 'ab]', 'ab'],
    ['[][,0-9]+', '[1,[2]]x', '[1,[2]]'],
    ['[[:digit:][:upper:]_]+', '7_Az', '7_A'],
    ['[[:space:][:blank:]]+', ' \t\n\rx', ' \t\n\r'],
    ['^a$', '^a$', '^a$'],
    ['\\d', '\\d', '\\d'],
    ['\\\\', '\\', '\\'],
    ['(a*)*', 'aab', 'aa'],
    ['()?x', 'x', 'x'],
    ['|a', 'a', ''],
    ['(|a)*', 'aa', ''],
    ['(|a)+b?', 'aab', ''],
    ['(a|)*', 'aa', 'aa'],
    ['((|a)b)*', 'bab', 'bab'],
    ['\xff+', '\xff\xff', '\xff\xff'],
  ])('%j on %j', (pattern, text, expected) => {
    expect(match(pattern, text)).toBe(expected);
  });

  test.each([
    '[]',
    '[]]',
    '[^]',
    '[[]',
    '[b-a]',
    '[a',
    '(',
    ')',
    'a)',
    '*',
    '(|*)',
    'a{}',
    'a{2,1}',
    'a{01}',
    'a{-1}',
    'a{1',
    'a**',
    'a{2}?',
    '[[:foo:]]',
    'a{20001}',
    '((a{200}){200}){200}',
    '('.repeat(500),
  ])('%j is no regular expression', (pattern) => {
    expect(() => parseRegex(pattern)).toThrow('expected');
  });

  test.each([
    ['[]', 'a set with at least one character'],
    ['[]a', '] after the set'],
    ['[a', '] after the set'],
  ])('the message about %j says what is missing: %s', (pattern, expected) => {
    expect(() => parseRegex(pattern)).toThrow(`expected ${expected}`);
  });
});

/** Patterns that mean the same in JavaScript, whose backtracking takes the first alternative as well. */
const atoms = fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '[a-b]');
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4 },
    atoms,
    fc
      .tuple(tie('pattern'), fc.constantFrom('', '*', '+', '?', '{2}', '{1,2}', '{0,3}'))
      .map(([p, r]) => `(${p})${r}`),
    fc.tuple(atoms, fc.constantFrom('*', '+', '?', '{2}', '{1,3}')).map(([a, r]) => a + r),
  ),
  pattern: fc
    .array(fc.array(tie('part'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
    .map((choices) => choices.map((parts) => parts.join('')).join('|')),
}));

/** Whether the pattern repeats something that may be empty. JavaScript treats empty repetitions in its own way. */
function repeatsEmpty(text: string): boolean {
  return [...text.matchAll(/\)[*+?{]/g)].some(({ index }) => {
    let depth = 0;
    for (let at = index; at >= 0; at--) {
      depth += text[at] === ')' ? 1 : text[at] === '(' ? -1 : 0;
      if (depth === 0) return new RegExp(`^(${text.slice(at + 1, index)})$`).test('');
    }
    return false;
  });
}

test('matches what JavaScript matches', () => {
  fc.assert(
    fc.property(pattern, fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 9 }), (text, letters) => {
      fc.pre(!repeatsEmpty(text));
      const input = letters.join('');
      const expected = new RegExp(text, 'sy').exec(input)?.[0] ?? null;
      expect(match(text, input)).toBe(expected);
    }),
    { numRuns: runs(300) },
  );
});

test.each(['(a*)*b', '(a|a)*b', '(a|aa)+b', '(x+x+)+y|a*b', '(a|b)*a(a|b){14}c', '(a?){300}a{300}'])(
  '%j takes linear time',
  (text) => {
    let cost = 0;
    const bytes = Buffer.from('ab'.repeat(50_000) + 'a'.repeat(50_000));
    new Regex(text).match(bytes, 0, bytes.length, (more) => {
      cost += more;
    });
    // Backtracking would take more steps than there are atoms. New states are made at most once for each byte.
    expect(cost).toBeLessThan(bytes.length * 1000);
  },
);

test('a small cache of states changes nothing', () => {
  const text = '(a|b)*a(a|b){13}';
  let seed = 12345;
  const letters = Array.from({ length: 40_000 }, () => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return (seed >> 16) & 1 ? 'a' : 'b';
  }).join('');
  expect(match(text, letters)).toBe(letters.slice(0, letters.lastIndexOf('a', letters.length - 14) + 14));
});
