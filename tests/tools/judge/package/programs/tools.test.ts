/** How installed tools are asked for their paths. */
import { delimiter } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { CommandRunner } from '../../../../../src/tools/judge/package/programs/command-runner.js';
import { ToolFinder } from '../../../../../src/tools/judge/package/programs/tools.js';
import { folderForEachTest } from '../../../../support/temporary-folder.js';
import { writePackage } from '../package-folder.js';

const folder = folderForEachTest();

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a tool is asked outside of the current folder, which may be a package that says which tool to run', async () => {
  writePackage(folder.at('bin'), { where: '#!/bin/sh\npwd\n' });
  vi.stubEnv('PATH', `${folder.at('bin')}${delimiter}${process.env.PATH}`);
  const tools = new ToolFinder(new CommandRunner({ PATH: process.env.PATH }, null));
  expect(await tools.find({ tools: ['where'], words: [] }, ['?'])).toBe('/');
});
