/** A reporter for vitest that ends a test run with one plain line, which any CI system can read. */
import type { Reporter, TestModule } from 'vitest/node';

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      // A file that cannot be loaded has no tests. It counts as one failed test.
      if (module.state() === 'failed' && module.children.size === 0) counts.failed++;
      for (const test of module.children.allTests()) counts[test.result().state]++;
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}
