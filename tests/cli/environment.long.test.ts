/** The commands that environment.test.ts leaves out: which environment variables their programs get. */
import { test } from 'vitest';
import { folderForEachTest } from '../support/temporary-folder.js';
import { COMMANDS, expectQueueHidden, STARTING_COMMANDS } from './environment-spy.js';

const folder = folderForEachTest();

test.each(Object.keys(COMMANDS).filter((name) => !STARTING_COMMANDS.includes(name)))(
  'a program of %s gets the environment of the user without the URL of the queue',
  async (name) => {
    await expectQueueHidden(folder, COMMANDS[name]);
  },
);
