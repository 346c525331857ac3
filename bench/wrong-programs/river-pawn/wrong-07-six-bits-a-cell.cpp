// Wrong: packs the pieces into six bits each, so on boards with more than 64 free cells different states are one.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

constexpr int STATES = 1 << 19;

struct Packed {  // black, red, red and the turn in 19 bits
  int bits;
  Packed(int black, int red1, int red2, int turn)
      : bits((black & 63) << 13 | (red1 & 63) << 7 | (red2 & 63) << 1 | turn) {}
};

struct Place {
  int black, red1, red2, turn;
};

class Solver {
  int free_ = 0, black_ = 0;
  vector<int> reds_;
  vector<vector<int>> steps_, blackSteps_, blackBack_;
  vector<bool> goal_;
  vector<int16_t> distance_;
  vector<int8_t> moves_;
  vector<Place> queue_;

 public:
  void read() {
    int n, m;
    cin >> n >> m;
    vector<string> rows(n);
    vector<vector<int>> number(n + 2, vector<int>(m + 2, -1));
    for (int i = 1; i <= n; i++) {
      cin >> rows[i - 1];
      for (int j = 1; j <= m; j++) {
        const char c = rows[i - 1][j - 1];
        if (c == '#') continue;
        if (c == 'X') black_ = free_;
        if (c == 'O') reds_.push_back(free_);
        number[i][j] = free_++;
        goal_.push_back(i == 1);
      }
    }
    steps_.resize(free_), blackSteps_.resize(free_), blackBack_.resize(free_);
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= m; j++)
        for (auto [di, dj] : {pair(-1, 0), pair(1, 0), pair(0, -1), pair(0, 1)}) {
          const int a = number[i][j], b = number[i + di][j + dj];
          if (a < 0 || b < 0) continue;
          steps_[a].push_back(b);
          if (di <= 0) blackSteps_[a].push_back(b), blackBack_[b].push_back(a);
        }
  }

  void decide(Place p, int distance) {
    distance_[Packed(p.black, p.red1, p.red2, p.turn).bits] = distance;
    queue_.push_back(p);
  }

  int solve() {
    distance_.assign(STATES, -1);
    moves_.assign(STATES, 0);
    for (int b = 0; b < free_; b++)
      for (int x = 0; x < free_; x++)
        for (int y = 0; y < free_; y++) {
          if (x == y) continue;
          const bool over = goal_[b] || b == x || b == y;
          int red = 0;
          for (int p : steps_[x]) red += p != y;
          for (int p : steps_[y]) red += p != x;
          for (int turn : {0, 1}) {
            const int count = over ? 0 : turn ? blackSteps_[b].size() : red;
            moves_[Packed(b, x, y, turn).bits] = count;
            if (count == 0) decide({b, x, y, turn}, 0);
          }
        }
    for (size_t i = 0; i < queue_.size(); i++) {
      const Place p = queue_[i];
      const int d = distance_[Packed(p.black, p.red1, p.red2, p.turn).bits];
      const auto back = [&](Place q) {
        const int bits = Packed(q.black, q.red1, q.red2, q.turn).bits;
        if (distance_[bits] < 0 && (d % 2 == 0 || --moves_[bits] == 0)) decide(q, d + 1);
      };
      if (p.turn == 0) {
        for (int from : blackBack_[p.black]) back({from, p.red1, p.red2, 1});
      } else {
        for (int from : steps_[p.red1])
          if (from != p.red2) back({p.black, from, p.red2, 0});
        for (int from : steps_[p.red2])
          if (from != p.red1) back({p.black, p.red1, from, 0});
      }
    }
    return distance_[Packed(black_, reds_[0], reds_[1], 0).bits];
  }
};

int main() {
  int id, t;
  cin >> id >> t;
  while (t-- > 0) {
    Solver solver;
    solver.read();
    const int d = solver.solve();
    if (d < 0) cout << "Tie\n";
    else cout << (d % 2 ? "Red " : "Black ") << d << "\n";
  }
}
