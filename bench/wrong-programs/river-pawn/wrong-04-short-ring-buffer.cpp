// Wrong: the queue is a ring of 200000 states; on boards of nearly 100 free cells more wait in it, and overwrite others.
#include <cstdio>
#include <cstring>

const int SIZE = 200000;  // 10 * 100 * 100 * 2: Black in row 1

struct Ring {
  int data[SIZE];
  unsigned head = 0, tail = 0;
  void push(int v) { data[tail++ % SIZE] = v; }
  int pop() { return data[head++ % SIZE]; }
  bool empty() { return head == tail; }
} ring;

int n, m, cells;
char a[10][12];
short dist[2][1000000];
signed char moves[2][1000000];
int next_[100][4];  // up, left, right, down; -1 if there is no such cell

int red(int x, int y, int* out) {  // the pairs after one move of Red
  int k = 0;
  for (int d = 0; d < 4; d++) {
    int p = next_[x][d], q = next_[y][d];
    if (p >= 0 && p != y) out[k++] = p * cells + y;
    if (q >= 0 && q != x) out[k++] = x * cells + q;
  }
  return k;
}

void visit(int turn, int state, int d) {
  if (dist[turn][state] >= 0) return;
  if (d % 2 == 1 && --moves[turn][state] != 0) return;
  dist[turn][state] = d + 1;
  ring.push(state * 2 + turn);
}

int main() {
  int id, t;
  scanf("%d%d", &id, &t);
  while (t--) {
    scanf("%d%d", &n, &m);
    cells = n * m;
    int start[3], reds = 0;
    for (int i = 0; i < n; i++) scanf("%s", a[i]);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        int p = i * m + j;
        next_[p][0] = i > 0 && a[i - 1][j] != '#' ? p - m : -1;
        next_[p][1] = j > 0 && a[i][j - 1] != '#' ? p - 1 : -1;
        next_[p][2] = j + 1 < m && a[i][j + 1] != '#' ? p + 1 : -1;
        next_[p][3] = i + 1 < n && a[i + 1][j] != '#' ? p + m : -1;
        if (a[i][j] == 'X') start[0] = p;
        if (a[i][j] == 'O') start[++reds] = p;
      }
    memset(dist, -1, sizeof dist);
    int out[8];
    auto wall = [&](int p) { return a[p / m][p % m] == '#'; };
    for (int b = 0; b < cells; b++)
      for (int x = 0; x < cells; x++)
        for (int y = 0; y < cells; y++) {
          if (x == y || wall(b) || wall(x) || wall(y)) continue;
          int s = (b * cells + x) * cells + y;
          bool over = b < m || b == x || b == y;
          moves[0][s] = over ? 0 : red(x, y, out);
          moves[1][s] = over ? 0 : (next_[b][0] >= 0) + (next_[b][1] >= 0) + (next_[b][2] >= 0);
          for (int turn = 0; turn < 2; turn++)
            if (moves[turn][s] == 0) dist[turn][s] = 0, ring.push(s * 2 + turn);
        }
    while (!ring.empty()) {
      int v = ring.pop(), turn = v & 1, s = v >> 1;
      int b = s / cells / cells, pair = s % (cells * cells), d = dist[turn][s];
      if (turn == 0) {
        for (int k = 1; k < 4; k++)
          if (next_[b][k] >= 0) visit(1, next_[b][k] * cells * cells + pair, d);
      } else {
        int k = red(pair / cells, pair % cells, out);
        while (k--) visit(0, b * cells * cells + out[k], d);
      }
    }
    int d = dist[0][(start[0] * cells + start[1]) * cells + start[2]];
    if (d < 0) puts("Tie");
    else printf("%s %d\n", d % 2 ? "Red" : "Black", d);
  }
}
