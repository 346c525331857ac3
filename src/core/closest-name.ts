import { distance } from 'fastest-levenshtein';

/**
 * Returns the name that a mistyped name probably means: the one with the fewest edits. Null if no name is similar.
 */
export function closestName(word: string, names: readonly string[]): string | null {
  const wanted = word.toLowerCase();
  const ranked = names
    .map((name) => ({ name, edits: distance(wanted, name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best !== undefined && best.edits <= Math.max(2, wanted.length * 0.4) ? best.name : null;
}
