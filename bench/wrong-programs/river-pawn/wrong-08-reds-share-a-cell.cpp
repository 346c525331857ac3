// Wrong: lets Red move a piece to the cell of his other piece.
#include <cstdio>
#include <cstring>
#include <vector>
using namespace std;

int n, m, c;
char a[102];
int d[2000005], deg[2000005], q[2000005];
vector<int> e[100], f[100], rf[100];

inline int code(int b, int x, int y, int t) { return ((b * c + x) * c + y) * 2 + t; }

int main() {
  int id, tests;
  scanf("%d%d", &id, &tests);
  while (tests--) {
    scanf("%d%d", &n, &m);
    c = n * m;
    for (int i = 0; i < n; i++) scanf("%s", a + i * m);
    int b = -1, x = -1, y = -1;
    for (int i = 0; i < c; i++) {
      e[i].clear(), f[i].clear(), rf[i].clear();
      if (a[i] == 'X') b = i;
      if (a[i] == 'O') y = x, x = i;
    }
    for (int i = 0; i < c; i++) {
      if (a[i] == '#') continue;
      if (i % m > 0 && a[i - 1] != '#') e[i].push_back(i - 1), f[i].push_back(i - 1), rf[i - 1].push_back(i);
      if (i % m < m - 1 && a[i + 1] != '#') e[i].push_back(i + 1), f[i].push_back(i + 1), rf[i + 1].push_back(i);
      if (i >= m && a[i - m] != '#') e[i].push_back(i - m), f[i].push_back(i - m), rf[i - m].push_back(i);
      if (i < c - m && a[i + m] != '#') e[i].push_back(i + m);
    }
    memset(d, -1, sizeof d);
    int h = 0, t = 0;
    for (int i = 0; i < c; i++)
      for (int j = 0; j < c; j++)
        for (int k = 0; k < c; k++)
          for (int w = 0; w < 2; w++) {
            int s = code(i, j, k, w);
            deg[s] = w ? f[i].size() : e[j].size() + e[k].size();
            if (i < m || i == j || i == k) deg[s] = 0;
            if (deg[s] == 0) d[s] = 0, q[t++] = s;
          }
    while (h < t) {
      int s = q[h++], w = s & 1, k = s / 2 % c, j = s / 2 / c % c, i = s / 2 / c / c;
      static int prev[16];
      int np = 0;
      if (w == 0)
        for (int p : rf[i]) prev[np++] = code(p, j, k, 1);
      else {
        for (int p : e[j]) prev[np++] = code(i, p, k, 0);
        for (int p : e[k]) prev[np++] = code(i, j, p, 0);
      }
      for (int z = 0; z < np; z++) {
        int p = prev[z];
        if (d[p] != -1) continue;
        if (d[s] & 1) {
          if (--deg[p] == 0) d[p] = d[s] + 1, q[t++] = p;
        } else d[p] = d[s] + 1, q[t++] = p;
      }
    }
    int r = d[code(b, x, y, 0)];
    if (r < 0) puts("Tie");
    else printf(r & 1 ? "Red %d\n" : "Black %d\n", r);
  }
}
