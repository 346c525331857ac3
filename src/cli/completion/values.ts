/** What the values of options are, for shells to complete. */

/** `text` is a number, a range, a seed: nothing that a shell could know. */
export type ValueKind = 'file' | 'folder' | 'program' | 'solvers' | 'text';

/** Each option, of any command, that takes a value and does not list its choices. */
export const VALUE_KINDS: Readonly<Record<string, ValueKind>> = {
  cases: 'text',
  chunk: 'text',
  cols: 'text',
  density: 'text',
  dir: 'folder',
  every: 'text',
  exec: 'program',
  'exec-cases': 'text',
  'export-json': 'file',
  'export-markdown': 'file',
  'export-slowest': 'file',
  ext: 'text',
  html: 'file',
  jobs: 'text',
  max: 'text',
  output: 'file',
  retries: 'text',
  rounds: 'text',
  rows: 'text',
  runs: 'text',
  seed: 'text',
  solver: 'solvers',
  stats: 'file',
  time: 'text',
  timeout: 'text',
  vs: 'program',
  warmup: 'text',
};
