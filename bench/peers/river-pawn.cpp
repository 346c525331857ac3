// The peer for river-pawn: a C++ program that bench/peers.mjs compares with boardmill. It uses retrograde analysis, as
// contest solutions do: a breadth-first search backwards from the finished games over all states. For each state, it
// counts the moves that are not yet known to lose. The search stops when the starting state is decided. The program uses
// one thread, reads the input from standard input, and prints the answers to standard output.
//
//   g++ -O3 -march=native -std=c++17 river-pawn.cpp
//
// The number of a state is ((pair * cells) + black) * 2 + turn. `pair` numbers the unordered pairs of free cells for
// the two red pieces, `black` is the cell of the black piece, and `turn` is 0 for Red and 1 for Black. Unordered pairs
// halve the number of states, and states that differ only in nearby black cells share a cache line.
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
  // Returns the number of plies until the end of the game, or -1 for a tie.
  int solve(const Board& board) {
    prepare(board);
    count_moves();
    return search();
  }

 private:
  static constexpr int8_t kWon = -1;  // the value of `unrefuted_` for a state in which the player to move wins
  int cells_, cols_, black_, pairs_;
  uint32_t start_;
  std::vector<char> free_;
  std::vector<int> free_list_;                // the cells without an obstacle
  std::vector<int> pair_at_;                  // [cell * cells + cell]: number of the pair of cells
  std::vector<uint16_t> red1_, red2_;         // the two cells of each pair
  std::vector<std::vector<int>> neighbours_;  // the free cells next to each cell
  std::vector<int> black_moves_;              // number of moves of a black piece from each cell
  std::vector<int> black_from_;               // [cell * 3 + i]: the cells from which Black can move to a cell
  std::vector<int> black_from_count_;         // [cell]: number of cells from which Black can move to a cell
  std::vector<int> next_pairs_, degree_;      // [pair * 8 + i]: the pairs after one move of Red; [pair]: their number
  // For each state: kWon, 0 if the player to move loses, or the number of moves that are not yet known to lose.
  std::vector<int8_t> unrefuted_;
  std::vector<uint32_t> queue_;

  // Computes the moves of both players on the board, and the number of the starting state.
  void prepare(const Board& board) {
    const int rows = board.rows, cols = board.cols;
    cells_ = rows * cols;
    cols_ = cols;
    free_.assign(cells_, 0);
    neighbours_.assign(cells_, {});
    black_moves_.assign(cells_, 0);
    black_from_.assign(cells_ * 3, 0);
    black_from_count_.assign(cells_, 0);
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
      if (row > 0) add_step(cell, cell - cols, true);
      if (col > 0) add_step(cell, cell - 1, true);
      if (col < cols - 1) add_step(cell, cell + 1, true);
      if (row < rows - 1) add_step(cell, cell + cols, false);
    }
    number_pairs();
    start_ = (pair_at_[reds[0] * cells_ + reds[1]] * cells_ + black_) * 2;
  }

  // Adds a step from one cell to the next. Red can take all steps; Black cannot take steps to the row below.
  void add_step(int from, int to, bool black_too) {
    if (!free_[to]) return;
    neighbours_[from].push_back(to);
    if (!black_too) return;
    black_moves_[from]++;
    black_from_[to * 3 + black_from_count_[to]++] = from;
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
    next_pairs_.resize(pairs_ * 8);
    degree_.assign(pairs_, 0);
    for (int pair = 0; pair < pairs_; pair++) {
      const int one = red1_[pair], two = red2_[pair];
      for (int to : neighbours_[one])
        if (to != two) next_pairs_[pair * 8 + degree_[pair]++] = pair_at_[to * cells_ + two];
      for (int to : neighbours_[two])
        if (to != one) next_pairs_[pair * 8 + degree_[pair]++] = pair_at_[one * cells_ + to];
    }
  }

  // Sets the number of moves of every state. If the game is finished, the player to move has lost, so the number is 0.
  // Impossible states, such as Black on an obstacle, get kWon, so the search ignores them.
  void count_moves() {
    const size_t states = size_t(pairs_) * cells_ * 2;
    unrefuted_.resize(states);
    queue_.resize(states);
    for (int pair = 0; pair < pairs_; pair++) {
      int8_t* at = &unrefuted_[size_t(pair) * cells_ * 2];
      for (int black = 0; black < cells_; black++) {
        const bool finished = black < cols_;
        at[black * 2] = finished ? 0 : degree_[pair];
        at[black * 2 + 1] = finished ? kWon : black_moves_[black];
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
          for (int i = 0; i < black_from_count_[black]; i++) {
            const uint32_t before = (pair * cells_ + black_from_[black * 3 + i]) * 2 + 1;
            if (level % 2 == 0 ? wins(before) : loses(before)) queue_[tail++] = before;
          }
        } else {
          for (int i = 0; i < degree_[pair]; i++) {
            const uint32_t before = (next_pairs_[pair * 8 + i] * cells_ + black) * 2;
            if (level % 2 == 0 ? wins(before) : loses(before)) queue_[tail++] = before;
          }
        }
      }
    }
    return -1;
  }

  // Marks a state as won. Returns false if it was decided before.
  bool wins(uint32_t state) {
    if (unrefuted_[state] <= 0) return false;
    unrefuted_[state] = kWon;
    return true;
  }

  // Counts one more losing move of a state. Returns true if all moves of the state lose, so the state is lost.
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
