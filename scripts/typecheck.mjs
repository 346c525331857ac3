/** Checks the types of everything, and keeps in build/ what it has found out, so that the next check takes two seconds. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { NATIVE_TSC } from './native-tsc.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

for (const part of ['tests', 'page', 'scripts']) {
  const state = ['--incremental', '--tsBuildInfoFile', `build/${part}.tsbuildinfo`];
  const check = [NATIVE_TSC, '-p', `tsconfig.${part}.json`, '--noEmit', ...state];
  const { status } = spawnSync(process.execPath, check, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
