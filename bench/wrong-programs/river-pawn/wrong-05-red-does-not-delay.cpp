// Wrong: finds the winners first and the lengths later; a Red who loses takes the shortest way to the end, not the longest.
#include <iostream>
#include <string>
#include <vector>
using namespace std;

const int RED = 0, BLACK = 1, NOBODY = 2;

int n, m, K;
vector<vector<int>> redTo, blackTo, blackFrom;
vector<bool> top;

int code(int b, int x, int y, int turn) { return ((b * K + x) * K + y) * 2 + turn; }

bool over(int b, int x, int y) { return top[b] || b == x || b == y; }

int moves(int b, int x, int y, int turn) {
  if (over(b, x, y)) return 0;
  if (turn == BLACK) return blackTo[b].size();
  int k = 0;
  for (int p : redTo[x]) k += p != y;
  for (int p : redTo[y]) k += p != x;
  return k;
}

vector<int> before(int s) {
  int turn = s % 2, y = s / 2 % K, x = s / 2 / K % K, b = s / 2 / K / K;
  vector<int> result;
  if (turn == RED) {
    for (int p : blackFrom[b]) result.push_back(code(p, x, y, BLACK));
  } else {
    for (int p : redTo[x])
      if (p != y) result.push_back(code(b, p, y, RED));
    for (int p : redTo[y])
      if (p != x) result.push_back(code(b, x, p, RED));
  }
  return result;
}

int main() {
  int id, t;
  cin >> id >> t;
  while (t--) {
    cin >> n >> m;
    vector<string> g(n);
    vector<int> number(n * m, -1), reds;
    int black;
    K = 0;
    top.clear();
    for (int i = 0; i < n; i++) {
      cin >> g[i];
      for (int j = 0; j < m; j++) {
        if (g[i][j] == '#') continue;
        if (g[i][j] == 'X') black = K;
        if (g[i][j] == 'O') reds.push_back(K);
        number[i * m + j] = K++;
        top.push_back(i == 0);
      }
    }
    redTo.assign(K, {});
    blackTo = blackFrom = redTo;
    const int di[] = {-1, 0, 0, 1}, dj[] = {0, -1, 1, 0};
    for (int p = 0; p < n * m; p++)
      for (int d = 0; d < 4; d++) {
        const int i = p / m + di[d], j = p % m + dj[d];
        if (number[p] < 0 || i < 0 || i >= n || j < 0 || j >= m || number[i * m + j] < 0) continue;
        redTo[number[p]].push_back(number[i * m + j]);
        if (d == 3) continue;
        blackTo[number[p]].push_back(number[i * m + j]);
        blackFrom[number[i * m + j]].push_back(number[p]);
      }
    const int states = K * K * K * 2;
    vector<char> winner(states, NOBODY), left(states);
    vector<int> ends, list;
    for (int s = 0; s < states; s++) {
      int turn = s % 2, y = s / 2 % K, x = s / 2 / K % K, b = s / 2 / K / K;
      if (x == y) continue;
      left[s] = moves(b, x, y, turn);
      if (left[s] == 0) winner[s] = !turn, ends.push_back(s);
    }
    // Who wins.
    const vector<char> all = left;
    list = ends;
    for (size_t i = 0; i < list.size(); i++)
      for (int p : before(list[i]))
        if (winner[p] == NOBODY && (winner[list[i]] == p % 2 || --left[p] == 0)) winner[p] = winner[list[i]], list.push_back(p);
    // How long it takes: the nearest state in which the same player wins; the farthest for Black in a lost state.
    vector<int> length(states, -1);
    left = all;
    list = ends;
    for (int s : ends) length[s] = 0;
    for (size_t i = 0; i < list.size(); i++)
      for (int p : before(list[i])) {
        if (length[p] >= 0 || winner[p] != winner[list[i]]) continue;
        if (p % 2 == BLACK && winner[p] == RED && --left[p] > 0) continue;
        length[p] = length[list[i]] + 1;
        list.push_back(p);
      }
    const int s = code(black, reds[0], reds[1], RED);
    if (winner[s] == NOBODY) cout << "Tie\n";
    else cout << (winner[s] == RED ? "Red " : "Black ") << length[s] << "\n";
  }
}
