import { readFileSync } from 'node:fs';

/** This program's version, as package.json has it. */
export function version(): string {
  const manifest = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
