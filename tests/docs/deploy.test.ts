/** Tests of the files with which boardmill is deployed: the image, the manifests, and the commands in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { load, loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { WORKER_SHUTDOWN_TIMEOUT_MS } from '../../src/engine/queue/limits.js';
import { ROOT } from '../cli/boardmill.js';
import { commandsIn, findMistake } from '../support/command-lines.js';

const MANIFESTS = join(ROOT, 'deploy/kubernetes');

interface Container {
  readonly name: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly image: string;
  readonly securityContext?: { readonly readOnlyRootFilesystem?: boolean };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

/** The parts of manifests that the tests look at. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly completions?: number;
    readonly parallelism?: number;
    readonly template?: {
      readonly spec: {
        readonly terminationGracePeriodSeconds?: number;
        readonly containers: readonly Container[];
        readonly volumes?: readonly { readonly name: string; readonly emptyDir?: object }[];
      };
    };
  };
}

const manifests = readdirSync(MANIFESTS).flatMap((name) => {
  const all = loadAll(readFileSync(join(MANIFESTS, name), 'utf8')) as Manifest[];
  return all.map((manifest) => ({ name: `${name}: ${manifest.kind}`, manifest }));
});

const named = (name: string) => manifests.find((each) => each.name === name)!.manifest.spec;
const containerOf = (name: string) => named(name).template!.spec.containers[0];

test('there are seven manifests', () => {
  expect(manifests.length).toBe(7);
});

test('the Dockerfile is valid', () => {
  expect(validate(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))).toEqual([]);
});

test('a worker process that is stopped has the time that it may take to finish its chunks', () => {
  const { terminationGracePeriodSeconds } = named('workers.yaml: Deployment').template!.spec;
  expect(terminationGracePeriodSeconds! * 1000).toBeGreaterThan(WORKER_SHUTDOWN_TIMEOUT_MS);
  const compose = load(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8')) as {
    services: { worker: { stop_grace_period: string } };
  };
  expect(Number.parseInt(compose.services.worker.stop_grace_period, 10) * 1000).toBeGreaterThan(
    WORKER_SHUTDOWN_TIMEOUT_MS,
  );
});

test('the Indexed Job has as many pods as shards', () => {
  const { completions, parallelism } = named('shards.yaml: Job');
  const shards = containerOf('shards.yaml: Job').env!.find(({ name }) => name === 'SHARDS')!.value;
  expect([`${completions}`, `${parallelism}`]).toEqual([shards, shards]);
});

test('the arguments of worker processes are those of a command', async () => {
  expect(await findMistake(containerOf('workers.yaml: Deployment').args!)).toBeNull();
  const { services } = load(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8')) as {
    services: { worker: { command: string[] } };
  };
  expect(await findMistake(services.worker.command)).toBeNull();
});

const PAGES = ['docs/scaling.md', 'Dockerfile', 'deploy/compose.yaml', 'deploy/slurm/shards.sbatch'];
const FILES = [...PAGES, ...readdirSync(MANIFESTS).map((name) => `deploy/kubernetes/${name}`)];

test.each(FILES)('the command lines in %s are correct', async (path) => {
  const commands = commandsIn(readFileSync(join(ROOT, path), 'utf8'));
  const mistakes = await Promise.all(
    commands.map(async (command) => ({ command, mistake: await findMistake(command) })),
  );
  expect(mistakes.filter(({ mistake }) => mistake !== null)).toEqual([]);
});

test('commands are found, also in comments and scripts, and a mistake in one is noticed', async () => {
  const text =
    '# docker run boardmill solve bt a.in \\\n#   -o b\n  test -e x || exec boardmill worker --jobs=$N &\n';
  expect(commandsIn(text)).toEqual([
    ['solve', 'bt', 'a.in', '-o', 'b'],
    ['worker', '--jobs=$N'],
  ]);
  expect(await findMistake(['solve', 'bt', '--shards', '1/2'])).toMatch(/shards/);
  expect(await findMistake(['merge'])).toMatch(/Not enough/);
});

const pods = manifests.flatMap(({ name, manifest }) => {
  const pod = manifest.spec.template?.spec;
  return pod === undefined ? [] : [{ name, ...pod }];
});

test('pods cannot change their images, and those of boardmill have a folder for temporary files', () => {
  expect(pods).toHaveLength(5);
  for (const { name, containers, volumes } of pods) {
    for (const { image, securityContext, volumeMounts } of containers) {
      expect([name, securityContext?.readOnlyRootFilesystem]).toEqual([name, true]);
      if (image.startsWith('redis:')) continue;
      const mount = volumeMounts?.find(({ mountPath }) => mountPath === '/tmp');
      const volume = volumes?.find((each) => each.name === mount?.name);
      expect([name, volume?.emptyDir]).toEqual([name, {}]);
    }
  }
});

test('pods that write answers keep the ledger on the volume', () => {
  for (const { name, containers } of pods) {
    for (const { volumeMounts, image, env } of containers) {
      if (image.startsWith('redis:') || volumeMounts?.every(({ mountPath }) => mountPath !== '/data'))
        continue;
      const state = env?.find((each) => each.name === 'XDG_STATE_HOME')?.value;
      expect([name, state]).toEqual([name, '/data/.boardmill']);
    }
  }
});

/** Images and actions of others, with what pins them. `registry.example/boardmill` is the user's own. */
const PINNED = [
  { path: 'Dockerfile', image: /^FROM (\S+)/gm, pin: /@sha256:[0-9a-f]{64}$/ },
  { path: 'deploy/compose.yaml', image: /image: (redis\S*)/g, pin: /@sha256:[0-9a-f]{64}$/ },
  { path: 'deploy/kubernetes/redis.yaml', image: /image: (\S+)/g, pin: /@sha256:[0-9a-f]{64}$/ },
  { path: '.github/workflows/ci.yml', image: /uses: (\S+)/g, pin: /@[0-9a-f]{40}$/ },
  { path: '.github/workflows/pages.yml', image: /uses: (\S+)/g, pin: /@[0-9a-f]{40}$/ },
];

test.each(PINNED)('$path pins what others may change', ({ path, image, pin }) => {
  const names = [...readFileSync(join(ROOT, path), 'utf8').matchAll(image)].map(([, name]) => name);
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !pin.test(name))).toEqual([]);
});

test.each(['ci', 'pages'])('the workflow %s may only read the repository', (name) => {
  const workflow = load(readFileSync(join(ROOT, `.github/workflows/${name}.yml`), 'utf8')) as object;
  expect(workflow).toMatchObject({ permissions: { contents: 'read' } });
});

test('only the deployment of the site may write more, and it runs no code of the repository', () => {
  const { jobs } = load(readFileSync(join(ROOT, '.github/workflows/pages.yml'), 'utf8')) as {
    jobs: Record<string, { permissions?: object; steps: object[] }>;
  };
  const { deploy, ...others } = jobs;
  expect(deploy.permissions).toEqual({ pages: 'write', 'id-token': 'write' });
  for (const step of deploy.steps) expect(step).not.toHaveProperty('run');
  for (const job of Object.values(others)) expect(job).not.toHaveProperty('permissions');
});
