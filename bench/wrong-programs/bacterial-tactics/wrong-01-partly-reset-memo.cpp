// Wrong: the memo is reset for edges 0 to R - 1 and 0 to C - 1 only, so rectangles that end at the border keep old values.
#include <iostream>
#include <string>
using namespace std;

int R, C, T;
string g[16];
int dp[16][16][16][16];

void init() {
  for (int a = 0; a < R; a++)
    for (int b = 0; b < R; b++)
      for (int c = 0; c < C; c++)
        for (int d = 0; d < C; d++) dp[a][b][c][d] = -1;
}

bool rowOk(int r, int l, int rr) {
  for (int c = l; c < rr; c++)
    if (g[r][c] == '#') return false;
  return true;
}

bool colOk(int c, int t, int b) {
  for (int r = t; r < b; r++)
    if (g[r][c] == '#') return false;
  return true;
}

int sg(int t, int b, int l, int r) {
  if (t == b || l == r) return 0;
  int& res = dp[t][b][l][r];
  if (res != -1) return res;
  bool vis[40] = {};
  for (int i = t; i < b; i++)
    if (rowOk(i, l, r)) vis[sg(t, i, l, r) ^ sg(i + 1, b, l, r)] = true;
  for (int i = l; i < r; i++)
    if (colOk(i, t, b)) vis[sg(t, b, l, i) ^ sg(t, b, i + 1, r)] = true;
  for (res = 0; vis[res]; res++);
  return res;
}

int main() {
  for (auto& a : dp)
    for (auto& b : a)
      for (auto& c : b)
        for (auto& d : c) d = -1;
  cin >> T;
  for (int tc = 1; tc <= T; tc++) {
    cin >> R >> C;
    for (int i = 0; i < R; i++) cin >> g[i];
    init();
    int ans = 0;
    for (int i = 0; i < R; i++)
      if (rowOk(i, 0, C) && (sg(0, i, 0, C) ^ sg(i + 1, R, 0, C)) == 0) ans += C;
    for (int i = 0; i < C; i++)
      if (colOk(i, 0, R) && (sg(0, R, 0, i) ^ sg(0, R, i + 1, C)) == 0) ans += R;
    cout << "Case #" << tc << ": " << ans << endl;
  }
}
