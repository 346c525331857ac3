// Wrong: the memo is not reset between the two parity classes, and its key does not have the parity.
#include <bits/stdc++.h>
using namespace std;

int n, m;
string a[20];
int memo[42][42][42][42];
vector<array<int, 3>> cells;  // sum, difference + m, letter

int rec(int x1, int y1, int x2, int y2) {
  // shrink the rectangle to the cells of this class
  int u = 99, d = -1, l = 99, r = -1;
  for (auto& [x, y, c] : cells)
    if (x1 <= x && x <= x2 && y1 <= y && y <= y2) u = min(u, x), d = max(d, x), l = min(l, y), r = max(r, y);
  if (d < 0) return 0;
  int& res = memo[u][l][d][r];
  if (res >= 0) return res;
  bitset<256> b;
  for (auto& [x, y, c] : cells) {
    if (x < u || x > d || y < l || y > r) continue;
    if (c == 'L') b[rec(u, l, x - 1, r) ^ rec(x + 1, l, d, r)] = 1;
    if (c == 'R') b[rec(u, l, d, y - 1) ^ rec(u, y + 1, d, r)] = 1;
    if (c == 'X')
      b[rec(u, l, x - 1, y - 1) ^ rec(u, y + 1, x - 1, r) ^ rec(x + 1, l, d, y - 1) ^ rec(x + 1, y + 1, d, r)] = 1;
  }
  int k = 0;
  while (b[k]) k++;
  return res = k;
}

int main() {
  cin >> n >> m;
  for (int i = 0; i < n; i++) cin >> a[i];
  memset(memo, -1, sizeof memo);
  int ans = 0;
  for (int p : {0, 1}) {
    cells.clear();
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        if ((i + j) % 2 == p) cells.push_back({i + j, i - j + m, a[i][j]});
    ans ^= rec(0, 0, 41, 41);
  }
  puts(ans ? "WIN" : "LOSE");
}
