// Wrong: a spread is not stopped by bacteria; a row or column must be free of radioactivity on the whole board.
#include <cstdio>
#include <cstring>
#include <vector>
using namespace std;

int dp[16][16][16][16];
vector<int> goodRows, goodCols;  // the rows and columns without a radioactive cell

int calc(int u, int d, int l, int r) {
  if (u >= d || l >= r) return 0;
  int& res = dp[u][d][l][r];
  if (res != -1) return res;
  bool has[64] = {};
  for (int i : goodRows)
    if (i >= u && i < d) has[calc(u, i, l, r) ^ calc(i + 1, d, l, r)] = true;
  for (int j : goodCols)
    if (j >= l && j < r) has[calc(u, d, l, j) ^ calc(u, d, j + 1, r)] = true;
  int g = 0;
  while (has[g]) g++;
  return res = g;
}

int main() {
  int T;
  scanf("%d", &T);
  for (int t = 1; t <= T; t++) {
    int R, C;
    scanf("%d %d", &R, &C);
    char a[15][20];
    bool badRow[15] = {}, badCol[15] = {};
    for (int i = 0; i < R; i++) {
      scanf("%s", a[i]);
      for (int j = 0; j < C; j++)
        if (a[i][j] == '#') badRow[i] = badCol[j] = true;
    }
    goodRows.clear();
    goodCols.clear();
    for (int i = 0; i < R; i++)
      if (!badRow[i]) goodRows.push_back(i);
    for (int j = 0; j < C; j++)
      if (!badCol[j]) goodCols.push_back(j);
    memset(dp, -1, sizeof dp);
    int ans = 0;
    for (int i : goodRows) ans += (calc(0, i, 0, C) ^ calc(i + 1, R, 0, C)) == 0 ? C : 0;
    for (int j : goodCols) ans += (calc(0, R, 0, j) ^ calc(0, R, j + 1, C)) == 0 ? R : 0;
    printf("Case #%d: %d\n", t, ans);
  }
}
