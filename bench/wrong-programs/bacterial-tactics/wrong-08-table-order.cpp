// Wrong: fills the table from the top left, so the part below or right of a move is read before it is computed (0).
#include <bits/stdc++.h>
using namespace std;

int g[17][17][17][17];  // [u][d][l][r], half open
int cnt[17][17];

int bad(int u, int d, int l, int r) { return cnt[d][r] - cnt[u][r] - cnt[d][l] + cnt[u][l]; }

int main() {
  ios::sync_with_stdio(false);
  cin.tie(nullptr);
  int t;
  cin >> t;
  for (int tc = 1; tc <= t; tc++) {
    int n, m;
    cin >> n >> m;
    for (int i = 1; i <= n; i++) {
      string s;
      cin >> s;
      for (int j = 1; j <= m; j++)
        cnt[i][j] = cnt[i - 1][j] + cnt[i][j - 1] - cnt[i - 1][j - 1] + (s[j - 1] == '#');
    }
    memset(g, 0, sizeof g);
    for (int u = 0; u < n; u++)
      for (int d = u + 1; d <= n; d++)
        for (int l = 0; l < m; l++)
          for (int r = l + 1; r <= m; r++) {
            bitset<64> seen;
            for (int i = u; i < d; i++)
              if (!bad(i, i + 1, l, r)) seen[g[u][i][l][r] ^ g[i + 1][d][l][r]] = 1;
            for (int j = l; j < r; j++)
              if (!bad(u, d, j, j + 1)) seen[g[u][d][l][j] ^ g[u][d][j + 1][r]] = 1;
            int x = 0;
            while (seen[x]) x++;
            g[u][d][l][r] = x;
          }
    int ans = 0;
    for (int i = 0; i < n; i++)
      if (!bad(i, i + 1, 0, m) && g[0][i][0][m] == g[i + 1][n][0][m]) ans += m;
    for (int j = 0; j < m; j++)
      if (!bad(0, n, j, j + 1) && g[0][n][0][j] == g[0][n][j + 1][m]) ans += n;
    cout << "Case #" << tc << ": " << ans << "\n";
  }
}
