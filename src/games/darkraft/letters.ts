/** The letters of cells. `Board.cells` has their indices. */
export const LETTERS = 'LRX';
