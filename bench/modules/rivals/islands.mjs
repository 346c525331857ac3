/** Returns the answers to whole cases: a line with the size, and the rows of the map. */
export function solve(text) {
  const lines = text.split('\n');
  let answers = '';
  for (let at = 0; at + 1 < lines.length; ) {
    const [rows, cols] = lines[at].split(' ').map(Number);
    answers += `${countIslands(lines.slice(at + 1, at + 1 + rows), rows, cols)}\n`;
    at += 1 + rows;
  }
  return answers;
}

function countIslands(map, rows, cols) {
  const seen = new Uint8Array(rows * cols);
  const stack = [];
  let islands = 0;
  const visit = (row, col) => {
    if (map[row][col] === '.' || seen[row * cols + col] === 1) return;
    seen[row * cols + col] = 1;
    stack.push(row * cols + col);
  };
  for (let start = 0; start < rows * cols; start++) {
    visit(Math.floor(start / cols), start % cols);
    if (stack.length > 0) islands++;
    while (stack.length > 0) {
      const cell = stack.pop();
      const row = Math.floor(cell / cols);
      const col = cell % cols;
      if (row > 0) visit(row - 1, col);
      if (row < rows - 1) visit(row + 1, col);
      if (col > 0) visit(row, col - 1);
      if (col < cols - 1) visit(row, col + 1);
    }
  }
  return islands;
}

/** Returns the index after the last whole case in the text. */
export function wholeCases(text) {
  for (let whole = 0; ; ) {
    const sizeEnd = text.indexOf('\n', whole);
    if (sizeEnd < 0) return whole;
    const [rows, cols] = text.slice(whole, sizeEnd).split(' ').map(Number);
    const next = sizeEnd + 1 + rows * (cols + 1);
    if (next > text.length) return whole;
    whole = next;
  }
}

export const hasHead = true;
