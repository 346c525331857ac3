/** Files with a line of JSON for each thing that is done. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

export function append(path, value) {
  appendFileSync(path, `${JSON.stringify(value)}\n`);
}

export function readLines(path) {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}
