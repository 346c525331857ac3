/** A real terminal for tests: a pane of tmux, on a server of its own, with a shell in it. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';

const run = promisify(execFile);

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

export const PROMPT = '>';

/** How long to wait for what must come at last. Nothing but a failure takes so long. */
export const PATIENCE = { timeout: 60_000, interval: 20 };

export interface TerminalOptions {
  readonly cwd: string;
  readonly columns: number;
  readonly rows: number;
}

export class Terminal {
  readonly #folder = mkdtempSync(join(tmpdir(), 'boardmill-tmux-'));

  /** Starts the shell and waits for its prompt. */
  static async open({ cwd, columns, rows }: TerminalOptions): Promise<Terminal> {
    const terminal = new Terminal();
    const size = ['-x', `${columns}`, '-y', `${rows}`];
    await terminal.#tmux('new-session', '-d', ...size, '-c', cwd, 'sh', '-i');
    await terminal.untilLines([PROMPT]);
    return terminal;
  }

  /** What the user types: text, or the name of a key as tmux knows it. */
  async type(...keys: string[]): Promise<void> {
    await this.#tmux('send-keys', ...keys);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux('resize-window', '-x', `${columns}`, '-y', `${rows}`);
  }

  /** All lines from the first on, also those that have left the screen, without empty ones. */
  async lines(): Promise<string[]> {
    const text = await this.#tmux('capture-pane', '-p', '-J', '-S', '-');
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trimEnd()]));
  }

  /** Resolves once the lines, or those that are looked at, are these and no others. */
  async untilLines(expected: readonly (string | RegExp)[], isLookedAt = (_: string) => true): Promise<void> {
    const wanted = expected.map((line) => (line instanceof RegExp ? expect.stringMatching(line) : line));
    const check = async () => expect((await this.lines()).filter(isLookedAt)).toEqual(wanted);
    await vi.waitFor(check, PATIENCE);
  }

  /** Whether the cursor is shown, whether long lines wrap, and the column of the cursor. */
  async state(): Promise<{ cursor: boolean; wrap: boolean; column: number }> {
    const text = await this.#tmux('display-message', '-p', '#{cursor_flag} #{wrap_flag} #{cursor_x}');
    const [cursor, wrap, column] = text.split(' ').map(Number);
    return { cursor: cursor === 1, wrap: wrap === 1, column };
  }

  async close(): Promise<void> {
    await this.#tmux('kill-server');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #tmux(...words: string[]): Promise<string> {
    const server = ['-S', join(this.#folder, 'socket'), '-f', '/dev/null', '-u'];
    const env = {
      ...process.env,
      PS1: `${PROMPT} `,
      LC_ALL: 'C.UTF-8',
      XDG_STATE_HOME: this.#folder,
      // A bar is for people: not for CI, and this is no pane within another tmux.
      CI: undefined,
      TMUX: undefined,
    };
    return (await run('tmux', [...server, ...words], { env, encoding: 'utf8' })).stdout;
  }
}
