// Wrong: the key of the memo writes each edge as one decimal digit, so edges from 10 up collide with others.
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>
using namespace std;

struct Solver {
  int rows, cols;
  vector<vector<int>> east, south;  // lengths of the runs of free cells
  unordered_map<int, int> memo;

  Solver(const vector<string>& b) : rows(b.size()), cols(b[0].size()) {
    east.assign(rows + 1, vector<int>(cols + 1, 0));
    south = east;
    for (int i = rows - 1; i >= 0; i--)
      for (int j = cols - 1; j >= 0; j--)
        if (b[i][j] == '.') {
          east[i][j] = east[i][j + 1] + 1;
          south[i][j] = south[i + 1][j] + 1;
        }
  }

  int key(int u, int d, int l, int r) { return u * 1000 + d * 100 + l * 10 + r; }

  int grundy(int u, int d, int l, int r) {
    if (u == d || l == r) return 0;
    auto found = memo.find(key(u, d, l, r));
    if (found != memo.end()) return found->second;
    unsigned long long seen = 0;
    for (int i = u; i < d; i++)
      if (east[i][l] >= r - l) seen |= 1ull << (grundy(u, i, l, r) ^ grundy(i + 1, d, l, r));
    for (int j = l; j < r; j++)
      if (south[u][j] >= d - u) seen |= 1ull << (grundy(u, d, l, j) ^ grundy(u, d, j + 1, r));
    return memo[key(u, d, l, r)] = __builtin_ctzll(~seen);
  }

  int openings() {
    int total = 0;
    for (int i = 0; i < rows; i++)
      if (east[i][0] == cols && grundy(0, i, 0, cols) == grundy(i + 1, rows, 0, cols)) total += cols;
    for (int j = 0; j < cols; j++)
      if (south[0][j] == rows && grundy(0, rows, 0, j) == grundy(0, rows, j + 1, cols)) total += rows;
    return total;
  }
};

int main() {
  int t, r, c;
  cin >> t;
  for (int k = 1; k <= t; k++) {
    cin >> r >> c;
    vector<string> b(r);
    for (auto& row : b) cin >> row;
    cout << "Case #" << k << ": " << Solver(b).openings() << '\n';
  }
}
