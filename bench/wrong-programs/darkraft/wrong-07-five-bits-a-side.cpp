// Wrong: the key of the memo has five bits for each side of a rectangle, but the sides go up to 38.
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>
using namespace std;

class Game {
  int rows, cols;
  vector<string> board;
  unordered_map<int, int> memo;

  int grundy(int a, int b, int c, int d, int parity) {
    if (a > b || c > d) return 0;
    const int key = ((a & 31) << 15) | ((b & 31) << 10) | ((c & 31) << 5) | (d & 31);
    if (auto it = memo.find(key); it != memo.end()) return it->second;
    vector<char> seen(256);
    for (int i = 0; i < rows; i++) {
      for (int j = (i + parity) % 2; j < cols; j += 2) {
        const int s = i + j, t = i - j + cols - 1;
        if (s < a || s > b || t < c || t > d) continue;
        int value = 0;
        if (board[i][j] == 'L') value = grundy(a, s - 1, c, d, parity) ^ grundy(s + 1, b, c, d, parity);
        else if (board[i][j] == 'R') value = grundy(a, b, c, t - 1, parity) ^ grundy(a, b, t + 1, d, parity);
        else
          for (auto [p, q] : {pair(a, s - 1), pair(s + 1, b)})
            for (auto [v, w] : {pair(c, t - 1), pair(t + 1, d)}) value ^= grundy(p, q, v, w, parity);
        seen[value] = 1;
      }
    }
    int mex = 0;
    while (seen[mex]) mex++;
    return memo[key] = mex;
  }

 public:
  explicit Game(vector<string> b) : rows(b.size()), cols(b[0].size()), board(move(b)) {}

  bool firstWins() {
    int total = 0;
    for (int parity = 0; parity < 2; parity++) {
      memo.clear();
      total ^= grundy(0, rows + cols - 2, 0, rows + cols - 2, parity);
    }
    return total != 0;
  }
};

int main() {
  int n, m;
  cin >> n >> m;
  vector<string> b(n);
  for (auto& row : b) cin >> row;
  cout << (Game(b).firstWins() ? "WIN" : "LOSE") << endl;
}
