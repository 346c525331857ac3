/** Files for the reports of a command, such as those of `--stats` and `--html`. */
import type { FileContent } from './ledger.js';
import { openFreshSink } from './open-sink.js';

export interface ReportFile {
  /** Writes the whole report. */
  write(content: string | Uint8Array): Promise<void>;
  /** Removes the report file. Called if the command has no results to report. */
  discard(): Promise<void>;
  /** False if the report goes to standard error, so that there is no file to remove. */
  readonly isFile: boolean;
}

/**
 * Opens the file for a report; the path `-` means standard error. Commands open their reports before they start
 * working, so that a mistyped path is found at once and not after minutes of work. If the file cannot be created, or
 * must not be overwritten, this throws a BoardmillError of kind `file`.
 */
export async function openReportFile(path: string, kind: FileContent, force: boolean): Promise<ReportFile> {
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
