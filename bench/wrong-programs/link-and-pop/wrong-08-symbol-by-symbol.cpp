// Wrong: goes through the symbols from A to Z; of equally good pairs it keeps the first symbol's, not the topmost.
#include <algorithm>
#include <cstring>
#include <iostream>
#include <vector>
using namespace std;

int n, m;
char s[32][32], d[32][32];

struct P {
  int r, c;
  int up, down, left, right;  // the last cells that lines reach
};

P make(int r, int c) {
  P p{r, c, r, r, c, c};
  while (p.up > 0 && !s[p.up - 1][c]) p.up--;
  while (p.down <= n && !s[p.down + 1][c]) p.down++;
  while (p.left > 0 && !s[r][p.left - 1]) p.left--;
  while (p.right <= m && !s[r][p.right + 1]) p.right++;
  return p;
}

bool rowFree(int r, int c1, int c2) {
  if (c1 > c2) swap(c1, c2);
  for (int c = c1 + 1; c < c2; c++)
    if (s[r][c]) return false;
  return true;
}
bool colFree(int c, int r1, int r2) {
  if (r1 > r2) swap(r1, r2);
  for (int r = r1 + 1; r < r2; r++)
    if (s[r][c]) return false;
  return true;
}

int links(const P& a, const P& b) {  // a comes before b
  if (a.r == b.r && rowFree(a.r, a.c, b.c)) return 1;
  if (a.c == b.c && colFree(a.c, a.r, b.r)) return 1;
  if (a.left <= b.c && b.c <= a.right && b.up <= a.r && a.r <= b.down) return 2;
  if (b.left <= a.c && a.c <= b.right && a.up <= b.r && b.r <= a.down) return 2;
  for (int c = max(a.left, b.left); c <= min(a.right, b.right); c++)
    if (a.r != b.r && colFree(c, a.r, b.r)) return 3;
  for (int r = max(a.up, b.up); r <= min(a.down, b.down); r++)
    if (a.c != b.c && rowFree(r, a.c, b.c)) return 3;
  return 4;
}

bool pop() {
  vector<P> bySymbol[26];
  for (int r = 1; r <= n; r++)
    for (int c = 1; c <= m; c++)
      if (s[r][c]) bySymbol[s[r][c] - 'A'].push_back(make(r, c));
  int best = 4;
  P one, two;
  for (auto& list : bySymbol)
    for (size_t i = 0; i < list.size(); i++)
      for (size_t j = i + 1; j < list.size(); j++) {
        int k = links(list[i], list[j]);
        if (k < best) best = k, one = list[i], two = list[j];
      }
  if (best == 4) return false;
  s[one.r][one.c] = s[two.r][two.c] = 0;
  return true;
}

bool turn() {
  bool any = false;
  vector<pair<int, int>> order;
  for (int r = 1; r <= n; r++)
    for (int c = 1; c <= m; c++)
      if (s[r][c]) order.push_back({r, c});
  for (auto [r, c] : order) {
    int x = r, y = c;
    char w = d[r][c];
    w == 'U' ? x-- : w == 'D' ? x++ : w == 'L' ? y-- : w == 'R' ? y++ : 0;
    if (x < 1 || y < 1 || x > n || y > m || s[x][y]) continue;
    s[x][y] = s[r][c], d[x][y] = w, s[r][c] = 0, any = true;
  }
  return any;
}

int main() {
  for (int t = 1; cin >> n >> m && n; t++) {
    memset(s, 0, sizeof s);
    for (int r = 1; r <= n; r++)
      for (int c = 1; c <= m; c++) cin >> s[r][c] >> d[r][c];
    while (pop())
      while (turn());
    cout << "Case " << t << "\n";
    for (int r = 1; r <= n; r++, cout << "\n")
      for (int c = 1; c <= m; c++) cout << (s[r][c] ? s[r][c] : '.');
  }
}
