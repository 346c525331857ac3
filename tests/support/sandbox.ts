/** The sandboxes of tests. */
import { SandboxLauncher } from '../../src/engine/exec/sandbox.js';

/** Null if this machine cannot run sandboxes. Tests that need one are then skipped, and the reason is printed. */
export const launcher: SandboxLauncher | null = await SandboxLauncher.open().catch((error: Error) => {
  console.warn(`tests of the sandbox are skipped: ${error.message}`);
  return null;
});
