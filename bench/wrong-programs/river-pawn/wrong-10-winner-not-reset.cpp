// Wrong: the name of the winner is not set back to Black between cases, so after a win of Red all wins are Red's.
#include <bits/stdc++.h>
using namespace std;

struct Graph {
  vector<vector<int>> out, in;
  int nodes = 0;
  void resize(int k) { nodes = k, out.assign(k, {}), in.assign(k, {}); }
  void edge(int a, int b) { out[a].push_back(b), in[b].push_back(a); }
};

// Plies until the end for each node of a game graph in which whoever cannot move loses; -1 for a tie.
vector<int> levels(const Graph& g) {
  vector<int> level(g.nodes, -1), open(g.nodes), now, next;
  for (int v = 0; v < g.nodes; v++)
    if ((open[v] = g.out[v].size()) == 0) level[v] = 0, now.push_back(v);
  for (int k = 1; !now.empty(); k++, now.swap(next), next.clear())
    for (int v : now)
      for (int p : g.in[v])
        if (level[p] < 0 && (k % 2 == 1 || --open[p] == 0)) level[p] = k, next.push_back(p);
  return level;
}

int main() {
  int id, t, n, m;
  cin >> id >> t;
  string winner = "Black";
  while (t--) {
    cin >> n >> m;
    vector<string> b(n);
    for (auto& row : b) cin >> row;
    auto inside = [&](int r, int c) { return r >= 0 && c >= 0 && r < n && c < m && b[r][c] != '#'; };
    // Only states that the start leads to become nodes.
    map<array<int, 4>, int> number;
    vector<array<int, 4>> states;
    auto get = [&](int black, int x, int y, int turn) {
      array<int, 4> s = {black, min(x, y), max(x, y), turn};
      auto [it, fresh] = number.insert({s, states.size()});
      if (fresh) states.push_back(s);
      return it->second;
    };
    vector<int> reds;
    int black;
    for (int i = 0; i < n * m; i++) {
      if (b[i / m][i % m] == 'X') black = i;
      if (b[i / m][i % m] == 'O') reds.push_back(i);
    }
    get(black, reds[0], reds[1], 0);
    vector<pair<int, int>> edges;
    const int dr[] = {-1, 0, 0, 1}, dc[] = {0, 1, -1, 0};
    for (size_t v = 0; v < states.size(); v++) {
      auto [p, x, y, turn] = states[v];
      if (p < m || p == x || p == y) continue;
      for (int d = 0; d < 4; d++) {
        auto step = [&](int cell) {
          int r = cell / m + dr[d], c = cell % m + dc[d];
          return inside(r, c) ? r * m + c : -1;
        };
        if (turn == 1) {
          if (d < 3 && step(p) >= 0) edges.push_back({v, get(step(p), x, y, 0)});
          continue;
        }
        if (step(x) >= 0 && step(x) != y) edges.push_back({v, get(p, step(x), y, 1)});
        if (step(y) >= 0 && step(y) != x) edges.push_back({v, get(p, x, step(y), 1)});
      }
    }
    Graph g;
    g.resize(states.size());
    for (auto [a, c] : edges) g.edge(a, c);
    int k = levels(g)[0];
    if (k % 2 == 1) winner = "Red";
    if (k < 0) cout << "Tie" << endl;
    else cout << winner << " " << k << endl;
  }
}
