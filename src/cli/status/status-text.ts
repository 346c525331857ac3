/** Formats text for the status on a terminal, which may be too narrow for the whole text. */
import { formatQuantity } from '../../core/format-count.js';

/** Joins as many of the first parts as fit in `width` characters. A separator at the end is left out. */
export function joinFitting(parts: readonly string[], width: number): string {
  let text = '';
  for (const part of parts) {
    if (text.length + part.length > width) break;
    text += part;
  }
  return text.replace(/[ |]+$/, '');
}

/** Formats a number of cases: "1 case", "739,072 cases". */
export function formatCases(count: number): string {
  return formatQuantity(count, 'case');
}
