// Right: tests all pairs of blocks with the same symbol before each pop, and then moves the blocks turn by turn.
#include <iostream>
#include <string>
#include <utility>
#include <vector>
using namespace std;

struct Cell {
  int row, col;
};

int rows, cols;
// Cells 1..rows x 1..cols are the board, with '.' where no block is. Around it is the ring, which is always empty.
vector<string> symbol, way;

// Says whether all cells strictly between two cells of one row or column are empty.
bool clearBetween(int r1, int c1, int r2, int c2) {
  if (r1 > r2 || c1 > c2) swap(r1, r2), swap(c1, c2);
  if (r1 == r2) {
    for (int c = c1 + 1; c < c2; c++)
      if (symbol[r1][c] != '.') return false;
  } else {
    for (int r = r1 + 1; r < r2; r++)
      if (symbol[r][c1] != '.') return false;
  }
  return true;
}

// The fewest segments of a link between two blocks, if these are fewer than `limit`, and `limit` otherwise.
int segments(Cell a, Cell b, int limit) {
  if ((a.row == b.row || a.col == b.col) && clearBetween(a.row, a.col, b.row, b.col)) return 1;
  if (limit <= 2) return limit;
  for (auto [r, c] : {pair(a.row, b.col), pair(b.row, a.col)})
    if (symbol[r][c] == '.' && clearBetween(a.row, a.col, r, c) && clearBetween(r, c, b.row, b.col)) return 2;
  if (limit <= 3) return limit;
  // Three segments: the line leaves a in a direction and turns at some cell, from which two segments lead to b.
  const int steps[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
  for (auto [dr, dc] : steps)
    for (int r = a.row + dr, c = a.col + dc; r >= 0 && r <= rows + 1 && c >= 0 && c <= cols + 1; r += dr, c += dc) {
      if (symbol[r][c] != '.') break;
      const int turnRow = dr ? r : b.row, turnCol = dr ? b.col : c;
      if (symbol[turnRow][turnCol] == '.' && clearBetween(r, c, turnRow, turnCol) &&
          clearBetween(turnRow, turnCol, b.row, b.col))
        return 3;
    }
  return limit;
}

bool pop() {
  vector<Cell> blocks;
  for (int r = 1; r <= rows; r++)
    for (int c = 1; c <= cols; c++)
      if (symbol[r][c] != '.') blocks.push_back({r, c});
  int best = 4;
  pair<Cell, Cell> popped;
  for (size_t i = 0; i < blocks.size() && best > 1; i++)
    for (size_t j = i + 1; j < blocks.size() && best > 1; j++) {
      const Cell a = blocks[i], b = blocks[j];
      if (symbol[a.row][a.col] != symbol[b.row][b.col]) continue;
      const int needed = segments(a, b, best);
      if (needed < best) best = needed, popped = {a, b};
    }
  if (best == 4) return false;
  for (Cell c : {popped.first, popped.second}) symbol[c.row][c.col] = '.';
  return true;
}

// Checks every block once, and moves it if it can. Returns false if no block has moved.
bool turn() {
  vector<Cell> blocks;
  for (int r = 1; r <= rows; r++)
    for (int c = 1; c <= cols; c++)
      if (symbol[r][c] != '.') blocks.push_back({r, c});
  bool moved = false;
  for (auto [r, c] : blocks) {
    const char w = way[r][c];
    const int toRow = r + (w == 'D') - (w == 'U'), toCol = c + (w == 'R') - (w == 'L');
    if (toRow < 1 || toRow > rows || toCol < 1 || toCol > cols || symbol[toRow][toCol] != '.') continue;
    symbol[toRow][toCol] = symbol[r][c];
    way[toRow][toCol] = w;
    symbol[r][c] = '.';
    moved = true;
  }
  return moved;
}

int main() {
  for (int number = 1; cin >> rows >> cols && rows; number++) {
    symbol.assign(rows + 2, string(cols + 2, '.'));
    way = symbol;
    for (int r = 1; r <= rows; r++)
      for (int c = 1; c <= cols; c++) cin >> symbol[r][c] >> way[r][c];
    while (pop())
      while (turn()) {
      }
    cout << "Case " << number << "\n";
    for (int r = 1; r <= rows; r++) cout << symbol[r].substr(1, cols) << "\n";
  }
}
