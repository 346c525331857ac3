// Reads T, then T cases, and prints one line for each case.
#include <iostream>

int main() {
  int cases;
  for (std::cin >> cases; cases > 0; cases--) {
    int n, w;
    std::cin >> n >> w;
    int shelves = 1, room = w;
    for (int book; n > 0 && std::cin >> book; n--) {
      if (book > room) {
        shelves++;
        room = w;
      }
      room -= book;
    }
    std::cout << shelves << '\n';
  }
}
