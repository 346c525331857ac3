/** What else the machine does matters to the wall times of programs. */

/** Half a processor's work may be chance, or the end of what was just running. */
const TOLERATED_LOAD = 0.5;

/**
 * Returns a note that the machine is so busy that `jobs` programs at a time have to wait for processors; empty if it is not.
 * `load` is the number of processes that want a processor, on the average of the last minute.
 */
export function describeMachineLoad(load: number, processors: number, jobs: number): string {
  if (load + jobs <= processors + TOLERATED_LOAD) return '';
  return `this machine is busy (load ${load.toFixed(1)} on ${processors} processors): judging takes longer, and programs may need a little more processor time`;
}
