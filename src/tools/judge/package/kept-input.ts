/** Chooses a small input of a package on which all submissions fail that fail on any test (`--keep`). */
import { readSmallFile } from '../../../core/files/regular-files.js';
import type { Problem } from '../../../problems/problem.js';
import { DistinguishingCases } from '../../cases/distinguishing-cases.js';
import { readCases } from '../../cases/read-cases.js';
import type { CaseCutter } from './cases.js';
import { MAX_ANSWER_FILE_BYTES } from './limits.js';
import type { ProgramReport } from './package-reports.js';
import type { DataFile } from './read/test-data.js';

interface KeptInput {
  readonly bytes: Uint8Array;
  /** What the input consists of: "2 cases", or the name of a file. */
  readonly description: string;
  /** The submissions that fail on the input. */
  readonly failing: readonly string[];
  /** The submissions that fail on a test, but not on this input. */
  readonly lost: readonly string[];
}

/** Returns cases that are chosen greedily, or if files are not cut, the smallest file on which most submissions fail. */
export async function chooseKeptInput(
  dataFiles: readonly DataFile[],
  reports: readonly ProgramReport[],
  cutting: { readonly problem: Problem; readonly cutCases: CaseCutter } | null,
): Promise<KeptInput | null> {
  const failing = reports.filter(({ tests }) => tests.some(({ verdict }) => verdict !== 'AC'));
  if (failing.length === 0) return null;
  const cases = cutting && (await chooseCases(dataFiles, failing, cutting.problem, cutting.cutCases));
  return cases ?? chooseFile(dataFiles, failing);
}

function chooseFile(dataFiles: readonly DataFile[], reports: readonly ProgramReport[]): KeptInput {
  const candidates = dataFiles.map((file) => {
    const failsHere = ({ tests }: ProgramReport) =>
      tests.some(({ testName, verdict }) => testName === file.testName && verdict !== 'AC');
    const size = reports.flatMap(({ tests }) => tests).find(({ testName }) => testName === file.testName);
    return { file, failing: reports.filter(failsHere), bytes: size?.inputBytes ?? 0 };
  });
  const [best] = candidates.toSorted((a, b) => b.failing.length - a.failing.length || a.bytes - b.bytes);
  const bytes = readSmallFile(best.file.inputPath, MAX_ANSWER_FILE_BYTES, 'input');
  return { bytes, description: best.file.name, ...divided(reports, best.failing) };
}

async function chooseCases(
  dataFiles: readonly DataFile[],
  reports: readonly ProgramReport[],
  problem: Problem,
  cutCases: CaseCutter,
): Promise<KeptInput | null> {
  const candidates = new DistinguishingCases();
  for (const file of dataFiles) {
    const verdicts = reports.map(
      ({ tests }) => tests.find(({ testName }) => testName === file.testName)?.cases,
    );
    if (!verdicts.some((cases) => cases?.some(({ verdict }) => verdict !== 'AC'))) continue;
    for await (const { caseNumber, input } of (await cutCases(file)) ?? []) {
      const { head, cases } = await readCases(file.name, input, problem);
      const programs = verdicts.flatMap((each, index) =>
        each?.some((one) => one.caseNumber === caseNumber && one.verdict !== 'AC') ? [index] : [],
      );
      const failingCase = { head, bytes: cases[0], expected: null, programs: new Set(programs) };
      candidates.addFailing(failingCase, [...file.args, '--', ...file.validatorFlags]);
    }
  }
  const chosen = candidates.choose(problem.inputFormat);
  if (chosen === null) return null;
  const { bytes } = chosen;
  const count = chosen.cases.length;
  const failing = [...chosen.programs].sort((a, b) => a - b).map((index) => reports[index]);
  return { bytes, description: `${count} ${count === 1 ? 'case' : 'cases'}`, ...divided(reports, failing) };
}

function divided(all: readonly ProgramReport[], failing: readonly ProgramReport[]) {
  const names = (reports: readonly ProgramReport[]) => reports.map(({ program }) => program);
  return { failing: names(failing), lost: names(all.filter((report) => !failing.includes(report))) };
}
