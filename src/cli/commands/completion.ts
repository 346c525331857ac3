/** `boardmill completion`: prints the script with which a shell completes boardmill's commands and options. */

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { INSTALLATION_FOLDER } from '../../core/installation.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import * as row from '../arguments/rows.js';
import { isShell, SHELLS, type Shell } from '../completion/shells.js';
import { EXIT_CODE } from '../exit.js';

const EPILOGUE = `To install the script, run one of these commands once:
  bash:  boardmill completion bash >> ~/.bashrc
  zsh:   boardmill completion zsh > "\${fpath[1]}/_boardmill"
  fish:  boardmill completion fish > ~/.config/fish/completions/boardmill.fish
In zsh, ~/.zshrc must run compinit. The script asks boardmill on each Tab, so it does not have to be reinstalled after an update of boardmill.`;

export const syntax = {
  arguments: {
    shell: row.choiceArgument(
      SHELLS,
      'the shell to print the script for (default: the shell in $SHELL, else bash)',
    ),
  },
  options: {},
  notes: EPILOGUE,
} satisfies CommandSyntax;

export async function run(args: CommandLineValues<typeof syntax>): Promise<number> {
  const shell = args.shell ?? usersShell();
  process.stdout.write(await readFile(new URL(`src/cli/completion/boardmill.${shell}`, INSTALLATION_FOLDER)));
  return EXIT_CODE.ok;
}

/** Returns the shell that the variable $SHELL names. If boardmill has no script for that shell, returns bash. */
function usersShell(): Shell {
  const name = basename(process.env.SHELL ?? '');
  return isShell(name) ? name : 'bash';
}
