/** A reporter for vitest that appends what happens to a file, as lines of JSON, for run-tests.mjs. */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const EVENTS = process.env.BOARDMILL_MUTANTS_EVENTS;

export default class EventReporter {
  onTestModuleQueued(module) {
    note({ kind: 'start', file: pathOf(module), at: Date.now() });
  }

  onTestCaseResult(test) {
    const { state, errors } = test.result();
    if (state === 'failed')
      note({ kind: 'failure', file: pathOf(test.module), test: test.fullName, message: firstLine(errors) });
  }

  onTestModuleEnd(module) {
    const hasFailed = module.state() === 'failed';
    if (hasFailed && module.errors().length > 0)
      note({ kind: 'failure', file: pathOf(module), test: null, message: firstLine(module.errors()) });
    note({ kind: 'end', file: pathOf(module), passed: !hasFailed, at: Date.now() });
  }

  onTestRunEnd(_modules, errors) {
    for (const error of errors)
      note({ kind: 'failure', file: null, test: null, message: firstLine([error]) });
  }
}

function pathOf(module) {
  return relative(root, module.moduleId);
}

function firstLine(errors) {
  return `${errors?.[0]?.message ?? ''}`.split('\n', 1)[0].slice(0, 200);
}

function note(event) {
  appendFileSync(EVENTS, `${JSON.stringify(event)}\n`);
}
