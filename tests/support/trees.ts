/** Short ways to write trees of fields and layouts in tests. */
import { parseExpression } from '../../src/formats/language/expression.js';
import type {
  Bound,
  EitherField,
  ElementCount,
  Ending,
  Expression,
  Field,
  GridField,
  Layout,
  LineField,
  LinesField,
  ListField,
  NumberField,
  NumbersField,
  RecordTree,
  Shape,
  TableField,
  WordField,
  WordsField,
} from '../../src/formats/language/tree.js';

type CountText = number | string | ElementCount;

/** The tree of an expression, or of a number. */
export const expression = (text: number | string): Expression =>
  typeof text === 'number' ? { kind: 'constant', value: text } : parseExpression(text);

const countOf = (count: CountText): ElementCount => (typeof count === 'object' ? count : expression(count));
const boundOf = (bound: number | string | null): Bound => (bound === null ? null : expression(bound));

export const many: ElementCount = { kind: 'many' };
export const untilLineEnd: ElementCount = { kind: 'until-line-end' };
export const untilBlankLine: ElementCount = { kind: 'until-blank-line' };
export const until = (token: string): ElementCount => ({ kind: 'until-token', token });

type BoundText = number | string | null;

export const int = (min: BoundText = null, max: BoundText = null): NumberField => scalar('int', min, max);
export const bigint = (min: BoundText = null, max: BoundText = null): NumberField =>
  scalar('bigint', min, max);
export const number = (
  min: BoundText = null,
  max: BoundText = null,
  decimals: number | null = null,
): NumberField => ({ ...scalar('number', min, max), decimals });

function scalar(of: NumberField['of'], min: BoundText, max: BoundText): NumberField {
  return { kind: 'scalar', of, min: boundOf(min), max: boundOf(max), decimals: null, description: null };
}

export const word = (letters: string | null = null): WordField => ({ kind: 'word', letters });
export const line = (mayBeEmpty = false): LineField => ({ kind: 'line', mayBeEmpty });

const numbersOf =
  (of: NumbersField['of']) =>
  (count: CountText, min: BoundText = null, max: BoundText = null): NumbersField => ({
    kind: 'numbers',
    of,
    count: countOf(count),
    min: boundOf(min),
    max: boundOf(max),
    decimals: null,
  });
export const ints = numbersOf('int32');
export const safeInts = numbersOf('safe-int');
export const numbers = numbersOf('number');
export const bigints = numbersOf('bigint');

export const words = (count: CountText, letters: string | null = null): WordsField => ({
  kind: 'words',
  count: countOf(count),
  letters,
});
export const lines = (count: CountText): LinesField => ({ kind: 'lines', count: countOf(count) });
export const grid = (rows: CountText, cols: CountText, ...letters: string[]): GridField => ({
  kind: 'grid',
  rows: countOf(rows),
  cols: countOf(cols),
  letters,
});
export const table = (
  rows: CountText,
  cols: CountText,
  min: BoundText = null,
  max: BoundText = null,
): TableField => ({
  kind: 'table',
  rows: countOf(rows),
  cols: countOf(cols),
  min: boundOf(min),
  max: boundOf(max),
});

type Fields = Readonly<Record<string, Field>>;

export const record = (fields: Fields): RecordTree => ({
  kind: 'record',
  fields: Object.entries(fields).map(([name, field]) => ({ name, field })),
});
export const either = (tag: string, variants: Readonly<Record<string, Fields>>): EitherField => ({
  kind: 'either',
  tag,
  variants: Object.entries(variants).map(([tags, fields]) => ({
    tags: tags.split(' '),
    record: record(fields),
  })),
});
export const list = (count: CountText, of: Fields | EitherField): ListField => ({
  kind: 'list',
  count: countOf(count),
  of: of.kind === 'either' ? (of as EitherField) : record(of as Fields),
});

/** Fields of one record, or (as an array) of a record for each line. */
type Part = Fields | readonly Fields[];

const shapeOf = (part: Part): Shape =>
  Array.isArray(part)
    ? { kind: 'lines', records: part.map(record) }
    : { kind: 'record', records: [record(part as Fields)] };

/** A layout of cases with these fields. */
export const layoutOf = (part: Part, rest: Partial<Layout> = {}): Layout => ({
  ending: { kind: 'counted', name: null, min: null, max: null },
  head: null,
  shape: shapeOf(part),
  total: [],
  ...rest,
});

const withHead = (ending: Ending, part: Part, head: Part | undefined): Layout =>
  layoutOf(part, { ending, head: head === undefined ? null : shapeOf(head) });

export const counted = (part: Part, head?: Part, name: string | null = null): Layout =>
  withHead({ kind: 'counted', name, min: null, max: null }, part, head);
export const untilEnd = (part: Part, head?: Part): Layout => withHead({ kind: 'until-end' }, part, head);
export const single = (part: Part, head?: Part): Layout => withHead({ kind: 'single' }, part, head);
export const untilTerminator = (
  text: string,
  part: Part,
  when: (Ending & { kind: 'until-terminator' })['when'] = null,
): Layout => layoutOf(part, { ending: { kind: 'until-terminator', text, when } });
