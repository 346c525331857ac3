// Right: decides all states backwards from the finished games, in the order of their distance (retrograde analysis).
#include <iostream>
#include <string>
#include <vector>
using namespace std;

const int RED = 0, BLACK = 1;  // whose turn it is
const int STEPS[4][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};

int rows, cols, cells;
vector<vector<int>> redSteps, blackSteps, blackFrom;  // the cells next to each cell; those from which Black comes
int movesLeft[2000000], distanceOf[2000000];          // for each state: moves not known to lose; plies, or -1
int todo[2000000];

int stateOf(int black, int red1, int red2, int turn) { return ((black * cells + red1) * cells + red2) * 2 + turn; }

void readBoard(int& start) {
  cin >> rows >> cols;
  cells = rows * cols;
  vector<string> board(rows);
  for (auto& row : board) cin >> row;
  redSteps.assign(cells, {});
  blackSteps = blackFrom = redSteps;
  int black = -1;
  vector<int> reds;
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < cols; c++) {
      if (board[r][c] == '#') continue;
      if (board[r][c] == 'X') black = r * cols + c;
      if (board[r][c] == 'O') reds.push_back(r * cols + c);
      for (auto [dr, dc] : STEPS) {
        const int r2 = r + dr, c2 = c + dc;
        if (r2 < 0 || r2 >= rows || c2 < 0 || c2 >= cols || board[r2][c2] == '#') continue;
        redSteps[r * cols + c].push_back(r2 * cols + c2);
        if (dr == 1) continue;
        blackSteps[r * cols + c].push_back(r2 * cols + c2);
        blackFrom[r2 * cols + c2].push_back(r * cols + c);
      }
    }
  start = stateOf(black, reds[0], reds[1], RED);
  // Cells with an obstacle have no steps, so states with a piece there are reached by no move.
}

// Number of moves in a state, or 0 if the game is finished, which the player to move has lost in any case.
int countMoves(int black, int red1, int red2, int turn) {
  if (black < cols || black == red1 || black == red2) return 0;
  if (turn == BLACK) return blackSteps[black].size();
  int count = 0;
  for (int to : redSteps[red1]) count += to != red2;
  for (int to : redSteps[red2]) count += to != red1;
  return count;
}

int solve(int start) {
  int head = 0, tail = 0;
  for (int black = 0; black < cells; black++)
    for (int red1 = 0; red1 < cells; red1++)
      for (int red2 = 0; red2 < cells; red2++)
        for (int turn : {RED, BLACK}) {
          const int state = stateOf(black, red1, red2, turn);
          distanceOf[state] = -1;
          movesLeft[state] = countMoves(black, red1, red2, turn);
          if (movesLeft[state] == 0 && red1 != red2) distanceOf[state] = 0, todo[tail++] = state;
        }
  while (head < tail) {
    const int state = todo[head++], turn = state % 2;
    const int red2 = state / 2 % cells, red1 = state / 2 / cells % cells, black = state / 2 / cells / cells;
    const auto visit = [&](int before) {
      if (distanceOf[before] >= 0) return;
      // Even distances are lost for the player to move, so a move to one wins.
      if (distanceOf[state] % 2 == 0 || --movesLeft[before] == 0) {
        distanceOf[before] = distanceOf[state] + 1;
        todo[tail++] = before;
      }
    };
    if (turn == RED) {
      for (int from : blackFrom[black]) visit(stateOf(from, red1, red2, BLACK));
    } else {
      for (int from : redSteps[red1])
        if (from != red2) visit(stateOf(black, from, red2, RED));
      for (int from : redSteps[red2])
        if (from != red1) visit(stateOf(black, red1, from, RED));
    }
  }
  return distanceOf[start];
}

int main() {
  int id, cases;
  cin >> id >> cases;
  while (cases-- > 0) {
    int start;
    readBoard(start);
    const int plies = solve(start);
    if (plies < 0) cout << "Tie\n";
    else cout << (plies % 2 ? "Red " : "Black ") << plies << "\n";
  }
}
