// Wrong: a winning row counts once per row of the board and a winning column once per column, instead of per cell.
#include <bits/stdc++.h>
using namespace std;

int R, C;
string grid[20];
int memo[17][17][17][17];

int go(int r1, int c1, int r2, int c2) {
  if (r1 > r2 || c1 > c2) return 0;
  int& ret = memo[r1][c1][r2][c2];
  if (ret >= 0) return ret;
  set<int> s;
  for (int r = r1; r <= r2; r++) {
    bool good = true;
    for (int c = c1; c <= c2; c++) good = good && grid[r][c] != '#';
    if (good) s.insert(go(r1, c1, r - 1, c2) ^ go(r + 1, c1, r2, c2));
  }
  for (int c = c1; c <= c2; c++) {
    bool good = true;
    for (int r = r1; r <= r2; r++) good = good && grid[r][c] != '#';
    if (good) s.insert(go(r1, c1, r2, c - 1) ^ go(r1, c + 1, r2, c2));
  }
  ret = 0;
  while (s.count(ret)) ret++;
  return ret;
}

int main() {
  int T;
  scanf("%d", &T);
  for (int tc = 1; tc <= T; tc++) {
    cin >> R >> C;
    for (int i = 0; i < R; i++) cin >> grid[i];
    memset(memo, -1, sizeof memo);
    int ans = 0;
    for (int r = 0; r < R; r++)
      if (grid[r].find('#') == string::npos && go(0, 0, r - 1, C - 1) == go(r + 1, 0, R - 1, C - 1)) ans += R;
    for (int c = 0; c < C; c++) {
      bool good = true;
      for (int r = 0; r < R; r++) good = good && grid[r][c] != '#';
      if (good && go(0, 0, R - 1, c - 1) == go(0, c + 1, R - 1, C - 1)) ans += C;
    }
    printf("Case #%d: %d\n", tc, ans);
  }
}
