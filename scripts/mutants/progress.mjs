/** What is known of the mutants so far. It is kept in the work folder. */
import { join } from 'node:path';
import { append, readLines } from './json-lines.mjs';
import { describeFailure } from './run-tests.mjs';
import { isLong, longLast } from './test-files.mjs';

/** @typedef {import('./measure.mjs').Verdict} Verdict */

/** The test files that mutants have passed, and what killed the others. */
export class Progress {
  #recording;
  #passedList;
  #killedList;
  #passed = new Map();
  #killed = new Map();
  #mutants;

  constructor(work, mutants, recording) {
    this.#mutants = mutants;
    this.#recording = [...recording].sort((a, b) => longLast(a, b) || a.ms - b.ms);
    this.#passedList = join(work, 'passed.jsonl');
    this.#killedList = join(work, 'killed.jsonl');
    for (const line of readLines(this.#passedList)) this.#takePassed(line);
    for (const line of readLines(this.#killedList)) this.#killed.set(line.number, line);
  }

  #takePassed({ numbers, files, unconfirmed }) {
    for (const number of numbers) {
      const passed = this.#passed.get(number) ?? { files: new Set(), unconfirmed: [] };
      for (const file of files) passed.files.add(file);
      if (unconfirmed !== undefined) passed.unconfirmed.push(unconfirmed);
      this.#passed.set(number, passed);
    }
  }

  /** Notes that mutants have passed test files, one of them after a failure that did not come again. */
  pass(mutants, files, unconfirmed = undefined) {
    if (files.length === 0) return;
    const line = { numbers: mutants.map(({ number }) => number), files, unconfirmed };
    append(this.#passedList, line);
    this.#takePassed(line);
  }

  kill({ number }, failure) {
    const how = describeFailure(failure);
    const line = {
      number,
      how,
      by: failure.file !== null && isLong(failure) ? 'npm run test:all' : 'npm test',
    };
    append(this.#killedList, line);
    this.#killed.set(number, line);
  }

  isKilled({ number }) {
    return this.#killed.has(number);
  }

  /** Returns the recorded test files that reach a mutant: first those of `npm test`, the quickest first, then the long ones. */
  #reaching({ number }) {
    return this.#recording.filter(({ reached }) => reached.has(number));
  }

  /** Returns the test files that may kill a mutant, and have not run with it yet. */
  filesOf(mutant) {
    const passed = this.#passed.get(mutant.number)?.files;
    return this.#reaching(mutant).filter((each) => each.passed && !passed?.has(each.file));
  }

  /** Whether a mutant has no verdict yet. */
  isOpen(mutant) {
    return !this.isKilled(mutant) && this.filesOf(mutant).length > 0;
  }

  open() {
    return this.#mutants.filter((mutant) => this.isOpen(mutant));
  }

  finished() {
    return this.#mutants.length - this.open().length;
  }

  /** @returns {Verdict} */
  verdictOf(mutant) {
    const { number } = mutant;
    const reaching = this.#reaching(mutant);
    const tests = reaching.filter(({ passed }) => passed).map(({ file }) => file);
    const unusable = reaching.filter(({ passed }) => !passed).map(({ file }) => file);
    const { by = null, how = null } = this.#killed.get(number) ?? {};
    const unconfirmed = this.#passed.get(number)?.unconfirmed ?? [];
    const survives = tests.length === 0 ? 'not covered' : 'survived';
    return { number, status: by === null ? survives : 'killed', by, how, tests, unusable, unconfirmed };
  }
}
