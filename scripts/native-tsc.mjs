/**
 * Where TypeScript's native compiler is. It needs a fifth of the time of the one in JavaScript, but has no programming
 * interface, so the tools that need one (scripts/bundle.mjs, typedoc, dependency-cruiser, a few tests) use version 6.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const NATIVE_TSC = join(
  fileURLToPath(new URL('..', import.meta.url)),
  'node_modules/typescript-native/bin/tsc',
);
