/** The number of islands on a map: fewer cases, each a grid of hundreds of cells. */
import { defineProblem, formats } from 'boardmill';

const { counted, int, grid } = formats;

export default defineProblem({
  name: 'islands',
  input: counted({ rows: int(1, 40), cols: int(1, 40), map: grid('rows', 'cols', '.#') }),
  answer: int(),
  solve({ rows, cols, map }) {
    const seen = new Uint8Array(rows * cols);
    const stack = [];
    let islands = 0;
    const visit = (cell) => {
      if (map.cells[cell] === 0 || seen[cell] === 1) return;
      seen[cell] = 1;
      stack.push(cell);
    };
    for (let start = 0; start < rows * cols; start++) {
      visit(start);
      if (stack.length > 0) islands++;
      while (stack.length > 0) {
        const cell = stack.pop();
        const col = cell % cols;
        if (cell >= cols) visit(cell - cols);
        if (cell < (rows - 1) * cols) visit(cell + cols);
        if (col > 0) visit(cell - 1);
        if (col < cols - 1) visit(cell + 1);
      }
    }
    return islands;
  },
});
