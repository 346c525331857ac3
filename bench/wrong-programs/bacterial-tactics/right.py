# Right: nimbers of rectangles from a memo. A move fills a clear row or column of a rectangle and leaves two rectangles.
import sys
from functools import lru_cache


def solve(board):
    rows, cols = len(board), len(board[0])
    # For each row, the columns with a radioactive cell as bits, and for each column the rows.
    row_bits = [sum(1 << c for c in range(cols) if board[r][c] == '#') for r in range(rows)]
    col_bits = [sum(1 << r for r in range(rows) if board[r][c] == '#') for c in range(cols)]

    def moves(top, bottom, left, right):
        """Yields for each legal move the nimber that it leaves and the number of cells that it fills."""
        across = (1 << right) - (1 << left)
        down = (1 << bottom) - (1 << top)
        for r in range(top, bottom):
            if not row_bits[r] & across:
                yield nimber(top, r, left, right) ^ nimber(r + 1, bottom, left, right), right - left
        for c in range(left, right):
            if not col_bits[c] & down:
                yield nimber(top, bottom, left, c) ^ nimber(top, bottom, c + 1, right), bottom - top

    @lru_cache(maxsize=None)
    def nimber(top, bottom, left, right):
        if top == bottom or left == right:
            return 0
        seen = {left_over for left_over, _ in moves(top, bottom, left, right)}
        mex = 0
        while mex in seen:
            mex += 1
        return mex

    return sum(cells for left_over, cells in moves(0, rows, 0, cols) if left_over == 0)


def main():
    words = sys.stdin.read().split()
    at = 1
    for case in range(1, int(words[0]) + 1):
        rows = int(words[at])
        at += 2
        print(f'Case #{case}: {solve(words[at:at + rows])}')
        at += rows


main()
