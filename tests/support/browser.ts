/** The browser in which tests open pages: Debian's chromium, or the program in the environment variable CHROMIUM. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const BROWSER = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

export const HAS_BROWSER = BROWSER !== undefined;
/** The end of a test's title: the path of the browser, or why the test is skipped. */
export const IN_BROWSER = BROWSER ?? 'a browser: skipped, there is no chromium (apt-get install chromium)';

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: BROWSER as string,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
