/** Files for the reports of a command, such as those of `--stats` and `--html`. */
import type { UsedFile } from './distinct-files.js';
import type { WrittenFileKind } from './ledger.js';
import { openFreshSink } from './open-sink.js';

/** A report that a command can write. */
export interface WantedReport {
  /** The file for the report; null if the user wants none. */
  readonly path: string | null;
  readonly kind: WrittenFileKind;
  /** What messages call the file, such as `--html`. */
  readonly role: string;
}

/** The reports that a command can write, by their names. */
type WantedReports<Name extends string> = Readonly<Record<Name, WantedReport>>;

/** The opened files of the reports that the user has asked for, by the names of the reports. */
export type ReportFiles<Name extends string> = Readonly<Partial<Record<Name, ReportFile>>>;

export interface ReportFile {
  /** Writes the whole report. */
  write(content: string | Uint8Array): Promise<void>;
  /** Removes the report file. The command calls it if there are no results to report. */
  discard(): Promise<void>;
  /** False if the report goes to standard error, so that there is no file to remove. */
  readonly isFile: boolean;
}

/**
 * Opens the file for a report; the path `-` means standard error. Commands open their reports before they start working, so
 * that a mistyped path is found at once and not after minutes of work. Fails with kind `file` if the file cannot be created, or
 * must not be overwritten.
 */
export async function openReportFile(
  path: string,
  kind: WrittenFileKind,
  force: boolean,
): Promise<ReportFile> {
  if (path === '-') {
    return {
      write: async (content) => void process.stderr.write(content),
      discard: async () => {},
      isFile: false,
    };
  }
  const sink = await openFreshSink(path, { kind, force });
  return {
    async write(content) {
      await sink.write(Buffer.from(content), null);
      await sink.finish();
    },
    discard: async () => void (await sink.abandon()),
    isFile: true,
  };
}

/** Returns the files of the reports, for the check that no file has two roles. */
export function filesOfReports(reports: WantedReports<string>): UsedFile[] {
  return Object.values(reports).flatMap(({ path, role }) => (path === null ? [] : [{ path, role }]));
}

/**
 * Opens the files of the reports, and calls `work` with them. If `work` fails, removes those files that are not written yet.
 */
export async function withReportFiles<Name extends string, Result>(
  reports: WantedReports<Name>,
  force: boolean,
  work: (files: ReportFiles<Name>) => Promise<Result>,
): Promise<Result> {
  const files: Partial<Record<Name, ReportFile>> = {};
  try {
    for (const [name, { path, kind }] of Object.entries(reports) as [Name, WantedReport][])
      if (path !== null) files[name] = await openReportFile(path, kind, force);
    return await work(files);
  } catch (error) {
    for (const file of Object.values<ReportFile | undefined>(files)) await file?.discard();
    throw error;
  }
}
