/** Changes the recorded operations of a run to what a run with a fault would have done. */
import type { FileOperation } from './record.js';

/** A sync that makes nothing certain. */
const withoutEffect = (operation: FileOperation): FileOperation =>
  operation.kind === 'sync' ? { ...operation, begin: 0 } : operation;

/** Takes the effect from all syncs of the paths that match. */
export const withoutSync = (operations: readonly FileOperation[], path: RegExp) =>
  operations.map((operation) => (path.test(operation.path) ? withoutEffect(operation) : operation));

/** Lets FILE get its name before the bytes are synced. */
export function nameFirst(operations: readonly FileOperation[]): FileOperation[] {
  const link = operations.findIndex(({ kind }) => kind === 'link');
  const sync = operations.findIndex(({ kind, path }) => kind === 'sync' && path.endsWith('.partial'));
  return [
    ...operations.slice(0, sync),
    operations[link],
    ...operations.slice(sync, link),
    ...operations.slice(link + 1),
  ];
}
