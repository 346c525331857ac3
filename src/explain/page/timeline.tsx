/** The buttons and the slider with which the user goes through the moves of a game or the frames of a replay. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ChangeState, PartProps } from './parts.js';
import { lastPlaceOf, legalMoves, type Session } from './session.js';
import { gameOf, playBestMove, playBestToEnd, redo, showMoment, undo } from './state.js';

/** Milliseconds that each position or frame is shown while the page plays by itself. */
const MOMENT = 900;

export function Timeline(props: PartProps): JSX.Element {
  return (
    <section class="timeline" aria-label="Play">
      <div class="buttons">
        <Steps {...props} />
        <BestPlay {...props} />
      </div>
      <Slider {...props} />
    </section>
  );
}

/** Returns the current place in time, the last place, and a function that goes to a place. */
function timeOf({
  state: { session },
  change,
}: PartProps): [at: number, end: number, go: (at: number) => void] {
  const go = (at: number) => change((now) => showMoment(now, at));
  return session === null ? [0, 0, go] : [session.at, lastPlaceOf(session), go];
}

function Steps(props: PartProps): JSX.Element {
  const { state, change } = props;
  const [at, end, go] = timeOf(props);
  const [isRunning, run] = useState(false);
  const isEdited = state.mode === 'edit';
  const canUndo = isEdited ? state.earlierRows.length > 0 : at > 0;
  const canRedo = isEdited ? state.laterRows.length > 0 : at < end;
  const isAtEnd = isEdited || at === end;
  useRun(isRunning && !isAtEnd, state.session, change, () => run(false));
  const [runName, runIcon] = isRunning ? ['Pause', 'M6 4v12M13 4v12'] : ['Run', 'M4 4v12M9 4l8 6-8 6z'];
  return (
    <>
      <IconButton
        name="Go to the start"
        icon="M5 4v12M16 4l-9 6 9 6z"
        isOff={isEdited || at === 0}
        act={() => go(0)}
      />
      <IconButton name="Undo" icon="M13 4l-8 6 8 6z" isOff={!canUndo} act={() => change(undo)} />
      <IconButton name={runName} icon={runIcon} isOff={isAtEnd} act={() => run(!isRunning)} />
      <IconButton name="Redo" icon="M7 4l8 6-8 6z" isOff={!canRedo} act={() => change(redo)} />
      <IconButton name="Go to the end" icon="M15 4v12M4 4l9 6-9 6z" isOff={isAtEnd} act={() => go(end)} />
    </>
  );
}

function Slider(props: PartProps): JSX.Element {
  const { session, mode } = props.state;
  const [at, end, go] = timeOf(props);
  return (
    <div class="slider">
      <input
        type="range"
        min="0"
        max={end}
        value={at}
        disabled={mode === 'edit' || end === 0}
        aria-label="Moment of the play"
        aria-valuetext={nameOfMoment(session)}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
      <span class="moment">{nameOfMoment(session)}</span>
    </div>
  );
}

/** Shows one position or frame after another, until the last. */
function useRun(isOn: boolean, session: Session | null, change: ChangeState, stop: () => void): void {
  useEffect(() => {
    if (!isOn) return stop();
    const timer = setTimeout(() => change((now) => showMoment(now, (now.session?.at ?? 0) + 1)), MOMENT);
    return () => clearTimeout(timer);
  }, [isOn, session]);
}

function nameOfMoment(session: Session | null): string {
  if (session === null) return '';
  const end = lastPlaceOf(session);
  return `${session.kind === 'game' ? 'Move' : 'Step'} ${session.at} of ${end}`;
}

function BestPlay({ state, change }: PartProps): JSX.Element | null {
  if (state.problem.show.kind === 'replay') return null;
  const game = gameOf(state);
  const isOver = game === null || legalMoves(game).length === 0;
  return (
    <>
      <TextButton name="Best move" isOff={isOver} act={() => change(playBestMove)} />
      <TextButton name="Best play to the end" isOff={isOver} act={() => change(playBestToEnd)} />
    </>
  );
}

interface ButtonProps {
  readonly name: string;
  readonly isOff: boolean;
  readonly act: () => void;
}

function TextButton({ name, isOff, act }: ButtonProps): JSX.Element {
  return (
    <button type="button" disabled={isOff} onClick={act}>
      {name}
    </button>
  );
}

function IconButton({ name, icon, isOff, act }: ButtonProps & { icon: string }): JSX.Element {
  return (
    <button type="button" class="icon" aria-label={name} title={name} disabled={isOff} onClick={act}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d={icon} />
      </svg>
    </button>
  );
}
