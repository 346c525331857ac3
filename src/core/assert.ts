/** Checks a relation between constants, beside them: it fails when the file loads, not when a user runs it. */
export function assertRelation(holds: boolean, relation: string): void {
  if (!holds) throw new Error(`does not hold: ${relation}`);
}
