// Wrong: distances are unsigned char, so a game of 256 plies or more is printed modulo 256.
#include <bits/stdc++.h>
using namespace std;

int n, m, k;
char g[12][12];
int cell[12][12];
vector<pair<int, int>> pos;
unsigned char dis[2][100][100][100], cnt[2][100][100][100], res[2][100][100][100];  // res: 0 open, 1 won, 2 lost

struct S {
  unsigned char t, b, x, y;
};

bool ok(int r, int c) { return r >= 1 && r <= n && c >= 1 && c <= m && g[r][c] != '#'; }

vector<int> around(int p, bool up, bool side, bool down) {
  auto [r, c] = pos[p];
  vector<int> v;
  if (up && ok(r - 1, c)) v.push_back(cell[r - 1][c]);
  if (side && ok(r, c - 1)) v.push_back(cell[r][c - 1]);
  if (side && ok(r, c + 1)) v.push_back(cell[r][c + 1]);
  if (down && ok(r + 1, c)) v.push_back(cell[r + 1][c]);
  return v;
}

int main() {
  int id, T;
  scanf("%d%d", &id, &T);
  while (T--) {
    scanf("%d%d", &n, &m);
    pos.clear();
    int B = 0, X = -1, Y = -1;
    for (int i = 1; i <= n; i++) {
      scanf("%s", g[i] + 1);
      for (int j = 1; j <= m; j++) {
        if (g[i][j] == '#') continue;
        cell[i][j] = pos.size();
        if (g[i][j] == 'X') B = pos.size();
        if (g[i][j] == 'O') (X < 0 ? X : Y) = pos.size();
        pos.push_back({i, j});
      }
    }
    k = pos.size();
    vector<vector<int>> all(k), to(k), from(k);
    for (int p = 0; p < k; p++) all[p] = around(p, 1, 1, 1), to[p] = around(p, 1, 1, 0), from[p] = around(p, 0, 1, 1);
    queue<S> q;
    for (int t = 0; t < 2; t++)
      for (int b = 0; b < k; b++)
        for (int x = 0; x < k; x++)
          for (int y = 0; y < k; y++) {
            dis[t][b][x][y] = res[t][b][x][y] = 0;
            if (x == y) continue;
            int c = 0;
            if (pos[b].first > 1 && b != x && b != y) {
              if (t) c = to[b].size();
              else c = all[x].size() + all[y].size() - count(all[x].begin(), all[x].end(), y) * 2;
            }
            cnt[t][b][x][y] = c;
            if (!c) res[t][b][x][y] = 2, q.push({t, b, x, y});
          }
    while (!q.empty()) {
      auto [t, b, x, y] = q.front();
      q.pop();
      auto relax = [&](int t2, int b2, int x2, int y2) {
        if (res[t2][b2][x2][y2]) return;
        if (res[t][b][x][y] == 2) res[t2][b2][x2][y2] = 1;
        else if (--cnt[t2][b2][x2][y2] == 0) res[t2][b2][x2][y2] = 2;
        else return;
        dis[t2][b2][x2][y2] = dis[t][b][x][y] + 1;
        q.push({t2, b2, x2, y2});
      };
      if (t == 0)
        for (int p : from[b]) relax(1, p, x, y);
      else {
        for (int p : all[x])
          if (p != y) relax(0, b, p, y);
        for (int p : all[y])
          if (p != x) relax(0, b, x, p);
      }
    }
    int r = res[0][B][X][Y];
    if (r == 0) puts("Tie");
    else printf("%s %d\n", r == 1 ? "Red" : "Black", dis[0][B][X][Y]);
  }
}
