/** Compares answers token by token; numbers may differ a little, as in the default validator of contest packages. */

const TOKEN = /[^ \t\n\v\f\r]+/g;
const DECIMAL_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Returns the index in `got` of the first token that differs, or null if no token does. Two decimal numbers agree if they
 * differ by at most `tolerance`, or by at most `tolerance` times the expected number.
 */
export function findDifferenceWithin(expected: string, got: string, tolerance: number): number | null {
  const right = [...expected.matchAll(TOKEN)];
  const given = [...got.matchAll(TOKEN)];
  for (let i = 0; i < Math.max(right.length, given.length); i++) {
    const isSame =
      i < right.length && i < given.length && areTokensClose(right[i][0], given[i][0], tolerance);
    if (!isSame) return given[i]?.index ?? got.length;
  }
  return null;
}

function areTokensClose(expected: string, got: string, tolerance: number): boolean {
  if (expected === got) return true;
  if (!DECIMAL_NUMBER.test(expected) || !DECIMAL_NUMBER.test(got)) return false;
  const right = Number(expected);
  const difference = Math.abs(right - Number(got));
  return difference <= tolerance || difference <= tolerance * Math.abs(right);
}
