// Layout `counted`: the number of cases, then that many maps. Answers have labels: "Case #1: 5".
//
// A map shows land (.) and water (~). Water cells that share a side belong to the same pond.
// Print the number of cells of the largest pond, 0 if there is none.
import { defineProblem, formats } from 'boardmill';

const { counted, int, grid, labelled } = formats;

export default defineProblem({
  name: 'ponds',
  input: counted({ rows: int(1, 200), cols: int(1, 200), map: grid('rows', 'cols', '.~') }),
  answer: labelled('Case #', int()),
  // A cell of `map.cells` is the index of its letter in '.~': 0 is land, 1 is water.
  solve: ({ cols, map: { cells } }) => {
    let largest = 0;
    for (let start = 0; start < cells.length; start++) {
      largest = Math.max(largest, drain(cells, cols, start));
    }
    return largest;
  },
  print: (size, caseNumber) => `Case #${caseNumber}: ${size}`,
});

/** Turns the pond around `start` into land, and returns the number of its cells. */
function drain(cells, cols, start) {
  const waiting = [start];
  let size = 0;
  while (waiting.length > 0) {
    const cell = waiting.pop();
    if (cells[cell] !== 1) continue;
    cells[cell] = 0;
    size++;
    if (cell % cols > 0) waiting.push(cell - 1);
    if (cell % cols < cols - 1) waiting.push(cell + 1);
    waiting.push(cell - cols, cell + cols); // Outside the map, there is no cell, so no water.
  }
  return size;
}
