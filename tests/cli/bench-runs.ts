/** The inputs and programs with which tests run `boardmill bench`. No test checks a measured time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ROOT } from './boardmill.js';

export const SAMPLE = join(ROOT, 'data/bacterial-tactics/sample/statement.in');
const ANSWERS = join(ROOT, 'data/bacterial-tactics/sample/statement.ans');

/** Options for two rounds, which is the least with an order that can be reversed. */
export const TWO_RUNS = ['--runs', '2', '--warmup', '0'];
export const ONE_RUN = ['--runs', '1', '--warmup', '0'];

/** Creates a folder for the calling file, and functions that write programs into it. */
export function createPrograms() {
  const folder = temporaryFolder();
  /** Writes a shell script. Returns the command that runs it. */
  const writeProgram = (name: string, script: string): string => {
    const path = join(folder, `${name}.sh`);
    writeFileSync(path, script);
    return `sh '${path}'`;
  };
  /** Returns the command of a program with a long name, which prints the right answers to SAMPLE. */
  const rightProgram = () => writeProgram('a-program-with-a-long-name-'.repeat(3), `cat '${ANSWERS}'`);
  return { folder, writeProgram, rightProgram };
}

/** Returns the length of the longest line of a text. */
export function longestLine(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length));
}

/** Returns the number of blocks of columns into which the summary of bench is broken. */
export function countBlocks(text: string): number | undefined {
  return text.split('Where time goes')[0].match(/^program/gm)?.length;
}
