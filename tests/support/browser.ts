/** The browser in which tests open pages: Debian's chromium, or the program in the environment variable CHROMIUM. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

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

let browser: Promise<Browser> | null = null;

/**
 * Opens a context, whose pages share nothing with those of others. All test files of a process share the browser, which ends with
 * the process. The caller closes the context.
 */
export async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  browser ??= chromium.launch({
    executablePath: BROWSER as string,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  return (await browser).newContext(options);
}
