/** Finds the rectangles that play can leave on a board, for games in which a move cuts a rectangle into smaller ones. */

/** The edges of a rectangle: it has the rows `top` to `bottom - 1` and the columns `left` to `right - 1`. */
export type RectangleEdges = readonly [top: number, bottom: number, left: number, right: number];

/** Receives a rectangle. */
export type VisitRectangle = (top: number, bottom: number, left: number, right: number) => void;

/** Numbers the rectangles of a board, so that a list of very many rectangles needs little memory. */
export class RectangleNumbering {
  readonly #rows: number;
  readonly #cols: number;

  constructor(rows: number, cols: number) {
    this.#rows = rows;
    this.#cols = cols;
  }

  /**
   * Returns the numbers of the rectangles that play can leave, breadth first from the whole board. `visitParts` must call
   * `visit` for each rectangle that a move in `edges` leaves. It may do so more than once, and for rectangles without cells.
   */
  reachable(visitParts: (edges: RectangleEdges, visit: VisitRectangle) => void): number[] {
    const [rowEdges, colEdges] = [this.#rows + 1, this.#cols + 1];
    const isReached = new Uint8Array((rowEdges * colEdges) ** 2);
    const reached: number[] = [];
    const visit: VisitRectangle = (top, bottom, left, right) => {
      const number = ((top * rowEdges + bottom) * colEdges + left) * colEdges + right;
      if (isReached[number] === 1) return;
      isReached[number] = 1;
      reached.push(number);
    };
    visit(0, this.#rows, 0, this.#cols);
    for (let i = 0; i < reached.length; i++) visitParts(this.edgesOf(reached[i]), visit);
    return reached;
  }

  edgesOf(number: number): RectangleEdges {
    const [rowEdges, colEdges] = [this.#rows + 1, this.#cols + 1];
    const rows = Math.floor(number / colEdges ** 2);
    const cols = number % colEdges ** 2;
    return [Math.floor(rows / rowEdges), rows % rowEdges, Math.floor(cols / colEdges), cols % colEdges];
  }
}
