/** Checks how a layout says where its last case ends, and reports mistakes of its author. */
import type { AuthorPlace } from './author-error.js';
import { checkBounds, checkNames, refusePlaceholder } from './check-values.js';
import { boundOfNumber, fieldNamesInExpression, isConditionTrue } from './expression.js';
import { didYouMean, type FieldScope, isIntegerField } from './scope.js';
import { leadingNumbers } from './shapes.js';
import type { Condition, Ending, Layout, Shape } from './tree.js';

/** The scope `head` has the names of the head, and `scope` has those of the head and of the case. */
export function checkEndOfCases(
  { ending, shape }: Layout,
  head: FieldScope,
  scope: FieldScope,
  place: AuthorPlace,
): void {
  refusePlaceholder(ending, place);
  if (ending.kind === 'counted') checkNumberOfCases(ending, head, place);
  if (ending.kind === 'until-terminator') checkTerminator(ending, shape, head, scope, place);
}

function checkNumberOfCases(
  { name, min, max }: Extract<Ending, { kind: 'counted' }>,
  head: FieldScope,
  place: AuthorPlace,
): void {
  const field = name === null ? null : head.find(name);
  if (name !== null && (field === null || !isIntegerField(field))) {
    throw place.error(`cases: the head has no int "${name}"${didYouMean(name, head.usableNames())}`);
  }
  checkBounds({ min: boundOfNumber(min), max: boundOfNumber(max) }, 'int', head, place);
}

/**
 * The condition of a terminator may use only numbers of the head and those at the start of a case, because it decides whether a
 * case begins.
 */
function checkTerminator(
  { text, when }: Extract<Ending, { kind: 'until-terminator' }>,
  shape: Shape,
  head: FieldScope,
  scope: FieldScope,
  place: AuthorPlace,
): void {
  if (when === null) return;
  const leading = leadingNumbers(shape).map(({ name }) => name);
  for (const side of [when.left, when.right]) checkNames(side, 'when: a side of the condition', scope, place);
  const names = [when.left, when.right].flatMap(fieldNamesInExpression);
  const wrong = names.find((name) => !leading.includes(name) && !head.has(name));
  if (wrong !== undefined) {
    throw place.error(`when: "${wrong}" is not one of the numbers with which a case begins`);
  }
  if (!names.some((name) => leading.includes(name))) {
    throw place.error('when: the condition names no number of the case');
  }
  // Numbers of the head are known only when an input is read, so such a condition cannot be checked now.
  if (names.every((name) => leading.includes(name))) checkTerminatorText(text, when, leading, place);
}

function checkTerminatorText(
  text: string,
  when: Condition,
  leading: readonly string[],
  place: AuthorPlace,
): void {
  const numbers = text.trim().split(/\s+/).map(Number);
  const scope = {
    int: (name: string) => {
      const number = numbers[leading.indexOf(name)];
      return Number.isSafeInteger(number) ? number : null;
    },
    count: () => null,
  };
  if (!isConditionTrue(when, scope))
    throw place.error(`when: the terminator "${text}" does not meet the condition`);
}
