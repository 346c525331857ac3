/** The option `--sandbox`, which runs programs under bubblewrap. */
import type { SandboxLauncher } from '../../engine/exec/sandbox.js';

/**
 * Opens the sandboxes of `--sandbox`; null if the option was not given. In them, programs can also read the files of
 * `--also-compare`. Fails with kind `usage` if this machine cannot run sandboxes.
 */
export async function openSandbox(
  isWanted: boolean,
  alsoCompare: readonly string[] = [],
): Promise<SandboxLauncher | null> {
  if (!isWanted) return null;
  const { SandboxLauncher } = await import('../../engine/exec/sandbox.js');
  return SandboxLauncher.open(alsoCompare);
}
