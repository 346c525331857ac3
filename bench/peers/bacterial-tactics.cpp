// The peer for bacterial-tactics: a C++ program that bench/peers.mjs compares with boardmill. It uses one thread and
// solves one board at a time, by a top-down search with a memo of rectangles.
//
//   g++ -O3 -march=native -std=c++17 -o peer bench/peers/bacterial-tactics.cpp
//   ./peer < cases.in > cases.out
//
// A move fills a clear row or column of a rectangle and leaves two smaller rectangles. The nimber of the rectangle is
// the mex, over all these rows and columns, of the XOR of the nimbers of the two rectangles. The search visits only
// rectangles that moves can reach. A row is clear inside a rectangle if the run of empty cells from its leftmost cell
// is at least as long as the rectangle is wide; columns are tested in the same way. The values of moves are collected
// in a set of 64 bits: a nimber is at most rows + cols <= 30, so the XOR of two nimbers is at most 31.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int kSide = 15;
constexpr int kEdge = kSide + 1;  // rectangles are half open: [top, bottom) x [left, right), with edges from 0 to 15

int8_t memo[kEdge][kEdge][kEdge][kEdge];  // nimber of rectangle [top][bottom][left][right], or -1 if not known yet
uint8_t eastRun[kSide][kSide];            // length of the run of empty cells from (row, col) to the east
uint8_t southRun[kSide][kSide];           // length of the run of empty cells from (row, col) to the south

inline int mex(uint64_t seen) { return __builtin_ctzll(~seen); }

int nimber(int top, int bottom, int left, int right);

// Returns the nimber of a rectangle, from the memo if it is known. An empty rectangle has nimber 0.
inline int memoizedNimber(int top, int bottom, int left, int right) {
  if (top == bottom || left == right) return 0;
  const int value = memo[top][bottom][left][right];
  return value >= 0 ? value : nimber(top, bottom, left, right);
}

int nimber(int top, int bottom, int left, int right) {
  uint64_t seen = 0;
  for (int row = top; row < bottom; row++)
    if (eastRun[row][left] >= right - left)
      seen |= uint64_t{1} << (memoizedNimber(top, row, left, right) ^ memoizedNimber(row + 1, bottom, left, right));
  for (int col = left; col < right; col++)
    if (southRun[top][col] >= bottom - top)
      seen |= uint64_t{1} << (memoizedNimber(top, bottom, left, col) ^ memoizedNimber(top, bottom, col + 1, right));
  return memo[top][bottom][left][right] = static_cast<int8_t>(mex(seen));
}

// Counts the winning first moves. A move that fills a clear row may start in any cell of this row, so the row counts
// once per cell. A clear column also counts once per cell. A move wins if the nimbers of the two remaining rectangles
// are equal.
int winningOpenings(int rows, int cols) {
  int openings = 0;
  for (int row = 0; row < rows; row++)
    if (eastRun[row][0] >= cols && (memoizedNimber(0, row, 0, cols) ^ memoizedNimber(row + 1, rows, 0, cols)) == 0)
      openings += cols;
  for (int col = 0; col < cols; col++)
    if (southRun[0][col] >= rows && (memoizedNimber(0, rows, 0, col) ^ memoizedNimber(0, rows, col + 1, cols)) == 0)
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
  for (int number = 1; number <= cases; number++) {
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
    out += "Case #" + std::to_string(number) + ": " + std::to_string(winningOpenings(rows, cols)) + "\n";
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
}
