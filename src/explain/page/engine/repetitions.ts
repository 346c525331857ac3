/** How many times a position must be on the board for the game to be a tie. */
export const REPETITIONS = 3;
