/** Hill climbing with single random changes: the generators use it to find boards that are hard to solve. */

interface Climb<Change> {
  readonly steps: number;
  /**
   * Returns the score that is always high enough: the climb accepts every change after which the score is at least
   * this high, even if the change lowers the score. So results vary. `start` is the score before the first change.
   */
  alwaysAcceptedScore(start: number): number;
  score(): number;
  /** Makes a random change, and returns what `undo` needs to take it back. */
  change(): Change;
  undo(change: Change): void;
}

/**
 * Climbs for the given number of steps. Keeps a change if the score does not fall, or is still at least
 * `alwaysAcceptedScore`. Returns the last score.
 */
export function hillClimb<Change>({
  steps,
  alwaysAcceptedScore,
  score,
  change,
  undo,
}: Climb<Change>): number {
  let height = score();
  const bound = alwaysAcceptedScore(height);
  for (let step = 0; step < steps; step++) {
    const made = change();
    const reached = score();
    if (reached >= Math.min(height, bound)) height = reached;
    else undo(made);
  }
  return height;
}
