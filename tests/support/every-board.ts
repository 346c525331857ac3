/** Every board of given sizes, from the enumeration that `generate --profile all` uses. */

import { loadProblem } from '../../src/catalog/registry.js';
import type { Range } from '../../src/core/range.js';
import type { Board } from '../../src/problems/problem.js';

/** Returns copies of all boards of these sizes of the problem with this name. */
export async function everyBoard(name: string, rows: Range | number, cols: Range | number): Promise<Board[]> {
  const problem = await loadProblem(name);
  const request = { rows: toRange(rows), cols: toRange(cols), set: null };
  const boards: Board[] = [];
  for (const board of problem.cases.enumerate!(request).candidatesFrom(0n)) {
    boards.push({ ...board!, cells: board!.cells.slice() });
  }
  return boards;
}

function toRange(size: Range | number): Range {
  return typeof size === 'number' ? { from: size, to: size } : size;
}
