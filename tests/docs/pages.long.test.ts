/**
 * Tests that follow pages of the documentation as a reader does, each in a folder that is empty at first: they write the files
 * that a page shows, type the page's commands in their order, and compare what they print with what the page shows.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MAIN, ROOT, shell } from '../cli/boardmill.js';
import { followPage } from '../support/page.js';
import { hasCompiler, hasPython } from '../support/programs.js';
import { hasRedis } from '../support/redis.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

allowSlowTests();

const programs = temporaryFolder();

/** Puts boardmill on the PATH, because scripts on the pages run it, too. */
beforeAll(() => {
  const script = `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`;
  writeFileSync(join(programs, 'boardmill'), script);
  chmodSync(join(programs, 'boardmill'), 0o755);
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`);
});

afterAll(() => vi.unstubAllEnvs());

/** The sections of a page that are followed together, with the numbers of files and commands in them. */
interface Part {
  /** The title of the only section of the part. If there is none, the part is all sections that no other part has. */
  readonly section?: string;
  readonly files: number;
  readonly commands: number;
  /** What the machine needs for the commands, besides boardmill and Node. */
  readonly needs?: keyof typeof IS_INSTALLED;
}

const IS_INSTALLED = { 'g++': hasCompiler, python3: hasPython, 'redis-server': hasRedis };

/** The pages with their parts. A later part uses the files of an earlier one. */
const PAGES: readonly { readonly path: string; readonly parts: readonly Part[] }[] = [
  { path: 'docs/tour.md', parts: [{ files: 0, commands: 38 }] },
  { path: 'docs/inputs.md', parts: [{ files: 1, commands: 3 }] },
  { path: 'docs/outputs.md', parts: [{ files: 3, commands: 12 }] },
  { path: 'docs/testing-programs.md', parts: [{ files: 1, commands: 6 }] },
  { path: 'docs/explain.md', parts: [{ files: 1, commands: 10 }] },
  { path: 'docs/your-own-problem.md', parts: [{ files: 6, commands: 17 }] },
  { path: 'docs/tutorials/setter.md', parts: [{ files: 9, commands: 13 }] },
  { path: 'docs/tutorials/contestant.md', parts: [{ files: 1, commands: 11, needs: 'g++' }] },
  { path: 'docs/tutorials/researcher.md', parts: [{ files: 3, commands: 14, needs: 'python3' }] },
  {
    path: 'docs/tutorials/operator.md',
    parts: [
      { files: 2, commands: 16 },
      { section: 'With a queue', files: 1, commands: 2, needs: 'redis-server' },
    ],
  },
];

describe.each(PAGES)('$path', ({ path, parts }) => {
  const cwd = folderOfReader();
  const others = parts.map((part) => part.section);

  const followed: ReturnType<typeof followPage>[] = [];

  /** Follows a part once, after the parts before it, whichever test runs first. */
  async function follow(index: number): ReturnType<typeof followPage> {
    if (index > 0) await follow(index - 1);
    const { section } = parts[index];
    const isWanted = (title: string) => (section === undefined ? !others.includes(title) : title === section);
    followed[index] ??= followPage(path, cwd, isWanted);
    return followed[index];
  }

  for (const [index, part] of parts.entries()) {
    const { needs, files, commands } = part;
    test.skipIf(isImpossible(needs))(titleOf(part), async () => {
      expect(await follow(index)).toEqual({ files, commands });
    });
  }
});

function isImpossible(needs: Part['needs']): boolean {
  return needs !== undefined && !IS_INSTALLED[needs];
}

/** Returns the title of a part's test, which says why it is skipped on this machine. */
function titleOf({ section, needs }: Part): string {
  const what =
    section === undefined ? 'the commands print what it shows' : `also in the section "${section}"`;
  return isImpossible(needs) ? `${what} (skipped: ${needs} is not installed)` : what;
}

/** The sections of a tutorial in which nothing can fail. */
const WITHOUT_STEPS = ['What you keep', 'Who does what'];

test.each(readdirSync(join(ROOT, 'docs/tutorials')))(
  'each step of docs/tutorials/%s says what to do if it fails',
  (name) => {
    const [, ...sections] = readFileSync(join(ROOT, 'docs/tutorials', name), 'utf8').split(/^## /m);
    const steps = sections.filter((section) => !WITHOUT_STEPS.includes(section.split('\n', 1)[0]));
    expect(steps.length).toBeGreaterThan(4);
    const silent = steps.filter((section) => !/\*If [^*]+:\*/.test(section));
    expect(silent.map((section) => section.split('\n', 1)[0])).toEqual([]);
  },
);

test('the commands of the README print what it shows, and its example of the library works', async () => {
  const cwd = folderOfReader();
  expect(await followPage('README.md', cwd)).toEqual({ files: 2, commands: 6 });
  const stdin = '1 1\n3 2\nO.\n.X\nO.\n';
  const { code, stdout, stderr } = await shell('node library.mjs && cmp sums.ans library.ans', {
    cwd,
    stdin,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^1 \{ winner: .* \}\n(?:WIN|LOSE)\n$/);
});

/** Returns an empty folder in which programs can import boardmill. */
function folderOfReader(): string {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(ROOT, join(cwd, 'node_modules/boardmill'));
  return cwd;
}
