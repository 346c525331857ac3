/** Hill climbing with single random changes: the generators use it to find boards that are hard to solve. */

export interface Climb<Change> {
  readonly steps: number;
  /**
   * The score that is high enough, given the score at the start. Above it, the search may accept a lower score
   * again, so that results vary.
   */
  enough(start: number): number;
  score(): number;
  /** Makes a random change, and returns what `undo` needs to take it back. */
  change(): Change;
  undo(change: Change): void;
}

/**
 * Climbs for the given number of steps. Keeps a change if the score does not fall, or is still high enough. Returns
 * the last score.
 */
export function climb<Change>({ steps, enough, score, change, undo }: Climb<Change>): number {
  let height = score();
  const bound = enough(height);
  for (let step = 0; step < steps; step++) {
    const made = change();
    const reached = score();
    if (reached >= Math.min(height, bound)) height = reached;
    else undo(made);
  }
  return height;
}
