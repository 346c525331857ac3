// Wrong: of the pairs with the fewest segments, pops the one with the shortest link, and only then the topmost, leftmost.
#include <bits/stdc++.h>
using namespace std;

typedef pair<int, int> Cost;  // segments, length
int n, m;
char a[35][35], b[35][35];

// Costs of all links from one block, over (cell, direction).
Cost cost[35][35][4];

void dijkstra(int sx, int sy) {
  static const int dx[] = {0, 1, 0, -1}, dy[] = {1, 0, -1, 0};
  const Cost far(9, 0);
  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= m + 1; j++) fill(cost[i][j], cost[i][j] + 4, far);
  priority_queue<pair<Cost, array<int, 3>>, vector<pair<Cost, array<int, 3>>>, greater<>> q;
  for (int d = 0; d < 4; d++) q.push({{1, 0}, {sx, sy, d}});
  while (!q.empty()) {
    auto [c, v] = q.top();
    q.pop();
    auto [x, y, d] = v;
    if (c > cost[x][y][d]) continue;
    int p = x + dx[d], r = y + dy[d];
    if (p >= 0 && r >= 0 && p <= n + 1 && r <= m + 1) {
      Cost next(c.first, c.second + 1);
      if (next < cost[p][r][d]) {
        cost[p][r][d] = next;
        if (!a[p][r]) q.push({next, {p, r, d}});
      }
    }
    if (c.second == 0) continue;  // no turn at the block itself
    for (int e : {(d + 1) % 4, (d + 3) % 4}) {
      Cost next(c.first + 1, c.second);
      if (next.first <= 3 && next < cost[x][y][e]) cost[x][y][e] = next, q.push({next, {x, y, e}});
    }
  }
}

bool pop() {
  tuple<Cost, int, int, int, int> best(Cost(4, 0), 0, 0, 0, 0);
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      if (!a[i][j]) continue;
      dijkstra(i, j);
      for (int x = i; x <= n; x++)
        for (int y = 1; y <= m; y++)
          if (a[x][y] == a[i][j] && (x > i || y > j))
            best = min(best, make_tuple(*min_element(cost[x][y], cost[x][y] + 4), i, j, x, y));
    }
  auto [c, i, j, x, y] = best;
  if (c.first > 3) return false;
  a[i][j] = a[x][y] = 0;
  return true;
}

void settle() {
  for (bool go = true; go;) {
    go = false;
    vector<array<int, 2>> all;
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= m; j++)
        if (a[i][j]) all.push_back({i, j});
    for (auto [i, j] : all) {
      int x = i, y = j;
      char w = b[i][j];
      if (w == 'U') x--;
      if (w == 'D') x++;
      if (w == 'L') y--;
      if (w == 'R') y++;
      if (x < 1 || y < 1 || x > n || y > m || a[x][y]) continue;
      a[x][y] = a[i][j], b[x][y] = w, a[i][j] = 0;
      go = true;
    }
  }
}

int main() {
  for (int t = 1; scanf("%d %d", &n, &m) == 2 && n; t++) {
    memset(a, 0, sizeof a);
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= m; j++) scanf(" %c%c", &a[i][j], &b[i][j]);
    while (pop()) settle();
    printf("Case %d\n", t);
    for (int i = 1; i <= n; i++, puts(""))
      for (int j = 1; j <= m; j++) putchar(a[i][j] ? a[i][j] : '.');
  }
}
