// The peer for darkraft (Codeforces 138D): a C++ program that bench/peers.mjs compares with boardmill. It uses the
// usual algorithm: the board is turned by 45 degrees, and a top-down search with a memo computes the nimbers of
// rectangles of the turned board. The program uses one thread, and reads boards until the input ends.
//
//   g++ -O3 -march=native -std=c++17 -o darkraft darkraft.cpp && ./darkraft < boards.in
//
// The cells whose row and column have an even sum never affect the cells with an odd sum: these are the two parity
// classes. The program is tuned in these ways:
// - Each parity class has its own coordinates without gaps, so a rectangle contains no cells of the other class.
// - The memo has one byte per entry, and the search looks into it first.
// - A rectangle that is not in the memo is shrunk to the cells it contains, so equal positions are solved once.
// - The program tests once per row for an L, and once per column for an R, because all L in a row are the same move.
// - The X cells of a row are the bits of a word, so the search for moves X visits no other cells.
// - The set of nimbers of the moves is four 64-bit words.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr int kMaxSide = 20;  // the contest's limit: a rectangle has at most 200 cells, so its nimber fits a byte
constexpr uint8_t kUnknown = 255;  // the value of a memo entry whose nimber is not computed yet

struct ParityClass {
  int rows = 0, cols = 0;
  int first[kMaxSide], last[kMaxSide];  // first and last column of each turned row that is on the board
  int top[kMaxSide], bottom[kMaxSide];  // first and last row of each turned column that is on the board
  uint32_t lColumnsOfRow[kMaxSide];           // for each row, the columns with an L, as bits
  uint32_t rRowsOfColumn[kMaxSide];           // for each column, the rows with an R, as bits
  uint32_t xColumnsOfRow[kMaxSide];           // for each row, the columns with an X, as bits
  // The nimber of the rectangle with rows x1 <= x < x2 and columns y1 <= y < y2 is at
  // x1 * strideX1 + x2 * strideX2 + y1 * strideY1 + y2. Empty rectangles have entries too.
  std::vector<uint8_t> memo;
  size_t strideX1, strideX2, strideY1;

  void build(const std::vector<std::string>& board, int n, int m, int parity) {
    rows = cols = 0;
    for (int k = 0; k < kMaxSide; k++) {
      first[k] = top[k] = kMaxSide, last[k] = bottom[k] = -1;
      lColumnsOfRow[k] = rRowsOfColumn[k] = xColumnsOfRow[k] = 0;
    }
    for (int i = 0; i < n; i++) {
      for (int j = (i + parity) & 1; j < m; j += 2) {
        const int x = (i + j) >> 1, y = (i - j + m - 1) >> 1;
        if (board[i][j] == 'L') lColumnsOfRow[x] |= 1u << y;
        if (board[i][j] == 'R') rRowsOfColumn[y] |= 1u << x;
        if (board[i][j] == 'X') xColumnsOfRow[x] |= 1u << y;
        first[x] = std::min(first[x], y), last[x] = std::max(last[x], y);
        top[y] = std::min(top[y], x), bottom[y] = std::max(bottom[y], x);
        rows = std::max(rows, x + 1), cols = std::max(cols, y + 1);
      }
    }
    strideY1 = cols + 1, strideX2 = strideY1 * (cols + 1), strideX1 = strideX2 * (rows + 1);
    memo.assign(strideX1 * (rows + 1), kUnknown);
  }

  // Returns the nimber of the rectangle of rows x1 to x2 - 1 and columns y1 to y2 - 1.
  inline int nimber(int x1, int x2, int y1, int y2) {
    const size_t entry = x1 * strideX1 + x2 * strideX2 + y1 * strideY1 + y2;
    const uint8_t known = memo[entry];
    return known != kUnknown ? known : (memo[entry] = uint8_t(search(x1, x2, y1, y2)));
  }

 private:
  __attribute__((noinline)) int search(int x1, int x2, int y1, int y2) {
    int sx1 = x1, sx2 = x2, sy1 = y1, sy2 = y2;
    if (!shrink(sx1, sx2, sy1, sy2)) return 0;
    const bool shrunk = sx1 != x1 || sx2 != x2 || sy1 != y1 || sy2 != y2;
    return shrunk ? nimber(sx1, sx2, sy1, sy2) : mexOfMoves(x1, x2, y1, y2);
  }

  // Removes border rows and columns that contain no cell. Returns false if the rectangle contains no cell at all.
  bool shrink(int& x1, int& x2, int& y1, int& y2) const {
    while (x1 < x2 && (first[x1] >= y2 || last[x1] < y1)) x1++;
    while (x1 < x2 && (first[x2 - 1] >= y2 || last[x2 - 1] < y1)) x2--;
    while (y1 < y2 && (top[y1] >= x2 || bottom[y1] < x1)) y1++;
    while (y1 < y2 && (top[y2 - 1] >= x2 || bottom[y2 - 1] < x1)) y2--;
    return x1 < x2 && y1 < y2;
  }

  int mexOfMoves(int x1, int x2, int y1, int y2) {
    uint64_t seen[4] = {0, 0, 0, 0};
    const auto addMove = [&](int value) { seen[value >> 6] |= uint64_t(1) << (value & 63); };
    const uint32_t columns = (1u << y2) - (1u << y1), lines = (1u << x2) - (1u << x1);
    for (int x = x1; x < x2; x++) {
      if (lColumnsOfRow[x] & columns) addMove(nimber(x1, x, y1, y2) ^ nimber(x + 1, x2, y1, y2));
      for (uint32_t rest = xColumnsOfRow[x] & columns; rest; rest &= rest - 1) {
        const int y = __builtin_ctz(rest);
        addMove(nimber(x1, x, y1, y) ^ nimber(x1, x, y + 1, y2) ^ nimber(x + 1, x2, y1, y) ^
            nimber(x + 1, x2, y + 1, y2));
      }
    }
    for (int y = y1; y < y2; y++) {
      if (rRowsOfColumn[y] & lines) addMove(nimber(x1, x2, y1, y) ^ nimber(x1, x2, y + 1, y2));
    }
    int word = 0;
    while (~seen[word] == 0) word++;
    return word * 64 + __builtin_ctzll(~seen[word]);
  }
};

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  int n, m;
  std::string out;
  static ParityClass parityClass;
  while (std::cin >> n >> m) {
    std::vector<std::string> board(n);
    for (auto& row : board) std::cin >> row;
    int total = 0;
    for (int parity = 0; parity < 2; parity++) {
      parityClass.build(board, n, m, parity);
      total ^= parityClass.nimber(0, parityClass.rows, 0, parityClass.cols);
    }
    out += total ? "WIN\n" : "LOSE\n";
  }
  fputs(out.c_str(), stdout);
}
