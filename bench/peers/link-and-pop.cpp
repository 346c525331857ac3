// link-and-pop, the plain way: after every pop, test every pair of one symbol. Single thread.
//   g++ -O3 -march=native -std=c++17 -o link-and-pop link-and-pop.cpp && ./link-and-pop < boards.in
//
// Tuned as far as the approach goes: blocks listed by symbol in row-major order, the straight reach of each
// block and running counts of blocks along rows and columns precomputed for every pop, so that one segment or
// two cost O(1) a pair and three cost O(overlap of the reaches); a pair is tested only for as many segments as
// would still beat the best so far.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int kMaxSide = 102;  // the ring included
constexpr int kSymbols = 52;

struct Block {
  short row, col;
  short up, down, left, right;  // how far a line from the block gets through empty cells, ring included
};

struct Game {
  int rows, cols;
  char symbol[kMaxSide][kMaxSide];  // -1 where no block is
  char way[kMaxSide][kMaxSide];
  short blocksAbove[kMaxSide + 1][kMaxSide];  // [row][col] blocks in the column in rows before `row`
  short blocksBefore[kMaxSide][kMaxSide + 1];
  std::vector<Block> bySymbol[kSymbols];

  bool read() {
    if (std::scanf("%d %d", &rows, &cols) != 2 || rows == 0) return false;
    std::memset(symbol, -1, sizeof symbol);
    for (int r = 1; r <= rows; r++)
      for (int c = 1; c <= cols; c++) {
        char cell[4];
        if (std::scanf("%3s", cell) != 1) return false;
        symbol[r][c] = std::islower(cell[0]) ? cell[0] - 'a' + 26 : cell[0] - 'A';
        way[r][c] = cell[1];
      }
    return true;
  }

  void survey() {
    for (auto& blocks : bySymbol) blocks.clear();
    for (int r = 0; r <= rows + 1; r++)
      for (int c = 0; c <= cols + 1; c++) {
        const bool block = symbol[r][c] >= 0;
        blocksAbove[r + 1][c] = (r ? blocksAbove[r][c] : 0) + block;
        blocksBefore[r][c + 1] = (c ? blocksBefore[r][c] : 0) + block;
        if (block) bySymbol[int(symbol[r][c])].push_back(reachOf(r, c));
      }
  }

  Block reachOf(int r, int c) const {
    Block b{short(r), short(c), short(r), short(r), short(c), short(c)};
    while (b.up > 0 && symbol[b.up - 1][c] < 0) b.up--;
    while (b.down <= rows && symbol[b.down + 1][c] < 0) b.down++;
    while (b.left > 0 && symbol[r][b.left - 1] < 0) b.left--;
    while (b.right <= cols && symbol[r][b.right + 1] < 0) b.right++;
    return b;
  }

  bool columnClear(int c, int r1, int r2) const { return blocksAbove[r2][c] == blocksAbove[r1 + 1][c]; }
  bool rowClear(int r, int c1, int c2) const { return blocksBefore[r][c2] == blocksBefore[r][c1 + 1]; }

  // Fewest segments that link a to the later b, or `worse` when it takes as many or more.
  int segments(const Block& a, const Block& b, int worse) const {
    const int c1 = std::min(a.col, b.col), c2 = std::max(a.col, b.col);
    if (a.row == b.row && rowClear(a.row, c1, c2)) return 1;
    if (a.col == b.col && columnClear(a.col, a.row, b.row)) return 1;
    if (worse <= 2) return worse;
    if (b.col >= a.left && b.col <= a.right && a.row >= b.up) return 2;
    if (a.col >= b.left && a.col <= b.right && b.row <= a.down) return 2;
    if (worse <= 3) return worse;
    if (a.row != b.row)
      for (int c = std::max(a.left, b.left), end = std::min(a.right, b.right); c <= end; c++)
        if (columnClear(c, a.row, b.row)) return 3;
    if (a.col != b.col)
      for (int r = std::max(a.up, b.up), end = std::min(a.down, b.down); r <= end; r++)
        if (rowClear(r, c1, c2)) return 3;
    return worse;
  }

  static int place(const Block& b) { return b.row * kMaxSide + b.col; }

  bool popBest() {
    survey();
    int best = 4;
    Block first{}, second{};
    for (const auto& blocks : bySymbol)
      for (size_t i = 0; i < blocks.size(); i++)
        for (size_t j = i + 1; j < blocks.size(); j++) {
          const bool sooner = best < 4 && place(blocks[i]) < place(first);
          const int needed = segments(blocks[i], blocks[j], sooner ? best + 1 : best);
          if (needed > best || (needed == best && !sooner)) continue;
          best = needed;
          first = blocks[i];
          second = blocks[j];
        }
    if (best == 4) return false;
    symbol[first.row][first.col] = symbol[second.row][second.col] = -1;
    return true;
  }

  bool takeTurn() {
    static bool arrived[kMaxSide][kMaxSide];
    std::memset(arrived, 0, sizeof arrived);
    bool moved = false;
    for (int r = 1; r <= rows; r++)
      for (int c = 1; c <= cols; c++) {
        if (symbol[r][c] < 0 || arrived[r][c]) continue;
        const int toRow = r + (way[r][c] == 'D') - (way[r][c] == 'U');
        const int toCol = c + (way[r][c] == 'R') - (way[r][c] == 'L');
        if (toRow < 1 || toRow > rows || toCol < 1 || toCol > cols || symbol[toRow][toCol] >= 0) continue;
        symbol[toRow][toCol] = symbol[r][c];
        way[toRow][toCol] = way[r][c];
        symbol[r][c] = -1;
        arrived[toRow][toCol] = moved = true;
      }
    return moved;
  }

  void print(int number) const {
    std::printf("Case %d\n", number);
    for (int r = 1; r <= rows; r++) {
      std::string line;
      for (int c = 1; c <= cols; c++) {
        const int s = symbol[r][c];
        line += s < 0 ? '.' : char(s < 26 ? 'A' + s : 'a' + s - 26);
      }
      std::puts(line.c_str());
    }
  }
};

}  // namespace

int main() {
  static Game game;
  for (int number = 1; game.read(); number++) {
    while (game.popBest())
      while (game.takeTurn()) {
      }
    game.print(number);
  }
}
