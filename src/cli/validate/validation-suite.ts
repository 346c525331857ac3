/** Collects what `validate` finds as a suite of JUnit, with a test for each file. */
import { describeFault } from '../../core/errors.js';
import { formatQuantity } from '../../core/format-count.js';
import { formatJUnit, type JUnitTest } from '../../core/junit.js';
import type { ValidationFinding } from '../../tools/validate/validation.js';
import type { FileResult, ValidationReporter } from './reporters.js';

/** Largest number of errors of a file that are described. */
const MAX_DESCRIBED_ERRORS = 1000;

export class ValidationJUnitReport implements ValidationReporter {
  readonly #tests: Omit<JUnitTest, 'classname'>[] = [];
  /** Descriptions of the first errors of the current file. */
  #errors: string[] = [];

  async begin(): Promise<void> {}

  async beginFile(): Promise<void> {
    this.#errors = [];
  }

  async addFinding(input: string, finding: ValidationFinding): Promise<void> {
    if (this.#errors.length < MAX_DESCRIBED_ERRORS)
      this.#errors.push(describeFault({ input, ...finding, description: finding.what }));
  }

  async endFile(name: string, { errors }: FileResult): Promise<void> {
    const message = `${formatQuantity(errors, 'error')}; ${this.#errors[0]}`;
    const outcome = { kind: 'failure' as const, message, details: this.#errors.join('\n') };
    this.#tests.push({ name, seconds: null, outcome: errors === 0 ? null : outcome });
  }

  async end(): Promise<void> {}

  /** Adds an input that could not be read. */
  addUnread(name: string, { message }: Error): void {
    this.#tests.push({ name, seconds: null, outcome: { kind: 'error', message } });
  }

  toXml(problem: string): string {
    const tests = this.#tests.map((test) => ({ ...test, classname: problem }));
    return formatJUnit('boardmill validate', [{ name: problem, tests }]);
  }
}
