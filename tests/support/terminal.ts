/** A real terminal for tests: a pane of a separate tmux server, with a shell in it. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';
import { createFolder } from './temporary-folder.js';

const run = promisify(execFile);

/** Whether tmux is installed. */
export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

/** The prompt of the shell in the terminal, without the blank after the prompt. */
export const PROMPT = '>';

/** How long a test waits for lines on the terminal. Only a failing test waits this long. */
export const PATIENCE = { timeout: 60_000, interval: 20 };

export interface TerminalOptions {
  readonly cwd: string;
  readonly columns: number;
  readonly rows: number;
}

export class Terminal {
  /** The folder of the socket and of what commands remember. A command that ends with the terminal may still write there. */
  readonly #folder = createFolder();

  /** Starts the shell and waits for its prompt. */
  static async open({ cwd, columns, rows }: TerminalOptions): Promise<Terminal> {
    const terminal = new Terminal();
    const size = ['-x', `${columns}`, '-y', `${rows}`];
    await terminal.#tmux('new-session', '-d', ...size, '-c', cwd, 'sh', '-i');
    await terminal.untilLines([PROMPT]);
    return terminal;
  }

  /** Types text, or presses a key that is given by its tmux name. */
  async type(...keys: string[]): Promise<void> {
    await this.#tmux('send-keys', ...keys);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux('resize-window', '-x', `${columns}`, '-y', `${rows}`);
  }

  /** Returns all lines of the terminal that are not empty, also lines that have scrolled off the screen. */
  async lines(): Promise<string[]> {
    const text = await this.#tmux('capture-pane', '-p', '-J', '-S', '-');
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trimEnd()]));
  }

  /** Returns the lines of the screen, also empty ones. */
  async screen(): Promise<string[]> {
    return (await this.#tmux('capture-pane', '-p')).split('\n').map((line) => line.trimEnd());
  }

  /** Resolves once the terminal shows exactly these lines. `isLookedAt` selects the lines that are compared. */
  async untilLines(expected: readonly (string | RegExp)[], isLookedAt = (_: string) => true): Promise<void> {
    const wanted = expected.map((line) => (line instanceof RegExp ? expect.stringMatching(line) : line));
    const check = async () => expect((await this.lines()).filter(isLookedAt)).toEqual(wanted);
    await vi.waitFor(check, PATIENCE);
  }

  /** Returns whether the cursor is shown, whether long lines wrap, and the column of the cursor. */
  async state(): Promise<{ cursor: boolean; wrap: boolean; column: number }> {
    const text = await this.#tmux('display-message', '-p', '#{cursor_flag} #{wrap_flag} #{cursor_x}');
    const [cursor, wrap, column] = text.split(' ').map(Number);
    return { cursor: cursor === 1, wrap: wrap === 1, column };
  }

  async close(): Promise<void> {
    await this.#tmux('kill-server');
  }

  async #tmux(...args: string[]): Promise<string> {
    const server = ['-S', join(this.#folder, 'socket'), '-f', '/dev/null', '-u'];
    const env = {
      ...process.env,
      PS1: `${PROMPT} `,
      LC_ALL: 'C.UTF-8',
      XDG_STATE_HOME: this.#folder,
      // If the variable CI were set, boardmill would draw no progress bar. If TMUX were set, tmux would refuse to start.
      CI: undefined,
      TMUX: undefined,
    };
    return (await run('tmux', [...server, ...args], { env, encoding: 'utf8' })).stdout;
  }
}
