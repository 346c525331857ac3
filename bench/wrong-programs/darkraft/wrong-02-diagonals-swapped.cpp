// Wrong: L clears the diagonal from the top left to the bottom right, and R the other one.
#include <algorithm>
#include <cstdio>
#include <cstring>

char a[21][22];
signed char dp[40][40][40][40];
int n, m;

int solve(int lo, int hi, int lft, int rgt, int par) {
  if (lo > hi || lft > rgt) return 0;
  signed char& r = dp[lo][hi][lft][rgt];
  if (r >= 0) return r;
  bool used[256] = {};
  for (int p = lo; p <= hi; p++)
    for (int q = lft; q <= rgt; q++) {
      if (p % 2 != par || (p + q - m + 1) & 1) continue;
      int i = (p + q - m + 1) / 2, j = p - i;
      if (i < 0 || j < 0 || i >= n || j >= m) continue;
      switch (a[i][j]) {
        case 'L':
          used[solve(lo, hi, lft, q - 1, par) ^ solve(lo, hi, q + 1, rgt, par)] = true;
          break;
        case 'R':
          used[solve(lo, p - 1, lft, rgt, par) ^ solve(p + 1, hi, lft, rgt, par)] = true;
          break;
        case 'X':
          used[solve(lo, p - 1, lft, q - 1, par) ^ solve(p + 1, hi, lft, q - 1, par) ^
               solve(lo, p - 1, q + 1, rgt, par) ^ solve(p + 1, hi, q + 1, rgt, par)] = true;
      }
    }
  int g = 0;
  while (used[g]) g++;
  return r = g;
}

int main() {
  scanf("%d %d", &n, &m);
  for (int i = 0; i < n; i++) scanf("%s", a[i]);
  int x = 0;
  for (int par = 0; par < 2; par++) {
    memset(dp, -1, sizeof dp);
    x ^= solve(0, n + m - 2, 0, n + m - 2, par);
  }
  puts(x ? "WIN" : "LOSE");
}
