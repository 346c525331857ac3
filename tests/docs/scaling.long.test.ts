/**
 * Test that follows docs/scaling.md as a reader does, with two stand-ins: Slurm runs its jobs at once, and so does Kubernetes.
 */
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MAIN, ROOT, shell } from '../cli/boardmill.js';
import { followPage } from '../support/page.js';
import { hasRedis } from '../support/redis.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

allowSlowTests();

const cwd = temporaryFolder();
/** The section whose commands need a Redis server. They use the input and the answers of the commands before them. */
const isQueueSection = (title: string) => title === 'A queue';

/** Puts boardmill and sbatch on the PATH, because scripts run them, too. */
beforeAll(() => {
  const programs = join(cwd, 'bin');
  mkdirSync(programs);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`;
  writeFileSync(join(programs, 'boardmill'), script);
  chmodSync(join(programs, 'boardmill'), 0o755);
  cpSync(join(ROOT, 'tests/fixtures/slurm/sbatch'), join(programs, 'sbatch'));
  cpSync(join(ROOT, 'deploy'), join(cwd, 'deploy'), { recursive: true });
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`);
});

afterAll(() => vi.unstubAllEnvs());

let shards: ReturnType<typeof followPage> | null = null;

/** Follows the page up to its section on queues, once, because the other tests use its files. */
function followShards(): ReturnType<typeof followPage> {
  shards ??= followPage('docs/scaling.md', cwd, (title) => !isQueueSection(title));
  return shards;
}

test('shards in a loop and in a job array give the bytes of one run', async () => {
  expect(await followShards()).toEqual({ files: 1, commands: 8 });
});

test('the pods of the Indexed Job and of the merging give the same bytes, also if a pod is started again', async () => {
  await followShards();
  const pod = (name: string, settings = '') => shell(`${settings}${scriptOf(name)}`, { cwd });
  const variables = 'JOB_COMPLETION_INDEX=$index SHARDS=2 PROCESSORS=1; ';
  for (const index of [0, 1, 1])
    expect(await pod('shards', `index=${index}; ${variables}`)).toMatchObject({ code: 0 });
  expect(await pod('merge')).toMatchObject({ code: 0 });
  expect(readFileSync(join(cwd, 'big.ans'))).toEqual(readFileSync(join(cwd, 'one.ans')));
});

test.skipIf(!hasRedis)('the worker processes of a queue give the same bytes', async () => {
  await followShards();
  expect(await followPage('docs/scaling.md', cwd, isQueueSection)).toEqual({ files: 1, commands: 2 });
  expect(readFileSync(join(cwd, 'host-1.log'), 'utf8')).toContain('SIGTERM: finishing');
});

/** Returns the shell script of the only container of a manifest. */
function scriptOf(name: string): string {
  const text = readFileSync(join(ROOT, `deploy/kubernetes/${name}.yaml`), 'utf8');
  const { spec } = load(text) as { spec: { template: { spec: { containers: { args: string[] }[] } } } };
  return spec.template.spec.containers[0].args[0];
}
