/** Test that follows docs/explain.md as a reader does, in a folder that is empty at first. */
import { expect, test } from 'vitest';
import { temporaryFolder } from '../cli/boardmill.js';
import { followPage } from '../support/page.js';

test('the commands of the page on explanations print what the page shows', async () => {
  const { files, commands } = await followPage('docs/explain.md', temporaryFolder());
  expect({ files, commands }).toEqual({ files: 1, commands: 9 });
});
