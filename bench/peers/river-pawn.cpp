// River Pawn baseline: retrograde analysis, breadth first over all states with counters of unrefuted moves,
// as contest solutions do it; stops as soon as the start is decided. One thread, file on stdin, answers on stdout.
// g++ -O3 -march=native -std=c++17 river-pawn.cpp
//
// State = ((pair * cells) + black) * 2 + turn over unordered pairs of free red squares and all squares of Black:
// half the states of the usual ordered index, and neighbouring blacks share a cache line.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

struct Board {
  int rows, cols;
  std::vector<char> cells;
};

class Analysis {
 public:
  // Plies to the end of the game, or -1 for a tie.
  int solve(const Board& board) {
    link(board);
    count_moves();
    return search();
  }

 private:
  static constexpr int8_t kWon = -1;  // 0: lost; above: moves not yet known to lose
  int cells_, cols_, black_, pairs_;
  uint32_t start_;
  std::vector<char> free_;
  std::vector<int> free_list_, pair_at_, degree_;
  std::vector<uint16_t> red1_, red2_;
  std::vector<std::vector<int>> near_;
  std::vector<int> ways_out_, into_, into_count_;
  std::vector<int> beside_;
  std::vector<int8_t> unrefuted_;
  std::vector<uint32_t> queue_;

  void link(const Board& board) {
    const int rows = board.rows, cols = board.cols;
    cells_ = rows * cols;
    cols_ = cols;
    free_.assign(cells_, 0);
    near_.assign(cells_, {});
    ways_out_.assign(cells_, 0);
    into_.assign(cells_ * 3, 0);
    into_count_.assign(cells_, 0);
    free_list_.clear();
    int reds[2], red_count = 0;
    for (int cell = 0; cell < cells_; cell++) {
      free_[cell] = board.cells[cell] != '#';
      if (free_[cell]) free_list_.push_back(cell);
      if (board.cells[cell] == 'X') black_ = cell;
      if (board.cells[cell] == 'O') reds[red_count++] = cell;
    }
    for (int cell : free_list_) {
      const int row = cell / cols, col = cell % cols;
      if (row > 0) step(cell, cell - cols, true);
      if (col > 0) step(cell, cell - 1, true);
      if (col < cols - 1) step(cell, cell + 1, true);
      if (row < rows - 1) step(cell, cell + cols, false);
    }
    number_pairs();
    start_ = (pair_at_[reds[0] * cells_ + reds[1]] * cells_ + black_) * 2;
  }

  void step(int from, int to, bool black_too) {
    if (!free_[to]) return;
    near_[from].push_back(to);
    if (!black_too) return;
    ways_out_[from]++;
    into_[to * 3 + into_count_[to]++] = from;
  }

  void number_pairs() {
    pair_at_.assign(cells_ * cells_, -1);
    red1_.clear();
    red2_.clear();
    for (int one : free_list_)
      for (int two : free_list_)
        if (one < two) {
          pair_at_[one * cells_ + two] = pair_at_[two * cells_ + one] = red1_.size();
          red1_.push_back(one);
          red2_.push_back(two);
        }
    pairs_ = red1_.size();
    beside_.resize(pairs_ * 8);
    degree_.assign(pairs_, 0);
    for (int pair = 0; pair < pairs_; pair++) {
      const int one = red1_[pair], two = red2_[pair];
      for (int to : near_[one])
        if (to != two) beside_[pair * 8 + degree_[pair]++] = pair_at_[to * cells_ + two];
      for (int to : near_[two])
        if (to != one) beside_[pair * 8 + degree_[pair]++] = pair_at_[one * cells_ + to];
    }
  }

  // A finished game is lost for the player to move: none of his moves counts.
  void count_moves() {
    const size_t states = size_t(pairs_) * cells_ * 2;
    unrefuted_.resize(states);
    queue_.resize(states);
    for (int pair = 0; pair < pairs_; pair++) {
      int8_t* at = &unrefuted_[size_t(pair) * cells_ * 2];
      for (int black = 0; black < cells_; black++) {
        const bool finished = black < cols_;
        at[black * 2] = finished ? 0 : degree_[pair];
        at[black * 2 + 1] = finished ? kWon : ways_out_[black];
        if (!free_[black]) at[black * 2] = at[black * 2 + 1] = kWon;
      }
      for (int red : {red1_[pair], red2_[pair]}) {
        at[red * 2] = 0;
        if (red >= cols_) at[red * 2 + 1] = 0;
      }
    }
  }

  int search() {
    const uint32_t states = unrefuted_.size();
    size_t tail = 0, head = 0;
    for (uint32_t state = 0; state < states; state++)
      if (unrefuted_[state] == 0) queue_[tail++] = state;
    for (int level = 0; head < tail; level++) {
      if (unrefuted_[start_] <= 0) return level;
      const size_t end = tail;
      for (; head < end; head++) {
        const uint32_t state = queue_[head], turn = state & 1;
        const uint32_t pair = state / 2 / cells_, black = state / 2 - pair * cells_;
        if (turn == 0) {
          for (int i = 0; i < into_count_[black]; i++) {
            const uint32_t before = (pair * cells_ + into_[black * 3 + i]) * 2 + 1;
            if (level % 2 == 0 ? wins(before) : loses(before)) queue_[tail++] = before;
          }
        } else {
          for (int i = 0; i < degree_[pair]; i++) {
            const uint32_t before = (beside_[pair * 8 + i] * cells_ + black) * 2;
            if (level % 2 == 0 ? wins(before) : loses(before)) queue_[tail++] = before;
          }
        }
      }
    }
    return -1;
  }

  bool wins(uint32_t state) {
    if (unrefuted_[state] <= 0) return false;
    unrefuted_[state] = kWon;
    return true;
  }

  bool loses(uint32_t state) { return unrefuted_[state] > 0 && --unrefuted_[state] == 0; }
};

}  // namespace

int main() {
  long long id, cases;
  if (scanf("%lld %lld", &id, &cases) != 2) return 1;
  Analysis analysis;
  Board board;
  char row[1024];
  while (cases-- > 0) {
    if (scanf("%d %d", &board.rows, &board.cols) != 2) return 1;
    board.cells.clear();
    for (int i = 0; i < board.rows; i++) {
      if (scanf("%1000s", row) != 1) return 1;
      board.cells.insert(board.cells.end(), row, row + board.cols);
    }
    const int plies = analysis.solve(board);
    if (plies < 0) puts("Tie");
    else printf("%s %d\n", plies % 2 ? "Red" : "Black", plies);
  }
}
