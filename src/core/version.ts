import { readFileSync } from 'node:fs';

/** Returns the version of boardmill that package.json states. */
export function version(): string {
  const manifest = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
