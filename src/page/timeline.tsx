/** The buttons and the slider that go through the play. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Change, PartProps } from './parts.js';
import { legalMoves, lengthOf, type Session } from './session.js';
import { gameOf, playBestMove, playBestToEnd, redo, showMoment, undo } from './state.js';

/** How long each moment is shown while the play runs, in milliseconds. */
const MOMENT = 900;

export function Timeline({ state, change }: PartProps): JSX.Element {
  const { session, mode, earlierRows, laterRows } = state;
  const [at, end] = session === null ? [0, 0] : [session.at, lengthOf(session)];
  const [isRunning, run] = useState(false);
  const isEdited = mode === 'edit';
  const canGoBack = isEdited ? earlierRows.length > 0 : at > 0;
  const canGoOn = isEdited ? laterRows.length > 0 : at < end;
  useRun(isRunning && !isEdited && at < end, session, change, () => run(false));
  const go = (next: number) => change((now) => showMoment(now, next));
  return (
    <section class="timeline" aria-label="Play">
      <div class="buttons">
        <IconButton
          name="Go to the start"
          icon="M5 4v12M16 4l-9 6 9 6z"
          isOff={isEdited || at === 0}
          act={() => go(0)}
        />
        <IconButton name="Undo" icon="M13 4l-8 6 8 6z" isOff={!canGoBack} act={() => change(undo)} />
        <IconButton
          name={isRunning ? 'Pause' : 'Run'}
          icon={isRunning ? 'M6 4v12M13 4v12' : 'M4 4v12M9 4l8 6-8 6z'}
          isOff={isEdited || at === end}
          act={() => run(!isRunning)}
        />
        <IconButton name="Redo" icon="M7 4l8 6-8 6z" isOff={!canGoOn} act={() => change(redo)} />
        <IconButton
          name="Go to the end"
          icon="M15 4v12M4 4l9 6-9 6z"
          isOff={isEdited || at === end}
          act={() => go(end)}
        />
        <BestPlay state={state} change={change} />
      </div>
      <div class="slider">
        <input
          type="range"
          min="0"
          max={end}
          value={at}
          disabled={isEdited || end === 0}
          aria-label="Moment of the play"
          aria-valuetext={nameOfMoment(session)}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
        <span class="moment">{nameOfMoment(session)}</span>
      </div>
    </section>
  );
}

/** Shows one moment after the other. */
function useRun(isOn: boolean, session: Session | null, change: Change, stop: () => void): void {
  useEffect(() => {
    if (!isOn) return stop();
    const timer = setTimeout(() => change((now) => showMoment(now, (now.session?.at ?? 0) + 1)), MOMENT);
    return () => clearTimeout(timer);
  }, [isOn, session]);
}

function nameOfMoment(session: Session | null): string {
  if (session === null) return '';
  const end = lengthOf(session);
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
