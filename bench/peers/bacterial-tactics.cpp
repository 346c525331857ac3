// Peer for bacterial-tactics: one thread, one board at a time, top-down memo over rectangles.
//
//   g++ -O3 -march=native -std=c++17 -o peer bench/peers/bacterial-tactics.cpp
//   ./peer < cases.in > cases.out
//
// The nimber of a rectangle is the mex over its clear rows and columns of the XOR of the two sides. Only
// rectangles that play can reach are visited. Whether a line is clear inside a rectangle is one look at the
// length of the run of empty cells that starts there. Values go to a 64-bit set: a nimber is at most rows +
// cols <= 30, so an XOR of two is at most 31.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int kSide = 15;
constexpr int kEdge = kSide + 1;  // a rectangle lies between edges 0..15: [top, bottom) x [left, right)

int8_t memo[kEdge][kEdge][kEdge][kEdge];  // [top][bottom][left][right], -1: not known yet
uint8_t eastRun[kSide][kSide];            // empty cells from (row, col) on, going east
uint8_t southRun[kSide][kSide];           // the same going south

inline int mex(uint64_t seen) { return __builtin_ctzll(~seen); }

int nimber(int top, int bottom, int left, int right);

inline int known(int top, int bottom, int left, int right) {
  if (top == bottom || left == right) return 0;
  const int value = memo[top][bottom][left][right];
  return value >= 0 ? value : nimber(top, bottom, left, right);
}

int nimber(int top, int bottom, int left, int right) {
  uint64_t seen = 0;
  for (int row = top; row < bottom; row++)
    if (eastRun[row][left] >= right - left)
      seen |= uint64_t{1} << (known(top, row, left, right) ^ known(row + 1, bottom, left, right));
  for (int col = left; col < right; col++)
    if (southRun[top][col] >= bottom - top)
      seen |= uint64_t{1} << (known(top, bottom, left, col) ^ known(top, bottom, col + 1, right));
  return memo[top][bottom][left][right] = static_cast<int8_t>(mex(seen));
}

int winningOpenings(int rows, int cols) {
  int openings = 0;
  for (int row = 0; row < rows; row++)
    if (eastRun[row][0] >= cols && (known(0, row, 0, cols) ^ known(row + 1, rows, 0, cols)) == 0)
      openings += cols;
  for (int col = 0; col < cols; col++)
    if (southRun[0][col] >= rows && (known(0, rows, 0, col) ^ known(0, rows, col + 1, cols)) == 0)
      openings += rows;
  return openings;
}

void measureRuns(const char (*board)[kEdge], int rows, int cols) {
  for (int row = rows - 1; row >= 0; row--)
    for (int col = cols - 1; col >= 0; col--) {
      const bool empty = board[row][col] == '.';
      eastRun[row][col] = empty ? 1 + (col + 1 < cols ? eastRun[row][col + 1] : 0) : 0;
      southRun[row][col] = empty ? 1 + (row + 1 < rows ? southRun[row + 1][col] : 0) : 0;
    }
}

std::string readAll(std::FILE* file) {
  std::string text;
  char buffer[1 << 16];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  return text;
}

struct Scanner {
  const char* at;
  void skipSpace() { while (*at && *at <= ' ') at++; }
  int number() {
    skipSpace();
    int value = 0;
    while (*at >= '0' && *at <= '9') value = value * 10 + (*at++ - '0');
    return value;
  }
};

}  // namespace

int main() {
  const std::string text = readAll(stdin);
  Scanner in{text.c_str()};
  const int cases = in.number();
  std::string out;
  for (int k = 1; k <= cases; k++) {
    const int rows = in.number(), cols = in.number();
    if (rows < 1 || rows > kSide || cols < 1 || cols > kSide) return 1;
    char board[kSide][kEdge];
    for (int row = 0; row < rows; row++) {
      in.skipSpace();
      std::memcpy(board[row], in.at, cols);
      in.at += cols;
    }
    measureRuns(board, rows, cols);
    std::memset(memo, -1, sizeof(memo[0]) * rows);
    out += "Case #" + std::to_string(k) + ": " + std::to_string(winningOpenings(rows, cols)) + "\n";
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
}
