/**
 * Finds out whether every case has at least one token. A case without bytes could be read again and again at the same place.
 */
import { constantValue } from './expression.js';
import type { FieldScope } from './scope.js';
import { countsOfField } from './shapes.js';
import type { Bound, ElementCount, Expression, Field, RecordTree, Shape } from './tree.js';

/** Whether every case of this shape has at least one token. `scope` has all names of the head and of the case. */
export function hasTokenInEveryCase(shape: Shape, scope: FieldScope): boolean {
  return shape.records.some((record) => recordTakesToken(record, scope));
}

function recordTakesToken(record: RecordTree, scope: FieldScope): boolean {
  return record.fields.some(({ field }) => fieldTakesToken(field, scope));
}

/** Whether the field has a token in every case, or an empty line of its own. */
export function fieldTakesToken(field: Field, scope: FieldScope): boolean {
  if (field.kind === 'line') return !field.mayBeEmpty;
  if (field.kind === 'list' && field.of.kind === 'record' && !recordTakesToken(field.of, scope)) return false;
  return countsOfField(field).every((count) => isPositive(count, scope));
}

/** Whether the count is certainly at least 1. */
function isPositive(count: ElementCount, scope: FieldScope): boolean {
  switch (count.kind) {
    case 'many':
      return false;
    // The token that ends the array is a token of the case.
    case 'until-token':
      return true;
    // An array to the end of the line reads a whole line. The first line of a block of lines is not blank.
    case 'until-line-end':
    case 'until-blank-line':
      return true;
    default:
      return smallestValue(count, scope) > 0;
  }
}

/** Returns a lower bound on the value of the expression; -Infinity if none is easy to find. */
function smallestValue(expression: Expression, scope: FieldScope): number {
  if (expression.kind === 'constant') return expression.value;
  if (expression.kind === 'name') return smallestValueOfInt(scope.find(expression.name));
  if (expression.kind === 'count') return 0;
  const left = smallestValue(expression.left, scope);
  const right = smallestValue(expression.right, scope);
  if (expression.operator === '+') return left + right;
  return expression.operator === '*' && left > 0 && right > 0 ? left * right : Number.NEGATIVE_INFINITY;
}

function smallestValueOfInt(field: Field | null): number {
  const min: Bound = field?.kind === 'scalar' ? field.min : null;
  const value = min === null || min.kind === 'large-constant' ? null : constantValue(min);
  return Number(value ?? Number.NEGATIVE_INFINITY);
}
