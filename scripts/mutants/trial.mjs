import { describeFailure, runTests } from './run-tests.mjs';

/** Runs test files with the mutants of a group, and finds which of them make a file fail. */
export class Trial {
  #progress;
  #run;

  constructor(progress, run) {
    this.#progress = progress;
    this.#run = run;
  }

  /** Runs the files with all mutants of the group at once. If a file fails, it runs with each of them alone. */
  async judge(group, files) {
    let left = files;
    let alive = group;
    while (left.length > 0 && alive.length > 0) {
      const { passed, failure, files: ended } = await this.#runFiles(alive, left);
      const good = passed ? left.map(({ file }) => file) : passedFiles(ended, failure);
      this.#progress.pass(alive, good);
      if (passed) return;
      const failing = failure.file === null ? left : left.filter(({ file }) => file === failure.file);
      left = left.filter((each) => !good.includes(each.file) && !failing.includes(each));
      if (alive.length === 1) await this.#confirm(alive[0], failing, failure);
      else for (const mutant of alive) await this.judge([mutant], this.#unpassed(mutant, failing));
      alive = alive.filter((mutant) => !this.#progress.isKilled(mutant));
    }
  }

  /** A failure counts only if the test file fails again, because tests may fail on a busy machine. */
  async #confirm(mutant, failing, failure) {
    const fails =
      failure.isEndless || failure.file === null || !(await this.#runFiles([mutant], failing)).passed;
    if (fails) this.#progress.kill(mutant, failure);
    else this.#progress.pass([mutant], [failure.file], describeFailure(failure));
  }

  #unpassed(mutant, files) {
    const left = new Set(this.#progress.filesOf(mutant).map(({ file }) => file));
    return files.filter(({ file }) => left.has(file));
  }

  #runFiles(mutants, files) {
    const times = new Map(files.map(({ file, ms }) => [file, ms]));
    return runTests({
      ...this.#run,
      mutants: mutants.map(({ number }) => number),
      files: [...times.keys()],
      usualMs: (file) => times.get(file) ?? 0,
    });
  }
}

function passedFiles(ended, failure) {
  return ended.filter(({ file, passed }) => passed && file !== failure.file).map(({ file }) => file);
}
