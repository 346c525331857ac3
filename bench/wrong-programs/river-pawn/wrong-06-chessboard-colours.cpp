// Wrong: leaves the turn out of the states and tells it from the colours of the cells, r * m + c modulo 2; bad for even m.
#include <bits/stdc++.h>
using namespace std;

int n, m, N;
char board[128];
int colour(int p) { return p & 1; }

vector<int> near_(int p, bool black, bool backwards) {
  vector<int> v;
  int r = p / m, c = p % m;
  if (r > 0 && !(black && backwards)) v.push_back(p - m);
  if (r < n - 1 && !(black && !backwards)) v.push_back(p + m);
  if (c > 0) v.push_back(p - 1);
  if (c < m - 1) v.push_back(p + 1);
  v.erase(remove_if(v.begin(), v.end(), [](int q) { return board[q] == '#'; }), v.end());
  return v;
}

int main() {
  int id, T;
  scanf("%d %d", &id, &T);
  for (; T; T--) {
    scanf("%d %d", &n, &m);
    for (int i = 0; i < n; i++) scanf("%s", board + i * m);
    N = n * m;
    int b0 = find(board, board + N, 'X') - board;
    int x0 = find(board, board + N, 'O') - board;
    int y0 = find(board + x0 + 1, board + N, 'O') - board;
    const int parity = (colour(b0) + colour(x0) + colour(y0)) & 1;
    // In the states with the parity of the start it is Red's turn.
    auto redToMove = [&](int b, int x, int y) { return ((colour(b) + colour(x) + colour(y)) & 1) == parity; };
    auto id3 = [&](int b, int x, int y) { return (b * N + min(x, y)) * N + max(x, y); };
    vector<int> dist(N * N * N, -1), left(N * N * N, 0), todo;
    vector<vector<int>> red(N), black(N), blackFrom(N);
    for (int p = 0; p < N; p++)
      if (board[p] != '#') red[p] = near_(p, false, false), black[p] = near_(p, true, false), blackFrom[p] = near_(p, true, true);
    for (int b = 0; b < N; b++)
      for (int x = 0; x < N; x++)
        for (int y = x + 1; y < N; y++) {
          if (board[b] == '#' || board[x] == '#' || board[y] == '#') continue;
          int k = 0;
          if (b >= m && b != x && b != y) {
            if (redToMove(b, x, y)) {
              for (int p : red[x]) k += p != y;
              for (int p : red[y]) k += p != x;
            } else k = black[b].size();
          }
          left[id3(b, x, y)] = k;
          if (!k) dist[id3(b, x, y)] = 0, todo.push_back(id3(b, x, y));
        }
    for (size_t i = 0; i < todo.size(); i++) {
      int s = todo[i], b = s / N / N, x = s / N % N, y = s % N;
      auto visit = [&](int p) {
        if (dist[p] >= 0) return;
        if (dist[s] % 2 && --left[p] > 0) return;
        dist[p] = dist[s] + 1;
        todo.push_back(p);
      };
      if (redToMove(b, x, y)) {  // Black has moved before
        for (int p : blackFrom[b]) visit(id3(p, x, y));
      } else {
        for (int p : red[x])
          if (p != y) visit(id3(b, p, y));
        for (int p : red[y])
          if (p != x) visit(id3(b, x, p));
      }
    }
    int d = dist[id3(b0, x0, y0)];
    if (d < 0) puts("Tie");
    else printf("%s %d\n", d % 2 ? "Red" : "Black", d);
  }
}
