/** Opens a page in the user's browser. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How long the program that starts the browser may take to fail. After this time, the browser itself is running. */
const LAUNCH_MS = 3000;

/** Opens the file in the browser. Returns whether a browser was found. */
export async function openPage(path: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const isLinux = process.platform === 'linux';
  // Without a display, xdg-open may start a browser for terminals, which nobody would see.
  if (isLinux && !env.DISPLAY && !env.WAYLAND_DISPLAY && !env.WSL_DISTRO_NAME) return false;
  const { default: open } = await import('open');
  try {
    return await hasLaunched(await open(path));
  } catch {
    return false;
  }
}

/** Whether the program that starts the browser succeeds, or has not failed so far. */
async function hasLaunched(launcher: ChildProcess): Promise<boolean> {
  const timeout = AbortSignal.timeout(LAUNCH_MS);
  // The library lets the process end without the launcher.
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
