# Right: the board is turned by 45 degrees; each parity of i + j is cut into rectangles, whose nimbers are kept in a memo.
import sys


def class_nimber(board, parity):
    """The nimber of the cells with (i + j) % 2 == parity."""
    cols = len(board[0])
    side = (len(board) + cols) // 2 + 1
    # For each turned row the columns with an L and those with an X as bits; for each turned column the rows with an R.
    l_bits, x_bits, r_bits = [0] * side, [0] * side, [0] * side
    for i, row in enumerate(board):
        for j in range((i + parity) % 2, cols, 2):
            x, y = (i + j) // 2, (i - j + cols) // 2
            if row[j] == 'L':
                l_bits[x] |= 1 << y
            elif row[j] == 'R':
                r_bits[y] |= 1 << x
            else:
                x_bits[x] |= 1 << y
    memo = {}

    def nimber(x1, x2, y1, y2):
        """The nimber of the cells with x1 <= x < x2 and y1 <= y < y2."""
        if x1 >= x2 or y1 >= y2:
            return 0
        key = (x1, x2, y1, y2)
        if key in memo:
            return memo[key]
        seen = set()
        columns = (1 << y2) - (1 << y1)
        rows = (1 << x2) - (1 << x1)
        for x in range(x1, x2):
            if l_bits[x] & columns:
                seen.add(nimber(x1, x, y1, y2) ^ nimber(x + 1, x2, y1, y2))
            if x_bits[x] & columns:
                for y in range(y1, y2):
                    if x_bits[x] >> y & 1:
                        seen.add(nimber(x1, x, y1, y) ^ nimber(x1, x, y + 1, y2) ^
                                 nimber(x + 1, x2, y1, y) ^ nimber(x + 1, x2, y + 1, y2))
        for y in range(y1, y2):
            if r_bits[y] & rows:
                seen.add(nimber(x1, x2, y1, y) ^ nimber(x1, x2, y + 1, y2))
        mex = 0
        while mex in seen:
            mex += 1
        memo[key] = mex
        return mex

    return nimber(0, side, 0, side)


def main():
    words = sys.stdin.read().split()
    board = words[2:2 + int(words[0])]
    print('WIN' if class_nimber(board, 0) != class_nimber(board, 1) else 'LOSE')


main()
