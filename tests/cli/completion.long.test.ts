/** Tests of the completion scripts in real shells. The command lines that completion.test.ts tries in bash are left out here. */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findOption, optionsOfCommand } from '../../src/cli/arguments/syntax.js';
import { COMMANDS, commandName } from '../../src/cli/command-list.js';
import { SHELLS, type Shell } from '../../src/cli/completion/shells.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { COMMAND_LINES, isTriedInBash, makeFilledHome, offeredWords } from './completion-lines.js';
import { askFish, makeHome, reasonToSkip, typeInto } from './shells.js';

allowSlowTests();

const home = makeFilledHome();

/** Returns the name of the shell and, if its tests are skipped, the reason. */
function titleOf(shell: Shell): string {
  const reason = reasonToSkip(shell);
  return reason === null ? shell : `${shell} (skipped: ${reason})`;
}

for (const shell of SHELLS) {
  describe.skipIf(reasonToSkip(shell) !== null)(`completion in ${titleOf(shell)}`, () => {
    const lines = COMMAND_LINES.filter(([start, word]) => shell !== 'bash' || !isTriedInBash(start, word));

    test.each(lines)('the shell completes: boardmill %s%s', async (start, word, expectedWords) => {
      expect(await offeredWords(shell, home, start, word)).toEqual([...expectedWords].sort());
    });
  });
}

for (const shell of ['bash', 'zsh'] as const) {
  describe.skipIf(reasonToSkip(shell) !== null)(`completion at a terminal in ${titleOf(shell)}`, () => {
    test.each([
      ['bi', 'big\\ one.in '],
      ['"bi', '"big one.in" '],
      ["'bi", "'big one.in' "],
    ])('the shell quotes the completed file name after %s', async (word, completed) => {
      const { line } = await typeInto(shell, `boardmill solve bt ${word}`, home);
      expect(line).toBe(`boardmill solve bt ${completed}`);
    });

    test.each(['"it\'s', "'", 'a "b" "', '\\'])(
      'completion prints no error after the word %s',
      async (word) => {
        const { line, screen } = await typeInto(shell, `boardmill solve bt ${word}`, home);
        expect(line).toMatch(/^boardmill solve bt /);
        expect(screen).not.toMatch(/boardmill:|unexpected|unmatched|error|not found/i);
      },
    );

    test('completion prints nothing if boardmill fails', async () => {
      const broken = makeHome();
      writeFileSync(join(broken.folder, 'bin/boardmill'), '#!/bin/sh\necho complaint >&2\nexit 1\n');
      const { line, screen } = await typeInto(shell, 'boardmill solve b', broken);
      expect(line).toBe('boardmill solve b');
      expect(screen).not.toContain('complaint');
    });
  });
}

describe.skipIf(reasonToSkip('zsh') !== null)(titleOf('zsh'), () => {
  test('zsh completes if the script is sourced after compinit', async () => {
    const sourcing = makeHome();
    rmSync(join(sourcing.folder, 'functions/_boardmill'));
    appendFileSync(join(sourcing.folder, '.zshrc'), 'source <(boardmill completion zsh)\n');
    expect((await typeInto('zsh', 'boardmill sol', sourcing)).line).toBe('boardmill solve ');
  });

  test('zsh shows the descriptions of commands', async () => {
    const { screen } = await typeInto('zsh', 'boardmill s', home);
    expect(screen).toContain(`-- ${describeCommand('split')}`);
  });
});

describe.skipIf(reasonToSkip('fish') !== null)(`descriptions in ${titleOf('fish')}`, () => {
  test('fish shows the descriptions of commands', () => {
    expect(askFish('boardmill s', home).get('split')).toBe(describeCommand('split'));
  });

  test('fish shows the descriptions of options', async () => {
    const { syntax } = await import('../../src/cli/commands/solve.js');
    const force = findOption(optionsOfCommand(syntax), 'force');
    expect(askFish('boardmill solve bt --for', home).get('--force')).toBe(force?.describe);
  });

  test('fish shows the name of the problem as the description of an alias', () => {
    expect(askFish('boardmill solve z', home).get('zu')).toBe('river-pawn');
  });
});

function describeCommand(name: string): string | undefined {
  return COMMANDS.find(({ usage }) => commandName(usage) === name)?.description;
}
