/** A large input, of which workers scan most, and runs that read it from a FIFO. */
import { createWriteStream } from 'node:fs';
import { Random } from '../support/random.js';
import type { TestFolder } from '../support/temporary-folder.js';
import { boardmill, exitOf, start, textOf } from './boardmill.js';

/** Chunks of this size are large enough for workers to scan the rest, however fast the machine is. */
const CHUNK = '300K';
/** More than two processors can run: the last ones start while the pipe is read. */
const WORKERS = '4';

/** The input has more than one segment of memory: 5 MB. All cases have the same length. */
export const CASES = 40_000;
export const PART_CASES = 30_000;
/** So many boards are different. The number is prime, so chunks do not begin with the same board. */
const BOARDS = 997;
const random = new Random(47);
const row = () => `${Array.from({ length: 12 }, () => random.pick('LRX')).join('')}\n`;
const boards = Array.from({ length: BOARDS }, () => `9 12\n${Array.from({ length: 9 }, row).join('')}`);
const casesUpTo = (count: number) => Array.from({ length: count }, (_, i) => boards[i % BOARDS]).join('');
export const LINES_PER_CASE = 10;
export const WHOLE = casesUpTo(CASES);
export const PART = casesUpTo(PART_CASES);
export const CASE_LENGTH = WHOLE.length / CASES;

/** The answers to the whole input. */
export const ANSWERS = boardmill(['solve', 'darkraft', '-'], { stdin: WHOLE }).then(({ stdout }) => stdout);

/** Starts boardmill with a FIFO as its input, and writes the text into the FIFO, which stays open. */
export function startWithFifo(folder: TestFolder, text: string, args: readonly string[] = []) {
  const child = start(['solve', 'darkraft', 'fifo', '-j', WORKERS, '--chunk', CHUNK, ...args], {
    cwd: folder.path,
  });
  const writer = createWriteStream(folder.at('fifo'));
  // boardmill may end before it has read everything.
  writer.on('error', () => {});
  writer.write(text);
  return { child, writer, ended: exitOf(child), stderr: textOf(child.stderr) };
}
