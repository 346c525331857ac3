// Wrong: reads X as a choice between the move L and the move R, instead of both at once.
#include <bits/stdc++.h>
using namespace std;

int n, m, par;
string b[20];
int memo[41][41][41][41];

int f(int s1, int s2, int d1, int d2) {
  if (s1 > s2 || d1 > d2) return 0;
  int& ans = memo[s1][s2][d1][d2];
  if (ans != -1) return ans;
  // A line can be played if some cell of it in this rectangle has a letter that clears it.
  set<int> lines, columns;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int s = i + j, d = i - j + 20;
      if (s % 2 != par || s < s1 || s > s2 || d < d1 || d > d2) continue;
      if (b[i][j] != 'R') lines.insert(s);
      if (b[i][j] != 'L') columns.insert(d);
    }
  vector<bool> can(300);
  for (int s : lines) can[f(s1, s - 1, d1, d2) ^ f(s + 1, s2, d1, d2)] = true;
  for (int d : columns) can[f(s1, s2, d1, d - 1) ^ f(s1, s2, d + 1, d2)] = true;
  ans = find(can.begin(), can.end(), false) - can.begin();
  return ans;
}

int main() {
  cin >> n >> m;
  for (int i = 0; i < n; i++) cin >> b[i];
  int x = 0;
  for (par = 0; par < 2; par++) {
    memset(memo, -1, sizeof memo);
    x ^= f(0, 40, 0, 40);
  }
  cout << (x ? "WIN" : "LOSE") << endl;
}
