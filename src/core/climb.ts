/** Seeded hill climbing by single changes. */

export interface Climb<Change> {
  readonly steps: number;
  /** What is high enough, for a start of this score: above it the walk may go down again, for variety's sake. */
  enough(start: number): number;
  score(): number;
  /** Changes what is scored, and says how to take it back. */
  change(): Change;
  undo(change: Change): void;
}

/** Keeps every change after which the score is no lower than before, or high enough; returns the last score. */
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
