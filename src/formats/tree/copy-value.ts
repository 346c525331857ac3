/** Copies the values of cases, so that one function of an author does not see what another one has changed. */
import type { RecordValue } from '../language/tree.js';
import { TreeGrid } from './grid.js';

/** Returns a deep copy of a record: no change to the copy changes the record. */
export function copyOfRecord(record: RecordValue): RecordValue {
  // An object that is spread keeps its layout in memory, so that code which reads both stays fast.
  const copy: Record<string, unknown> = { ...record };
  for (const name of Object.keys(copy)) {
    if (typeof copy[name] === 'object') copy[name] = copyOfValue(copy[name]);
  }
  return copy as RecordValue;
}

/** Returns a copy of what expressions of a format can name: the numbers of a record, and the tags in its lists of records. */
export function copyForExpressions(record: RecordValue): RecordValue {
  const copy: Record<string, unknown> = { ...record };
  for (const [name, value] of Object.entries(record)) {
    if (Array.isArray(value) && typeof value[0] === 'object') copy[name] = value.map((each) => ({ ...each }));
  }
  return copy as RecordValue;
}

function copyOfValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof TreeGrid) return value.copy();
  if (Array.isArray(value)) return value.map(copyOfValue);
  return ArrayBuffer.isView(value) ? (value as Int32Array).slice() : copyOfRecord(value as RecordValue);
}
