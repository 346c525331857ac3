// Wrong: the loops over the diagonals end one early, so the bottom right corner of the board is never played.
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int n, m;
vector<string> a;

struct Table {
  int size;
  vector<short> data;
  explicit Table(int size) : size(size), data(size * size * size * size) {}
  short& at(int p, int q, int r, int s) { return data[((p * size + q) * size + r) * size + s]; }
};

// at(p, q, r, s) is the nimber of the cells with sums from p to before q, and differences from r to before s.
int classValue(int parity) {
  const int diagonals = n + m - 2;
  Table t(n + m + 1);
  vector<pair<int, int>> cellAt[40];  // of each sum: the differences and letters
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if ((i + j) % 2 == parity) cellAt[i + j].push_back({i - j + m - 1, a[i][j]});
  for (int p = diagonals - 1; p >= 0; p--)
    for (int q = p + 1; q <= diagonals; q++)
      for (int r = n + m - 2; r >= 0; r--)
        for (int s = r + 1; s <= n + m - 1; s++) {
          vector<bool> seen(128);
          for (int x = p; x < q; x++)
            for (auto [y, letter] : cellAt[x]) {
              if (y < r || y >= s) continue;
              if (letter == 'L') seen[t.at(p, x, r, s) ^ t.at(x + 1, q, r, s)] = true;
              if (letter == 'R') seen[t.at(p, q, r, y) ^ t.at(p, q, y + 1, s)] = true;
              if (letter == 'X')
                seen[t.at(p, x, r, y) ^ t.at(p, x, y + 1, s) ^ t.at(x + 1, q, r, y) ^ t.at(x + 1, q, y + 1, s)] = true;
            }
          int mex = 0;
          while (seen[mex]) mex++;
          t.at(p, q, r, s) = mex;
        }
  return t.at(0, diagonals, 0, n + m - 1);
}

int main() {
  cin >> n >> m;
  a.resize(n);
  for (auto& row : a) cin >> row;
  cout << (classValue(0) ^ classValue(1) ? "WIN" : "LOSE") << endl;
}
