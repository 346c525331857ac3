/** The shells that boardmill can be completed in. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function isShell(name: string | undefined): name is Shell {
  return SHELLS.some((shell) => shell === name);
}

/** The first word of the command line with which the scripts ask for completions; see complete.ts. */
export const COMPLETE = '--complete';
