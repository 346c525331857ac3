/** The buttons and the slider with which the user goes through the moves of a game or the frames of a replay. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { redo, undo } from '../state/editing.js';
import { isGameOver } from '../state/game-tree.js';
import { playBestMove, playBestToEnd, showMoment, shownPlaceOf } from '../state/playing.js';
import { gameOf, isWaitingForEngine, type PageState } from '../state/state.js';
import type { ChangeState, PartProps } from './parts.js';

/** Milliseconds that each position or frame is shown while the page plays by itself. */
const MOMENT = 900;

export function Timeline(props: PartProps): JSX.Element {
  return (
    <section class="panel timeline" aria-label="Play">
      <Slider {...props} />
      <div class="buttons">
        <Steps {...props} />
        <BestPlay {...props} />
      </div>
    </section>
  );
}

const ICONS = {
  start: 'M5 4v12M16 4l-9 6 9 6z',
  undo: 'M13 4l-8 6 8 6z',
  run: 'M4 4v12M9 4l8 6-8 6z',
  pause: 'M6 4v12M13 4v12',
  redo: 'M7 4l8 6-8 6z',
  end: 'M15 4v12M4 4l9 6-9 6z',
  best: 'M10 2.5l2.2 5 5.3.5-4 3.6 1.200 5.3L10 14.200l-4.700 2.700 1.200-5.300-4-3.600 5.300-.5z',
  bestToEnd:
    'M7.500 4l1.700 3.900 4.200.4-3.200 2.800 1 4.100-3.700-2.100-3.600 2.100 1-4.100-3.200-2.800 4.200-.4zM17.500 3v14',
};

function Steps(props: PartProps): JSX.Element {
  const { state, change } = props;
  const [at, end] = shownPlaceOf(state.session);
  const go = (place: number) => change((now) => showMoment(now, place));
  const [isRunning, run] = useState(false);
  const isEdited = state.mode === 'edit';
  const canUndo = isEdited ? state.earlierBoards.length > 0 : at > 0;
  const canRedo = isEdited ? state.laterBoards.length > 0 : at < end;
  const isAtEnd = isEdited || at === end;
  useRun(isRunning && !isAtEnd, state, change, () => run(false));
  return (
    <>
      <IconButton name="Go to the start" icon={ICONS.start} isOff={isEdited || at === 0} act={() => go(0)} />
      <IconButton name="Undo" icon={ICONS.undo} isOff={!canUndo} act={() => change(undo)} />
      <IconButton
        name={isRunning ? 'Pause' : 'Run'}
        icon={isRunning ? ICONS.pause : ICONS.run}
        isOff={isAtEnd}
        act={() => run(!isRunning)}
      />
      <IconButton name="Redo" icon={ICONS.redo} isOff={!canRedo} act={() => change(redo)} />
      <IconButton name="Go to the end" icon={ICONS.end} isOff={isAtEnd} act={() => go(end)} />
    </>
  );
}

function Slider({ state, change }: PartProps): JSX.Element {
  const { session, mode } = state;
  const [at, end] = shownPlaceOf(session);
  const isOff = mode === 'edit' || end === 0;
  return (
    <div class="slider">
      <input
        type="range"
        min="0"
        max={Math.max(1, end)}
        value={at}
        aria-disabled={isOff}
        aria-label="Moment of the play"
        aria-valuetext={nameOfMoment(state)}
        onInput={(event) => {
          const place = Number(event.currentTarget.value);
          if (isOff) event.currentTarget.value = String(at);
          else change((now) => showMoment(now, place));
        }}
      />
      <span class="moment">{nameOfMoment(state)}</span>
    </div>
  );
}

/** Shows one position or frame after another, until the last. It waits for frames that the engine is making. */
function useRun(isOn: boolean, state: PageState, change: ChangeState, stop: () => void): void {
  const isReady = !isWaitingForEngine(state);
  useEffect(() => {
    if (!isOn) return stop();
    if (!isReady) return;
    const timer = setTimeout(
      () => change((now) => showMoment(now, shownPlaceOf(now.session)[0] + 1)),
      MOMENT,
    );
    return () => clearTimeout(timer);
  }, [isOn, isReady, state.session]);
}

function nameOfMoment({ session, mode }: PageState): string {
  if (session === null || mode === 'edit') return '';
  const [at, end] = shownPlaceOf(session);
  return `${session.kind === 'game' ? 'Move' : 'Step'} ${at} of ${end}`;
}

function BestPlay({ state, change }: PartProps): JSX.Element | null {
  if (state.problem.show.kind === 'replay') return null;
  const game = gameOf(state);
  const isOff = game === null || isGameOver(game);
  return (
    <>
      <IconButton name="Best move" icon={ICONS.best} isOff={isOff} act={() => change(playBestMove)} />
      <IconButton
        name="Best play to the end"
        icon={ICONS.bestToEnd}
        isOff={isOff}
        act={() => change(playBestToEnd)}
      />
    </>
  );
}

interface ButtonProps {
  readonly name: string;
  readonly icon: string;
  readonly isOff: boolean;
  readonly act: () => void;
}

/** A button that keeps the focus while it cannot be used. */
function IconButton({ name, icon, isOff, act }: ButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class="icon"
      aria-label={name}
      title={name}
      aria-disabled={isOff}
      onClick={() => !isOff && act()}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d={icon} />
      </svg>
    </button>
  );
}
