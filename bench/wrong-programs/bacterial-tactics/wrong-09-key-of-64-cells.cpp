// Wrong: the memo knows a rectangle by its size and its cells as bits of a 64-bit number; more than 64 cells overflow.
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <vector>
using namespace std;

using Board = vector<string>;
// The same cells have the same nimber on every board, so the memo is kept for the whole input.
map<pair<int, uint64_t>, int> memo;

Board part(const Board& b, int u, int d, int l, int r) {
  Board p;
  for (int i = u; i < d; i++) p.push_back(b[i].substr(l, r - l));
  return p;
}

int nimber(const Board& b);

// Calls f(nimber that is left, number of cells that are filled) for each row and column that can be filled.
template <class F>
void forMoves(const Board& b, F f) {
  int n = b.size(), m = b[0].size();
  for (int i = 0; i < n; i++)
    if (b[i].find('#') == string::npos) f(nimber(part(b, 0, i, 0, m)) ^ nimber(part(b, i + 1, n, 0, m)), m);
  for (int j = 0; j < m; j++) {
    bool ok = true;
    for (int i = 0; i < n; i++) ok = ok && b[i][j] == '.';
    if (ok) f(nimber(part(b, 0, n, 0, j)) ^ nimber(part(b, 0, n, j + 1, m)), n);
  }
}

int nimber(const Board& b) {
  if (b.empty() || b[0].empty()) return 0;
  uint64_t code = 0;
  for (auto& row : b)
    for (char c : row) code = code * 2 + (c == '#');
  pair<int, uint64_t> key(b.size() * 16 + b[0].size(), code);
  auto it = memo.find(key);
  if (it != memo.end()) return it->second;
  uint64_t seen = 0;
  forMoves(b, [&](int x, int) { seen |= uint64_t(1) << x; });
  int mex = 0;
  while (seen >> mex & 1) mex++;
  return memo[key] = mex;
}

int main() {
  int t, r, c;
  cin >> t;
  for (int k = 1; k <= t; k++) {
    cin >> r >> c;
    Board b(r);
    for (auto& row : b) cin >> row;
    int answer = 0;
    forMoves(b, [&](int x, int cells) { answer += x == 0 ? cells : 0; });
    cout << "Case #" << k << ": " << answer << "\n";
  }
}
