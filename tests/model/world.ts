/** The driver: a folder in which a scenario happens. It notes what was done, so that a failure can be repeated by hand. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import {
  exitOf,
  MAIN,
  type Outcome,
  boardmill as ownProcess,
  shell,
  start,
  textOf,
} from '../cli/boardmill.js';
import { boardmill, MAX_STDIN_BYTES } from '../cli/in-turn.js';
import { makePipe } from '../support/pipe.js';
import { removeFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { type Format, hideWords } from './answers.js';
import type { Verdict } from './model.js';

/** A difference between the model and the program. */
export class Difference extends Error {
  override readonly name = 'Difference';
}

/** What an outcome of a run must be. What is missing does not matter. */
export interface Expected {
  readonly codes: readonly Outcome['code'][];
  /** Whether the text on standard output, without the words of errors, is possible. */
  readonly stdout?: (text: string) => boolean;
  /** The beginnings of the lines that report faults of inputs. */
  readonly errors?: readonly string[];
}

/** Lines of standard error that tell of no fault in an input. */
const NOTES = [
  /is up to date$/,
  /^boardmill: \d+ files? solved/,
  /^boardmill: there is no checkpoint of \S+: starting from the beginning$/,
  /^boardmill: (stopped by )?SIG\w+/,
  /answers? (was|were) compared with those to symmetric twins/,
];

/** A run that takes longer than this hangs. It is killed, so that a search goes on, and the scenario fails. */
const MAX_SECONDS = 60;
const LIMIT = { timeout: MAX_SECONDS * 1000, killSignal: 'SIGKILL' } as const;
/** The same limit for the runs of a line of shell. */
const LIMIT_IN_SHELL = `boardmill() { timeout --foreground -s KILL ${MAX_SECONDS} '${process.execPath}' '${MAIN}' "$@"; }`;

/** Longest text that is shown whole when a scenario fails. */
const SHOWN_BYTES = 3000;

export class World {
  readonly folder: string;
  /** The names of files that the scenario has put there itself. */
  readonly #given = new Set<string>();
  readonly #log: string[] = [];

  constructor(root: string) {
    this.folder = mkdtempSync(join(root, 'world-'));
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  put(name: string, bytes: Uint8Array): void {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), name.endsWith('.gz') ? gzipSync(bytes) : bytes);
    this.#given.add(name);
    this.note(`${name}: ${shown(Buffer.from(bytes).toString('latin1'))}`);
  }

  /** Writes into a file that boardmill has written, and which is expected as before. */
  overwrite(name: string, text: string): void {
    writeFileSync(this.at(name), text);
    this.note(`${name} is overwritten: ${shown(text)}`);
  }

  /** Forgets a file, which is gone or has become an output. */
  forget(name: string): void {
    rmSync(this.at(name), { force: true });
    this.#given.delete(name);
  }

  note(text: string): void {
    this.#log.push(text);
  }

  read(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }

  /** Returns the size of a file; 0 if it is missing. At its start, a run makes an empty FILE.partial for a moment. */
  size(name: string): number {
    return statSync(this.at(name), { throwIfNoEntry: false })?.size ?? 0;
  }

  has(name: string): boolean {
    return existsSync(this.at(name));
  }

  // ---- runs ----

  /** Runs boardmill with a pipe as standard input: in the process that command lines share, if the pipe can hold all of it. */
  async run(args: readonly string[], stdin: Uint8Array = new Uint8Array()): Promise<Outcome> {
    this.note(`$ boardmill ${args.join(' ')}${stdin.length > 0 ? '  (standard input: a pipe)' : ''}`);
    if (stdin.length <= MAX_STDIN_BYTES)
      return this.#noted(await boardmill(args, { cwd: this.folder, stdin }));
    const { child, writer } = startOnPipe(args, this.folder);
    writer.end(stdin);
    return this.#noted(await outcomeOf(child, writer));
  }

  /** Runs boardmill with a socket as standard input, as other programs of Node do. */
  async runOnSocket(args: readonly string[], stdin: Uint8Array): Promise<Outcome> {
    this.note(`$ boardmill ${args.join(' ')}  (standard input: a socket)`);
    return this.#noted(await ownProcess(args, { ...LIMIT, cwd: this.folder, stdin }));
  }

  /** Runs a line of shell. */
  async runShell(line: string): Promise<Outcome> {
    this.note(`$ ${line}`);
    return this.#noted(await shell(`${LIMIT_IN_SHELL}\n${line}`, { cwd: this.folder }));
  }

  /** Runs boardmill with a standard output that nobody reads: `bytes` are read, then the pipe is closed. */
  async runToClosedPipe(args: readonly string[], bytes: number): Promise<Outcome> {
    this.note(`$ boardmill ${args.join(' ')} | head -c ${bytes}`);
    const child = start(args, { ...LIMIT, cwd: this.folder });
    child.stdin.end();
    const ended = exitOf(child);
    const stderr = textOf(child.stderr);
    let stdout = '';
    if (bytes === 0) child.stdout.destroy();
    child.stdout.on('data', (piece: Buffer) => {
      stdout += piece.toString('latin1');
      if (stdout.length >= bytes) child.stdout.destroy();
    });
    return this.#noted({ code: await ended, stdout, stderr: await stderr });
  }

  /**
   * Gives a run the beginning of an input through a pipe, and sends it a signal once `isTime` says so. A beginning that is null
   * belongs to an input that the arguments name.
   */
  async runUntil(
    args: readonly string[],
    beginning: Uint8Array | null,
    signal: NodeJS.Signals,
    isTime: () => boolean,
  ): Promise<Outcome> {
    const given = beginning === null ? '' : `${beginning.length} bytes of a pipe, then `;
    this.note(`$ boardmill ${args.join(' ')}  (${given}${signal})`);
    const { child, writer } = startOnPipe(args, this.folder);
    if (beginning === null) writer.end();
    else writer.write(beginning);
    let hasEnded = false;
    child.on('close', () => {
      hasEnded = true;
    });
    const outcome = outcomeOf(child, writer);
    await until(() => hasEnded || isTime());
    child.kill(signal);
    return this.#noted(await outcome);
  }

  #noted(outcome: Outcome): Outcome {
    this.note(
      `  exit code ${outcome.code}\n  stdout: ${shown(outcome.stdout)}\n  stderr: ${shown(outcome.stderr)}`,
    );
    return outcome;
  }

  // ---- what is expected ----

  expect(what: string, isSo: boolean): asserts isSo {
    if (!isSo) throw new Difference(`${what}\n\n${this.#log.join('\n')}\n${this.#listFiles()}`);
  }

  expectOutcome(outcome: Outcome, { codes, stdout, errors }: Expected): void {
    const { code, stderr } = outcome;
    this.expect(`the exit code must be ${codes.join(' or ')}, not ${code}`, codes.includes(code));
    if (stdout !== undefined)
      this.expect('standard output is not what the model prints', stdout(outcome.stdout));
    if (errors !== undefined) this.#expectErrors(stderr, errors);
  }

  /** Expects one line for each fault, in order, and no other lines but notes. */
  #expectErrors(stderr: string, errors: readonly string[]): void {
    const lines = stderr.split('\n').filter((line) => line !== '' && !NOTES.some((note) => note.test(line)));
    const isExpected =
      lines.length === errors.length &&
      errors.every((error) => lines.some((line) => line.startsWith(`boardmill: ${error}`)));
    this.expect(`standard error must report these faults: ${JSON.stringify(errors)}`, isExpected);
  }

  /**
   * Expects these files beside those that the scenario has put there, and no others. `null` is any content. The answers are
   * compared without the words of errors.
   */
  expectFiles(files: Readonly<Record<string, string | null>>, format: Format): void {
    const found = listFiles(this.folder).filter((name) => !this.#given.has(name));
    const wanted = Object.keys(files).sort();
    this.expect(
      `the run must leave the files ${wanted.join(', ') || '(none)'}, not ${found.join(', ') || '(none)'}`,
      found.join() === wanted.join(),
    );
    for (const [name, text] of Object.entries(files)) {
      if (text !== null) this.#expectText(name, hideWords(this.read(name), format), text);
    }
  }

  #expectText(name: string, got: string, wanted: string): void {
    if (got === wanted) return;
    const at = [...wanted].findIndex((letter, i) => got[i] !== letter);
    const from = Math.max(0, (at < 0 ? wanted.length : at) - 100);
    const around = (text: string) => JSON.stringify(text.slice(from, from + 200));
    this.expect(`${name} must have ${around(wanted)} from byte ${from}, not ${around(got)}`, false);
  }

  /** Expects a file with a case that has failed, which is not part of the output. */
  expectSaved(name: string): void {
    this.expect(`the failed case must be saved as ${name}`, this.has(name));
    this.#given.add(name);
  }

  expectStats({ cases, marked }: Verdict): void {
    const stats = JSON.parse(this.read('stats.json'));
    const isRight = stats.cases === cases && stats.failedCases === marked;
    this.expect(
      `stats.json must count ${cases} cases, of them ${marked} marked: ${JSON.stringify(stats)}`,
      isRight,
    );
  }

  #listFiles(): string {
    return listFiles(this.folder)
      .map((name) => `file ${name}: ${shown(readFileSync(this.at(name)).toString('latin1'))}`)
      .join('\n');
  }

  remove(): void {
    removeFolder(this.folder);
  }
}

/** Starts boardmill with a pipe as standard input. */
function startOnPipe(args: readonly string[], cwd: string) {
  const { reader, writer } = makePipe();
  const child = start(args, { ...LIMIT, cwd, stdio: [reader, 'pipe', 'pipe'] });
  closeSync(reader);
  return { child, writer };
}

/** Resolves when a process that reads a pipe has ended. */
async function outcomeOf(child: ReturnType<typeof start>, pipe: Writable): Promise<Outcome> {
  const [code, stdout, stderr] = await Promise.all([
    exitOf(child),
    textOf(child.stdout),
    textOf(child.stderr),
  ]);
  pipe.destroy();
  return { code, stdout, stderr };
}

/** Returns the paths of all files in a folder and below it, sorted. */
function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function shown(text: string): string {
  if (text.length <= SHOWN_BYTES) return JSON.stringify(text);
  return `${text.length} bytes: ${JSON.stringify(text.slice(0, SHOWN_BYTES / 4))} ... ${JSON.stringify(text.slice(-SHOWN_BYTES / 4))}`;
}
