/** A run on a module whose solver never returns, and one signal that ends it. */
import { expect } from 'vitest';
import type { TestFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { exitOf, ROOT, start, textOf } from './boardmill.js';

/** A run whose third case is never answered. */
export interface HangingRun {
  readonly what: string;
  /** Where the answers go: a file, or `-` for standard output. */
  readonly target: string;
  readonly options: readonly string[];
}

/** Expects that one signal ends the run, and that the answers before the third are kept. */
export async function expectEnd(folder: TestFolder, { target, options }: HangingRun): Promise<void> {
  folder.write(
    'hangs.mjs',
    `import { defineProblem, formats } from '${ROOT}/dist/src/index.js';
    export default defineProblem({
      name: 'hangs',
      input: formats.counted({ n: formats.int() }),
      solve({ n }) {
        if (n !== 3) return n;
        console.error('hanging');
        return new Promise(() => {});
      },
    });`,
  );
  folder.write('a.in', '3\n1\n2\n3\n');
  const args = ['solve', './hangs.mjs', 'a.in', '-o', target, '-j', '1', ...options];
  const child = start(args, { cwd: folder.path });
  const [ended, stdout, stderr] = [exitOf(child), textOf(child.stdout), textOf(child.stderr)];
  let seen = '';
  child.stderr.on('data', (piece) => {
    seen += piece;
  });
  await until(() => seen.includes('hanging'));
  child.kill('SIGTERM');
  expect(await ended).toBe(143);
  expect(await stderr).toContain(
    'SIGTERM: a case is still being solved after 4 s; stopped without its answer',
  );
  expect(await stdout).toBe(target === '-' ? '1\n2\n' : '');
  if (target === '-') return;
  expect(folder.read('a.ans.partial')).toBe('1\n2\n');
  expect(folder.names()).toContain('a.ans.checkpoint');
}
