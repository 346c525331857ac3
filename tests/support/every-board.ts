/** Every board of given sizes, from the enumeration that `generate --profile all` uses. */
import type { Range } from '../../src/core/range.js';
import type { Board } from '../../src/problems/problem.js';
import { loadProblem } from '../../src/problems/registry.js';

/** Yields copies of all boards of these sizes of the problem with this name. */
export async function everyBoard(name: string, rows: Range, cols: Range): Promise<Board[]> {
  const problem = await loadProblem(name);
  const boards: Board[] = [];
  for (const board of problem.enumerateCases!({ rows, cols, set: null }).candidatesFrom(0n)) {
    boards.push({ ...board!, cells: board!.cells.slice() });
  }
  return boards;
}
