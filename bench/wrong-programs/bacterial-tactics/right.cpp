// Right: nimbers of rectangles from a memo. A move fills a clear row or column of a rectangle and leaves two rectangles.
#include <cstring>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int R, C;
int sum[16][16];           // number of radioactive cells above and to the left of a corner
signed char memo[16][16][16][16];

// Says whether the cells of rows top..bottom-1 and columns left..right-1 are all free of radioactivity.
bool clear(int top, int bottom, int left, int right) {
  return sum[bottom][right] - sum[top][right] - sum[bottom][left] + sum[top][left] == 0;
}

int nimber(int top, int bottom, int left, int right) {
  if (top >= bottom || left >= right) return 0;
  signed char& known = memo[top][bottom][left][right];
  if (known >= 0) return known;
  vector<bool> seen(64);
  for (int r = top; r < bottom; r++)
    if (clear(r, r + 1, left, right)) seen[nimber(top, r, left, right) ^ nimber(r + 1, bottom, left, right)] = true;
  for (int c = left; c < right; c++)
    if (clear(top, bottom, c, c + 1)) seen[nimber(top, bottom, left, c) ^ nimber(top, bottom, c + 1, right)] = true;
  int mex = 0;
  while (seen[mex]) mex++;
  return known = mex;
}

int main() {
  int T;
  cin >> T;
  for (int t = 1; t <= T; t++) {
    cin >> R >> C;
    vector<string> board(R);
    for (auto& row : board) cin >> row;
    for (int r = 0; r < R; r++)
      for (int c = 0; c < C; c++) sum[r + 1][c + 1] = sum[r][c + 1] + sum[r + 1][c] - sum[r][c] + (board[r][c] == '#');
    memset(memo, -1, sizeof memo);
    int answer = 0;
    for (int r = 0; r < R; r++)
      if (clear(r, r + 1, 0, C) && nimber(0, r, 0, C) == nimber(r + 1, R, 0, C)) answer += C;
    for (int c = 0; c < C; c++)
      if (clear(0, R, c, c + 1) && nimber(0, R, 0, c) == nimber(0, R, c + 1, C)) answer += R;
    cout << "Case #" << t << ": " << answer << "\n";
  }
}
