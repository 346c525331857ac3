// Wrong: looks at most 100 plies ahead, and takes everything longer for a tie.
#include <iostream>
#include <string>
#include <vector>
using namespace std;

const int LIMIT = 100;

struct Position {
  int black, red1, red2;  // numbers of free cells
};

int main() {
  int id, tests;
  cin >> id >> tests;
  while (tests--) {
    int n, m;
    cin >> n >> m;
    vector<string> a(n);
    for (auto& s : a) cin >> s;
    vector<vector<int>> number(n, vector<int>(m, -1));
    int f = 0, start[3], reds = 0;
    vector<bool> top;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        if (a[i][j] != '#') {
          if (a[i][j] == 'X') start[0] = f;
          if (a[i][j] == 'O') start[++reds] = f;
          number[i][j] = f++;
          top.push_back(i == 0);
        }
    vector<vector<int>> up(f), red(f);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        if (number[i][j] < 0) continue;
        const int from = number[i][j];
        auto add = [&](int x, int y, bool black) {
          if (x < 0 || y < 0 || x >= n || y >= m || number[x][y] < 0) return;
          red[from].push_back(number[x][y]);
          if (black) up[from].push_back(number[x][y]);
        };
        add(i - 1, j, true), add(i, j - 1, true), add(i, j + 1, true), add(i + 1, j, false);
      }
    // result[turn][state]: 0 open, 1 won by the player to move, 2 lost. Step k decides the states of k plies.
    vector<char> result[2], next[2];
    result[0].assign(f * f * f, 0);
    result[1] = result[0];
    auto at = [&](int b, int x, int y) { return (b * f + x) * f + y; };
    int answer = -1;
    for (int k = 0, quiet = 0; k <= LIMIT && answer < 0 && quiet < 2; k++) {
      bool changed = false;
      vector<pair<int, int>> decided[2];
      for (int b = 0; b < f; b++)
        for (int x = 0; x < f; x++)
          for (int y = 0; y < f; y++) {
            if (x == y) continue;
            for (int turn = 0; turn < 2; turn++) {
              if (result[turn][at(b, x, y)]) continue;
              bool win = false, lose = true;
              if (!top[b] && b != x && b != y) {
                if (k == 0 && (turn ? !up[b].empty() : red[x].size() + red[y].size() > 2)) continue;
                auto look = [&](int state) {
                  win |= result[!turn][state] == 2;
                  lose &= result[!turn][state] == 1;
                };
                if (turn) {
                  for (int p : up[b]) look(at(p, x, y));
                } else {
                  for (int p : red[x])
                    if (p != y) look(at(b, p, y));
                  for (int p : red[y])
                    if (p != x) look(at(b, x, p));
                }
              }
              if (win || lose) decided[turn].push_back({at(b, x, y), win ? 1 : 2});
            }
          }
      for (int turn : {0, 1})
        for (auto [state, value] : decided[turn]) result[turn][state] = value, changed = true;
      quiet = changed ? 0 : quiet + 1;
      if (result[0][at(start[0], start[1], start[2])]) answer = k;
    }
    if (answer < 0) cout << "Tie\n";
    else cout << (answer % 2 ? "Red " : "Black ") << answer << "\n";
  }
}
