/** Asks real shells for completions. Command lines are typed into bash and zsh on a terminal that `script` creates. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Shell } from '../../src/cli/completion/shells.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { MAIN } from './boardmill.js';

/** The outcome of completing a command line in a shell. */
export interface Completed {
  /** The command line after the shell has inserted all completions, quoted as the shell does it. */
  readonly line: string;
  /** All text that the terminal showed. */
  readonly screen: string;
}

/** A home folder in which completion is installed for all shells as the README says. */
export interface Home {
  /** Path of the home folder. */
  readonly folder: string;
  /** Path of the folder in which the shells start. */
  readonly work: string;
  /** The environment variables of the shells. */
  readonly env: NodeJS.ProcessEnv;
}

/** Returns why the tests of a shell are skipped on this machine, or null if they run. */
export function reasonToSkip(shell: Shell): string | null {
  if (spawnSync(shell, ['--version']).status !== 0) return `${shell} is not installed`;
  if (shell === 'fish') return null;
  const script = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout;
  return script?.includes('util-linux') ? null : 'script of util-linux is not installed';
}

/** Creates a home folder with completion for all shells. */
export function makeHome(): Home {
  const folder = temporaryFolder();
  const work = join(folder, 'work');
  for (const path of ['bin', 'work']) mkdirSync(join(folder, path));
  const launcher = join(folder, 'bin/boardmill');
  writeFileSync(launcher, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(launcher, 0o755);
  const env = {
    HOME: folder,
    ZDOTDIR: folder,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TERM: 'xterm',
  };
  const script = (shell: Shell) =>
    execFileSync(launcher, ['completion', shell], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const save = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  save('.bashrc', `${BASHRC}${script('bash')}`);
  save('.zshrc', ZSHRC);
  save('functions/_boardmill', script('zsh'));
  save('.config/fish/completions/boardmill.fish', script('fish'));
  return { folder, work, env };
}

/** The prompt of the shells. When it appears, the shell is ready for input. */
const PROMPT = 'type now';
/** The text before and after the command line when the shell shows it. */
const [OPEN, CLOSE] = ['<<<', '>>>'];
/** The keys that make the shell insert all completions. */
const INSERT_ALL = '\x18i';
/** The keys that make the shell show the command line and exit. */
const SHOW_LINE = '\x18s';

const BASHRC = `
PS1='${PROMPT}'
bind 'set enable-bracketed-paste off'
show_line() { printf '${OPEN}%s${CLOSE}' "$READLINE_LINE"; exit; }
bind '"\\C-xi": insert-completions'
bind -x '"\\C-xs": show_line'
`;

const ZSHRC = `
PS1='${PROMPT}'
fpath=(~/functions $fpath)
autoload -Uz compinit && compinit -u
insert-all() { comppostfuncs=(choose-all); zle complete-word }
choose-all() { compstate[insert]=all; compstate[list]='list force' }
show-line() { printf '${OPEN}%s${CLOSE}' "$BUFFER"; exit }
zle -N insert-all
zle -N show-line
bindkey '^Xi' insert-all '^Xs' show-line
`;

const COMMANDS = { bash: 'bash -i', zsh: 'zsh -d -i' } as const;

/** Types a command line into a shell, lets the shell insert all completions, and returns the outcome. */
export async function typeInto(shell: 'bash' | 'zsh', line: string, home: Home): Promise<Completed> {
  const terminal = spawn('script', ['-qfec', COMMANDS[shell], '/dev/null'], {
    cwd: home.work,
    env: { ...home.env, SHELL: '/bin/sh' },
  });
  terminal.stdin.on('error', () => {});
  const screen = await readScreen(terminal, PROMPT, () => {
    terminal.stdin.write(`${line}${INSERT_ALL}${SHOW_LINE}`);
  });
  const start = screen.lastIndexOf(OPEN);
  if (start === -1) throw new Error(`${shell} did not show its line:\n${screen}`);
  return { line: screen.slice(start + OPEN.length, screen.indexOf(CLOSE, start)), screen };
}

/** Returns all text that the terminal shows until it closes. Calls `act` when `text` appears first. */
async function readScreen(
  terminal: ChildProcessWithoutNullStreams,
  text: string,
  act: () => void,
): Promise<string> {
  let screen = '';
  let isWaiting = true;
  terminal.stdout.setEncoding('utf8');
  for await (const piece of terminal.stdout) {
    screen += piece;
    if (!isWaiting || !screen.includes(text)) continue;
    isWaiting = false;
    act();
  }
  return screen;
}

/** Returns the words that fish offers at the end of a command line, each with its description. */
export function askFish(line: string, home: Home): Map<string, string> {
  const { stdout, stderr } = spawnSync('fish', ['-c', 'complete -C "$LINE"'], {
    cwd: home.work,
    env: { ...home.env, LINE: line },
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  const lines = stdout.split('\n').filter((each) => each !== '');
  return new Map(lines.map((each) => each.split('\t') as [string, string]));
}
