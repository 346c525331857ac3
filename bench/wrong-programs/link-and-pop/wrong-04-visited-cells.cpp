// Wrong: a queue searches for links, and visits each cell once, with whatever direction reached it first.
#include <cstring>
#include <iostream>
#include <queue>
#include <string>
using namespace std;

const int DX[] = {-1, 0, 1, 0}, DY[] = {0, 1, 0, -1};
int n, m;
char sym[32][32], way[32][32];

struct Node {
  int x, y, dir, segments;
};

// Searches from the block (sx, sy). Sets (bx, by) to the best later block, and returns its number of segments, or 4.
int search(int sx, int sy, int& bx, int& by) {
  static bool visited[32][32];
  memset(visited, 0, sizeof visited);
  deque<Node> q;
  for (int d = 0; d < 4; d++) q.push_back({sx, sy, d, 1});
  visited[sx][sy] = true;
  int best = 4;
  while (!q.empty()) {
    Node v = q.front();
    q.pop_front();
    int x = v.x + DX[v.dir], y = v.y + DY[v.dir];
    if (x < 0 || y < 0 || x > n + 1 || y > m + 1 || visited[x][y]) continue;
    if (sym[x][y]) {
      bool later = x > sx || (x == sx && y > sy);
      if (sym[x][y] == sym[sx][sy] && later && (v.segments < best || (v.segments == best && (x < bx || (x == bx && y < by)))))
        best = v.segments, bx = x, by = y;
      continue;
    }
    visited[x][y] = true;
    q.push_front({x, y, v.dir, v.segments});
    if (v.segments < 3)
      for (int turn : {1, 3}) q.push_back({x, y, (v.dir + turn) % 4, v.segments + 1});
  }
  return best;
}

bool pop() {
  int best = 4, x1, y1, x2, y2;
  for (int x = 1; x <= n; x++)
    for (int y = 1; y <= m; y++) {
      int p, q;
      if (!sym[x][y]) continue;
      int k = search(x, y, p, q);
      if (k < best) best = k, x1 = x, y1 = y, x2 = p, y2 = q;
    }
  if (best == 4) return false;
  sym[x1][y1] = sym[x2][y2] = 0;
  return true;
}

bool moveAll() {
  bool moved[32][32] = {}, any = false;
  for (int x = 1; x <= n; x++)
    for (int y = 1; y <= m; y++) {
      if (!sym[x][y] || moved[x][y]) continue;
      size_t d = string("URDL").find(way[x][y]);
      if (d == string::npos) continue;
      int p = x + DX[d], q = y + DY[d];
      if (p < 1 || q < 1 || p > n || q > m || sym[p][q]) continue;
      sym[p][q] = sym[x][y], way[p][q] = way[x][y], sym[x][y] = 0;
      moved[p][q] = any = true;
    }
  return any;
}

int main() {
  for (int k = 1; cin >> n >> m && n; k++) {
    memset(sym, 0, sizeof sym);
    for (int x = 1; x <= n; x++)
      for (int y = 1; y <= m; y++) cin >> sym[x][y] >> way[x][y];
    while (pop())
      while (moveAll());
    cout << "Case " << k << endl;
    for (int x = 1; x <= n; x++) {
      for (int y = 1; y <= m; y++) cout << (sym[x][y] ? sym[x][y] : '.');
      cout << endl;
    }
  }
}
