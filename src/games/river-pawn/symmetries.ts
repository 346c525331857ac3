/**
 * Changes of a board that keep its answer. Red moves in all four directions and Black moves left and right alike, so a board
 * and its mirror image with left and right swapped are the same game. Black moves up but not down, and wins in row 1, so no
 * other way to turn or mirror a board keeps the game.
 */
import { TURNS_AND_MIRRORS, turningSymmetries } from '../shared/board-symmetries.js';

const CHANGES = TURNS_AND_MIRRORS.filter(({ swapsSides, reversesRows }) => !swapsSides && !reversesRows);

export const symmetries = turningSymmetries('mirroring left and right', CHANGES);
