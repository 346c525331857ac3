/** A reporter for vitest that ends a test run with the slowest files, the seed, and one plain line that any CI system can read. */
import type { Reporter, TestModule } from 'vitest/node';

const MAX_SLOW_FILES = 10;

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    if (modules.length > 0) printTimes(modules);
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      // A file that cannot be loaded has no tests. It counts as one failed test.
      if (module.state() === 'failed' && module.children.size === 0) counts.failed++;
      for (const test of module.children.allTests()) counts[test.result().state]++;
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}

/** Prints the processor time of all files together, and of those that needed most of it. */
function printTimes(modules: readonly TestModule[]): void {
  const times = modules.map((module) => ({
    file: module.relativeModuleId,
    processor: module.meta().processorSeconds ?? 0,
    elapsed: module.diagnostic().duration / 1000,
  }));
  times.sort((a, b) => b.processor - a.processor);
  const sum = times.reduce((seconds, { processor }) => seconds + processor, 0);
  const count = process.env.BOARDMILL_TEST_TIMES === 'all' ? times.length : MAX_SLOW_FILES;
  console.log(
    `\n${sum.toFixed(0)} s of processor time in ${times.length} files; most of it in (processor, elapsed):`,
  );
  for (const { file, processor, elapsed } of times.slice(0, count)) {
    console.log(`${processor.toFixed(1).padStart(7)} s ${elapsed.toFixed(1).padStart(6)} s  ${file}`);
  }
  console.log(`random tests had the seed ${process.env.BOARDMILL_TEST_SEED}`);
}
