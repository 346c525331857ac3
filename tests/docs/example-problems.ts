/** The problems of the folder examples/. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../cli/boardmill.js';

export const FOLDER = join(ROOT, 'examples');

/** The files that describe problems, by their paths in the folder. */
export const PROBLEMS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /^[\w-]+\.mjs$|^([\w-]+)\/\1\.(?:mjs|ctd)$/.test(path),
);

export function withoutEnding(path: string): string {
  return path.replace(/\.\w+$/, '');
}
