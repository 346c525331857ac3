/** Words for the lines of a status, which may be short of room. */

/** As many of the parts as fit, from the first on; no separator at the end. */
export function joinFitting(parts: readonly string[], width: number): string {
  let text = '';
  for (const part of parts) {
    if (text.length + part.length > width) break;
    text += part;
  }
  return text.replace(/[ |]+$/, '');
}

export function formatCases(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'case' : 'cases'}`;
}

export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
