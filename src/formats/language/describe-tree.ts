/** Describes the format of an input in words, one line for each field. */
import { boundOfNumber, isComparison, printExpression } from './expression.js';
import type {
  Bound,
  Condition,
  ElementCount,
  Ending,
  Field,
  Layout,
  ListField,
  NumberField,
  NumbersField,
  RecordTree,
  Shape,
} from './tree.js';

const INDENT = '  ';

/** Returns a description of the input in one block of text, without a final line end. */
export function describeLayout({ head, ending, shape, total }: Layout): string {
  return [
    ...(head === null ? [] : ['The head of the input:', ...indented(describeShape(head))]),
    ...describeEnding(ending),
    ...indented(describeShape(shape)),
    ...total.map(
      ({ text, max }) => `In a contest file, the sum of ${text} over all test cases is at most ${max}.`,
    ),
  ].join('\n');
}

function describeEnding(ending: Ending): readonly string[] {
  switch (ending.kind) {
    case 'single':
      return ['The whole input is one test case:'];
    case 'until-end':
      return ['Test cases until the end of the input, each with:'];
    case 'counted':
      return describeCounted(ending);
    case 'until-terminator': {
      const { text, when } = ending;
      if (when === null) return [`Test cases until the terminator "${text}", each with:`];
      return [`Test cases until ${printCondition(when)}, as in the terminator "${text}", each with:`];
    }
  }
}

/** Describes the terminator of an input for messages; null if the input has no terminator. */
export function describeTerminator(ending: Ending): string | null {
  if (ending.kind !== 'until-terminator') return null;
  const { text, when } = ending;
  return when === null ? `"${text}"` : `the terminator (${printCondition(when)}, as in "${text}")`;
}

function printCondition({ left, operator, right }: Condition): string {
  return `${printExpression(left)} ${operator} ${printExpression(right)}`;
}

function describeCounted({ name, min, max }: Extract<Ending, { kind: 'counted' }>): readonly string[] {
  if (name !== null) return [`Then ${name} test cases, each with:`];
  const bounds = describeBounds(boundOfNumber(min), boundOfNumber(max));
  return [`The number of test cases: an integer${bounds}`, 'Then that many test cases, each with:'];
}

function describeShape({ kind, records }: Shape): string[] {
  if (kind === 'record') return records.flatMap(describeRecord);
  return records.flatMap((record, index) => {
    const isEmpty = record.fields.length === 0;
    return [`line ${index + 1}:${isEmpty ? ' empty' : ''}`, ...indented(describeRecord(record))];
  });
}

/** Returns one line for each field of a record. The names of the fields are in a column of their own. */
function describeRecord({ fields }: RecordTree): string[] {
  const width = Math.max(...fields.map(({ name }) => name.length));
  return fields.flatMap(({ name, field }) => {
    const [first, ...rest] = describeField(field);
    return [`${name.padEnd(width)}  ${first}`, ...rest];
  });
}

/** Returns a line that describes the field, and further lines for the records in the field. */
function describeField(field: Field): string[] {
  switch (field.kind) {
    case 'scalar':
      return [`one ${NOUNS[field.of]}${describeBounds(field.min, field.max)}${describeDecimals(field)}`];
    case 'word':
      return [`a word${describeLetters(field.letters)}`];
    case 'line':
      return [field.mayBeEmpty ? 'a line, which may be empty' : 'a line'];
    case 'numbers':
      return [
        `${describeMany(field.count, `${NOUNS[field.of]}s`)}${describeBounds(field.min, field.max)}${describeDecimals(field)}`,
      ];
    case 'words':
      return [`${describeMany(field.count, 'words')}${describeLetters(field.letters)}`];
    case 'lines':
      return [describeMany(field.count, 'lines')];
    case 'grid': {
      const letters = field.letters.map((allowed) => JSON.stringify(allowed)).join(' and ');
      return [
        `${describeMany(field.rows, 'rows')} of ${describeMany(field.cols, 'letters')} out of ${letters}`,
      ];
    }
    case 'table': {
      const numbers = `${describeMany(field.cols, 'numbers')}${describeBounds(field.min, field.max)}`;
      return [`${describeMany(field.rows, 'rows')} of ${numbers}`];
    }
    case 'list':
      return describeList(field);
    case 'either':
      return [`one of these records, by its first token, ${field.tag}:`, ...describeVariants(field)];
  }
}

const NOUNS: Record<NumberField['of'] | NumbersField['of'], string> = {
  int: 'integer',
  int32: 'integer',
  'safe-int': 'integer',
  bigint: 'integer',
  number: 'number',
};

function describeList({ count, of }: ListField): string[] {
  const records = describeMany(count, 'records');
  if (of.kind === 'record') return [`${records}, each with:`, ...indented(describeRecord(of))];
  return [`${records}, each by its first token, ${of.tag}:`, ...describeVariants(of)];
}

function describeVariants({ tag, variants }: Extract<Field, { kind: 'either' }>): string[] {
  return variants.flatMap(({ tags, record }) => {
    const isEmpty = record.fields.length === 0;
    const heading = `${tag} ${tags.join(' or ')}${isEmpty ? '' : ':'}`;
    return indented([heading, ...indented(describeRecord(record))]);
  });
}

function describeMany(count: ElementCount, nouns: string): string {
  switch (count.kind) {
    case 'until-token':
      return `${nouns} up to and including the token "${count.token}"`;
    case 'until-line-end':
      return `${nouns} up to the end of the line`;
    case 'until-blank-line':
      return `${nouns} up to a blank line`;
    case 'many':
      return `any number of ${nouns}`;
    default:
      return isComparison(count)
        ? `${nouns}: 1 if ${printExpression(count)}, else 0`
        : `${printExpression(count)} ${nouns}`;
  }
}

function describeBounds(min: Bound, max: Bound): string {
  if (min !== null && max !== null) return ` from ${printBound(min)} to ${printBound(max)}`;
  if (min !== null) return `, at least ${printBound(min)}`;
  return max === null ? '' : `, at most ${printBound(max)}`;
}

function printBound(bound: NonNullable<Bound>): string {
  return bound.kind === 'large-constant' ? bound.digits : printExpression(bound);
}

function describeDecimals({ decimals }: { readonly decimals: number | null }): string {
  return decimals === null ? '' : `, with at most ${decimals} decimals`;
}

/** Returns the end of the description of a word: its letters. Empty if the word may have any letters. */
export function describeLetters(letters: string | null): string {
  return letters === null ? '' : ` of the letters ${JSON.stringify(letters)}`;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `${INDENT}${line}`);
}
