// Wrong: the set of nimbers of the moves has 16 bits, so nimbers from 16 up are forgotten.
#include <cstdint>
#include <cstdio>
#include <cstring>

int n, m;
char s[20][21];
// Each parity class has its own coordinates without gaps: u = (i + j) / 2 and v = (i - j + m) / 2.
char cls[21][21];
signed char g[21][22][21][22];  // [first u][end u][first v][end v]

int get(int a, int b, int c, int d) { return a < b && c < d ? g[a][b][c][d] : 0; }

int classValue(int parity) {
  memset(cls, 0, sizeof cls);
  memset(g, 0, sizeof g);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if ((i + j) % 2 == parity) cls[(i + j) / 2][(i - j + m) / 2] = s[i][j];
  const int side = (n + m) / 2 + 1;
  for (int h = 1; h <= side; h++)
    for (int w = 1; w <= side; w++)
      for (int a = 0; a + h <= side; a++)
        for (int c = 0; c + w <= side; c++) {
          const int b = a + h, d = c + w;
          uint16_t seen = 0;
          for (int u = a; u < b; u++)
            for (int v = c; v < d; v++) {
              if (cls[u][v] == 'L') seen |= 1u << (get(a, u, c, d) ^ get(u + 1, b, c, d));
              if (cls[u][v] == 'R') seen |= 1u << (get(a, b, c, v) ^ get(a, b, v + 1, d));
              if (cls[u][v] == 'X')
                seen |= 1u << (get(a, u, c, v) ^ get(a, u, v + 1, d) ^ get(u + 1, b, c, v) ^ get(u + 1, b, v + 1, d));
            }
          int mex = 0;
          while (seen >> mex & 1) mex++;
          g[a][b][c][d] = mex;
        }
  return get(0, side, 0, side);
}

int main() {
  scanf("%d%d", &n, &m);
  for (int i = 0; i < n; i++) scanf("%s", s[i]);
  puts(classValue(0) != classValue(1) ? "WIN" : "LOSE");
}
