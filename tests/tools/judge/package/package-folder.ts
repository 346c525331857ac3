/** Makes problem packages for tests, and judges them. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { judgeContestPackage } from '../../../../src/tools/judge/package/judge-package.js';
import type {
  JudgePackageRequest,
  PackageReport,
  ProgramReport,
} from '../../../../src/tools/judge/package/package-reports.js';

/** The files of a package by their paths. A file that begins with `#!` is executable. */
export type Files = Readonly<Record<string, string>>;

/** Two tests of a problem that asks for the sum of two numbers. */
export const SUM_DATA: Files = {
  'problem.yaml': 'name: Sum\nlimits:\n  time_limit: 20\n',
  'data/sample/1.in': '1 2\n',
  'data/sample/1.ans': '3\n',
  'data/secret/group/2.in': '20 22\n',
  'data/secret/group/2.ans': '42\n',
};

/** What problem.yaml of a later format says about these tests. */
export const LATER_YAML = 'problem_format_version: 2025-09\nlimits: {time_limit: 20}\n';

export const RIGHT = 'read a b\necho $((a + b))\n';
/** Right on the first test only. */
export const WRONG = 'echo 3\n';
/** Right on the first test, and then it crashes. */
export const CRASHING = 'read a b\n[ "$a" = 1 ] || exit 7\necho 3\n';

export function writePackage(folder: string, files: Files): string {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (text.startsWith('#!')) chmodSync(path, 0o755);
  }
  return folder;
}

export interface Judged extends PackageReport {
  readonly programs: readonly ProgramReport[];
  readonly warnings: readonly string[];
}

/** Asks to judge everything in a package, without a signal. */
export function requestFor(folder: string): JudgePackageRequest {
  return {
    folder,
    jobs: 2,
    timeoutSeconds: null,
    memoryLimitBytes: null,
    environmentNames: [],
    sandbox: null,
    only: [],
    runsAll: true,
    cutCases: null,
    stop: new AbortController().signal,
    giveUp: new AbortController().signal,
    warn: () => {},
    onProgram: async () => {},
  };
}

export async function judge(folder: string, request: Partial<JudgePackageRequest> = {}): Promise<Judged> {
  const programs: ProgramReport[] = [];
  const warnings: string[] = [];
  const report = await judgeContestPackage({
    ...requestFor(folder),
    warn: (message) => void warnings.push(message),
    onProgram: async (program) => void programs.push(program),
    ...request,
  });
  return { ...report, programs, warnings };
}

/** The verdicts of each program in the order of the data files, and whether it fits: `WA AC, fits`. */
export function summaryOf({ programs }: Judged): Record<string, string> {
  const describeFit = (fits: boolean | null) => (fits === null ? '' : fits ? ', fits' : ', misfit');
  return Object.fromEntries(
    programs.map(({ program, status, fits, tests }) => [
      program.replace('submissions/', ''),
      `${status === 'judged' ? tests.map(({ verdict }) => verdict).join(' ') : status}${describeFit(fits)}`,
    ]),
  );
}
