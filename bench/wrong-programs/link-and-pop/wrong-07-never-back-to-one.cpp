// Wrong: pops pairs with one segment until there is none, then those with two, then three, and never goes back to fewer.
#include <bits/stdc++.h>
using namespace std;

int n, m;
char sym[32][32], mv[32][32];
int mark[32][32], stamp;

bool in(int r, int c) { return r >= 0 && c >= 0 && r <= n + 1 && c <= m + 1; }

// Marks all cells that lines of at most k segments from (r, c) reach, blocks at their ends included.
void shoot(int r, int c, int k) {
  vector<array<int, 2>> from = {{r, c}}, next;
  for (; k > 0; k--, from.swap(next)) {
    next.clear();
    for (auto [x, y] : from)
      for (auto [dx, dy] : {pair(0, 1), pair(1, 0), pair(0, -1), pair(-1, 0)})
        for (int p = x + dx, q = y + dy; in(p, q); p += dx, q += dy) {
          bool fresh = mark[p][q] != stamp;
          mark[p][q] = stamp;
          if (sym[p][q]) break;
          if (fresh) next.push_back({p, q});
        }
  }
}

bool pop(int k) {
  for (int r = 1; r <= n; r++)
    for (int c = 1; c <= m; c++) {
      if (!sym[r][c]) continue;
      stamp++;
      shoot(r, c, k);
      for (int x = r; x <= n; x++)
        for (int y = x == r ? c + 1 : 1; y <= m; y++)
          if (sym[x][y] == sym[r][c] && mark[x][y] == stamp) {
            sym[r][c] = sym[x][y] = 0;
            return true;
          }
    }
  return false;
}

bool turn() {
  bool any = false, came[32][32] = {};
  for (int r = 1; r <= n; r++)
    for (int c = 1; c <= m; c++) {
      if (!sym[r][c] || came[r][c]) continue;
      int x = r + (mv[r][c] == 'D') - (mv[r][c] == 'U');
      int y = c + (mv[r][c] == 'R') - (mv[r][c] == 'L');
      if (x < 1 || y < 1 || x > n || y > m || sym[x][y]) continue;
      sym[x][y] = sym[r][c];
      mv[x][y] = mv[r][c];
      sym[r][c] = 0;
      came[x][y] = any = true;
    }
  return any;
}

int main() {
  int no = 0;
  while (cin >> n >> m, n) {
    memset(sym, 0, sizeof sym);
    for (int r = 1; r <= n; r++)
      for (int c = 1; c <= m; c++) cin >> sym[r][c] >> mv[r][c];
    for (int k = 1; k <= 3; k++)
      while (pop(k))
        while (turn());
    cout << "Case " << ++no << "\n";
    for (int r = 1; r <= n; r++) {
      for (int c = 1; c <= m; c++) cout << (sym[r][c] ? sym[r][c] : '.');
      cout << "\n";
    }
  }
}
