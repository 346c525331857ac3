/** The option `--sandbox`, which runs programs under bubblewrap. */
import type { SandboxLauncher } from '../../engine/exec/sandbox.js';

/**
 * Opens the sandboxes of `--sandbox`, in which programs can also read what `--also-compare` names; null if it was not given.
 * Fails with kind `usage` if this machine cannot run them.
 */
export async function openSandbox(
  isWanted: boolean,
  alsoCompare: readonly string[] = [],
): Promise<SandboxLauncher | null> {
  if (!isWanted) return null;
  const { SandboxLauncher } = await import('../../engine/exec/sandbox.js');
  return SandboxLauncher.open(alsoCompare);
}
