// Wrong: counts the diagonals with an L, those with an R and the X, and takes the parity, as if each were one move.
#include <iostream>
#include <set>
#include <string>
using namespace std;

int main() {
  int n, m;
  cin >> n >> m;
  set<int> sums, differences;
  int crosses = 0;
  for (int i = 0; i < n; i++) {
    string row;
    cin >> row;
    for (int j = 0; j < m; j++) {
      if (row[j] == 'L') sums.insert(i + j);
      if (row[j] == 'R') differences.insert(i - j);
      if (row[j] == 'X') crosses++;
    }
  }
  const int moves = sums.size() + differences.size() + crosses;
  cout << (moves % 2 ? "WIN" : "LOSE") << endl;
}
