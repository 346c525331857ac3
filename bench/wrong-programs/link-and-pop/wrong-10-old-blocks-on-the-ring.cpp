// Wrong: the arrays are not cleared between boards, so blocks of an earlier, larger board stand on the ring of the next.
#include <cstdio>

int n, m;
char sym[32][32], way[32][32];

const int DX[4] = {-1, 1, 0, 0}, DY[4] = {0, 0, -1, 1};
int least[32][32];

// Follows lines from a cell as far as they go, with at most 3 segments.
void follow(int x, int y, int dir, int segments) {
  for (;;) {
    x += DX[dir], y += DY[dir];
    if (x < 0 || y < 0 || x > n + 1 || y > m + 1) return;
    if (segments < least[x][y]) least[x][y] = segments;
    if (sym[x][y]) return;
    if (segments == 3) continue;
    for (int e = 0; e < 4; e++)
      if (e / 2 != dir / 2) follow(x, y, e, segments + 1);
  }
}

int pop() {
  int best = 4, a, b, p, q;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      if (!sym[i][j]) continue;
      for (auto& row : least)
        for (int& v : row) v = 4;
      for (int e = 0; e < 4; e++) follow(i, j, e, 1);
      for (int x = i; x <= n; x++)
        for (int y = 1; y <= m; y++) {
          if (x == i && y <= j) continue;
          if (sym[x][y] == sym[i][j] && least[x][y] < best) best = least[x][y], a = i, b = j, p = x, q = y;
        }
      if (best == 1) break;
    }
  if (best == 4) return 0;
  sym[a][b] = sym[p][q] = 0;
  return 1;
}

int turn() {
  static int last[32][32], number;
  int moved = 0;
  number++;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      if (!sym[i][j] || last[i][j] == number) continue;
      int x = i, y = j;
      if (way[i][j] == 'U') x--;
      if (way[i][j] == 'D') x++;
      if (way[i][j] == 'L') y--;
      if (way[i][j] == 'R') y++;
      if (x < 1 || y < 1 || x > n || y > m || sym[x][y]) continue;
      sym[x][y] = sym[i][j], way[x][y] = way[i][j], sym[i][j] = 0;
      last[x][y] = number;
      moved = 1;
    }
  return moved;
}

int main() {
  for (int k = 1; scanf("%d %d", &n, &m) == 2 && n; k++) {
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= m; j++) scanf(" %c%c", &sym[i][j], &way[i][j]);
    while (pop())
      while (turn());
    printf("Case %d\n", k);
    for (int i = 1; i <= n; i++) {
      for (int j = 1; j <= m; j++) putchar(sym[i][j] ? sym[i][j] : '.');
      putchar('\n');
    }
  }
}
