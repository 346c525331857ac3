/** Prints the results of `judge`: as JSON, or as a line for each case, and the table of the programs. */

import { basename } from 'node:path';
import { LF } from '../../core/bytes.js';
import type { BoardmillError } from '../../core/errors.js';
import { formatCount, formatQuantity } from '../../core/format-count.js';
import { formatJUnit } from '../../core/junit.js';
import { escapeLines, escapeUnprintable, printJson } from '../../core/printable.js';
import { streamSink } from '../../engine/output/open-sink.js';
import {
  type ReportFile,
  type ReportFiles,
  type WantedReport,
  withReportFiles,
} from '../../engine/output/report-file.js';
import { type PrintedAnswer, relabelAnswer } from '../../engine/printed-answer.js';
import type { CasesWithoutAnswers } from '../../engine/sink.js';
import type { RunTally } from '../../engine/tally.js';
import { VERDICTS } from '../../engine/verdict.js';
import type { Problem } from '../../problems/problem.js';
import { formatPercent, formatSeconds } from '../../tools/bench/numbers.js';
import { fitTable, markdownTable } from '../../tools/bench/tables.js';
import { DistinguishingCases, type DistinguishingInput } from '../../tools/cases/distinguishing-cases.js';
import type { JudgedRow } from '../../tools/judge/judge.js';
import { JudgeSummary, type ProgramTotals, suggestTimeLimit } from '../../tools/judge/judge-summary.js';
import { describeAnswerGroup } from '../../tools/judge/report/answer-groups.js';
import { CaseResults, type SmallestFailure } from '../../tools/judge/report/case-results.js';
import { type FailingExample, judgePageToHtml } from '../../tools/judge/report/page.js';
import { printMessage, reportError } from '../exit.js';
import { clearStatus, printAboveStatus, redrawStatus, showStatus } from '../status/terminal.js';

/** What is printed on standard output: the table of the programs, that table and a line for each case, or JSON. */
type JudgeView = 'table' | 'matrix' | 'json';

/** The options that decide what is reported, and how. */
export interface ReportPlan {
  readonly problem: Problem;
  readonly programs: readonly { readonly name: string }[];
  readonly inputs: readonly string[];
  readonly timeoutSeconds: number;
  readonly jobs: number;
  readonly keep: string | null;
  readonly markdown: string | null;
  readonly html: string | null;
  readonly junit: string | null;
  readonly force: boolean;
  readonly view: JudgeView;
  readonly quiet: boolean;
  readonly hasLiveTable: boolean;
}

/** An input made of chosen cases, and the right answers to these cases. */
export interface ChosenCasesInput {
  readonly cases: CasesWithoutAnswers;
  readonly expected: readonly PrintedAnswer[];
}

/** Judges cases again, which the report chooses or makes. */
export interface CaseRejudger {
  /** Returns the results of all programs for the cases of an input. */
  repeat(cases: ChosenCasesInput): Promise<readonly JudgedRow[]>;
  /** Returns the case on which a program fails, made as small as the time allows, with what the program prints for it. */
  shrink(failure: SmallestFailure): Promise<FailingExample>;
}

const HEADINGS = ['program', ...VERDICTS, 'slowest', 'case', 'total', 'cpu'];
const REFRESH_INTERVAL_MS = 200;
/** The width of the table if standard output is not a terminal, or is a terminal of unknown width. */
const DEFAULT_COLUMNS = 120;
const COLUMNS_OF_CASES = 16;

type FileName = 'keep' | 'markdown' | 'html' | 'junit';

/** Returns the paths of the files that the report may write. */
export function filesOfReport({
  keep,
  markdown,
  html,
  junit,
}: Pick<ReportPlan, FileName>): Readonly<Record<FileName, WantedReport>> {
  return {
    keep: { path: keep, kind: 'distinguishing input', role: '--keep' },
    markdown: { path: markdown, kind: 'report', role: '--export-markdown' },
    html: { path: html, kind: 'report', role: '--html' },
    junit: { path: junit, kind: 'report', role: '--junit' },
  };
}

/** Opens the files of the report, and calls `work` with the report. For `--keep` and `--html`, some cases are judged again. */
export function withJudgeReport<Result>(
  plan: ReportPlan,
  again: CaseRejudger,
  work: (report: JudgeReport) => Promise<Result>,
): Promise<Result> {
  return withReportFiles(filesOfReport(plan), plan.force, async (files) => {
    const report = new JudgeReport(plan, files, again);
    try {
      return await work(report);
    } finally {
      report.close();
    }
  });
}

export class JudgeReport {
  readonly #plan: ReportPlan;
  readonly #files: ReportFiles<FileName>;
  readonly #again: CaseRejudger;
  readonly #summary: JudgeSummary;
  readonly #results: CaseResults;
  readonly #distinguishing = new DistinguishingCases();
  readonly #errors: string[] = [];
  /** The tallies of the inputs that were opened so far. */
  readonly #tallies: RunTally[] = [];
  readonly #stdout = streamSink(process.stdout);
  readonly #refreshTimer: NodeJS.Timeout | null;

  constructor(plan: ReportPlan, files: ReportFiles<FileName>, again: CaseRejudger) {
    this.#plan = plan;
    this.#files = files;
    this.#again = again;
    const names = plan.programs.map(({ name }) => name);
    this.#summary = new JudgeSummary(names);
    this.#results = new CaseResults(names);
    this.#refreshTimer = plan.hasLiveTable ? setInterval(redrawStatus, REFRESH_INTERVAL_MS).unref() : null;
    if (plan.hasLiveTable)
      showStatus((columns) => [...this.#tableLines(columns), this.#progressLine()], { hasRoomAbove: false });
  }

  /** Counts the cases of this tally among those that the live table says are judged or to be judged. */
  follow(tally: RunTally): void {
    this.#tallies.push(tally);
  }

  get isAllAccepted(): boolean {
    return this.#summary.isAllAccepted;
  }

  /** Reports the results for one case. Called for the cases in their order. */
  async add(input: string, row: JudgedRow): Promise<void> {
    const isFirst = this.#summary.cases === 0;
    this.#summary.add(input, row);
    this.#results.add(input, row);
    if (this.#files.keep !== undefined) this.#distinguishing.add(row);
    const { view } = this.#plan;
    if (view === 'json') await this.#print(this.#jsonOf(input, row));
    if (view !== 'matrix') return;
    if (isFirst)
      await this.#print(
        this.#formatCaseLine(
          'case',
          this.#plan.programs.map((_, i) => `[${i + 1}]`),
        ),
      );
    const where = `${escapeUnprintable(input)}:${row.caseNumber}`;
    await this.#print(
      this.#formatCaseLine(
        where,
        row.results.map(({ verdict }) => verdict),
      ),
    );
  }

  /** Reports that an input was not judged to the end, after the results on the cases before. */
  addError(input: string, error: BoardmillError): void {
    reportError(error);
    this.#errors.push(error.message);
    this.#results.addError(input, error.message);
  }

  /** Prints the table and writes the report files. Called when all cases were judged. */
  async finish(): Promise<void> {
    await this.#printTable();
    if (this.#plan.view !== 'json') await this.#print(`${this.#describeGroups()}${this.#adviceOnLimit()}`);
    const examples: FailingExample[] = [];
    if (this.#files.html !== undefined)
      for (const failure of this.#results.smallest) examples.push(await this.#again.shrink(failure));
    await this.#writeFiles('', examples);
    if (this.#files.keep !== undefined) await this.#keepSmallInput(this.#files.keep);
  }

  /** Reports the cases that were judged before an error or a signal. The report files say what has ended the run. */
  async finishEarly({ message }: BoardmillError): Promise<void> {
    if (this.#summary.cases > 0) await this.#printTable();
    this.#errors.push(message);
    this.#results.addError('the whole run', message);
    await this.#writeFiles(`Not judged to the end: ${message}\n\n`, []);
  }

  async #writeFiles(ending: string, examples: readonly FailingExample[]): Promise<void> {
    await this.#files.markdown?.write(`${ending}${markdownTable(HEADINGS, this.#rows())}`);
    await this.#files.junit?.write(formatJUnit('boardmill judge', this.#results.suites()));
    await this.#files.html?.write(this.#page(examples));
  }

  close(): void {
    this.#endLiveTable();
  }

  async #printTable(): Promise<void> {
    this.#endLiveTable();
    const columns = process.stdout.columns || DEFAULT_COLUMNS;
    if (this.#plan.view !== 'json') await this.#print(`${this.#tableLines(columns).join('\n')}\n`);
  }

  #endLiveTable(): void {
    if (this.#refreshTimer === null) return;
    clearInterval(this.#refreshTimer);
    clearStatus();
  }

  #print(text: string): Promise<void> {
    const write = () => this.#stdout.write(Buffer.from(escapeLines(text)), null);
    return this.#plan.hasLiveTable && process.stdout.isTTY ? printAboveStatus(write) : write();
  }

  #jsonOf(input: string, { caseNumber, results }: JudgedRow): string {
    const lines = results.map(({ verdict, reason, seconds, cpuSeconds, expected, got }, index) => {
      const program = this.#plan.programs[index].name;
      const times = { seconds: round(seconds), cpuSeconds: cpuSeconds === null ? null : round(cpuSeconds) };
      const why = reason === null ? {} : { reason };
      return printJson({ program, input, case: caseNumber, verdict, ...times, expected, got, ...why });
    });
    return `${lines.join('\n')}\n`;
  }

  #formatCaseLine(where: string, cells: readonly string[]): string {
    return `${where.padEnd(COLUMNS_OF_CASES)}${cells.map((cell) => cell.padStart(5)).join('')}\n`;
  }

  #tableLines(columns: number): string[] {
    return fitTable(HEADINGS, this.#rows(), columns).join('\n').trimEnd().split('\n');
  }

  #progressLine(): string {
    return describeProgress(this.#summary.cases, this.#tallies, this.#plan.inputs.length);
  }

  /** The cells of the table, in the order of HEADINGS. With `--matrix`, names begin with the numbers of their columns. */
  #rows(isNumbered = this.#plan.view === 'matrix'): string[][] {
    return this.#summary.programs.map((totals, index) => [
      `${isNumbered ? `[${index + 1}] ` : ''}${escapeUnprintable(totals.name)}`,
      ...VERDICTS.map((verdict) => String(totals.counts[verdict])),
      ...timeCells(totals, this.#plan.inputs),
    ]);
  }

  #describeGroups(): string {
    const groups = this.#results.findGroups().map((group) => describeAnswerGroup(group, 'case'));
    return groups.map((line) => `${escapeUnprintable(line)}\n`).join('');
  }

  #page(examples: readonly FailingExample[]): string {
    const { omittedRows, matrix } = this.#results;
    const omitted =
      omittedRows === 0 ? [] : [`${formatQuantity(omittedRows, 'more failing case')} not listed.`];
    const { programs } = this.#summary;
    return judgePageToHtml({
      title: `boardmill judge: ${this.#plan.problem.name}`,
      remarks: [
        `${formatQuantity(this.#summary.cases, 'case')}. The table of cases has those on which a program fails.`,
        ...omitted,
        ...this.#errors.map((message) => `Not judged to the end: ${message}`),
        ...this.#describeGroups().split('\n').slice(0, -1),
      ],
      programs: {
        headings: HEADINGS,
        rows: this.#rows(true).map((cells, index) => ({
          cells,
          isBad: programs[index].counts.AC < this.#summary.cases,
        })),
      },
      matrix,
      examples,
    });
  }

  /** Suggests a time limit; returns an empty text if no program is right on all cases. */
  #adviceOnLimit(): string {
    const { timeoutSeconds, jobs, quiet } = this.#plan;
    const limit = suggestTimeLimit(this.#summary, timeoutSeconds);
    if (limit === null || quiet) return '';
    const { seconds, slowestRight, isSafe, neededSeconds } = limit;
    const { name, slowest } = slowestRight;
    const right = `the slowest right program, ${escapeUnprintable(name)}, needs ${formatSeconds(slowest.seconds)}`;
    const doubt = isSafe
      ? ''
      : `; programs that were stopped after ${timeoutSeconds} s are too slow for sure only if they need ${neededSeconds} s (--timeout ${neededSeconds})`;
    const noise = jobs > 1 ? '; -j 1 measures more exactly' : '';
    return `suggested time limit: ${seconds} s (${right}; the limit is twice that, in whole seconds${doubt}${noise})\n`;
  }

  async #keepSmallInput(file: ReportFile): Promise<void> {
    const { problem } = this.#plan;
    const chosen = this.#distinguishing.choose(problem.inputFormat);
    if (chosen === null) {
      await file.discard();
      if (!this.#plan.quiet) printMessage(`${this.#plan.keep} was not written: no program has failed`);
      return;
    }
    await file.write(chosen.bytes);
    const rows = await this.#again.repeat(putTogether(chosen, problem));
    if (!this.#plan.quiet) this.#describeKept(chosen, rows);
  }

  /** Describes the size of the kept input, and names the programs that fail on the original inputs but not on this one. */
  #describeKept({ cases }: DistinguishingInput, rows: readonly JudgedRow[]): void {
    const { keep } = this.#plan;
    const failed = this.#summary.programs.map(({ counts }) => counts.AC < this.#summary.cases);
    const stillFails = (index: number) => rows.some(({ results }) => results[index].verdict !== 'AC');
    const lost = this.#plan.programs.filter((_, index) => failed[index] && !stillFails(index));
    const failing = this.#plan.programs.filter((_, index) => stillFails(index)).length;
    printMessage(
      `${keep}: ${formatQuantity(cases.length, 'case')} on which ${formatQuantity(failing, 'program')} ${failing === 1 ? 'fails' : 'fail'} (chosen greedily)`,
    );
    for (const { name } of lost) printMessage(`${name} has failed, but does not fail on ${keep}`);
  }
}

/**
 * Says how many cases are judged, and of how many, as far as that is known: "2,200 of 20,000 cases". Of inputs that do not say
 * how many cases they have, it says "2,200 cases (11 %)". `tallies` are those of the inputs that were opened so far.
 */
export function describeProgress(
  cases: number,
  tallies: readonly Pick<RunTally, 'promisedCases' | 'answeredBytes' | 'inputBytes'>[],
  inputs: number,
): string {
  const areAllOpen = tallies.length === inputs;
  const total = (counts: readonly (number | null)[]) =>
    areAllOpen && !counts.includes(null) ? counts.reduce<number>((sum, count) => sum + count!, 0) : null;
  const which = inputs === 1 ? '' : `, input ${formatCount(tallies.length)} of ${formatCount(inputs)}`;
  const promised = total(tallies.map(({ promisedCases }) => promisedCases));
  if (promised !== null) return `${formatCount(cases)} of ${formatQuantity(promised, 'case')}${which}`;
  const bytes = total(tallies.map(({ inputBytes }) => inputBytes));
  const answered = tallies.reduce((sum, { answeredBytes }) => sum + answeredBytes, 0);
  const share = bytes === null ? '' : ` (${formatPercent(Math.min(1, answered / Math.max(1, bytes)))})`;
  return `${formatQuantity(cases, 'case')}${share}${which}`;
}

/** Makes an input of the chosen cases, with their right answers under new case numbers. */
function putTogether({ head, cases }: DistinguishingInput, { answerFormat }: Problem): ChosenCasesInput {
  const starts = new Uint32Array(cases.length + 1);
  const texts = cases.map(({ bytes }) =>
    bytes.at(-1) === LF ? bytes : Buffer.concat([bytes, Buffer.from('\n')]),
  );
  for (const [index, { length }] of texts.entries()) starts[index + 1] = starts[index] + length;
  const expected = cases.map((each, index) => {
    const { bytes, from, to } = relabelAnswer(each.expected!, answerFormat.label(index + 1));
    return { bytes, start: from, bodyStart: from, end: to };
  });
  return {
    cases: { bytes: Buffer.concat(texts), starts, count: cases.length, firstCase: 1, head },
    expected,
  };
}

/** Returns the cells of the table that show the times of a program. */
function timeCells({ slowest, seconds, cpuSeconds }: ProgramTotals, inputs: readonly string[]): string[] {
  if (slowest === null) return ['-', '-', '-', '-'];
  const { input, caseNumber } = slowest;
  return [
    formatSeconds(slowest.seconds),
    `${escapeUnprintable(shortNameOf(input, inputs))}:${caseNumber}`,
    formatSeconds(seconds),
    cpuSeconds === null ? '-' : cpuSeconds === 0 ? '0 s' : formatSeconds(cpuSeconds),
  ];
}

/** Returns the name of an input without its folder, or with it if another input has the same name. */
function shortNameOf(input: string, inputs: readonly string[]): string {
  const name = basename(input);
  return inputs.filter((other) => basename(other) === name).length > 1 ? input : name;
}

/** Rounds seconds to microseconds. */
function round(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
