/** Comments have one width. The formatter of the code breaks no comment. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../cli/boardmill.js';

const MAX_COMMENT_WIDTH = 128;

test.each(['src', 'workers'])('no comment in %s is wider than others', (folder) => {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  const sources = names.filter((name) => /\.tsx?$/.test(name));
  expect(sources.length).toBeGreaterThan(10);
  const wide = sources.flatMap((name) => {
    const lines = readFileSync(join(ROOT, folder, name), 'utf8').split('\n');
    return lines.flatMap((line, index) => (isWideComment(line) ? [`${folder}/${name}:${index + 1}`] : []));
  });
  expect(wide).toEqual([]);
});

function isWideComment(line: string): boolean {
  return line.length > MAX_COMMENT_WIDTH && /^\s*(?:\/\/|\/?\*)/.test(line);
}
