/** The settings of vitest in the copy: those of the checkout, but with the test files that the caller lists, in its order. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// @ts-expect-error vite loads files of TypeScript, unlike what is compiled with this file's settings
import original from '../../vitest.config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const { files, workers, bail } = JSON.parse(readFileSync(process.env.BOARDMILL_MUTANTS_RUN, 'utf8'));

/** Keeps the order of the list. */
class ListedOrder {
  shard(specifications) {
    return specifications;
  }
  sort(specifications) {
    const position = ({ moduleId }) => files.findIndex((file) => moduleId === join(root, file));
    return [...specifications].sort((a, b) => position(a) - position(b));
  }
}

/** @type {(environment: any) => Promise<any>} */
const config = async (environment) => {
  const settings = typeof original === 'function' ? await original(environment) : original;
  return {
    ...settings,
    root,
    // The folder node_modules of the copy is that of the checkout.
    cacheDir: join(root, '..', 'vite'),
    test: {
      ...settings.test,
      include: files,
      exclude: [],
      passWithNoTests: false,
      setupFiles: [...[settings.test?.setupFiles ?? []].flat(), join(here, 'name-test-file.mjs')],
      reporters: [join(here, 'event-reporter.mjs')],
      sequence: { sequencer: ListedOrder },
      maxWorkers: workers,
      // What a test file reaches is recorded by process, and modules must be loaded anew for each.
      isolate: true,
      bail: bail ? 1 : 0,
    },
  };
};

export default config;
