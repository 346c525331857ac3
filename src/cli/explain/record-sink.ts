/** A sink for workers that write one line of JSON about each case. */
import { LF } from '../../core/bytes.js';
import { type Sink, WRITTEN_AT_ONCE } from '../../engine/sink.js';

/** Returns a sink that parses each line that it gets, and passes the records on one after the other. */
export function recordSink<CaseRecord>(onRecord: (record: CaseRecord) => Promise<void>): Sink {
  return {
    ...WRITTEN_AT_ONCE,
    async write(bytes) {
      for (let start = 0; start < bytes.length; ) {
        const end = bytes.indexOf(LF, start);
        await onRecord(JSON.parse(Buffer.from(bytes.subarray(start, end)).toString()));
        start = end + 1;
      }
    },
  };
}
