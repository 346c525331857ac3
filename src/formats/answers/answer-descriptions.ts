/** Describes in words the answer that an answer format expects. Error messages show this text. */
import { pluralize } from '../../core/errors.js';
import { joinWithOr } from '../../core/words.js';
import { describeLetters } from '../language/describe-tree.js';
import { isExpressionCount } from '../language/expression.js';
import { evaluateCount, evaluateRange, type NameScope } from '../language/expression-values.js';
import { tagsOfEither } from '../language/shapes.js';
import type { Bound, ElementCount, Field, NumberField, RecordTree } from '../language/tree.js';

/** Describes a valid answer, such as "2 lines" or `"NO" or "YES"`. Counts whose values are not known are left out. */
export function describeAnswer(tree: Field | RecordTree | null, scope: NameScope): string {
  if (tree === null) return 'a text';
  switch (tree.kind) {
    case 'record':
      return describeRecord(tree, scope);
    case 'scalar':
      return describeNumber(tree, scope);
    case 'word':
      return `a word${describeLetters(tree.letters)}`;
    case 'line':
      return tree.mayBeEmpty ? 'a line (it may be empty)' : 'a line';
    case 'numbers': {
      const noun = tree.of === 'number' ? 'number' : 'integer';
      return describeCount(tree.count, noun, scope) + describeRange(tree, scope);
    }
    case 'words':
      return describeCount(tree.count, 'word', scope) + describeLetters(tree.letters);
    case 'lines':
      return describeCount(tree.count, 'line', scope);
    case 'grid': {
      const cell = tree.letters.length === 1 ? 'letter' : 'cell';
      return (
        describeRows(tree, cell, scope) + describeLetters(tree.letters.length === 1 ? tree.letters[0] : null)
      );
    }
    case 'table':
      return describeRows(tree, 'number', scope) + describeRange(tree, scope);
    case 'list':
      return `${describeCount(tree.count, 'record', scope)} (${describeAnswer(tree.of, scope)})`;
    case 'either':
      return joinWithOr(tagsOfEither(tree).map((tag) => JSON.stringify(tag)));
  }
}

function describeRecord({ fields }: RecordTree, scope: NameScope): string {
  const parts = fields.map(({ field }) => describeAnswer(field, scope));
  return parts.length === 0 ? 'nothing' : parts.join(', then ');
}

function describeNumber(field: NumberField, scope: NameScope): string {
  const noun = field.of === 'number' ? 'a number' : 'an integer';
  return (field.description ?? noun) + describeRange(field, scope);
}

/** Describes the range of a number, such as " (1 to 10)" or " (at least 1)". Empty if no bound has a known value. */
function describeRange({ min, max }: { readonly min: Bound; readonly max: Bound }, scope: NameScope): string {
  const range = evaluateRange(min, max, scope);
  if (range === null || (min === null && max === null)) return '';
  if (max === null) return ` (at least ${range.low})`;
  return min === null ? ` (at most ${range.high})` : ` (${range.low} to ${range.high})`;
}

function describeRows(
  { rows, cols }: { readonly rows: ElementCount; readonly cols: ElementCount },
  cell: string,
  scope: NameScope,
): string {
  return `${describeCount(rows, 'row', scope)} of ${describeCount(cols, cell, scope)}`;
}

function describeCount(count: ElementCount, noun: string, scope: NameScope): string {
  const value = isExpressionCount(count) ? evaluateCount(count, scope) : null;
  return value === null ? `${noun}s` : pluralize(value, noun);
}
