/** Measures boards: their sides, their density, and the limits of the contest that they reach. */
import type { Board } from '../../formats/boards/board.js';
import {
  type CaseMeasure,
  CaseMeasurement,
  type MeasuredNumber,
  type ValueLimits,
} from '../../formats/cases/measure.js';
import type { BoardProblemParts } from './board-parts.js';

const ROWS = 0;
const COLS = 1;
const CELLS = 2;

type MeasuredParts = Pick<BoardProblemParts<unknown>, 'constraints' | 'isCountedInDensity'>;

export class BoardCaseMeasure implements CaseMeasure<Board> {
  readonly numbers: readonly MeasuredNumber[];
  readonly #limits: readonly ValueLimits[];
  readonly #isCountedInDensity: MeasuredParts['isCountedInDensity'];
  readonly #measurement = new CaseMeasurement(3);

  constructor({ constraints, isCountedInDensity }: MeasuredParts) {
    const { minRows, maxRows, minCols, maxCols, maxCells } = constraints;
    this.numbers = [
      { name: 'rows', role: 'size', min: `${minRows}`, max: `${maxRows}` },
      { name: 'cols', role: 'size', min: `${minCols}`, max: `${maxCols}` },
      { name: 'cells', role: 'value', min: null, max: `${maxCells}` },
    ];
    this.#limits = [
      { low: minRows, high: maxRows },
      { low: minCols, high: maxCols },
      { low: null, high: maxCells },
    ];
    this.#isCountedInDensity = isCountedInDensity;
  }

  measure(board: Board): CaseMeasurement {
    const { rows, cols } = board;
    this.#measurement.clear();
    this.#add(ROWS, rows);
    this.#add(COLS, cols);
    this.#add(CELLS, rows * cols);
    let dense = 0;
    for (let cell = 0; cell < rows * cols; cell++) if (this.#isCountedInDensity(board, cell)) dense++;
    this.#measurement.density = dense / (rows * cols);
    return this.#measurement;
  }

  #add(index: number, value: number): void {
    this.#measurement.add(index, value, value, this.#limits[index]);
  }
}
