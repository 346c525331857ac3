// Wrong: after a pop, makes at most max(n, m) turns, as if no block could have to wait for others before it moves.
#include <iostream>
#include <string>
#include <vector>
using namespace std;

struct Game {
  int n, m;
  vector<string> s, d;

  // Says whether the line between two cells is empty.
  bool clear(int r, int c, int r2, int c2) const {
    int dr = (r2 > r) - (r2 < r), dc = (c2 > c) - (c2 < c);
    while (r += dr, c += dc, r != r2 || c != c2)
      if (s[r][c] != '.') return false;
    return true;
  }

  bool path(const vector<pair<int, int>>& corners) const {
    for (size_t i = 0; i + 1 < corners.size(); i++) {
      auto [r, c] = corners[i];
      auto [x, y] = corners[i + 1];
      if (i > 0 && s[r][c] != '.') return false;
      if ((r == x) == (c == y) || !clear(r, c, x, y)) return false;
    }
    return true;
  }

  bool linked(int a, int b, int x, int y, int k) const {
    if (k == 1) return path({{a, b}, {x, y}});
    if (k == 2) return path({{a, b}, {a, y}, {x, y}}) || path({{a, b}, {x, b}, {x, y}});
    for (int r = 0; r < n + 2; r++)
      if (path({{a, b}, {r, b}, {r, y}, {x, y}})) return true;
    for (int c = 0; c < m + 2; c++)
      if (path({{a, b}, {a, c}, {x, c}, {x, y}})) return true;
    return false;
  }

  bool pop() {
    for (int k = 1; k <= 3; k++)
      for (int a = 1; a <= n; a++)
        for (int b = 1; b <= m; b++) {
          if (s[a][b] == '.') continue;
          for (int x = a; x <= n; x++)
            for (int y = x == a ? b + 1 : 1; y <= m; y++)
              if (s[x][y] == s[a][b] && linked(a, b, x, y, k)) {
                s[a][b] = s[x][y] = '.';
                return true;
              }
        }
    return false;
  }

  void turn() {
    vector<vector<bool>> came(n + 2, vector<bool>(m + 2));
    for (int r = 1; r <= n; r++)
      for (int c = 1; c <= m; c++) {
        if (s[r][c] == '.' || came[r][c]) continue;
        int x = r + (d[r][c] == 'D') - (d[r][c] == 'U'), y = c + (d[r][c] == 'R') - (d[r][c] == 'L');
        if (x < 1 || y < 1 || x > n || y > m || s[x][y] != '.') continue;
        swap(s[x][y], s[r][c]);
        swap(d[x][y], d[r][c]);
        came[x][y] = true;
      }
  }
};

int main() {
  Game g;
  for (int t = 1; cin >> g.n >> g.m && g.n; t++) {
    g.s.assign(g.n + 2, string(g.m + 2, '.'));
    g.d = g.s;
    for (int r = 1; r <= g.n; r++)
      for (int c = 1; c <= g.m; c++) cin >> g.s[r][c] >> g.d[r][c];
    while (g.pop())
      for (int i = 0; i < max(g.n, g.m); i++) g.turn();
    cout << "Case " << t << "\n";
    for (int r = 1; r <= g.n; r++) cout << g.s[r].substr(1, g.m) << "\n";
  }
}
