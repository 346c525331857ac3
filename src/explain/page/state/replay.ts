/** The replay of a board of link-and-pop: its frames, of which the engine sends the one that is shown. */
import type { PageEngineAnswer, ReplayFrame } from '../engine/messages.js';

export interface ReplaySession {
  readonly kind: 'replay';
  readonly pops: number;
  /** The number of the last frame; the start is number 0. */
  readonly lastFrame: number;
  /** The number of the frame that the user wants to see. The engine may still be making it. */
  readonly at: number;
  /** The frame that is shown, and its number. */
  readonly frame: ReplayFrame;
  readonly shown: number;
}

export function startReplaySession({
  pops,
  lastFrame,
  frame,
}: Extract<PageEngineAnswer, { kind: 'replay' }>): ReplaySession {
  return { kind: 'replay', pops, lastFrame, at: 0, frame, shown: 0 };
}
