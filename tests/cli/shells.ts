/** Asks real shells how a command line may go on. bash and zsh are typed into, at a terminal made by `script`. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Shell } from '../../src/cli/completion/shells.js';
import { MAIN, temporaryFolder } from './boardmill.js';

/** What a shell makes of a line that ends where the user presses Tab. */
export interface Completed {
  /** The line with all completions inserted, one after another, as the shell quotes them. */
  readonly line: string;
  /** All that the terminal showed. */
  readonly screen: string;
}

/** A home with completion installed for all shells as the README says, and a folder to be in. */
export interface Home {
  readonly folder: string;
  readonly work: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Why the shell cannot be asked here; null: it can. */
export function whyNot(shell: Shell): string | null {
  if (spawnSync(shell, ['--version']).status !== 0) return `${shell} is not installed`;
  if (shell === 'fish') return null;
  const script = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout;
  return script?.includes('util-linux') ? null : 'script of util-linux is not installed';
}

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

/** The prompt; and what stands around the line when it is shown. */
const PROMPT = 'type now';
const [OPEN, CLOSE] = ['<<<', '>>>'];
/** Keys that insert all completions, and that show the line and leave. */
const INSERT_ALL = '\x18i';
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

/** Types the line, and has the shell insert all completions. */
export async function typeInto(shell: 'bash' | 'zsh', line: string, home: Home): Promise<Completed> {
  const terminal = spawn('script', ['-qfec', COMMANDS[shell], '/dev/null'], {
    cwd: home.work,
    env: { ...home.env, SHELL: '/bin/sh' },
  });
  terminal.stdin.on('error', () => {});
  const screen = await readUntil(terminal, PROMPT, () => {
    terminal.stdin.write(`${line}${INSERT_ALL}${SHOW_LINE}`);
  });
  const at = screen.lastIndexOf(OPEN);
  if (at === -1) throw new Error(`${shell} did not show its line:\n${screen}`);
  return { line: screen.slice(at + OPEN.length, screen.indexOf(CLOSE, at)), screen };
}

/** All that the terminal shows; calls `act` once it shows `text`. */
async function readUntil(
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

/** What fish would offer after this line: words, each with its description. */
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
