/* Right: decides all states backwards from the finished games, in the order of their distance (retrograde analysis). */
#include <stdio.h>
#include <string.h>

enum { MAX = 100, RED = 0, BLACK = 1 };

int rows, cols, cells;
char board[MAX];
int step[MAX][4]; /* the cell above, left, right and below, or -1; Black has the first three */

/* For each state (Black's cell, the two reds' cells, whose turn): plies to the end or -1, and moves not known to lose. */
int dist[MAX][MAX][MAX][2];
signed char left[MAX][MAX][MAX][2];

typedef struct {
  int black, red1, red2, turn;
} State;
State queue[MAX * MAX * MAX * 2];
int head, tail;

void read_board(State *start) {
  char line[16];
  int reds = 0, cell, r, c;
  scanf("%d %d", &rows, &cols);
  cells = rows * cols;
  for (r = 0; r < rows; r++) {
    scanf("%15s", line);
    memcpy(board + r * cols, line, cols);
  }
  start->turn = RED;
  for (cell = 0; cell < cells; cell++) {
    r = cell / cols, c = cell % cols;
    step[cell][0] = r > 0 && board[cell - cols] != '#' ? cell - cols : -1;
    step[cell][1] = c > 0 && board[cell - 1] != '#' ? cell - 1 : -1;
    step[cell][2] = c < cols - 1 && board[cell + 1] != '#' ? cell + 1 : -1;
    step[cell][3] = r < rows - 1 && board[cell + cols] != '#' ? cell + cols : -1;
    if (board[cell] == 'X') start->black = cell;
    if (board[cell] == 'O') *(reds++ ? &start->red2 : &start->red1) = cell;
  }
}

/* Number of moves in a state; 0 if the game is finished, which the player to move has lost in any case. */
int count_moves(int black, int red1, int red2, int turn) {
  int count = 0, i;
  if (black < cols || black == red1 || black == red2) return 0;
  if (turn == BLACK) {
    for (i = 0; i < 3; i++) count += step[black][i] >= 0;
  } else {
    for (i = 0; i < 4; i++) {
      count += step[red1][i] >= 0 && step[red1][i] != red2;
      count += step[red2][i] >= 0 && step[red2][i] != red1;
    }
  }
  return count;
}

void decide(int black, int red1, int red2, int turn, int distance) {
  State s = {black, red1, red2, turn};
  dist[black][red1][red2][turn] = distance;
  queue[tail++] = s;
}

/* A state with this distance is reached from an earlier state by one move: a win if the distance is even (lost). */
void visit(int black, int red1, int red2, int turn, int distance) {
  if (dist[black][red1][red2][turn] >= 0) return;
  if (distance % 2 == 0 || --left[black][red1][red2][turn] == 0) decide(black, red1, red2, turn, distance + 1);
}

int solve(State start) {
  int black, red1, red2, turn, i;
  head = tail = 0;
  memset(dist, -1, sizeof dist);
  for (black = 0; black < cells; black++)
    for (red1 = 0; red1 < cells; red1++)
      for (red2 = 0; red2 < cells; red2++)
        for (turn = RED; turn <= BLACK; turn++) {
          if (red1 == red2 || board[black] == '#' || board[red1] == '#' || board[red2] == '#') continue;
          left[black][red1][red2][turn] = count_moves(black, red1, red2, turn);
          if (left[black][red1][red2][turn] == 0) decide(black, red1, red2, turn, 0);
        }
  while (head < tail) {
    const State s = queue[head++];
    const int d = dist[s.black][s.red1][s.red2][s.turn];
    if (s.turn == RED) {
      /* Black came from the left, from the right or from below. */
      for (i = 1; i < 4; i++)
        if (step[s.black][i] >= 0) visit(step[s.black][i], s.red1, s.red2, BLACK, d);
    } else {
      for (i = 0; i < 4; i++) {
        if (step[s.red1][i] >= 0 && step[s.red1][i] != s.red2) visit(s.black, step[s.red1][i], s.red2, RED, d);
        if (step[s.red2][i] >= 0 && step[s.red2][i] != s.red1) visit(s.black, s.red1, step[s.red2][i], RED, d);
      }
    }
  }
  return dist[start.black][start.red1][start.red2][RED];
}

int main(void) {
  int id, cases, plies;
  scanf("%d %d", &id, &cases);
  while (cases-- > 0) {
    State start;
    read_board(&start);
    plies = solve(start);
    if (plies < 0) puts("Tie");
    else printf("%s %d\n", plies % 2 ? "Red" : "Black", plies);
  }
  return 0;
}
