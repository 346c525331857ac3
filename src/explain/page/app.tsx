/** The whole page: its parts, and what the page does by itself: solving, the computer's moves, keys and links. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { prefersStillness } from './animation.js';
import { BoardView } from './board-view.js';
import { Editor } from './editor.js';
import type { PageMove } from './games.js';
import { MoveList } from './move-list.js';
import type { ChangeState } from './parts.js';
import { Players } from './players.js';
import { lastPlaceOf } from './session.js';
import {
  gameOf,
  isComputersTurn,
  loadBoardFromLink,
  loadText,
  needsSolving,
  type PageState,
  playForComputer,
  redo,
  showMoment,
  solveBoard,
  undo,
} from './state.js';
import { Timeline } from './timeline.js';
import { statusOf } from './words.js';

/** Milliseconds that the computer waits before its move, so that a user can see it. No wait if the user wants no motion. */
const ANSWER_DELAY = 450;
/** Milliseconds that the page waits for another edit before it solves the board again. */
const SOLVE_DELAY = 120;

export function App({ first, heading }: { first: PageState; heading: string }): JSX.Element {
  const [state, change] = useState(first);
  const [previewed, preview] = useState<PageMove | null>(null);
  useSolver(state, change);
  useComputer(state, change);
  useKeys(change);
  usePaste(change);
  useLinks(change);
  const parts = { state, change };
  return (
    <main class="page">
      <header>
        <h1>{heading}</h1>
        <p class="hint">{state.problem.hint}</p>
      </header>
      <div class="layout">
        <section class="stage" aria-label="Board">
          <StatusLine state={state} />
          <BoardView {...parts} previewed={previewed} />
          <Timeline {...parts} />
        </section>
        <div class="panels">
          {state.problem.show.kind === 'game' && state.mode === 'play' && <Players {...parts} />}
          {gameOf(state) !== null && <MoveList {...parts} preview={preview} />}
          <Editor {...parts} />
        </div>
      </div>
      <footer class="hint">
        Arrow keys go through the play. In the board, which the Tab key reaches, they go from cell to cell,
        and Enter plays or paints.
      </footer>
    </main>
  );
}

function StatusLine({ state }: { state: PageState }): JSX.Element {
  const { headline, detail, isMistake } = useMemo(() => statusOf(state), [state]);
  return (
    <div class={isMistake ? 'status mistake' : 'status'} role="status" aria-busy={needsSolving(state)}>
      <p class="headline">{headline}</p>
      <p class="detail">{detail}</p>
    </div>
  );
}

/** Solves the board after it was changed, as soon as the user pauses. */
function useSolver(state: PageState, change: ChangeState): void {
  const isDue = needsSolving(state);
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(() => change(solveBoard), SOLVE_DELAY);
    return () => clearTimeout(timer);
  }, [isDue, state.rows]);
}

function useComputer(state: PageState, change: ChangeState): void {
  const isDue = isComputersTurn(state);
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(() => change(playForComputer), prefersStillness() ? 0 : ANSWER_DELAY);
    return () => clearTimeout(timer);
  }, [isDue, state.session]);
}

/** Handles the keys that go through the moves. Elements that use these keys themselves, such as fields and cells, keep them. */
function useKeys(change: ChangeState): void {
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      const step = stepOfKey(event);
      if (step === null) return;
      event.preventDefault();
      change(step);
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, []);
}

function stepOfKey(event: KeyboardEvent): ((state: PageState) => PageState) | null {
  const target = event.target as Element;
  if (
    event.defaultPrevented ||
    event.altKey ||
    target.matches('input:not([type=checkbox]), textarea, select')
  )
    return null;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== 'z') return null;
    return event.shiftKey ? redo : undo;
  }
  switch (event.key) {
    case 'ArrowLeft':
      return (state) => showMoment(state, (state.session?.at ?? 0) - 1);
    case 'ArrowRight':
      return (state) => showMoment(state, (state.session?.at ?? 0) + 1);
    case 'Home':
      return (state) => showMoment(state, 0);
    case 'End':
      return (state) => showMoment(state, state.session === null ? 0 : lastPlaceOf(state.session));
    default:
      return null;
  }
}

/** Replaces the board by one that the user pastes anywhere except into a field. */
function usePaste(change: ChangeState): void {
  useEffect(() => {
    const act = (event: ClipboardEvent) => {
      if ((event.target as Element).matches('input, textarea')) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      change((state) => loadText(state, text));
    };
    document.addEventListener('paste', act);
    return () => document.removeEventListener('paste', act);
  }, []);
}

function useLinks(change: ChangeState): void {
  useEffect(() => {
    const act = () => change((state) => loadBoardFromLink(state, location.hash));
    act();
    addEventListener('hashchange', act);
    return () => removeEventListener('hashchange', act);
  }, []);
}
