/** The properties that all parts of the page get. */
import type { PageState } from './state.js';

/** Changes the state of the page. */
export type ChangeState = (next: (state: PageState) => PageState) => void;

export interface PartProps {
  readonly state: PageState;
  readonly change: ChangeState;
}
