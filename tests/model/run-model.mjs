// @ts-check
/**
 * Searches for a scenario in which the built program does not do what the model says.
 *
 *     npm run test:model -- [--seconds N] [--seed S] [--only STORY] [--path PATH]
 *
 * Without `--seconds`, the search ends when it finds something. Without `--seed`, it begins with a random seed. A failure is
 * printed with the line that repeats it.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: `${randomInt(1e9)}` },
    only: { type: 'string' },
    path: { type: 'string' },
  },
});

console.log(`searching from --seed ${values.seed} on`);
const { status } = spawnSync('npx', ['vitest', 'run', '--mode', 'long', 'tests/model/model.long.test.ts'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {
    ...process.env,
    BOARDMILL_TEST_SEED: values.seed,
    BOARDMILL_MODEL_SECONDS: values.seconds,
    ...(values.only === undefined ? {} : { BOARDMILL_MODEL_ONLY: values.only }),
    ...(values.path === undefined ? {} : { BOARDMILL_MODEL_PATH: values.path }),
  },
});
process.exitCode = status ?? 1;
