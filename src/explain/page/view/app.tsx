/** The whole page: its parts, and what the page does by itself: solving, the computer's moves, keys and links. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { PageEngineClient } from '../engine/client.js';
import type { PageMove } from '../games.js';
import { loadBoardFromLink, loadBoardFromText, redo, setEditing, undo } from '../state/editing.js';
import { computerMovesNext, playForComputer, showMoment, shownPlaceOf } from '../state/playing.js';
import { applyEngineAnswer, isWaitingForEngine, type PageState } from '../state/state.js';
import { serializePage } from '../state/storage.js';
import { pageStatusOf } from '../state/words.js';
import { prefersReducedMotion } from './animation.js';
import { BoardView } from './board-view.js';
import { Dialog } from './dialog.js';
import { BoardEditor, EDIT_BUTTON_ID } from './editor.js';
import { HowToPlay } from './how-to-play.js';
import { useKeptFocus } from './kept-focus.js';
import { LegalMoves } from './legal-moves.js';
import { MessageAt } from './message.js';
import { MoveList } from './move-list.js';
import { NewGameForm } from './new-game.js';
import type { ChangeState, PartProps } from './parts.js';
import { Players } from './players.js';
import { PuzzlePanel } from './puzzle-panel.js';
import { SharePanel } from './share.js';
import { Timeline } from './timeline.js';
import { ValueGraph } from './value-graph.js';
import { WhyPanel } from './why.js';

/** Milliseconds that the computer waits before its move, so that a user can see it. No wait if the user wants no motion. */
const ANSWER_DELAY = 450;
/** Milliseconds that the page waits for another edit before it solves the board again. */
const SOLVE_DELAY = 120;

interface AppProps {
  readonly first: PageState;
  readonly heading: string;
  readonly engine: PageEngineClient;
  /** Keeps a text until the page is reloaded. */
  readonly store: (text: string) => void;
}

type DialogName = 'How to play' | 'New game' | 'Share';

export function App({ first, heading, engine, store }: AppProps): JSX.Element {
  const [state, change] = useState(first);
  const [previewed, preview] = useState<PageMove | null>(null);
  const [dialog, openDialog] = useState<DialogName | null>(null);
  const [isWhyOpen, setWhyOpen] = useState(false);
  useEngine(engine, state, change);
  useComputer(state, change);
  useKeys(change);
  usePaste(change);
  useLinks(change);
  // Not after the next frame, as other effects are: a reload may come before it.
  useLayoutEffect(() => store(serializePage(state)), [state]);
  const title = useTitle(heading, state);
  const focus = useKeptFocus(() => document.querySelector<HTMLElement>('.status'));
  const parts = { state, change };
  const close = () => openDialog(null);
  const dialogOf = (title: DialogName, content: JSX.Element) => (
    <Dialog title={title} isOpen={dialog === title} close={close}>
      {content}
    </Dialog>
  );
  return (
    <>
      <main class="page" {...focus}>
        <header>
          <h1>{title}</h1>
          <Menu {...parts} open={openDialog} />
        </header>
        <div class="layout">
          <div class="feedback">
            <StatusLine state={state} />
            <MessageAt place="board" {...parts} />
          </div>
          <section class="stage" aria-label="Board">
            <BoardView {...parts} previewed={previewed} preview={preview} isWhyOpen={isWhyOpen} />
          </section>
          <div class="panels">
            {state.mode === 'edit' && <BoardEditor {...parts} />}
            <PuzzlePanel {...parts} />
            {state.mode === 'play' && state.puzzle === null && <Players {...parts} />}
            <ValueGraph {...parts} />
            <MoveList {...parts} />
            <LegalMoves {...parts} preview={preview} />
            <WhyPanel state={state} isOpen={isWhyOpen} setOpen={setWhyOpen} />
          </div>
          <Timeline {...parts} />
        </div>
      </main>
      {dialogOf('How to play', <HowToPlay state={state} />)}
      {dialogOf('New game', <NewGameForm {...parts} close={close} />)}
      {dialogOf('Share', <SharePanel {...parts} />)}
    </>
  );
}

/** Returns the heading, and sets the title of the page: both name the case only as long as its board is on show. */
function useTitle(heading: string, { rows, ownRows, problem }: PageState): string {
  const [titleOfCase] = useState(document.title);
  const isCase = rows.join('\n') === ownRows.join('\n');
  useEffect(() => {
    document.title = isCase ? titleOfCase : problem.name;
  }, [isCase]);
  return isCase ? heading : problem.name;
}

function Menu({ state, change, open }: PartProps & { open: (dialog: DialogName) => void }): JSX.Element {
  const isEdited = state.mode === 'edit';
  return (
    <nav class="buttons" aria-label="Game">
      {(['How to play', 'New game'] as const).map((name) => (
        <button type="button" onClick={() => open(name)}>
          {name}
        </button>
      ))}
      <button
        type="button"
        id={EDIT_BUTTON_ID}
        aria-pressed={isEdited}
        onClick={() => change((now) => setEditing(now, now.mode === 'play'))}
      >
        Edit
      </button>
      <button type="button" onClick={() => open('Share')}>
        Share
      </button>
    </nav>
  );
}

function StatusLine({ state }: { state: PageState }): JSX.Element {
  const { headline, detail, isError } = useMemo(() => pageStatusOf(state), [state]);
  return (
    <div
      class={isError ? 'status error' : 'status'}
      role="status"
      tabIndex={-1}
      aria-busy={isWaitingForEngine(state) || computerMovesNext(state)}
    >
      <p class="headline">{headline}</p>
      <p class="detail">{detail}</p>
    </div>
  );
}

/** Asks the engine what the page waits for. An edited board is solved as soon as the user pauses. */
function useEngine(engine: PageEngineClient, { pending, mode }: PageState, change: ChangeState): void {
  // Before the browser draws the page, so that the engine works meanwhile.
  useLayoutEffect(() => {
    if (pending === null) return;
    const ask = () => {
      engine.ask(pending.request).then((answer) => change((now) => applyEngineAnswer(now, pending, answer)));
    };
    if (mode === 'play') return ask();
    const timer = setTimeout(ask, SOLVE_DELAY);
    return () => clearTimeout(timer);
  }, [pending]);
}

function useComputer(state: PageState, change: ChangeState): void {
  const isDue = computerMovesNext(state) && !isWaitingForEngine(state);
  useEffect(() => {
    if (!isDue) return;
    const move = () => change((now) => playForComputer(now, Math.random()));
    const timer = setTimeout(move, prefersReducedMotion() ? 0 : ANSWER_DELAY);
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
    target.closest('dialog, .chooser, input:not([type=checkbox]), textarea, select') !== null
  )
    return null;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== 'z') return null;
    return event.shiftKey ? redo : undo;
  }
  switch (event.key) {
    case 'ArrowLeft':
      return (state) => showMoment(state, shownPlaceOf(state.session)[0] - 1);
    case 'ArrowRight':
      return (state) => showMoment(state, shownPlaceOf(state.session)[0] + 1);
    case 'Home':
      return (state) => showMoment(state, 0);
    case 'End':
      return (state) => showMoment(state, shownPlaceOf(state.session)[1]);
    default:
      return null;
  }
}

/** Replaces the board by one that the user pastes anywhere except into a field. */
function usePaste(change: ChangeState): void {
  useEffect(() => {
    const act = (event: ClipboardEvent) => {
      if ((event.target as Element).closest('dialog, input, textarea') !== null) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      change((state) => loadBoardFromText(state, text, 'board'));
    };
    document.addEventListener('paste', act);
    return () => document.removeEventListener('paste', act);
  }, []);
}

/**
 * Loads the board of a link when the address of the open page changes. The state is a new object even if the address has no
 * board, as after "Back", so that the game is stored for this address.
 */
function useLinks(change: ChangeState): void {
  useEffect(() => {
    const act = () => change((state) => ({ ...loadBoardFromLink(state, location.hash) }));
    addEventListener('hashchange', act);
    return () => removeEventListener('hashchange', act);
  }, []);
}
