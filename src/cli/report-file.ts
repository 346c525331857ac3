/** A report that a command writes beside its work, such as `--stats` and `--html`. */
import type { OutputKind } from '../engine/output/ledger.js';
import { openFreshSink } from '../engine/output/open-sink.js';

export interface ReportFile {
  /** Writes the whole report. */
  write(content: string | Uint8Array): Promise<void>;
  /** There is nothing to report: no file is left. */
  abandon(): Promise<void>;
  /** Whether it is a file that can be left behind. */
  readonly isFile: boolean;
}

/**
 * Opens a report before the work begins, so that minutes of work do not end in a mistyped folder or an overwritten
 * file; `-` is standard error. Fails with kind `file`.
 */
export async function openReport(path: string, kind: OutputKind, force: boolean): Promise<ReportFile> {
  if (path === '-') {
    return {
      write: async (content) => void process.stderr.write(content),
      abandon: async () => {},
      isFile: false,
    };
  }
  const sink = await openFreshSink(path, { kind, force });
  return {
    async write(content) {
      await sink.write(Buffer.from(content), null);
      await sink.finish();
    },
    abandon: async () => void (await sink.abandon()),
    isFile: true,
  };
}
