/** The endings of the names of inputs and answer files, such as `data/1.in` and `data/1.ans`. */
import { existsSync } from 'node:fs';
import { withoutCompression } from './decompress.js';

/** The ending of the input files that boardmill looks for in folders. */
export const INPUT_ENDING = '.in';
/** The ending of the name of an answer file, which has the answers to an input in the format of the contest. */
export const ANSWER_ENDING = '.ans';

/** Returns the path of an input without its endings: `data/1` for `data/1.in` and `data/1.in.gz`. */
export function pathWithoutEndings(input: string): string {
  const path = withoutCompression(input);
  return path.endsWith(INPUT_ENDING) ? path.slice(0, -INPUT_ENDING.length) : path;
}

/** Returns the path of the file with the right answers: NAME.ans beside NAME.in. Returns null if there is no such file. */
export function answerFileOf(input: string): string | null {
  if (input === '-') return null;
  const path = pathWithoutEndings(input) + ANSWER_ENDING;
  return existsSync(path) ? path : null;
}
