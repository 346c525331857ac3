/** The properties that all parts of the page get. */
import type { PageMove } from '../games.js';
import type { PageState } from '../state/state.js';

/** Changes the state of the page. */
export type ChangeState = (next: (state: PageState) => PageState) => void;

export interface PartProps {
  readonly state: PageState;
  readonly change: ChangeState;
}

/** Shows what a move would do on the board, or nothing. */
export type PreviewMove = (move: PageMove | null) => void;
