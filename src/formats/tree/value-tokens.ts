/** Lists the tokens of a value in the order in which they are printed. */
import { splitIntoWords } from '../../core/words.js';
import { isTrue } from '../language/expression.js';
import { type NameScope, recordOfTag } from '../language/expression-values.js';
import type { ElementCount, Ending, Field, RecordTree, RecordValue } from '../language/tree.js';
import type { Table } from '../language/types.js';
import type { TreeGrid } from './grid.js';

/** Yields the tokens of a value. A line yields each of its words. */
export function* tokensOfValue(tree: Field | RecordTree, value: unknown): Generator<string> {
  switch (tree.kind) {
    case 'record':
      yield* tokensOfRecord(tree, value as RecordValue);
      break;
    case 'either': {
      const tag = (value as RecordValue)[tree.tag] as string;
      yield tag;
      yield* tokensOfRecord(recordOfTag(tree, tag)!, value as RecordValue);
      break;
    }
    case 'scalar':
    case 'word':
      yield String(value);
      break;
    case 'line':
      yield* splitIntoWords(value as string);
      break;
    case 'lines':
      for (const line of value as string[]) yield* splitIntoWords(line);
      yield* endToken(tree.count);
      break;
    case 'numbers':
    case 'words':
      for (const element of value as Iterable<unknown>) yield String(element);
      yield* endToken(tree.count);
      break;
    case 'grid':
      for (const row of (value as TreeGrid).lines) yield* splitIntoWords(row);
      yield* endToken(tree.rows);
      break;
    case 'table':
      for (const cell of (value as Table).cells) yield String(cell);
      yield* endToken(tree.rows);
      break;
    case 'list':
      for (const element of value as unknown[]) yield* tokensOfValue(tree.of, element);
      yield* endToken(tree.count);
      break;
    default:
      // Without this line, a kind of field without a case would silently have no tokens.
      tree satisfies never;
  }
}

function* tokensOfRecord({ fields }: RecordTree, record: RecordValue): Generator<string> {
  for (const { name, field } of fields) yield* tokensOfValue(field, record[name]);
}

function* endToken(count: ElementCount): Generator<string> {
  if (count.kind === 'until-token') yield count.token;
}

/** Whether a case would be read as the terminator of an input with this ending. `scope` has the case and its head. */
export function isTerminator(
  ending: Extract<Ending, { kind: 'until-terminator' }>,
  records: readonly RecordTree[],
  value: RecordValue,
  scope: NameScope,
): boolean {
  if (ending.when !== null) return isTrue(ending.when, scope);
  const wanted = splitIntoWords(ending.text);
  if (wanted.length === 0) return false;
  let index = 0;
  for (const record of records) {
    for (const token of tokensOfValue(record, value)) {
      if (token !== wanted[index++]) return false;
      if (index === wanted.length) return true;
    }
  }
  return false;
}
