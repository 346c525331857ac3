/**
 * Changes the text of a case at random. The changes do not depend on the input format: they exchange characters, tokens and
 * lines, also with those of another case. Most changed texts are not valid cases, so the caller tries again until one is.
 */
import { isWhitespace, LF } from '../../core/bytes.js';
import type { Random } from '../../core/random.js';
import type { Range } from '../../core/range.js';

/** Returns a copy of the text with one random change. `donor` is another case, from which text may be taken. */
export function mutateCaseText(text: Uint8Array, donor: Uint8Array, random: Random): Uint8Array {
  return random.pick(CHANGES)(text, donor, random);
}

type Change = (text: Uint8Array, donor: Uint8Array, random: Random) => Uint8Array;

const CHANGES: readonly Change[] = [
  swapCharacters,
  takeCharacter,
  takeCharacter,
  swapParts(tokensOf),
  takePart(tokensOf),
  swapParts(linesOf),
  takePart(linesOf),
  takeSegment,
];

/** A random number below `bound`, which may be large. */
function below(random: Random, bound: number): number {
  return Math.floor((random.word() / 2 ** 32) * bound);
}

/** Returns the index of a random character that is not whitespace; -1 if none was found. */
function pickCharacter(text: Uint8Array, random: Random): number {
  for (let tries = 0; tries < 20; tries++) {
    const at = below(random, text.length);
    if (text.length > 0 && !isWhitespace(text[at])) return at;
  }
  return -1;
}

function swapCharacters(text: Uint8Array, _donor: Uint8Array, random: Random): Uint8Array {
  const [one, other] = [pickCharacter(text, random), pickCharacter(text, random)];
  if (one < 0 || other < 0) return text;
  const changed = new Uint8Array(text);
  [changed[one], changed[other]] = [text[other], text[one]];
  return changed;
}

function takeCharacter(text: Uint8Array, donor: Uint8Array, random: Random): Uint8Array {
  const [to, from] = [pickCharacter(text, random), pickCharacter(donor, random)];
  if (to < 0 || from < 0) return text;
  const changed = new Uint8Array(text);
  changed[to] = donor[from];
  return changed;
}

/** Copies bytes of the donor to the same offset of the text, if the donor is as long as the text. */
function takeSegment(text: Uint8Array, donor: Uint8Array, random: Random): Uint8Array {
  if (donor.length !== text.length) return text;
  const from = below(random, text.length);
  const changed = new Uint8Array(text);
  changed.set(donor.subarray(from, from + 1 + below(random, text.length - from)), from);
  return changed;
}

type FindParts = (text: Uint8Array) => Range[];

/** Exchanges two tokens or two lines. */
function swapParts(find: FindParts): Change {
  return (text, _donor, random) => {
    const parts = find(text);
    if (parts.length < 2) return text;
    const picked = [parts[below(random, parts.length)], parts[below(random, parts.length)]];
    const [first, second] = picked.sort((a, b) => a.from - b.from);
    if (first === second) return text;
    return Buffer.concat([
      text.subarray(0, first.from),
      text.subarray(second.from, second.to),
      text.subarray(first.to, second.from),
      text.subarray(first.from, first.to),
      text.subarray(second.to),
    ]);
  };
}

/** Replaces a token by a token of the donor, or a line by a line of the donor. */
function takePart(find: FindParts): Change {
  return (text, donor, random) => {
    const [own, others] = [find(text), find(donor)];
    if (own.length === 0 || others.length === 0) return text;
    const to = own[below(random, own.length)];
    const from = others[below(random, others.length)];
    const part = donor.subarray(from.from, from.to);
    return Buffer.concat([text.subarray(0, to.from), part, text.subarray(to.to)]);
  };
}

/** The tokens of a text; `to` is the index after a token. */
function tokensOf(text: Uint8Array): Range[] {
  return partsOf(text, isWhitespace);
}

/** The lines of a text without their line ends; `to` is the index after a line. */
function linesOf(text: Uint8Array): Range[] {
  return partsOf(text, (byte) => byte === LF);
}

function partsOf(text: Uint8Array, isBetween: (byte: number) => boolean): Range[] {
  const parts: Range[] = [];
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !isBetween(text[at])) continue;
    if (at > from) parts.push({ from, to: at });
    from = at + 1;
  }
  return parts;
}
