/** Pages in the package have no relative link to a file that the package does not have. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../cli/boardmill.js';

const REPOSITORY = /^https:\/\/github\.com\/boardmill\/boardmill\/(?:blob|tree)\/main\/([^#?]+)/;
const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
const PAGES = ['README.md', ...files.filter((file) => file.endsWith('.md'))];

test.each(PAGES)('links of %s lead to packaged files or to existing files of the repository', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  for (const [, target] of text.matchAll(/\]\(([^)#\s][^)\s]*)\)/g)) {
    const inRepository = REPOSITORY.exec(target)?.[1];
    if (inRepository !== undefined) expect(existsSync(join(ROOT, inRepository)), target).toBe(true);
    else if (!/^https?:/.test(target))
      expect(PAGES, target).toContain(normalize(join(dirname(page), target.split('#')[0])));
  }
});
