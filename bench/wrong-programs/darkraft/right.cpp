// Right: the board is turned by 45 degrees; each parity of i + j is cut into rectangles, whose nimbers are kept in a memo.
#include <cstring>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int n, m;
vector<string> board;
// The nimber of the cells with sums s1..s2-1 and differences d1..d2-1. It is at most the number of moves, which is at
// most 200, so 255 means that it is not known yet.
unsigned char memo[40][40][40][40];
int parity;

// The letter in the cell with this sum and difference, or 0 if there is no such cell of the parity.
char letter(int s, int d) {
  if ((s - parity) % 2 || (s + d - (m - 1)) % 2) return 0;
  int i = (s + d - (m - 1)) / 2, j = s - i;  // d = i - j + m - 1
  return i >= 0 && i < n && j >= 0 && j < m ? board[i][j] : 0;
}

int nimber(int s1, int s2, int d1, int d2) {
  if (s1 >= s2 || d1 >= d2) return 0;
  unsigned char& known = memo[s1][s2][d1][d2];
  if (known != 255) return known;
  vector<bool> seen(512);
  for (int s = s1; s < s2; s++) {
    if ((s - parity) % 2) continue;
    for (int d = d1; d < d2; d++) {
      const char c = letter(s, d);
      if (c == 'L') seen[nimber(s1, s, d1, d2) ^ nimber(s + 1, s2, d1, d2)] = true;
      if (c == 'R') seen[nimber(s1, s2, d1, d) ^ nimber(s1, s2, d + 1, d2)] = true;
      if (c == 'X')
        seen[nimber(s1, s, d1, d) ^ nimber(s1, s, d + 1, d2) ^ nimber(s + 1, s2, d1, d) ^
             nimber(s + 1, s2, d + 1, d2)] = true;
    }
  }
  int mex = 0;
  while (seen[mex]) mex++;
  return known = mex;
}

int main() {
  cin >> n >> m;
  board.resize(n);
  for (auto& row : board) cin >> row;
  int total = 0;
  for (parity = 0; parity < 2; parity++) {
    memset(memo, 255, sizeof memo);
    total ^= nimber(0, n + m - 1, 0, n + m - 1);
  }
  cout << (total ? "WIN" : "LOSE") << "\n";
}
