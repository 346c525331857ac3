/** Each thread adds listeners to the output streams of the process. Node reports more than ten on a stream as a leak. */

/** Number of listeners on an output stream that code other than the threads may add. */
const OTHER_LISTENERS = 10;

/** Number of threads of this process that have not ended, at most. */
let expected = 0;

/** Allows the listeners of so many further threads. Returns a function to call when these threads have ended. */
export function allowThreadListeners(count: number): () => void {
  expected += count;
  for (const stream of [process.stdout, process.stderr])
    stream.setMaxListeners(Math.max(stream.getMaxListeners(), OTHER_LISTENERS + expected));
  return () => {
    expected -= count;
  };
}
