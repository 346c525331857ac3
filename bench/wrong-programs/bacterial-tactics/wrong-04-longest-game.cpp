// Wrong: takes the parity of the longest game for the winner, as if no player could change the number of moves.
#include <algorithm>
#include <cstring>
#include <iostream>
#include <string>
using namespace std;

string s[15];
int len[16][16][16][16];

bool freeRow(int i, int l, int r) { return s[i].substr(l, r - l).find('#') == string::npos; }
bool freeCol(int j, int u, int d) {
  while (u < d && s[u][j] == '.') u++;
  return u == d;
}

// Number of moves of the longest game in a rectangle.
int longest(int u, int d, int l, int r) {
  if (u >= d || l >= r) return 0;
  int& best = len[u][d][l][r];
  if (best >= 0) return best;
  best = 0;
  for (int i = u; i < d; i++)
    if (freeRow(i, l, r)) best = max(best, 1 + longest(u, i, l, r) + longest(i + 1, d, l, r));
  for (int j = l; j < r; j++)
    if (freeCol(j, u, d)) best = max(best, 1 + longest(u, d, l, j) + longest(u, d, j + 1, r));
  return best;
}

int main() {
  int cases, n, m;
  cin >> cases;
  for (int id = 1; id <= cases; id++) {
    cin >> n >> m;
    for (int i = 0; i < n; i++) cin >> s[i];
    memset(len, -1, sizeof len);
    int wins = 0;
    for (int i = 0; i < n; i++)
      if (freeRow(i, 0, m) && (longest(0, i, 0, m) + longest(i + 1, n, 0, m)) % 2 == 0) wins += m;
    for (int j = 0; j < m; j++)
      if (freeCol(j, 0, n) && (longest(0, n, 0, j) + longest(0, n, j + 1, m)) % 2 == 0) wins += n;
    cout << "Case #" << id << ": " << wins << "\n";
  }
}
