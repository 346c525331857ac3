/** Compares the fields of a case with those that were read from their printed text. */

interface FieldDifference {
  /** Where they differ, such as `.queries[1].kind`. */
  readonly path: string;
  readonly given: unknown;
  readonly read: unknown;
}

/** Returns the first difference, or null if there is none. Arrays of any type are equal if their elements are. */
export function findRoundTripDifference(given: unknown, read: unknown): FieldDifference | null {
  if (!isObject(given) || !isObject(read)) return isSame(given, read) ? null : { path: '', given, read };
  for (const key of keysOf(given, read)) {
    const inner = findRoundTripDifference(given[key], read[key]);
    // As in the messages of the parser, elements are counted from 1.
    const step = typeof key === 'number' ? `[${key + 1}]` : `.${key}`;
    if (inner !== null) return { ...inner, path: step + inner.path };
  }
  return null;
}

type Keyed = Readonly<Record<string | number, unknown>>;

function isObject(value: unknown): value is Keyed {
  return typeof value === 'object' && value !== null;
}

/** The keys to compare. The rows of a grid as lines are compared only if they are given, because a grid need not have them. */
function* keysOf(given: Keyed, read: Keyed): Iterable<string | number> {
  if (Array.isArray(read) || ArrayBuffer.isView(read)) {
    yield 'length';
    yield* (read as ArrayLike<unknown> as unknown[]).keys();
  } else yield* new Set([...Object.keys(read), ...Object.keys(given)]);
}

/** Whether two values that are no objects are equal. A bigint may stand for a number, and the other way round. */
function isSame(given: unknown, read: unknown): boolean {
  return given === read || (isNumeric(given) && isNumeric(read) && given <= read && given >= read);
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
