/** docs/pairs.md has each option. pairs.long.test.ts tries the options, but of one command that the seed draws. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS, commandName } from '../../src/cli/command-list.js';
import { ROOT } from '../cli/boardmill.js';

const SECTIONS = readFileSync(join(ROOT, 'docs/pairs.md'), 'utf8').split(/^## /m).slice(1);

test.each(SECTIONS.map((text) => [text.split('\n')[0], text]))(
  'the section %s has the options of its command, which `npm run pairs` has tried',
  async (title, section) => {
    const command = COMMANDS.find(({ usage }) => commandName(usage) === title.split(' ')[0])!;
    const { syntax } = await command.load();
    const tried = new Set([...section.matchAll(/`--([\w-]+)/g)].map(([, name]) => name));
    expect([...tried]).toEqual(expect.arrayContaining(Object.keys(syntax.options)));
  },
);
