/** Copies the values of cases, so that one function of an author does not see what another one has changed. */
import type { RecordValue } from '../language/tree.js';
import { TreeGrid } from './grid.js';

/** Returns a deep copy of a record: no change to the copy changes the record. */
export function copyOfRecord(record: RecordValue): RecordValue {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, copyOfValue(value)]));
}

function copyOfValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof TreeGrid) return value.copy();
  if (Array.isArray(value)) return value.map(copyOfValue);
  return ArrayBuffer.isView(value) ? structuredClone(value) : copyOfRecord(value as RecordValue);
}
