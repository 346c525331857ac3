// Wrong: a block that has moved down or right is met again by the scan and moves on in the same turn.
#include <bits/stdc++.h>
using namespace std;

struct Block {
  char symbol = '.', way = 'S';
};
int n, m;
Block g[40][40];

bool empty(int r, int c) { return g[r][c].symbol == '.'; }

// Marks the cells that a line from (r, c) with at most `segments` segments reaches, by extending it step by step.
bool reach(int r, int c, int dir, int segments, int tr, int tc) {
  static const int DR[] = {-1, 0, 1, 0}, DC[] = {0, 1, 0, -1};
  for (;;) {
    r += DR[dir], c += DC[dir];
    if (r < 0 || c < 0 || r > n + 1 || c > m + 1) return false;
    if (r == tr && c == tc) return true;
    if (!empty(r, c)) return false;
    if (segments > 1 && (segments > 2 || r == tr || c == tc))
      for (int turn : {1, 3})
        if (reach(r, c, (dir + turn) % 4, segments - 1, tr, tc)) return true;
  }
}

bool pop() {
  vector<array<int, 3>> blocks;
  for (int r = 1; r <= n; r++)
    for (int c = 1; c <= m; c++)
      if (!empty(r, c)) blocks.push_back({r, c, g[r][c].symbol});
  for (int k = 1; k <= 3; k++)
    for (auto a = blocks.begin(); a != blocks.end(); a++)
      for (auto b = a + 1; b != blocks.end(); b++) {
        if ((*a)[2] != (*b)[2]) continue;
        for (int dir = 0; dir < 4; dir++)
          if (reach((*a)[0], (*a)[1], dir, k, (*b)[0], (*b)[1])) {
            g[(*a)[0]][(*a)[1]] = g[(*b)[0]][(*b)[1]] = Block();
            return true;
          }
      }
  return false;
}

bool turn() {
  bool any = false;
  for (int r = 1; r <= n; r++)
    for (int c = 1; c <= m; c++) {
      if (empty(r, c)) continue;
      int x = r, y = c;
      switch (g[r][c].way) {
        case 'U': x--; break;
        case 'D': x++; break;
        case 'L': y--; break;
        case 'R': y++; break;
      }
      if (x < 1 || x > n || y < 1 || y > m || !empty(x, y)) continue;
      swap(g[x][y], g[r][c]);
      any = true;
    }
  return any;
}

int main() {
  int cases = 0;
  while (cin >> n >> m && n) {
    for (auto& row : g) fill(begin(row), end(row), Block());
    for (int r = 1; r <= n; r++)
      for (int c = 1; c <= m; c++) cin >> g[r][c].symbol >> g[r][c].way;
    while (pop())
      while (turn());
    printf("Case %d\n", ++cases);
    for (int r = 1; r <= n; r++, puts(""))
      for (int c = 1; c <= m; c++) putchar(g[r][c].symbol);
  }
}
