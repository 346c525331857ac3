/** Collects the records of workers that write one line of JSON about each case. */
import { LF } from '../../core/bytes.js';
import { SINK_WITHOUT_END, type Sink } from '../../engine/sink.js';

/** Returns a sink that parses each line it receives and calls `onRecord` with the records, one by one. */
export function recordSink<CaseRecord>(onRecord: (record: CaseRecord) => Promise<void>): Sink {
  return {
    ...SINK_WITHOUT_END,
    async write(bytes) {
      for (let start = 0; start < bytes.length; ) {
        const end = bytes.indexOf(LF, start);
        await onRecord(JSON.parse(Buffer.from(bytes.subarray(start, end)).toString()));
        start = end + 1;
      }
    },
  };
}
