// The peer for link-and-pop: a C++ program that bench/peers.mjs compares with boardmill. It uses the straightforward
// algorithm: before each pop (removal of a linked pair), the program tests every pair of blocks with the same symbol.
// The program uses one thread.
//
//   g++ -O3 -march=native -std=c++17 -o link-and-pop link-and-pop.cpp && ./link-and-pop < boards.in
//
// The algorithm is tuned. For every pop, the program lists the blocks of each symbol in row-major order. It computes
// how far straight lines from each block reach, and prefix sums of the number of blocks along rows and columns. A test
// for a link of one or two segments then takes constant time. A test for three segments takes time proportional to the
// overlap of the reaches. A pair is only tested for links that are better than the best link so far.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int kMaxSide = 102;  // 100 cells and the ring of empty cells around the board
constexpr int kSymbols = 52;  // A to Z, then a to z

struct Block {
  short row, col;
  // The last cells that straight lines from the block reach through empty cells: rows (up, down) and columns (left,
  // right).
  short up, down, left, right;
};

struct Game {
  int rows, cols;
  char symbol[kMaxSide][kMaxSide];     // number of the symbol, or -1 for an empty cell
  char direction[kMaxSide][kMaxSide];  // U, D, L, R, or S for a block that does not move
  short blocksAbove[kMaxSide + 1][kMaxSide];   // [row][col]: number of blocks in this column above this row
  short blocksBefore[kMaxSide][kMaxSide + 1];  // [row][col]: number of blocks in this row left of this column
  std::vector<Block> bySymbol[kSymbols];

  bool read() {
    if (std::scanf("%d %d", &rows, &cols) != 2 || rows == 0) return false;
    std::memset(symbol, -1, sizeof symbol);
    for (int r = 1; r <= rows; r++)
      for (int c = 1; c <= cols; c++) {
        char cell[4];
        if (std::scanf("%3s", cell) != 1) return false;
        symbol[r][c] = std::islower(cell[0]) ? cell[0] - 'a' + 26 : cell[0] - 'A';
        direction[r][c] = cell[1];
      }
    return true;
  }

  // Computes the lists of blocks, their reaches and the prefix sums for the current board.
  void indexBlocks() {
    for (auto& blocks : bySymbol) blocks.clear();
    for (int r = 0; r <= rows + 1; r++)
      for (int c = 0; c <= cols + 1; c++) {
        const bool block = symbol[r][c] >= 0;
        blocksAbove[r + 1][c] = (r ? blocksAbove[r][c] : 0) + block;
        blocksBefore[r][c + 1] = (c ? blocksBefore[r][c] : 0) + block;
        if (block) bySymbol[int(symbol[r][c])].push_back(blockAt(r, c));
      }
  }

  // Returns the block in a cell, with its reach in all four directions.
  Block blockAt(int r, int c) const {
    Block b{short(r), short(c), short(r), short(r), short(c), short(c)};
    while (b.up > 0 && symbol[b.up - 1][c] < 0) b.up--;
    while (b.down <= rows && symbol[b.down + 1][c] < 0) b.down++;
    while (b.left > 0 && symbol[r][b.left - 1] < 0) b.left--;
    while (b.right <= cols && symbol[r][b.right + 1] < 0) b.right++;
    return b;
  }

  // Returns true if there is no block strictly between two rows of a column.
  bool columnClear(int c, int r1, int r2) const { return blocksAbove[r2][c] == blocksAbove[r1 + 1][c]; }
  // Returns true if there is no block strictly between two columns of a row.
  bool rowClear(int r, int c1, int c2) const { return blocksBefore[r][c2] == blocksBefore[r][c1 + 1]; }

  // Returns the smallest number of segments that link block a to block b, which follows a in row-major order. Returns
  // `worse` if the link needs `worse` segments or more.
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

  // Returns the position of a block in row-major order.
  static int place(const Block& b) { return b.row * kMaxSide + b.col; }

  // Removes the pair of blocks that is linked by the fewest segments. Among pairs with equally many segments, it removes
  // the pair whose first block is earliest in row-major order. Returns false if no pair can be linked.
  bool popBest() {
    indexBlocks();
    int best = 4;
    Block first{}, second{};
    for (const auto& blocks : bySymbol)
      for (size_t i = 0; i < blocks.size(); i++)
        for (size_t j = i + 1; j < blocks.size(); j++) {
          const bool isEarlier = best < 4 && place(blocks[i]) < place(first);
          const int needed = segments(blocks[i], blocks[j], isEarlier ? best + 1 : best);
          if (needed > best || (needed == best && !isEarlier)) continue;
          best = needed;
          first = blocks[i];
          second = blocks[j];
        }
    if (best == 4) return false;
    symbol[first.row][first.col] = symbol[second.row][second.col] = -1;
    return true;
  }

  // Moves each block by at most one cell in its direction, in row-major order. Returns false if no block moved.
  bool takeTurn() {
    static bool arrived[kMaxSide][kMaxSide];
    std::memset(arrived, 0, sizeof arrived);
    bool moved = false;
    for (int r = 1; r <= rows; r++)
      for (int c = 1; c <= cols; c++) {
        if (symbol[r][c] < 0 || arrived[r][c]) continue;
        const int toRow = r + (direction[r][c] == 'D') - (direction[r][c] == 'U');
        const int toCol = c + (direction[r][c] == 'R') - (direction[r][c] == 'L');
        if (toRow < 1 || toRow > rows || toCol < 1 || toCol > cols || symbol[toRow][toCol] >= 0) continue;
        symbol[toRow][toCol] = symbol[r][c];
        direction[toRow][toCol] = direction[r][c];
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
