/**
 * Finds all positions that can be reached from a position, breadth first. A position is a number from 0 to
 * `positionCount - 1`. `visitNext` passes each position that one move leads to to `visit`, perhaps more than once.
 * The returned array begins with `start`.
 */
export function reachableFrom(
  start: number,
  positionCount: number,
  visitNext: (position: number, visit: (next: number) => void) => void,
): number[] {
  const isReached = new Uint8Array(positionCount);
  const reached: number[] = [];
  const visit = (position: number) => {
    if (isReached[position] === 1) return;
    isReached[position] = 1;
    reached.push(position);
  };
  visit(start);
  for (let i = 0; i < reached.length; i++) visitNext(reached[i], visit);
  return reached;
}
