import { readFileSync } from 'node:fs';
import { INSTALLATION_FOLDER } from './installation.js';

/** Returns the version of boardmill that package.json states. */
export function version(): string {
  const manifest = new URL('../package.json', INSTALLATION_FOLDER);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
