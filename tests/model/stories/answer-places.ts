/** Where the answers to the inputs of a folder go, and the options that say so. */
import fc from 'fast-check';
import type { Format } from '../answers.js';

export const PLACES = { beside: [], ending: ['--ext', '.out'], folder: ['--out-dir', 'answers'] } as const;
export type Place = keyof typeof PLACES;
export const PLACE_NAMES = Object.keys(PLACES) as Place[];
export const anyPlace: fc.Arbitrary<Place> = fc.constantFrom(...PLACE_NAMES);

const ENDINGS = { text: '.ans', ndjson: '.ndjson', csv: '.csv' } as const;

/** Returns the path of the answers to an input of the folder `data`. */
export function answersTo(input: string, place: Place, format: Format): string {
  const ending = place === 'ending' ? '.out' : ENDINGS[format];
  return input.replace(/\.in(\.gz)?$/, ending).replace(/^data/, place === 'folder' ? 'answers' : 'data');
}
