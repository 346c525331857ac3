// Wrong: does not see that Black loses if he has no move; such states are never decided.
#include <cstdio>
#include <cstring>
#include <queue>
using namespace std;

int n, m;
char s[10][11];
int f[100][100][100][2], deg[100][100][100][2];
const int dx[4] = {-1, 0, 0, 1}, dy[4] = {0, -1, 1, 0};

bool in(int x, int y) { return x >= 0 && x < n && y >= 0 && y < m && s[x][y] != '#'; }

int go(int p, int d) {  // the cell next to p in direction d, or -1
  int x = p / m + dx[d], y = p % m + dy[d];
  return in(x, y) ? x * m + y : -1;
}

int main() {
  int id, t;
  scanf("%d %d", &id, &t);
  while (t--) {
    scanf("%d %d", &n, &m);
    int b0, r0[2], c = 0;
    for (int i = 0; i < n; i++) {
      scanf("%s", s[i]);
      for (int j = 0; j < m; j++) {
        if (s[i][j] == 'X') b0 = i * m + j;
        if (s[i][j] == 'O') r0[c++] = i * m + j;
      }
    }
    memset(f, -1, sizeof f);
    memset(deg, 0, sizeof deg);
    struct Node { int b, x, y, w; };
    queue<Node> q;
    for (int b = 0; b < n * m; b++)
      for (int x = 0; x < n * m; x++)
        for (int y = 0; y < n * m; y++) {
          if (x == y || !in(b / m, b % m) || !in(x / m, x % m) || !in(y / m, y % m)) continue;
          if (b < m || b == x || b == y) {
            for (int w = 0; w < 2; w++) f[b][x][y][w] = 0, q.push({b, x, y, w});
            continue;
          }
          for (int d = 0; d < 4; d++) {
            if (go(x, d) >= 0 && go(x, d) != y) deg[b][x][y][0]++;
            if (go(y, d) >= 0 && go(y, d) != x) deg[b][x][y][0]++;
            if (d < 3 && go(b, d) >= 0) deg[b][x][y][1]++;
          }
          if (!deg[b][x][y][0]) f[b][x][y][0] = 0, q.push({b, x, y, 0});
        }
    while (!q.empty()) {
      Node v = q.front();
      q.pop();
      int now = f[v.b][v.x][v.y][v.w];
      auto upd = [&](int b, int x, int y) {
        int w = !v.w;
        if (f[b][x][y][w] != -1) return;
        if (now % 2 == 0 || --deg[b][x][y][w] == 0) {
          f[b][x][y][w] = now + 1;
          q.push({b, x, y, w});
        }
      };
      for (int d = 0; d < 4; d++) {
        if (v.w == 0) {
          if (d != 0 && go(v.b, d) >= 0) upd(go(v.b, d), v.x, v.y);
        } else {
          if (go(v.x, d) >= 0 && go(v.x, d) != v.y) upd(v.b, go(v.x, d), v.y);
          if (go(v.y, d) >= 0 && go(v.y, d) != v.x) upd(v.b, v.x, go(v.y, d));
        }
      }
    }
    int ans = f[b0][r0[0]][r0[1]][0];
    if (ans == -1) puts("Tie");
    else printf("%s %d\n", ans & 1 ? "Red" : "Black", ans);
  }
}
