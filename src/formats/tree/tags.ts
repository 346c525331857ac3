/** Finds the variant of an `either` by its tag, and counts the records of a list for each tag. */
import { decodeLatin1, encodeUtf8, utf8AsLatin1 } from '../../core/bytes.js';
import type { EitherField } from '../language/tree.js';
import { type SlotScope, type SlotValues, slotNameOfTagCount } from './compile-expression.js';

interface Tag {
  readonly text: string;
  /** Index of the tag among all tags of the field. */
  readonly index: number;
  /** Index of the variant that has the tag. */
  readonly variant: number;
}

type FindVariant = (bytes: Uint8Array, from: number, to: number) => Tag | null;

/** Compiles the search for the tag in bytes[from, to). The search returns null if the field has no such tag. */
export function compileTagSearch(field: EitherField): FindVariant {
  const tags = listTags(field);
  const shortTags: (Tag | undefined)[] = new Array(256).fill(undefined);
  const longTags = new Map<string, Tag>();
  let longest = 0;
  for (const tag of tags) {
    const bytes = encodeUtf8(tag.text);
    if (bytes.length === 1) shortTags[bytes[0]] = tag;
    else longTags.set(utf8AsLatin1(tag.text), tag);
    longest = Math.max(longest, bytes.length);
  }
  return (bytes, from, to) => {
    if (to - from === 1) return shortTags[bytes[from]] ?? null;
    return to - from > longest ? null : (longTags.get(decodeLatin1(bytes, from, to)) ?? null);
  };
}

function listTags(field: EitherField): Tag[] {
  return field.variants
    .flatMap(({ tags }, variant) => tags.map((text) => ({ text, variant })))
    .map((tag, index) => ({ ...tag, index }));
}

/** The slots of an environment that count the records of a list for each tag. */
export class TagSlots {
  readonly #slots: readonly number[];

  constructor(list: string, field: EitherField, scope: SlotScope) {
    this.#slots = listTags(field).map(({ text }) => scope.declare(slotNameOfTagCount(list, text)));
  }

  reset(environment: SlotValues): void {
    for (const slot of this.#slots) environment[slot] = 0;
  }

  count(environment: SlotValues, tag: Tag): void {
    environment[this.#slots[tag.index]]++;
  }
}
