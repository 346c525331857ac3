// Wrong: of the pairs with the fewest segments, takes the one whose first block is leftmost, then topmost.
#include <iostream>
#include <set>
#include <string>
#include <tuple>
#include <vector>
using namespace std;

int n, m;
vector<vector<char>> sym, dir;
using Candidate = tuple<int, int, int, int, int>;  // segments, column and row of one block, and of the other

bool blank(int r, int c) { return sym[r][c] == 0; }

// All cells that a straight line from (r, c) can turn at.
vector<pair<int, int>> rays(int r, int c, bool vertical) {
  vector<pair<int, int>> out;
  for (int step : {-1, 1})
    for (int x = r, y = c;;) {
      (vertical ? x : y) += step;
      if (x < 0 || y < 0 || x > n + 1 || y > m + 1 || !blank(x, y)) break;
      out.push_back({x, y});
    }
  return out;
}

// The first blocks that lines from (r, c) hit.
void hits(int r, int c, bool vertical, int segments, int r0, int c0, set<Candidate>& found) {
  for (int step : {-1, 1}) {
    int x = r, y = c;
    do (vertical ? x : y) += step;
    while (x >= 0 && y >= 0 && x <= n + 1 && y <= m + 1 && blank(x, y));
    if (x < 1 || y < 1 || x > n || y > m || sym[x][y] != sym[r0][c0]) continue;
    if (make_pair(c0, r0) < make_pair(y, x)) found.insert({segments, c0, r0, y, x});
  }
}

bool pop() {
  set<Candidate> found;
  for (int r = 1; r <= n; r++)
    for (int c = 1; c <= m; c++) {
      if (blank(r, c)) continue;
      for (bool v : {false, true}) {
        hits(r, c, v, 1, r, c, found);
        for (auto [x, y] : rays(r, c, v)) {
          hits(x, y, !v, 2, r, c, found);
          for (auto [p, q] : rays(x, y, !v)) hits(p, q, v, 3, r, c, found);
        }
      }
    }
  if (found.empty()) return false;
  auto [segments, c1, r1, c2, r2] = *found.begin();
  sym[r1][c1] = sym[r2][c2] = 0;
  return true;
}

bool turn() {
  bool moved = false;
  vector<vector<bool>> done(n + 2, vector<bool>(m + 2));
  for (int r = 1; r <= n; r++)
    for (int c = 1; c <= m; c++) {
      if (blank(r, c) || done[r][c]) continue;
      char w = dir[r][c];
      int x = w == 'U' ? r - 1 : w == 'D' ? r + 1 : r, y = w == 'L' ? c - 1 : w == 'R' ? c + 1 : c;
      if (x < 1 || y < 1 || x > n || y > m || !blank(x, y)) continue;
      sym[x][y] = sym[r][c], dir[x][y] = w, sym[r][c] = 0;
      done[x][y] = moved = true;
    }
  return moved;
}

int main() {
  for (int k = 1; cin >> n >> m && n > 0; k++) {
    sym.assign(n + 2, vector<char>(m + 2, 0));
    dir = sym;
    for (int r = 1; r <= n; r++)
      for (int c = 1; c <= m; c++) cin >> sym[r][c] >> dir[r][c];
    while (pop())
      while (turn()) {}
    cout << "Case " << k << "\n";
    for (int r = 1; r <= n; r++) {
      for (int c = 1; c <= m; c++) cout << (sym[r][c] ? sym[r][c] : '.');
      cout << "\n";
    }
  }
}
