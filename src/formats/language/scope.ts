import { closestName } from '../../core/closest-name.js';
import type { NameInExpression } from './expression.js';
import { tagsOfEither } from './shapes.js';
import type { Field, RecordTree } from './tree.js';

/**
 * The names that an expression may use at one place of a format: those of the fields that are read before it. A name of
 * an inner record hides the same name of an outer record.
 */
export class FieldScope {
  readonly #outer: FieldScope | null;
  /** All fields of the records, including fields that are not read yet. */
  readonly #fields = new Map<string, Field>();
  readonly #read = new Set<string>();

  constructor(records: readonly RecordTree[], outer: FieldScope | null) {
    this.#outer = outer;
    for (const { name, field } of records.flatMap((record) => record.fields)) this.#fields.set(name, field);
  }

  has(name: string): boolean {
    return this.#read.has(name);
  }

  /** Allows later expressions to name this field. */
  add(name: string): void {
    this.#read.add(name);
  }

  /** Returns the field with this name; null if the input has no such field before the expression. */
  find(name: string): Field | null {
    return (this.#read.has(name) ? this.#fields.get(name) : this.#outer?.find(name)) ?? null;
  }

  /** Returns why an expression may not use the name, as the end of a sentence; null if it may use the name. */
  findMistake(used: NameInExpression): string | null {
    return used.kind === 'name' ? this.#findIntMistake(used.name) : this.#findCountMistake(used);
  }

  #findIntMistake(name: string): string | null {
    const field = this.find(name);
    if (field === null) return this.#explainUnknown('int', name, isIntegerField);
    return isIntegerField(field) ? null : `"${name}" is no int, and expressions may name only int and bigint`;
  }

  #findCountMistake({ list, tag }: { readonly list: string; readonly tag: string }): string | null {
    const field = this.find(list);
    if (field === null) return this.#explainUnknown('list', list, isTaggedList);
    const tags = tagsOfList(field);
    if (tags === null) return `"${list}" is no list of either(...), and only such a list has tags to count`;
    return tags.includes(tag) ? null : `the list "${list}" has no tag "${tag}"${didYouMean(tag, tags)}`;
  }

  #explainUnknown(kind: string, name: string, isUsable: (field: Field) => boolean): string {
    if (this.isReadLater(name)) return `"${name}" is read after it`;
    return `no ${kind} "${name}" is read before it${didYouMean(name, this.usableNames(isUsable))}`;
  }

  /** Whether there is a field with this name that is read only later. */
  isReadLater(name: string): boolean {
    return this.#fields.has(name) || (this.#outer?.isReadLater(name) ?? false);
  }

  /** The names that a message may suggest for a mistyped one: of whole numbers, or of fields that `isUsable` accepts. */
  usableNames(isUsable: (field: Field) => boolean = isIntegerField): string[] {
    const own = [...this.#read].filter((name) => isUsable(this.#fields.get(name) as Field));
    return [...own, ...(this.#outer?.usableNames(isUsable) ?? [])];
  }
}

/** Whether the field is a whole number. Only these fields may be named in expressions. */
export function isIntegerField(field: Field): boolean {
  return field.kind === 'scalar' && field.of !== 'number';
}

function isTaggedList(field: Field): boolean {
  return tagsOfList(field) !== null;
}

/** Returns all tags of a list of an `either`; null for any other field. */
function tagsOfList(field: Field): string[] | null {
  if (field.kind !== 'list' || field.of.kind !== 'either') return null;
  return tagsOfEither(field.of);
}

/** Returns the end of a sentence that suggests the most similar name; empty if no name is similar. */
export function didYouMean(name: string, names: readonly string[]): string {
  const closest = closestName(name, names);
  return closest === null ? '' : ` (did you mean "${closest}"?)`;
}
