/**
 * Tries every option of every command with every kind of problem, and says what works and what is refused.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { COMMANDS as ALL_COMMANDS, commandName } from '../../build/src/cli/command-list.js';
import {
  COMMANDS,
  FILES,
  IN_PYTHON,
  kindsOf,
  OF_QUEUES,
  OPTIONS,
  PROGRAMS,
  SOLVED_BY_PROGRAM,
  WITHOUT_EFFECT,
} from './examples.mjs';

const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const inTurn = pLimit(availableParallelism());
/** Whether redis-server is installed. Without it, the options of queues are not tried. */
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
/** The outcomes of all runs so far. Most options are tried beside the same run without them. */
const outcomes = new Map();

/** An option has no example. */
export class MissingExample extends Error {}

export const COMMAND_NAMES = Object.keys(COMMANDS);

/** Tries a command. Returns for each kind its outcome without options, and for each option the outcomes of all kinds. */
export async function tryCommand(command) {
  const { syntax } = await ALL_COMMANDS.find(({ usage }) => commandName(usage) === nameOf(command)).load();
  const kinds = kindsOf(command);
  const alone = await Promise.all(
    kinds.map((kind) => run(kind, [nameOf(command), ...COMMANDS[command](kind), ...kind.words])),
  );
  const rows = await Promise.all(
    triedOptions(syntax).map(async (option) => ({
      option: option.join(' '),
      outcomes: await Promise.all(kinds.map((kind) => tryOption(command, syntax, option, kind))),
    })),
  );
  return { command, alone, rows };
}

/** Returns the name of what COMMANDS calls a command, which may have an option behind its name. */
const nameOf = (command) => command.split(' ')[0];

/** Returns the options of a command as words, those with a list of values once for each value that is not the usual one. */
function triedOptions(syntax) {
  const options = Object.entries(syntax.options).filter(([name]) => hasRedis || !OF_QUEUES.includes(name));
  return options.flatMap(([name, { choices, flagWords, otherwise }]) => {
    const values = [...(choices ?? []), ...(flagWords ?? [])].filter((value) => value !== otherwise);
    return values.length === 0 ? [[`--${name}`]] : values.map((value) => [`--${name}`, value]);
  });
}

async function tryOption(command, syntax, option, kind) {
  const example = exampleOf(command, option);
  const name = option[0].slice('--'.length);
  const program = !kind.hasSolver && name !== 'exec' ? (SOLVED_BY_PROGRAM[command] ?? []) : [];
  const given = withoutOptions(COMMANDS[command](kind), example.without ?? []);
  const needed = [...neededWords(command, syntax, name), ...(example.with ?? [])];
  const base = withOptions(given, [...program, ...needed, ...kind.words]);
  const without = await run(kind, [nameOf(command), ...base]);
  const outcome = await run(kind, [nameOf(command), ...withOptions(base, example.words)]);
  const isExpected =
    base.includes(option[0]) ||
    [name, option.join(' ').slice('--'.length), `${command} ${name}`].some((each) => each in WITHOUT_EFFECT);
  return { ...outcome, isIgnored: outcome.refusal === null && outcome.seen === without.seen && !isExpected };
}

/** Returns the example of an option, which is given as words. */
function exampleOf(command, option) {
  const name = option.join(' ').slice('--'.length);
  const found =
    OPTIONS[`${nameOf(command)} ${name}`] ??
    OPTIONS[name] ??
    (option.length > 1 ? { words: option } : undefined);
  if (found === undefined)
    throw new MissingExample(`scripts/pairs/examples.mjs needs an example of ${command} --${name}`);
  return found;
}

/** Returns the words of the option that an option needs, and of those that this one needs. */
function neededWords(command, syntax, option) {
  const needs = syntax.options[option].needs;
  if (needs === undefined) return [];
  const name = typeof needs === 'string' ? needs : needs[0];
  return [...neededWords(command, syntax, name), ...exampleOf(command, [`--${name}`]).words];
}

/** Adds options to words. An option takes the place of the same option with another value. */
function withOptions(words, added) {
  const result = [...words];
  for (const option of splitOptions(added)) {
    const at = result.indexOf(option[0]);
    if (at < 0) result.push(...option);
    else result.splice(at, splitOptions(result.slice(at))[0].length, ...option);
  }
  return result;
}

/** Leaves options out of words. Each of them has one value. */
function withoutOptions(words, names) {
  return words.filter((word, i) => !names.includes(word) && !names.includes(words[i - 1]));
}

/** Splits words before each option. */
function splitOptions(words) {
  const options = [];
  for (const word of words)
    if (word.startsWith('--')) options.push([word]);
    else options.at(-1).push(word);
  return options;
}

/**
 * Runs boardmill in a new folder. Returns `refusal`, which is what it says if it refuses, or null, and `seen`, all that a user
 * sees: the exit code, the outputs and the files, without times.
 */
function run(kind, words) {
  const key = JSON.stringify([kind.name, words]);
  const outcome = outcomes.get(key) ?? inTurn(() => runOnce(kind, words));
  outcomes.set(key, outcome);
  return outcome;
}

async function runOnce(kind, words) {
  const folder = mkdtempSync(join(tmpdir(), 'boardmill-pairs-'));
  writeFiles(folder, kind);
  const endQueue = words.includes('QUEUE') ? startQueue(folder, kind) : () => {};
  try {
    const places = { ANSWERS: kind.answers, SIZES: kind.sizes, QUEUE: queueIn(folder) };
    const replaced = words.flatMap((word) => places[word] ?? word);
    const { code, stdout, stderr } = await boardmill(folder, replaced);
    const text = stderr.replaceAll(folder, '.');
    if (/^\s+at .*:\d+/m.test(text))
      throw new Error(`a stack trace from boardmill ${words.join(' ')}:\n${text}`);
    const seen = withoutTimes(JSON.stringify([code, stdout, text, contentOf(folder)]));
    return { refusal: code === 0 || code === 1 ? null : refusalIn(text), seen, words: replaced };
  } finally {
    await endQueue();
    rmSync(folder, { recursive: true });
  }
}

const queueIn = (folder) => `unix://${folder}/redis.sock`;

/** Starts a Redis server and a worker process in a folder. Returns a function that ends both. */
function startQueue(folder, { problem, hasSolver }) {
  const server = ['--port', '0', '--unixsocket', join(folder, 'redis.sock'), '--dir', folder, '--save', ''];
  const own = problem.startsWith('.') ? ['--problem', problem] : [];
  const worker = ['worker', '--queue', queueIn(folder), '--jobs', '1', '--allow-inputs', '.', ...own];
  const processes = [
    spawn('redis-server', server, { stdio: 'ignore' }),
    spawn(process.execPath, [MAIN, ...worker, ...(hasSolver ? [] : ['--exec', './right'])], {
      cwd: folder,
      stdio: 'ignore',
    }),
  ];
  return () =>
    Promise.all(
      processes.map((each) => {
        each.kill('SIGKILL');
        return each.exitCode === null && each.signalCode === null ? once(each, 'close') : null;
      }),
    );
}

function writeFiles(folder, kind) {
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const scripts = {
    right: PROGRAMS[kind.name] ?? '',
    'right.py': IN_PYTHON[kind.name] ?? '',
    checker: '#!/bin/sh\ncmp -s "$2" "$3"\n',
    generator: `#!/bin/sh\ncat ${kind.input}\n`,
  };
  for (const [name, text] of Object.entries(scripts))
    writeFileSync(join(folder, name), text, { mode: 0o755 });
}

function boardmill(folder, words) {
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(folder, '.state'),
    XDG_CACHE_HOME: join(folder, '.cache'),
    NO_COLOR: '1',
    COLUMNS: '100',
  };
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outputs = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (outputs[0] += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (outputs[1] += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout: outputs[0], stderr: outputs[1] }));
  });
}

/** Returns all files of a folder with their content, without those that boardmill keeps for itself. */
function contentOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const own = paths.filter(
    (path) => !/^\.(state|cache)/.test(path) && path !== 'redis.sock' && (path === 'old' || !(path in FILES)),
  );
  return Object.fromEntries(own.sort().map((path) => [path, readFileSync(join(folder, path), 'latin1')]));
}

/** Replaces what differs from run to run: times, speeds, the slowest input, and whether the machine is busy. */
function withoutTimes(text) {
  return text
    .replaceAll(/boardmill: this machine is busy.*?\\n/g, '')
    .replaceAll(/\d[\d.,]*(e-?\d+)?/g, (number) => (/[.e]/.test(number) ? '#' : number))
    .replaceAll(/# s data\/\S+/g, '# s')
    .replaceAll(/ +/g, ' ');
}

/** Returns what boardmill says when it refuses: the last line of its messages, without its name and a hint at the help. */
function refusalIn(text) {
  const line = text.split('\n').findLast((each) => each.startsWith('boardmill: ')) ?? text.trim();
  return line
    .replace('boardmill: ', '')
    .replace(/; see `boardmill .*? --help`$/, '')
    .replace(/[\d,]+ cases are left/, '... cases are left');
}

/** Returns the section of the page about a command. */
export function sectionOf({ command, alone, rows }) {
  // Where the command is refused without options, the same refusal with an option says nothing new.
  const isPlain = ({ outcomes }) =>
    outcomes.every(({ refusal }, i) => refusal === null || refusal === alone[i].refusal);
  const plain = rows.filter(isPlain).map(({ option }) => `\`${option}\``);
  const table = [
    ['', ...kindsOf(command).map(({ name }) => name)],
    ['---', ...kindsOf(command).map(() => '---')],
    ['no option', ...alone.map(cellOf)],
    ...rows
      .filter((row) => !isPlain(row))
      .map(({ option, outcomes }) => [`\`${option}\``, ...outcomes.map(cellOf)]),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const list =
    plain.length === 0 ? [] : ['', `The other options work wherever the command does: ${plain.join(', ')}.`];
  return [`## ${command}`, '', ...table, ...list, ''].join('\n');
}

/** Returns the cell of a table: `works`, or what boardmill says. */
function cellOf({ refusal }) {
  if (refusal === null) return 'works';
  return refusal.replaceAll(/[|*_`[\]\\]/g, '\\$&').replaceAll('<', '&lt;');
}

/** Returns the options that changed nothing although they should, as command lines. */
export function ignoredOptions({ rows }) {
  return rows.flatMap(({ outcomes }) =>
    outcomes.filter(({ isIgnored }) => isIgnored).map(({ words }) => words.join(' ')),
  );
}
