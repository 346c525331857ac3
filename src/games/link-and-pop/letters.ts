/** The symbols of the problem statement. Solvers also accept lowercase letters, but contest programs may not. */
export const CONTEST_SYMBOLS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The letters that the first letter of a block can be, its symbol. */
export const SYMBOLS = CONTEST_SYMBOLS + CONTEST_SYMBOLS.toLowerCase();

/** The letters that the second letter of a block can be, its way of moving. */
export const WAYS_OF_MOVING = 'UDLRS';

/** The second letter of a block that does not move. */
export const STATIONARY_BLOCK = 'S';
