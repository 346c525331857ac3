// Wrong: inside a rectangle, the loop over columns has < in place of <=, so the last column is never filled.
#include <cstring>
#include <iostream>
#include <string>
using namespace std;

string a[16];
int memo[16][16][16][16];

bool rowFree(int i, int y1, int y2) {
  for (int j = y1; j <= y2; j++)
    if (a[i][j] == '#') return false;
  return true;
}
bool colFree(int j, int x1, int x2) {
  for (int i = x1; i <= x2; i++)
    if (a[i][j] == '#') return false;
  return true;
}

int sg(int x1, int y1, int x2, int y2) {
  if (x1 > x2 || y1 > y2) return 0;
  int& v = memo[x1][y1][x2][y2];
  if (~v) return v;
  int seen = 0;
  for (int i = x1; i <= x2; i++)
    if (rowFree(i, y1, y2)) seen |= 1 << (sg(x1, y1, i - 1, y2) ^ sg(i + 1, y1, x2, y2));
  for (int j = y1; j < y2; j++)
    if (colFree(j, x1, x2)) seen |= 1 << (sg(x1, y1, x2, j - 1) ^ sg(x1, j + 1, x2, y2));
  v = 0;
  while (seen >> v & 1) v++;
  return v;
}

int main() {
  int t;
  cin >> t;
  for (int tc = 1; tc <= t; tc++) {
    int n, m, ans = 0;
    cin >> n >> m;
    for (int i = 0; i < n; i++) cin >> a[i];
    memset(memo, -1, sizeof memo);
    for (int i = 0; i < n; i++)
      if (rowFree(i, 0, m - 1) && sg(0, 0, i - 1, m - 1) == sg(i + 1, 0, n - 1, m - 1)) ans += m;
    for (int j = 0; j < m; j++)
      if (colFree(j, 0, n - 1) && sg(0, 0, n - 1, j - 1) == sg(0, j + 1, n - 1, m - 1)) ans += n;
    cout << "Case #" << tc << ": " << ans << endl;
  }
}
