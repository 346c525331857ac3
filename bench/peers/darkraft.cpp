// Darkraft (Codeforces 138D), the usual way: nimbers of the rectangles of the board turned by 45 degrees,
// found top-down with a memo. One thread; boards are read one after another until the input ends.
//
//   g++ -O3 -march=native -std=c++17 -o darkraft darkraft.cpp && ./darkraft < boards.in
//
// What is tuned: each parity class has coordinates of its own without gaps, so a rectangle has no cells of
// the other class; the memo is one byte an entry and is asked before anything else; a rectangle not yet
// known is shrunk to the cells it holds, so equal positions are solved once; an L is looked up once a row
// and an R once a column; the X cells of a row are a list; the seen set is four 64-bit words.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr int kMaxSide = 20;  // the contest's; a rectangle has at most 200 cells, so a nimber fits a byte
constexpr uint8_t kUnknown = 255;

struct ParityClass {
  int rows = 0, cols = 0;
  int first[kMaxSide], last[kMaxSide];  // columns of each turned row that are on the board
  int top[kMaxSide], bottom[kMaxSide];  // rows of each turned column that are on the board
  uint32_t rowsOfL[kMaxSide];           // for each row, the columns that hold an L, as bits
  uint32_t colsOfR[kMaxSide];           // for each column, the rows that hold an R
  uint32_t rowsOfX[kMaxSide];           // for each row, the columns that hold an X
  // [x1][x2 + 1][y1][y2 + 1], ranges half open so that empty ones are entries as well.
  std::vector<uint8_t> memo;
  size_t strideX1, strideX2, strideY1;

  void build(const std::vector<std::string>& board, int n, int m, int parity) {
    rows = cols = 0;
    for (int k = 0; k < kMaxSide; k++) {
      first[k] = top[k] = kMaxSide, last[k] = bottom[k] = -1;
      rowsOfL[k] = colsOfR[k] = rowsOfX[k] = 0;
    }
    for (int i = 0; i < n; i++) {
      for (int j = (i + parity) & 1; j < m; j += 2) {
        const int x = (i + j) >> 1, y = (i - j + m - 1) >> 1;
        if (board[i][j] == 'L') rowsOfL[x] |= 1u << y;
        if (board[i][j] == 'R') colsOfR[y] |= 1u << x;
        if (board[i][j] == 'X') rowsOfX[x] |= 1u << y;
        first[x] = std::min(first[x], y), last[x] = std::max(last[x], y);
        top[y] = std::min(top[y], x), bottom[y] = std::max(bottom[y], x);
        rows = std::max(rows, x + 1), cols = std::max(cols, y + 1);
      }
    }
    strideY1 = cols + 1, strideX2 = strideY1 * (cols + 1), strideX1 = strideX2 * (rows + 1);
    memo.assign(strideX1 * (rows + 1), kUnknown);
  }

  // The nimber of rows x1 to x2 - 1 and columns y1 to y2 - 1.
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

  // Drops border rows and columns that hold no cell; false if nothing is left.
  bool shrink(int& x1, int& x2, int& y1, int& y2) const {
    while (x1 < x2 && (first[x1] >= y2 || last[x1] < y1)) x1++;
    while (x1 < x2 && (first[x2 - 1] >= y2 || last[x2 - 1] < y1)) x2--;
    while (y1 < y2 && (top[y1] >= x2 || bottom[y1] < x1)) y1++;
    while (y1 < y2 && (top[y2 - 1] >= x2 || bottom[y2 - 1] < x1)) y2--;
    return x1 < x2 && y1 < y2;
  }

  int mexOfMoves(int x1, int x2, int y1, int y2) {
    uint64_t seen[4] = {0, 0, 0, 0};
    const auto see = [&](int value) { seen[value >> 6] |= uint64_t(1) << (value & 63); };
    const uint32_t columns = (1u << y2) - (1u << y1), lines = (1u << x2) - (1u << x1);
    for (int x = x1; x < x2; x++) {
      if (rowsOfL[x] & columns) see(nimber(x1, x, y1, y2) ^ nimber(x + 1, x2, y1, y2));
      for (uint32_t left = rowsOfX[x] & columns; left; left &= left - 1) {
        const int y = __builtin_ctz(left);
        see(nimber(x1, x, y1, y) ^ nimber(x1, x, y + 1, y2) ^ nimber(x + 1, x2, y1, y) ^
            nimber(x + 1, x2, y + 1, y2));
      }
    }
    for (int y = y1; y < y2; y++) {
      if (colsOfR[y] & lines) see(nimber(x1, x2, y1, y) ^ nimber(x1, x2, y + 1, y2));
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
