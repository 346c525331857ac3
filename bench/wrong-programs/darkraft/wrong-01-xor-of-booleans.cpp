// Wrong: the first player is said to win if exactly one parity class is won by its mover; two unequal nimbers give LOSE.
#include <bits/stdc++.h>
using namespace std;

int n, m, N;
char a[25][25];
int f[45][45][45][45];

int sg(int x1, int x2, int y1, int y2, int p) {
  if (x1 > x2 || y1 > y2) return 0;
  int& res = f[x1][x2][y1][y2];
  if (res != -1) return res;
  set<int> s;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int x = i + j, y = i - j + m;
      if (x % 2 != p || x < x1 || x > x2 || y < y1 || y > y2) continue;
      if (a[i][j] == 'L') s.insert(sg(x1, x - 1, y1, y2, p) ^ sg(x + 1, x2, y1, y2, p));
      else if (a[i][j] == 'R') s.insert(sg(x1, x2, y1, y - 1, p) ^ sg(x1, x2, y + 1, y2, p));
      else
        s.insert(sg(x1, x - 1, y1, y - 1, p) ^ sg(x1, x - 1, y + 1, y2, p) ^ sg(x + 1, x2, y1, y - 1, p) ^
                 sg(x + 1, x2, y + 1, y2, p));
    }
  for (res = 0; s.count(res); res++);
  return res;
}

int main() {
  scanf("%d%d", &n, &m);
  for (int i = 0; i < n; i++) scanf("%s", a[i]);
  N = n + m;
  memset(f, -1, sizeof f);
  bool even = sg(0, N, 0, N, 0);
  memset(f, -1, sizeof f);
  bool odd = sg(0, N, 0, N, 1);
  puts(even ^ odd ? "WIN" : "LOSE");
}
