// Wrong: a link may not leave the board.
#include <cstdio>
#include <cstring>
#include <algorithm>
using namespace std;

int n, m;
char s[32][32], d[32][32];

bool line(int x1, int y1, int x2, int y2) {  // all cells of the line except for its ends are empty
  int dx = (x2 > x1) - (x2 < x1), dy = (y2 > y1) - (y2 < y1);
  if (dx && dy) return false;
  for (x1 += dx, y1 += dy; x1 != x2 || y1 != y2; x1 += dx, y1 += dy)
    if (s[x1][y1]) return false;
  return true;
}

bool link1(int a, int b, int x, int y) { return (a == x || b == y) && line(a, b, x, y); }

bool link2(int a, int b, int x, int y) {
  if (!s[a][y] && line(a, b, a, y) && line(a, y, x, y)) return true;
  return !s[x][b] && line(a, b, x, b) && line(x, b, x, y);
}

bool link3(int a, int b, int x, int y) {
  for (int i = 0; i < n; i++)
    if (i != a && i != x && !s[i][b] && !s[i][y] && line(a, b, i, b) && line(i, b, i, y) && line(i, y, x, y)) return true;
  for (int j = 0; j < m; j++)
    if (j != b && j != y && !s[a][j] && !s[x][j] && line(a, b, a, j) && line(a, j, x, j) && line(x, j, x, y)) return true;
  return false;
}

bool pop() {
  for (int k = 1; k <= 3; k++)
    for (int p = 0; p < n * m; p++)
      for (int q = p + 1; q < n * m; q++) {
        int a = p / m, b = p % m, x = q / m, y = q % m;
        if (!s[a][b] || s[a][b] != s[x][y]) continue;
        if (k == 1 ? link1(a, b, x, y) : k == 2 ? link2(a, b, x, y) : link3(a, b, x, y)) {
          s[a][b] = s[x][y] = 0;
          return true;
        }
      }
  return false;
}

void fall() {
  static int seen[32][32], stamp;
  for (bool moved = true; moved;) {
    moved = false;
    stamp++;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        if (!s[i][j] || seen[i][j] == stamp) continue;
        int x = i + (d[i][j] == 'D') - (d[i][j] == 'U'), y = j + (d[i][j] == 'R') - (d[i][j] == 'L');
        if (x < 0 || y < 0 || x >= n || y >= m || s[x][y]) continue;
        s[x][y] = s[i][j], d[x][y] = d[i][j], s[i][j] = 0;
        seen[x][y] = stamp;
        moved = true;
      }
  }
}

int main() {
  for (int t = 1; scanf("%d%d", &n, &m) == 2 && n; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) scanf(" %c%c", &s[i][j], &d[i][j]);
    while (pop()) fall();
    printf("Case %d\n", t);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < m; j++) putchar(s[i][j] ? s[i][j] : '.');
      puts("");
    }
  }
}
