/** The files that a command's `inputs` stand for. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BoardmillError, systemReason } from '../core/errors.js';
import { kindOf } from '../engine/files.js';
import { usageError } from './parse-options.js';

export const INPUT_ENDING = '.in';

export interface InputFiles {
  readonly files: readonly string[];
  /** Whether a folder was among the words: then there may be many, however few there are today. */
  readonly hasFolder: boolean;
}

/**
 * A folder stands for all `*.in` in it and below, in the order of their names: the layout of Kattis and
 * BAPCtools (`data/sample`, `data/secret`, and groups below) works from any of its levels.
 */
export async function expandInputs(words: readonly string[]): Promise<InputFiles> {
  const files: string[] = [];
  let hasFolder = false;
  for (const word of words.length === 0 ? ['-'] : words) {
    if (word === '-' || (await kindOf(word)) !== 'directory') {
      files.push(word);
      continue;
    }
    const inside = await inputsIn(word);
    if (inside.length === 0) throw usageError(`${word} is a folder without any *${INPUT_ENDING}`);
    files.push(...inside);
    hasFolder = true;
  }
  return { files, hasFolder };
}

async function inputsIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder, { recursive: true });
    return names
      .filter((name) => name.endsWith(INPUT_ENDING))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    throw new BoardmillError('file', `cannot open ${folder}: ${systemReason(error)}`, { cause: error });
  }
}
