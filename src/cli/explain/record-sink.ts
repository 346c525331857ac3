/** Collects the records of workers that write one line of JSON about each case. */
import { LF } from '../../core/bytes.js';
import { NO_SINK_ENDING, type Sink } from '../../engine/sink.js';

/** Returns a sink that parses each line it receives and calls `onRecord` with the records, one by one. */
export function createRecordSink<CaseRecord>(onRecord: (record: CaseRecord) => Promise<void>): Sink {
  return {
    ...NO_SINK_ENDING,
    async write(bytes) {
      for (let start = 0; start < bytes.length; ) {
        const end = bytes.indexOf(LF, start);
        await onRecord(JSON.parse(Buffer.from(bytes.subarray(start, end)).toString()));
        start = end + 1;
      }
    },
  };
}
