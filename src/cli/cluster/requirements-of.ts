/** Finds out what a run needs from a worker process. */

import type { OpenedProblem } from '../../catalog/open-problem.js';
import { digestOfFile } from '../../core/digest.js';
import { version } from '../../core/version.js';
import { findExecutable } from '../../engine/exec/program.js';
import type { ProblemRequirements, ProgramWord, RunRequirements } from '../../engine/queue/requirements.js';
import type { SolveRequest } from '../../library/solve-request.js';
import { isGrammarOfAnswers } from '../../problems/grammar-use.js';

/** Returns what a run needs. If `isInputShared`, worker processes read the bytes of the input themselves. */
export async function requirementsOf(
  request: SolveRequest,
  isInputShared: boolean,
): Promise<RunRequirements> {
  const { opened, solver, timeoutSeconds, program } = request;
  return {
    version: version(),
    problem: await requirementsOfProblem(opened),
    solver,
    timeoutSeconds,
    isInputShared,
    program: program && (await requirementsOfProgram(program)),
  };
}

async function requirementsOfProgram({
  argv,
  files,
  casesPerRun,
  memoryBytes,
  sandbox = null,
}: NonNullable<SolveRequest['program']>): Promise<RunRequirements['program']> {
  const compared: string[] = [];
  for (const each of files.compared) compared.push(await each.digest());
  const isSandboxed = sandbox !== null;
  return { words: await digestProgramWords(argv), compared, casesPerRun, memoryBytes, isSandboxed };
}

async function requirementsOfProblem(chosen: OpenedProblem): Promise<ProblemRequirements> {
  const { name, reference } = chosen.problem;
  if (reference.kind === 'built-in') return { kind: 'built-in', name };
  if (reference.kind === 'module') return { kind: 'module', name, identity: await identityOfModule(chosen) };
  const { path, use } = reference;
  const { multitest, casesLoop, answers } = use;
  return {
    kind: 'grammar',
    name,
    digest: await digestOfGrammar(path),
    multitest,
    casesLoop,
    answers: isGrammarOfAnswers(answers) ? { digest: await digestOfGrammar(answers) } : { text: answers },
  };
}

/** Returns the properties that identify a module. */
export async function identityOfModule(chosen: OpenedProblem): Promise<Record<string, string>> {
  return Object.fromEntries(await chosen.identify());
}

/** Returns the digest of a grammar; if its file has just disappeared, a digest that no worker process has. */
async function digestOfGrammar(path: string): Promise<string> {
  return (await digestOfFile(path)) ?? '';
}

/** Returns the executable, and then all arguments. Some of the arguments may be files. */
export async function executableAndArgumentsOf(argv: readonly string[]): Promise<string[]> {
  return [await findExecutable(argv), ...argv.slice(1)];
}

/**
 * Describes a program so that it can be compared with a program on another machine. The executable and all arguments that are
 * files are described by their content, all other arguments by their text.
 */
export async function digestProgramWords(argv: readonly string[]): Promise<ProgramWord[]> {
  const paths = await executableAndArgumentsOf(argv);
  return Promise.all(
    paths.map(async (path, index) => {
      const digest = await digestOfFile(path);
      return digest === null ? { text: argv[index] } : { digest };
    }),
  );
}
