/** Converts the values of answers to values that JSON can hold. */

import { recordOfTag } from '../language/expression-values.js';
import type { Field, RecordTree, RecordValue } from '../language/tree.js';
import type { Table } from '../language/types.js';
import type { TreeGrid } from '../tree/grid.js';

/**
 * Converts the value of an answer to JSON. A typed array becomes an array, a bigint a string of decimal digits, and a grid or a
 * table a list of rows.
 */
export function answerToJson(tree: Field | RecordTree, value: unknown): unknown {
  switch (tree.kind) {
    case 'record':
      return recordToJson(tree, value as RecordValue);
    case 'either':
      return eitherToJson(tree, value as RecordValue);
    case 'list':
      return (value as unknown[]).map((element) => answerToJson(tree.of, element));
    case 'numbers':
      return Array.from(value as ArrayLike<number | bigint>, numberToJson);
    case 'scalar':
      return numberToJson(value as number | bigint);
    case 'grid':
      return (value as TreeGrid).lines;
    case 'table':
      return rowsOf(value as Table);
    case 'word':
    case 'line':
    case 'words':
    case 'lines':
      return value;
  }
}

function recordToJson({ fields }: RecordTree, record: RecordValue): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, field }) => [name, answerToJson(field, record[name])]));
}

function eitherToJson(field: Extract<Field, { kind: 'either' }>, record: RecordValue): unknown {
  const tag = record[field.tag];
  return { [field.tag]: tag, ...recordToJson(recordOfTag(field, tag)!, record) };
}

/** Converts a number to JSON. Every bigint becomes a string, so that all values of a field have the same type in JSON. */
function numberToJson(value: number | bigint): number | string {
  return typeof value === 'bigint' ? String(value) : value;
}

function rowsOf({ rows, cols, cells }: Table): number[][] {
  return Array.from({ length: rows }, (_, row) => Array.from(cells.subarray(row * cols, (row + 1) * cols)));
}
