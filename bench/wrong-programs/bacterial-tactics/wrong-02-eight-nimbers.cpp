// Wrong: the set of nimbers of the moves has eight bits, so nimbers above 7 are forgotten and no mex is above 8.
#include <cstdint>
#include <cstdio>
#include <cstring>

char g[16][17];
int n, m;
uint8_t f[16][16][16][16];  // [top][left][height][width]
bool rowClear[16][16][16];  // [row][left][width]
bool colClear[16][16][16];  // [col][top][height]

int mex(uint8_t s) {
  int k = 0;
  while (s >> k & 1) k++;
  return k;
}

int main() {
  int t;
  scanf("%d", &t);
  for (int tc = 1; tc <= t; tc++) {
    scanf("%d%d", &n, &m);
    for (int i = 0; i < n; i++) scanf("%s", g[i]);
    for (int i = 0; i < n; i++)
      for (int l = 0; l < m; l++) {
        rowClear[i][l][0] = true;
        for (int w = 1; l + w <= m; w++) rowClear[i][l][w] = rowClear[i][l][w - 1] && g[i][l + w - 1] == '.';
      }
    for (int j = 0; j < m; j++)
      for (int u = 0; u < n; u++) {
        colClear[j][u][0] = true;
        for (int h = 1; u + h <= n; h++) colClear[j][u][h] = colClear[j][u][h - 1] && g[u + h - 1][j] == '.';
      }
    memset(f, 0, sizeof f);
    int ans = 0;
    for (int h = 1; h <= n; h++)
      for (int w = 1; w <= m; w++)
        for (int u = 0; u + h <= n; u++)
          for (int l = 0; l + w <= m; l++) {
            uint8_t s = 0;
            bool whole = h == n && w == m;
            for (int i = 0; i < h; i++)
              if (rowClear[u + i][l][w]) {
                int x = f[u][l][i][w] ^ (i + 1 < h ? f[u + i + 1][l][h - i - 1][w] : 0);
                s |= 1 << x;
                if (whole && x == 0) ans += m;
              }
            for (int j = 0; j < w; j++)
              if (colClear[l + j][u][h]) {
                int x = f[u][l][h][j] ^ (j + 1 < w ? f[u][l + j + 1][h][w - j - 1] : 0);
                s |= 1 << x;
                if (whole && x == 0) ans += n;
              }
            f[u][l][h][w] = mex(s);
          }
    printf("Case #%d: %d\n", tc, ans);
  }
}
