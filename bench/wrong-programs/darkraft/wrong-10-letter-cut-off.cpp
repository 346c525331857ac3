// Wrong: notes for each diagonal of the whole board whether it has an L or R; a part of it without that letter stays playable.
#include <bits/stdc++.h>
using namespace std;

int n, m;
bool hasL[2][41], hasR[2][41];
vector<pair<int, int>> crosses[2];
int memo[40][40][40][40];

int grundy(int p, int x1, int x2, int y1, int y2) {
  if (x1 > x2 || y1 > y2) return 0;
  int& v = memo[x1][x2][y1][y2];
  if (v >= 0) return v;
  vector<int> seen(256);
  for (int x = x1; x <= x2; x++)
    if (hasL[p][x]) seen[grundy(p, x1, x - 1, y1, y2) ^ grundy(p, x + 1, x2, y1, y2)] = 1;
  for (int y = y1; y <= y2; y++)
    if (hasR[p][y]) seen[grundy(p, x1, x2, y1, y - 1) ^ grundy(p, x1, x2, y + 1, y2)] = 1;
  for (auto [x, y] : crosses[p])
    if (x1 <= x && x <= x2 && y1 <= y && y <= y2)
      seen[grundy(p, x1, x - 1, y1, y - 1) ^ grundy(p, x1, x - 1, y + 1, y2) ^ grundy(p, x + 1, x2, y1, y - 1) ^
           grundy(p, x + 1, x2, y + 1, y2)] = 1;
  v = 0;
  while (seen[v]) v++;
  return v;
}

int main() {
  cin >> n >> m;
  for (int i = 0; i < n; i++) {
    string row;
    cin >> row;
    for (int j = 0; j < m; j++) {
      int p = (i + j) & 1, x = i + j, y = i - j + m - 1;
      if (row[j] == 'L') hasL[p][x] = true;
      if (row[j] == 'R') hasR[p][y] = true;
      if (row[j] == 'X') crosses[p].push_back({x, y});
    }
  }
  int total = 0;
  for (int p = 0; p < 2; p++) {
    memset(memo, -1, sizeof memo);
    total ^= grundy(p, 0, n + m - 2, 0, n + m - 2);
  }
  puts(total ? "WIN" : "LOSE");
}
