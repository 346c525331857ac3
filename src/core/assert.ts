/**
 * Asserts a relation between constants. Called next to the constants, it fails when the file is loaded, not in the
 * middle of a run.
 */
export function assertRelation(isTrue: boolean, relation: string): void {
  if (!isTrue) throw new Error(`this relation between constants is false: ${relation}`);
}
