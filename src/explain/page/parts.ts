/** The properties that all parts of the page get. */
import type { PageState } from './state.js';

/** Changes the state of the page. */
export type Change = (next: (state: PageState) => PageState) => void;

export interface PartProps {
  readonly state: PageState;
  readonly change: Change;
}
