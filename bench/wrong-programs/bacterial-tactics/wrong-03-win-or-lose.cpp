// Wrong: knows of each rectangle only whether the mover wins; takes two rectangles as won if exactly one of them is.
#include <bits/stdc++.h>
using namespace std;

struct Rect {
  int x1, y1, x2, y2;
  bool operator<(const Rect& o) const { return tie(x1, y1, x2, y2) < tie(o.x1, o.y1, o.x2, o.y2); }
};

vector<string> a;
map<Rect, bool> known;

bool wins(Rect q);

// Lists the pairs of rectangles that the moves leave, with the number of cells from which each can be made.
vector<tuple<Rect, Rect, int>> moves(const Rect& q) {
  vector<tuple<Rect, Rect, int>> result;
  for (int x = q.x1; x <= q.x2; x++) {
    bool ok = true;
    for (int y = q.y1; y <= q.y2; y++) ok &= a[x][y] != '#';
    if (ok) result.push_back({{q.x1, q.y1, x - 1, q.y2}, {x + 1, q.y1, q.x2, q.y2}, q.y2 - q.y1 + 1});
  }
  for (int y = q.y1; y <= q.y2; y++) {
    bool ok = true;
    for (int x = q.x1; x <= q.x2; x++) ok &= a[x][y] != '#';
    if (ok) result.push_back({{q.x1, q.y1, q.x2, y - 1}, {q.x1, y + 1, q.x2, q.y2}, q.x2 - q.x1 + 1});
  }
  return result;
}

bool wins(Rect q) {
  if (q.x1 > q.x2 || q.y1 > q.y2) return false;
  auto it = known.find(q);
  if (it != known.end()) return it->second;
  bool w = false;
  for (auto& [p, r, count] : moves(q))
    if (wins(p) == wins(r)) w = true;
  return known[q] = w;
}

int main() {
  int t;
  cin >> t;
  for (int k = 1; k <= t; k++) {
    int r, c, ans = 0;
    cin >> r >> c;
    a.resize(r);
    for (auto& s : a) cin >> s;
    known.clear();
    for (auto& [p, q, count] : moves({0, 0, r - 1, c - 1}))
      if (wins(p) == wins(q)) ans += count;
    printf("Case #%d: %d\n", k, ans);
  }
}
