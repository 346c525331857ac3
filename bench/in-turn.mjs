/** Runs programs in turn, forwards and backwards, and prints the median time of each one and its ratio to the first one. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { median } from '../build/src/tools/bench/statistics.js';

/**
 * Runs a command with its standard output in the file `output`, and the file `input` on its standard input if that is not null.
 * Returns the seconds that it took, and what it printed.
 */
export function timeRun(command, args, output, input = null) {
  const from = input === null ? 'ignore' : openSync(input, 'r');
  const to = openSync(output, 'w');
  const begin = performance.now();
  const { status, stderr } = spawnSync(command, args, { stdio: [from, to, 'pipe'] });
  const seconds = (performance.now() - begin) / 1000;
  for (const descriptor of [from, to]) if (typeof descriptor === 'number') closeSync(descriptor);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return { seconds, answers: readFileSync(output) };
}

/** `programs` has functions by their names, which return what `timeRun` does. Unless told otherwise, all must print the same. */
export function compareInTurn(title, programs, rounds, isSameExpected = true) {
  const names = Object.keys(programs);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const expected = programs[names[0]]().answers;
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const { seconds, answers } = programs[name]();
      if (isSameExpected && !answers.equals(expected)) throw new Error(`${name}: other answers`);
      times[name].push(seconds);
    }
  }
  console.log(title);
  for (const name of names) {
    const seconds = median(times[name]);
    const ratio = (seconds / median(times[names[0]])).toFixed(2);
    console.log(`  ${name.padEnd(25)} ${seconds.toFixed(3)} s  ${ratio}`);
  }
}
