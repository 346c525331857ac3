/** The browser in which tests open pages: Debian's chromium, or the program in the environment variable CHROMIUM. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const BROWSER = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

/** Whether a browser for the tests is installed. */
export const HAS_BROWSER = BROWSER !== undefined;
/** A part of the titles of tests: the path of the browser, or the reason why the tests are skipped. */
export const IN_BROWSER =
  BROWSER ?? 'a browser (skipped, because chromium is not installed: apt-get install chromium)';

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: BROWSER as string,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
