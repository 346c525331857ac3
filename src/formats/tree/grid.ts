/** The value of a grid. */
export class TreeGrid {
  #lines: readonly string[] | null = null;
  readonly #letters: readonly string[];

  /** The cells are indices of letters, row by row. If the grid has two alphabets, each cell has two indices. */
  constructor(
    readonly rows: number,
    readonly cols: number,
    readonly cells: Uint8Array,
    letters: readonly string[],
  ) {
    this.#letters = letters;
  }

  /** Returns a copy of the grid that shares no cells with it. */
  copy(): TreeGrid {
    return new TreeGrid(this.rows, this.cols, this.cells.slice(), this.#letters);
  }

  /** The rows of the grid as lines of an input. */
  get lines(): readonly string[] {
    this.#lines ??= Array.from({ length: this.rows }, (_, row) => this.#line(row));
    return this.#lines;
  }

  #line(row: number): string {
    const perCell = this.#letters.length;
    const first = row * this.cols * perCell;
    const cells: string[] = [];
    for (let at = first; at < first + this.cols * perCell; at += perCell) {
      cells.push(this.#letters.map((letters, index) => letters[this.cells[at + index]]).join(''));
    }
    return cells.join(perCell === 1 ? '' : ' ');
  }
}
