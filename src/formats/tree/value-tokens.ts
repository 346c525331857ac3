/** Lists the tokens of a value in the order in which they are printed. */
import { splitIntoWords } from '../../core/words.js';
import { isConditionTrue } from '../language/expression.js';
import { type NameScope, recordOfTag } from '../language/expression-values.js';
import type { ElementCount, Field, Layout, RecordTree, RecordValue } from '../language/tree.js';
import type { Table } from '../language/types.js';
import { compileTextTest } from './counts.js';
import type { TreeGrid } from './grid.js';
import { tokensOfTerminator } from './tail.js';

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

/** Tests whether a case would be read as the terminator of its input. `scope` has the case and its head. */
export type TerminatorTest = (value: RecordValue, scope: NameScope) => boolean;

export function compileTerminatorTest({ ending, shape }: Layout): TerminatorTest {
  if (ending.kind !== 'until-terminator') return () => false;
  const { when, text } = ending;
  if (when !== null) return (_, scope) => isConditionTrue(when, scope);
  const tests = tokensOfTerminator(text, shape).map((token) => compileTextTest(...token));
  if (tests.length === 0) return () => false;
  return (value) => {
    let index = 0;
    for (const record of shape.records) {
      for (const token of tokensOfValue(record, value)) {
        if (!tests[index++](token)) return false;
        if (index === tests.length) return true;
      }
    }
    return false;
  };
}
