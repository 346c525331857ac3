/** Finds answer files that are probably wrong: those with which no accepted program agrees. */
import type { ProgramReport, TestReport } from './package-reports.js';

/** An answer file with which accepted programs disagree. */
export interface DisputedAnswer {
  /** The path of the answer file from the package. */
  readonly answer: string;
  readonly programs: readonly string[];
  /** What the validator said about the output of the first program. */
  readonly message: string | null;
}

/** Whether a submission is one of those whose answers should be right. */
export function isInAcceptedFolder(program: string): boolean {
  return program.startsWith('submissions/accepted/');
}

/** Returns the answer files whose answer none of the accepted programs prints, if these print the same. */
export function findDisputedAnswers(reports: readonly ProgramReport[]): DisputedAnswer[] {
  const accepted = reports.filter(
    ({ program, status }) => isInAcceptedFolder(program) && status === 'judged',
  );
  const inputs = new Set(accepted.flatMap(({ tests }) => tests.map(({ input }) => input)));
  return [...inputs].flatMap((input) => {
    const found = accepted.flatMap(({ program, tests }) =>
      tests.filter((test) => test.input === input).map((test) => ({ program, test })),
    );
    if (!doDispute(found.map(({ test }) => test))) return [];
    const programs = found.map(({ program }) => program);
    return [{ answer: input.replace(/\.in$/, '.ans'), programs, message: found[0].test.message }];
  });
}

function doDispute(tests: readonly TestReport[]): boolean {
  const outputs = new Set(tests.map(({ outputDigest }) => outputDigest));
  return outputs.size === 1 && tests.every(({ verdict }) => verdict === 'WA');
}
