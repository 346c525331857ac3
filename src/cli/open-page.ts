/** Opens a page in the user's browser. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The time within which the program that starts the browser would fail. After this time, the browser is assumed to run. */
const LAUNCH_MS = 3000;

/** Opens a page in the browser. Returns false if no browser was found. */
export async function openPage(path: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const isLinux = process.platform === 'linux';
  // Without a display, xdg-open may start a text browser, which nobody would see.
  if (isLinux && !env.DISPLAY && !env.WAYLAND_DISPLAY && !env.WSL_DISTRO_NAME) return false;
  const { default: open } = await import('open');
  try {
    return await hasLaunched(await open(path));
  } catch {
    return false;
  }
}

/** Whether the program that starts the browser has succeeded, or has not failed within LAUNCH_MS. */
async function hasLaunched(launcher: ChildProcess): Promise<boolean> {
  const timeout = AbortSignal.timeout(LAUNCH_MS);
  // The library allows the process to end before the program that starts the browser. This line prevents it.
  launcher.ref();
  try {
    const [code] = await once(launcher, 'exit', { signal: timeout });
    return code === 0;
  } catch {
    return timeout.aborted;
  } finally {
    launcher.unref();
  }
}
