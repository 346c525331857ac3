// Wrong: the memo is not reset between the two parity classes, whose diagonals have the same numbers.
#include <bits/stdc++.h>
using namespace std;

struct Cell {
  int u, v;
  char letter;
};

int n, m;
int memo[21][21][21][21];
vector<Cell> cells;  // of one class

int rec(int u1, int v1, int u2, int v2) {
  // shrink the rectangle to the cells of this class
  int top = 99, bottom = -1, left = 99, right = -1;
  vector<Cell> inside;
  for (auto& c : cells)
    if (u1 <= c.u && c.u <= u2 && v1 <= c.v && c.v <= v2) {
      inside.push_back(c);
      top = min(top, c.u), bottom = max(bottom, c.u), left = min(left, c.v), right = max(right, c.v);
    }
  if (inside.empty()) return 0;
  int& res = memo[top][left][bottom][right];
  if (res >= 0) return res;
  bitset<256> b;
  for (auto [u, v, c] : inside) {
    if (c == 'L') b[rec(top, left, u - 1, right) ^ rec(u + 1, left, bottom, right)] = 1;
    if (c == 'R') b[rec(top, left, bottom, v - 1) ^ rec(top, v + 1, bottom, right)] = 1;
    if (c == 'X')
      b[rec(top, left, u - 1, v - 1) ^ rec(top, v + 1, u - 1, right) ^ rec(u + 1, left, bottom, v - 1) ^
        rec(u + 1, v + 1, bottom, right)] = 1;
  }
  int k = 0;
  while (b[k]) k++;
  return res = k;
}

int main() {
  cin >> n >> m;
  vector<string> a(n);
  for (auto& row : a) cin >> row;
  memset(memo, -1, sizeof memo);
  int ans = 0;
  for (int p : {0, 1}) {
    cells.clear();
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        if ((i + j) % 2 == p) cells.push_back({(i + j) / 2, (i - j + m) / 2, a[i][j]});
    ans ^= rec(0, 0, 20, 20);
  }
  puts(ans ? "WIN" : "LOSE");
}
