/** Says for each option what kind of value it takes, so that shells can complete the value. */

/**
 * The kind of an option's value. A `text` is, for example, a number, a range or a seed: shells cannot complete it.
 */
export type ValueKind = 'file' | 'folder' | 'program' | 'solvers' | 'text';

/** The options of all commands that take a value, except those that list their choices. */
export const VALUE_KINDS: Readonly<Record<string, ValueKind>> = {
  answers: 'file',
  case: 'text',
  cases: 'text',
  'answers-as': 'file',
  'cases-loop': 'text',
  checker: 'program',
  chunk: 'text',
  cols: 'text',
  columns: 'text',
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
  keep: 'file',
  max: 'text',
  'memory-limit': 'text',
  output: 'file',
  package: 'folder',
  reference: 'program',
  generator: 'program',
  find: 'text',
  retries: 'text',
  rounds: 'text',
  rows: 'text',
  runs: 'text',
  seed: 'text',
  set: 'text',
  solver: 'solvers',
  stats: 'file',
  svg: 'file',
  suite: 'folder',
  time: 'text',
  timeout: 'text',
  tolerance: 'text',
  vs: 'program',
  warmup: 'text',
};
