/** The shells for which boardmill has a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function isShell(name: string | undefined): name is Shell {
  return SHELLS.some((shell) => shell === name);
}

/** The first argument with which completion scripts ask boardmill for completions; see complete.ts. */
export const SHELL_COMPLETION_OPTION = '--complete';
