/**
 * Finds, for each submission that fails, the smallest case on which it does, and makes the case smaller if that is possible.
 */
import { join } from 'node:path';
import { KIB } from '../../../core/bytes.js';
import { BoardmillError } from '../../../core/errors.js';
import { writeInternalFile } from '../../../core/files/files.js';
import { readSmallFile } from '../../../core/files/regular-files.js';
import type { Verdict } from '../../../engine/verdict.js';
import { assembleInput } from '../../../formats/assemble-input.js';
import type { Problem } from '../../../problems/problem.js';
import { readCases } from '../../cases/read-cases.js';
import { type CasesAsBytes, shrinkCases } from '../../stress/shrink.js';
import type { FailingExample } from '../report/page.js';
import type { CaseCutter } from './cases.js';
import type { ContestPackage } from './judge-package.js';
import { MAX_ANSWER_FILE_BYTES } from './limits.js';
import type { ProgramReport } from './package-reports.js';
import type { DataFile } from './read/test-data.js';

interface FailingCasesOptions {
  /** The format of the inputs, by which cases are made smaller; null if it is not known. */
  readonly problem: Problem | null;
  /** Cuts data files into cases; null if files are not cut. */
  readonly cutCases: CaseCutter | null;
  readonly jobs: number;
}

/** An input, the right answer to it, and where they come from. */
interface SmallInput {
  readonly file: DataFile;
  readonly origin: string;
  readonly verdict: Verdict;
  readonly message: string | null;
  readonly input: Uint8Array;
  readonly answer: Uint8Array;
}

/** A failing case of a report: a file, or a case in it. */
interface Failure {
  readonly testName: string;
  readonly caseNumber: number | null;
  readonly inputBytes: number;
  readonly verdict: Verdict;
  readonly message: string | null;
}

/** Largest input that is made smaller, and how long that may take for one submission. */
const MAX_SHRUNK_BYTES = 64 * KIB;
const SHRINK_MS = 5_000;

/** Returns the examples of all submissions that fail on a test, in the order of the reports. */
export async function findFailingCases(
  opened: ContestPackage,
  reports: readonly ProgramReport[],
  options: FailingCasesOptions,
): Promise<FailingExample[]> {
  const reference = reports.find(
    ({ tests }) => tests.length > 0 && tests.every(({ verdict }) => verdict === 'AC'),
  );
  const examples: FailingExample[] = [];
  for (const report of reports) {
    const failure = smallestFailure(report);
    if (failure === null) continue;
    const found = await loadInput(opened.dataFiles, failure, options.cutCases);
    if (found !== null)
      examples.push(await exampleOf(opened, report.program, found, reference?.program, options));
  }
  return examples;
}

/** Returns the smallest file on which a submission fails, or the smallest case, if files were cut into cases. */
function smallestFailure({ tests }: ProgramReport): Failure | null {
  const failures = tests
    .filter(({ verdict }) => verdict !== 'AC')
    .flatMap(({ testName, cases, ...test }): Failure[] => {
      const failing = (cases ?? []).filter(({ verdict }) => verdict !== 'AC');
      if (failing.length === 0) return [{ ...test, testName, caseNumber: null }];
      return failing.map((each) => ({ ...each, testName }));
    });
  const [smallest] = failures.toSorted((one, other) => one.inputBytes - other.inputBytes);
  return smallest ?? null;
}

async function loadInput(
  dataFiles: readonly DataFile[],
  { testName, caseNumber, verdict, message }: Failure,
  cutCases: CaseCutter | null,
): Promise<SmallInput | null> {
  const file = dataFiles.find((each) => each.testName === testName)!;
  if (caseNumber === null) {
    const [input, answer] = [file.inputPath, file.answerPath].map((path) =>
      readSmallFile(path, MAX_ANSWER_FILE_BYTES, 'input'),
    );
    return { file, origin: file.name, verdict, message, input, answer };
  }
  for await (const each of (await cutCases?.(file)) ?? []) {
    if (each.caseNumber !== caseNumber) continue;
    const { input, answer } = each;
    return { file, origin: `${file.name}, case ${caseNumber}`, verdict, message, input, answer };
  }
  return null;
}

async function exampleOf(
  opened: ContestPackage,
  program: string,
  found: SmallInput,
  reference: string | undefined,
  options: FailingCasesOptions,
): Promise<FailingExample> {
  const trial = new Trial(opened, program, found);
  const smaller = await shrink(trial, found, reference, options);
  const { input, answer } = smaller ?? found;
  const run = await trial.judge(input, answer);
  const { verdict, message } = smaller === null || run === null ? found : run;
  const { origin } = found;
  const isShrunk = smaller !== null;
  return { program, origin, verdict, message, input, expected: answer, got: run?.output ?? null, isShrunk };
}

/**
 * Returns a smaller input on which the submission fails in the same way, with the answer of the reference; null if none is
 * found.
 */
async function shrink(
  trial: Trial,
  { input, verdict }: SmallInput,
  reference: string | undefined,
  { problem, jobs }: FailingCasesOptions,
): Promise<{ input: Uint8Array; answer: Uint8Array } | null> {
  if (problem === null || reference === undefined || input.length > MAX_SHRUNK_BYTES) return null;
  // An input that does not have the format, or fails by chance, is shown as it is.
  const read = await readCases('a failing case', input, problem).catch(() => null);
  if (read === null) return null;
  const inputOf = (cases: CasesAsBytes) => assembleInput(problem.inputFormat, cases, read.head.bytes);
  const answers = new Map<CasesAsBytes, Uint8Array>();
  const deadline = performance.now() + SHRINK_MS;
  const smallest = await shrinkCases(read.cases, {
    problem,
    head: read.head.bytes,
    jobs,
    isTimeUp: () => performance.now() > deadline,
    async isFailing(cases) {
      const answer = await trial.answerOf(reference, inputOf(cases));
      if (answer === null) return false;
      answers.set(cases, answer);
      return (await trial.judge(inputOf(cases), answer))?.verdict === verdict;
    },
  });
  const answer = answers.get(smallest);
  return answer === undefined ? null : { input: inputOf(smallest), answer };
}

/** Runs submissions on inputs that are made for the purpose. */
class Trial {
  readonly #opened: ContestPackage;
  readonly #program: string;
  readonly #found: SmallInput;

  constructor(opened: ContestPackage, program: string, found: SmallInput) {
    this.#opened = opened;
    this.#program = program;
    this.#found = found;
  }

  /** Runs the submission, and judges its output by an answer. Returns null if the validator fails on the output. */
  judge(input: Uint8Array, answer: Uint8Array) {
    return this.#withFile(input, answer, (file) =>
      this.#opened.runOn(this.#program, file).catch((error: unknown) => {
        if (error instanceof BoardmillError && error.kind === 'worker') return null;
        throw error;
      }),
    );
  }

  /** Returns what another submission prints; null if it fails. */
  answerOf(program: string, input: Uint8Array): Promise<Uint8Array | null> {
    return this.#withFile(input, new Uint8Array(0), (file) => this.#opened.outputOf(program, file));
  }

  #withFile<Result>(
    input: Uint8Array,
    answer: Uint8Array,
    use: (file: DataFile) => Promise<Result>,
  ): Promise<Result> {
    return this.#opened.withFolder((folder) => {
      const [inputPath, answerPath] = [join(folder, 'case.in'), join(folder, 'case.ans')];
      writeInternalFile(inputPath, input);
      writeInternalFile(answerPath, answer);
      return use({ ...this.#found.file, inputPath, answerPath });
    });
  }
}
