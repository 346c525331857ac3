/** Test that follows docs/setters.md as a reader does, in a folder that is empty at first. */
import { expect, test } from 'vitest';
import { temporaryFolder } from '../cli/boardmill.js';
import { followPage } from '../support/page.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

test('the commands from a statement to a tested package print what the page shows', async () => {
  const { files, commands } = await followPage('docs/setters.md', temporaryFolder());
  expect(files).toBe(9);
  expect(commands).toBe(13);
});
