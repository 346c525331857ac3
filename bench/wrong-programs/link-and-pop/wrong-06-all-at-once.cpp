// Wrong: in a turn all blocks look at the board as it was when the turn began, so none enters a cell vacated in the turn.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

struct Block {
  int r, c;
  char symbol, way;
};

int n, m;
vector<Block> blocks;            // in row-major order
vector<vector<bool>> occupied;   // with the ring

bool open(int r1, int c1, int r2, int c2) {  // the whole closed line is empty
  for (int r = min(r1, r2); r <= max(r1, r2); r++)
    for (int c = min(c1, c2); c <= max(c1, c2); c++)
      if (occupied[r][c]) return false;
  return true;
}

// Finds a link with k segments, with both ends taken off the board for the test.
bool linked(const Block& a, const Block& b, int k) {
  if (k == 1) return (a.r == b.r || a.c == b.c) && open(a.r, a.c, b.r, b.c);
  if (k == 2)
    return (open(a.r, a.c, a.r, b.c) && open(a.r, b.c, b.r, b.c)) || (open(a.r, a.c, b.r, a.c) && open(b.r, a.c, b.r, b.c));
  for (int r = 0; r <= n + 1; r++)
    if (open(a.r, a.c, r, a.c) && open(r, a.c, r, b.c) && open(r, b.c, b.r, b.c)) return true;
  for (int c = 0; c <= m + 1; c++)
    if (open(a.r, a.c, a.r, c) && open(a.r, c, b.r, c) && open(b.r, c, b.r, b.c)) return true;
  return false;
}

bool pop() {
  for (int k = 1; k <= 3; k++)
    for (size_t i = 0; i < blocks.size(); i++)
      for (size_t j = i + 1; j < blocks.size(); j++) {
        Block a = blocks[i], b = blocks[j];
        if (a.symbol != b.symbol) continue;
        occupied[a.r][a.c] = occupied[b.r][b.c] = false;
        if (linked(a, b, k)) {
          blocks.erase(blocks.begin() + j);
          blocks.erase(blocks.begin() + i);
          return true;
        }
        occupied[a.r][a.c] = occupied[b.r][b.c] = true;
      }
  return false;
}

bool turn() {
  auto before = occupied;
  bool moved = false;
  for (auto& b : blocks) {
    int r = b.r + (b.way == 'D') - (b.way == 'U'), c = b.c + (b.way == 'R') - (b.way == 'L');
    if (r < 1 || c < 1 || r > n || c > m || before[r][c] || occupied[r][c]) continue;
    occupied[b.r][b.c] = false;
    occupied[b.r = r][b.c = c] = true;
    moved = true;
  }
  sort(blocks.begin(), blocks.end(), [](auto& a, auto& b) { return a.r != b.r ? a.r < b.r : a.c < b.c; });
  return moved;
}

int main() {
  for (int t = 1; cin >> n >> m && n; t++) {
    blocks.clear();
    occupied.assign(n + 2, vector<bool>(m + 2));
    for (int r = 1; r <= n; r++)
      for (int c = 1; c <= m; c++) {
        Block b{r, c};
        cin >> b.symbol >> b.way;
        blocks.push_back(b);
        occupied[r][c] = true;
      }
    while (pop())
      while (turn());
    vector<string> out(n, string(m, '.'));
    for (auto& b : blocks) out[b.r - 1][b.c - 1] = b.symbol;
    cout << "Case " << t << "\n";
    for (auto& row : out) cout << row << "\n";
  }
}
