/** Reports how the judging of a problem package goes on, and its results: on the terminal, as text, and in files. */
import { type BoardmillError, Interrupted } from '../../core/errors.js';
import { formatCount, formatQuantity } from '../../core/format-count.js';
import { formatJUnit } from '../../core/junit.js';
import { escapeLines, escapeUnprintable } from '../../core/printable.js';
import { streamSink } from '../../engine/output/open-sink.js';
import type { ReportFiles, WantedReport } from '../../engine/output/report-file.js';
import { markdownTable } from '../../tools/bench/tables.js';
import type { DisputedAnswer } from '../../tools/judge/package/disputed-answers.js';
import { junitSuitesOfPackage } from '../../tools/judge/package/package-junit.js';
import type { ProgramReport, TestReport } from '../../tools/judge/package/package-reports.js';
import type { TimeLimit } from '../../tools/judge/package/time-limit.js';
import type { InputFinding } from '../../tools/judge/package/validators/input-validators.js';
import { AnswerGroups, describeAnswerGroup } from '../../tools/judge/report/answer-groups.js';
import { type FailingExample, judgePageToHtml } from '../../tools/judge/report/page.js';
import { type PrintNote, printMessage } from '../exit.js';
import { clearStatus, printAboveStatus, redrawStatus, showStatus } from '../status/terminal.js';
import {
  collapseWhitespace,
  describeDispute,
  describeFinding,
  describeSubmission,
  jsonLinesOfSubmission,
  jsonOfDispute,
  jsonOfFinding,
  programTable,
  remarksOn,
  type ShownProgram,
  tableLines,
  verdictMatrixLines,
  verdictMatrixOf,
} from './package-table.js';

/** The options that decide what is reported, and how. */
export interface PackageReportPlan {
  readonly folder: string;
  /** Whether verdicts on files are printed one by one, or also those on cases; null if not. */
  readonly matrix: 'files' | 'cases' | null;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly hasLiveTable: boolean;
  /** Whether a line is printed for each submission that is finished, because there is no live table. */
  readonly hasProgressLines: boolean;
  readonly keep: string | null;
  readonly markdown: string | null;
  readonly html: string | null;
  readonly junit: string | null;
}

/** What the written reports say about a run, apart from its verdicts. */
interface ReportedRun {
  /** Missing if an error or a signal has ended the run. */
  readonly timeLimit?: TimeLimit;
  /** A text that an error or a signal has ended the run; null or missing if none has. */
  readonly stopped?: string | null;
  /** The failing cases that the page shows. */
  readonly examples: readonly FailingExample[];
}

export type PackageReportFile = 'keep' | 'markdown' | 'html' | 'junit';

/** Returns the paths of the files that are written. */
export function filesOfPackageReport(
  plan: Pick<PackageReportPlan, PackageReportFile>,
): Readonly<Record<PackageReportFile, WantedReport>> {
  return {
    keep: { path: plan.keep, kind: 'distinguishing input', role: '--keep' },
    markdown: { path: plan.markdown, kind: 'report', role: '--export-markdown' },
    html: { path: plan.html, kind: 'report', role: '--html' },
    junit: { path: plan.junit, kind: 'report', role: '--junit' },
  };
}

const REFRESH_INTERVAL_MS = 200;

export class PackageReporter {
  readonly #plan: PackageReportPlan;
  readonly #note: PrintNote;
  readonly #stdout = streamSink(process.stdout);
  readonly #reports: ProgramReport[] = [];
  readonly #findings: InputFinding[] = [];
  readonly #disputes: DisputedAnswer[] = [];
  readonly #groups = new AnswerGroups();
  /** The submissions on which something is known, in the order in which it became known. */
  readonly #shown = new Map<string, ShownProgram>();
  /** The tests so far of the submissions that are not finished. */
  readonly #tests = new Map<string, TestReport[]>();
  #programs: readonly string[] = [];
  #files = 0;
  #activity = '';
  #isFinished = false;
  #areFilesBegun = false;
  #refreshTimer: NodeJS.Timeout | null = null;

  constructor(plan: PackageReportPlan, note: PrintNote) {
    this.#plan = plan;
    this.#note = note;
  }

  get reports(): readonly ProgramReport[] {
    return this.#reports;
  }

  /** Takes note of what will be judged, and shows the live table. */
  begin(programs: readonly string[], files: number): void {
    this.#programs = programs;
    this.#files = files;
    if (!this.#plan.hasLiveTable) return;
    this.#refreshTimer = setInterval(redrawStatus, REFRESH_INTERVAL_MS).unref();
    showStatus((columns) => this.#statusLines(columns), { hasRoomAbove: false });
  }

  showActivity(activity: string): void {
    this.#activity = activity;
  }

  addTest(program: string, test: TestReport): void {
    const tests = this.#tests.get(program) ?? [];
    tests.push(test);
    this.#tests.set(program, tests);
    this.#shown.set(program, { program, status: 'judged', expectation: '...', fits: null, tests });
  }

  /** Takes the report of a submission. JSON is printed at once. */
  async addProgram(report: ProgramReport): Promise<void> {
    this.#reports.push(report);
    this.#tests.delete(report.program);
    this.#shown.set(report.program, report);
    for (const { input, verdict, outputDigest } of report.tests)
      this.#groups.add(report.program, input, verdict, outputDigest);
    if (this.#plan.json) await this.#print(jsonLinesOfSubmission(report));
    if (this.#plan.hasProgressLines)
      this.#note(
        `[${this.#reports.length}/${this.#programs.length}] ${report.program}: ${collapseWhitespace(describeSubmission(report))}`,
      );
  }

  async addFindings(findings: readonly InputFinding[]): Promise<void> {
    this.#findings.push(...findings);
    const lines = findings.map(this.#plan.json ? jsonOfFinding : (each) => `${describeFinding(each)}\n`);
    if (lines.length > 0) await this.#print(lines.join(''));
  }

  async addDisputes(disputes: readonly DisputedAnswer[]): Promise<void> {
    this.#disputes.push(...disputes);
    const lines = disputes.map(this.#plan.json ? jsonOfDispute : (each) => `${describeDispute(each)}\n`);
    if (lines.length > 0) await this.#print(lines.join(''));
  }

  /** Prints the table, the matrix and the groups. Called when all submissions are judged. */
  async finish(files: readonly string[]): Promise<void> {
    this.close();
    this.#isFinished = true;
    if (this.#plan.json) return;
    if (this.#plan.matrix !== null) {
      const matrix = verdictMatrixOf(files, this.#reports);
      await this.#printLines([...verdictMatrixLines(matrix, this.#reports.length, widthOfOutput()), '']);
    }
    await this.#printLines([...this.#tableLines(), ...remarksOn(this.#reports), ...this.#describeGroups()]);
  }

  /** Prints the rows of the submissions that are finished, after an error or a signal. */
  async finishEarly(): Promise<void> {
    this.close();
    if (!this.#plan.json && !this.#isFinished && this.#reports.length > 0)
      await this.#printLines(this.#tableLines());
  }

  /** Writes the reports of the submissions that are finished, unless they are written, after an error or a signal. */
  async writeFilesEarly(
    files: ReportFiles<PackageReportFile>,
    inputs: readonly string[],
    error: BoardmillError,
  ): Promise<void> {
    if (this.#areFilesBegun) return;
    const count = this.#reports.length;
    const finished =
      count === 0 ? 'no submission' : `${count} of ${formatQuantity(this.#programs.length, 'submission')}`;
    const how = error instanceof Interrupted ? error.message : 'ended by an error';
    const reason = error instanceof Interrupted ? '' : ` ${error.message}`;
    const stopped = `This run was ${how} when ${finished} had been judged.${reason}`;
    await this.writeFiles(files, inputs, { stopped, examples: [] });
  }

  /** Writes the reports that were asked for. */
  async writeFiles(
    files: ReportFiles<PackageReportFile>,
    inputs: readonly string[],
    { timeLimit, stopped = null, examples }: ReportedRun,
  ): Promise<void> {
    this.#areFilesBegun = true;
    const [found, disputes] = [this.#findings, this.#disputes];
    const table = markdownTable(...programTable(this.#reports, false));
    await files.markdown?.write(stopped === null ? table : `${stopped}\n\n${table}`);
    const [headings, rows] = programTable(this.#reports, true);
    await files.junit?.write(
      formatJUnit('boardmill judge', junitSuitesOfPackage(inputs, this.#reports, found, disputes, stopped)),
    );
    await files.html?.write(
      judgePageToHtml({
        title: `boardmill judge: ${this.#plan.folder}`,
        remarks: [
          ...(stopped === null ? [] : [stopped]),
          ...(timeLimit === undefined
            ? []
            : [`Time limit ${timeLimit.seconds} s of processor time (${timeLimit.origin}).`]),
          ...found.map(describeFinding),
          ...disputes.map(describeDispute),
          ...remarksOn(this.#reports),
          ...this.#describeGroups(),
        ],
        programs: {
          headings,
          rows: rows.map((cells, index) => ({ cells, isBad: this.#reports[index].fits === false })),
        },
        matrix: verdictMatrixOf(inputs, this.#reports),
        examples,
      }),
    );
  }

  /** Removes the live table. */
  close(): void {
    if (this.#refreshTimer === null) return;
    clearInterval(this.#refreshTimer);
    this.#refreshTimer = null;
    clearStatus();
  }

  #describeGroups(): string[] {
    const groups = this.#groups.find().map((group) => describeAnswerGroup(group, 'file', this.#files));
    return groups.map(escapeUnprintable);
  }

  #tableLines(): string[] {
    return tableLines(this.#reports, this.#plan.matrix !== null, widthOfOutput());
  }

  #statusLines(columns: number): string[] {
    const shown = [...this.#shown.values()];
    const running = shown.filter(({ program }) => this.#tests.has(program));
    const runs = running.reduce((sum, { tests }) => sum + tests.length, this.#reports.length * this.#files);
    const all = this.#programs.length;
    const progress = `${this.#reports.length} of ${formatQuantity(all, 'submission')}, ${formatCount(runs)} of ${formatQuantity(all * this.#files, 'run')}; ${escapeUnprintable(this.#activity)}`;
    return [...(shown.length === 0 ? [] : tableLines(shown, false, columns)), progress];
  }

  #printLines(lines: readonly string[]): Promise<void> {
    return lines.length === 0 ? Promise.resolve() : this.#print(`${lines.join('\n')}\n`);
  }

  #print(text: string): Promise<void> {
    const write = () => this.#stdout.write(Buffer.from(escapeLines(text)), null);
    return this.#refreshTimer !== null && process.stdout.isTTY ? printAboveStatus(write) : write();
  }
}

/** Returns the width of the terminal, so that its lines are not wrapped. Files and pipes have lines of any length. */
function widthOfOutput(): number {
  return process.stdout.isTTY ? process.stdout.columns || DEFAULT_COLUMNS : Number.POSITIVE_INFINITY;
}

const DEFAULT_COLUMNS = 80;

/** Says what a kept input consists of, and which submissions fail on it. */
export function describeKeptInput(
  path: string,
  kept: {
    readonly description: string;
    readonly failing: readonly string[];
    readonly lost: readonly string[];
  } | null,
): void {
  if (kept === null) {
    printMessage(`${path} was not written: no submission has failed on a file`);
    return;
  }
  const { description, failing, lost } = kept;
  const fail = failing.length === 1 ? 'fails' : 'fail';
  printMessage(
    `${path}: ${description} on which ${formatQuantity(failing.length, 'submission')} ${fail} (chosen greedily)`,
  );
  for (const name of lost) printMessage(`${name} has failed, but does not fail on ${path}`);
}
