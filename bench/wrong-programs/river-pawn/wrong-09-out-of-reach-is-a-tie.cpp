// Wrong: takes it for a tie at once if Black can reach neither row 1 nor any cell of a red; forgets who runs out of moves.
#include <bits/stdc++.h>
using namespace std;

int n, m;
vector<string> g;
vector<int> step[100], climb[100], descend[100];

vector<bool> flood(int from, vector<int>* edges) {
  vector<bool> seen(n * m);
  vector<int> stack = {from};
  seen[from] = true;
  while (!stack.empty()) {
    int p = stack.back();
    stack.pop_back();
    for (int q : edges[p])
      if (!seen[q]) seen[q] = true, stack.push_back(q);
  }
  return seen;
}

// True if the pieces can never meet and Black can never win the race.
bool apart(int black, int red1, int red2) {
  auto b = flood(black, climb), x = flood(red1, step), y = flood(red2, step);
  for (int p = 0; p < n * m; p++)
    if (b[p] && (p < m || x[p] || y[p])) return false;
  return true;
}

int retrograde(int black, int red1, int red2) {
  int c = n * m;
  vector<int> d(c * c * c * 2, -1), left(c * c * c * 2);
  queue<array<int, 4>> q;
  auto key = [&](int b, int x, int y, int t) { return ((b * c + x) * c + y) * 2 + t; };
  for (int b = 0; b < c; b++)
    for (int x = 0; x < c; x++)
      for (int y = 0; y < c; y++) {
        if (x == y) continue;
        bool end = b < m || b == x || b == y;
        int r = 0;
        for (int p : step[x]) r += p != y;
        for (int p : step[y]) r += p != x;
        for (int t : {0, 1}) {
          int k = left[key(b, x, y, t)] = end ? 0 : t ? climb[b].size() : r;
          if (!k) d[key(b, x, y, t)] = 0, q.push({b, x, y, t});
        }
      }
  while (!q.empty()) {
    auto [b, x, y, t] = q.front();
    q.pop();
    int v = d[key(b, x, y, t)];
    auto back = [&](int b2, int x2, int y2) {
      int k = key(b2, x2, y2, !t);
      if (d[k] >= 0 || (v % 2 && --left[k])) return;
      d[k] = v + 1;
      q.push({b2, x2, y2, !t});
    };
    if (!t)
      for (int p : descend[b]) back(p, x, y);
    else {
      for (int p : step[x])
        if (p != y) back(b, p, y);
      for (int p : step[y])
        if (p != x) back(b, x, p);
    }
  }
  return d[key(black, red1, red2, 0)];
}

int main() {
  int id, t;
  cin >> id >> t;
  while (t--) {
    cin >> n >> m;
    g.resize(n);
    int b, r[2], k = 0;
    for (auto& row : g) cin >> row;
    for (int p = 0; p < n * m; p++) step[p].clear(), climb[p].clear(), descend[p].clear();
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        if (g[i][j] == '#') continue;
        int p = i * m + j;
        if (g[i][j] == 'X') b = p;
        if (g[i][j] == 'O') r[k++] = p;
        if (j > 0 && g[i][j - 1] != '#')
          for (auto* e : {step, climb, descend}) e[p].push_back(p - 1), e[p - 1].push_back(p);
        if (i > 0 && g[i - 1][j] != '#')
          step[p].push_back(p - m), step[p - m].push_back(p), climb[p].push_back(p - m), descend[p - m].push_back(p);
      }
    int d = apart(b, r[0], r[1]) ? -1 : retrograde(b, r[0], r[1]);
    if (d < 0) cout << "Tie\n";
    else cout << (d % 2 ? "Red " : "Black ") << d << "\n";
  }
}
