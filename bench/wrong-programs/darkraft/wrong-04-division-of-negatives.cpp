// Wrong: halves i - j + n to number the diagonals; if m >= n + 2 it can be -1, and -1 / 2 is 0, so two diagonals merge.
#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <string>
#include <vector>
using namespace std;

struct Cell {
  int x, y;
  char c;
};

struct Class {
  vector<Cell> cells;
  map<array<int, 4>, int> memo;

  int grundy(array<int, 4> box) {
    auto [x1, x2, y1, y2] = box;
    if (x1 > x2 || y1 > y2) return 0;
    auto it = memo.find(box);
    if (it != memo.end()) return it->second;
    vector<int> values;
    for (auto [x, y, c] : cells) {
      if (x < x1 || x > x2 || y < y1 || y > y2) continue;
      if (c == 'L') values.push_back(grundy({x1, x - 1, y1, y2}) ^ grundy({x + 1, x2, y1, y2}));
      if (c == 'R') values.push_back(grundy({x1, x2, y1, y - 1}) ^ grundy({x1, x2, y + 1, y2}));
      if (c == 'X')
        values.push_back(grundy({x1, x - 1, y1, y - 1}) ^ grundy({x1, x - 1, y + 1, y2}) ^
                         grundy({x + 1, x2, y1, y - 1}) ^ grundy({x + 1, x2, y + 1, y2}));
    }
    sort(values.begin(), values.end());
    int mex = 0;
    for (int v : values)
      if (v == mex) mex++;
    return memo[box] = mex;
  }
};

int main() {
  int n, m;
  cin >> n >> m;
  Class classes[2];
  for (int i = 0; i < n; i++) {
    string row;
    cin >> row;
    for (int j = 0; j < m; j++) classes[(i + j) % 2].cells.push_back({(i + j) / 2, (i - j + n) / 2, row[j]});
  }
  int total = 0;
  for (auto& k : classes) {
    int x1 = 99, x2 = -99, y1 = 99, y2 = -99;
    for (auto& c : k.cells) x1 = min(x1, c.x), x2 = max(x2, c.x), y1 = min(y1, c.y), y2 = max(y2, c.y);
    total ^= k.grundy({x1, x2, y1, y2});
  }
  cout << (total ? "WIN" : "LOSE") << endl;
}
