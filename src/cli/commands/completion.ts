/** `boardmill completion`: the script that makes a shell complete boardmill's words. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Argv } from 'yargs';
import type { ArgumentsOf } from '../command.js';
import { isShell, SHELLS, type Shell } from '../completion/shells.js';
import { EXIT } from '../exit.js';

const EPILOGUE = `To install it, once:
  bash:  boardmill completion bash >> ~/.bashrc
  zsh:   boardmill completion zsh > "\${fpath[1]}/_boardmill"
  fish:  boardmill completion fish > ~/.config/fish/completions/boardmill.fish
In zsh, ~/.zshrc must run compinit. The script asks boardmill at each Tab, so updates need no new script.`;

export function options(words: Argv) {
  return words
    .positional('shell', { choices: SHELLS, describe: 'default: the shell that $SHELL names, or bash' })
    .epilogue(EPILOGUE);
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  const shell = args.shell ?? usersShell();
  process.stdout.write(await readFile(new URL(`../completion/boardmill.${shell}`, import.meta.url)));
  return EXIT.ok;
}

function usersShell(): Shell {
  const name = basename(process.env.SHELL ?? '');
  return isShell(name) ? name : 'bash';
}
