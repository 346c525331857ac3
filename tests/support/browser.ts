/** The browser that pages are looked at with: Debian's, or another one through CHROMIUM. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const BROWSER = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

export const HAS_BROWSER = BROWSER !== undefined;
/** For the titles of tests: why they are skipped, where they are. */
export const IN_BROWSER = BROWSER ?? 'a browser: skipped, there is no chromium (apt-get install chromium)';

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: BROWSER as string,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
