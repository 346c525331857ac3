/** Explains the value of the position on show, or why a pair pops. */
import type { JSX } from 'preact';
import { CELL_SIDE, centeredText } from '../../drawing/marks.js';
import { shownNode } from '../state/game-tree.js';
import { areValuesShown } from '../state/playing.js';
import { gameOf, type PageState } from '../state/state.js';
import { explainShownBoard } from '../state/why.js';
import { Decoration, renderDrawnElement } from './board-drawing.js';

interface WhyProps {
  readonly state: PageState;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

export function WhyPanel({ state, isOpen, setOpen }: WhyProps): JSX.Element | null {
  const why = explainShownBoard(state);
  if (why === null || state.mode === 'edit') return null;
  return (
    <details class="panel why" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Why?</summary>
      {isOpen && (areValuesShown(state) || gameOf(state) === null) ? (
        <>
          <ul>
            {why.facts.map((fact) => (
              <li>{fact}</li>
            ))}
          </ul>
          <p>{why.conclusion}</p>
        </>
      ) : (
        isOpen && <p>Values are hidden, so the reason is hidden, too.</p>
      )}
    </details>
  );
}

/** Draws the rectangles of bacterial-tactics with their nimbers on the board. */
export function WhyOverlay({ state }: { state: PageState }): JSX.Element | null {
  const game = gameOf(state);
  const reason = game && areValuesShown(state) ? shownNode(game).view.reason : null;
  if (reason?.kind !== 'rectangles') return null;
  return (
    <Decoration name="reason">
      {reason.rectangles.map(({ top, bottom, left, right, nimber }) => {
        const [x, y] = [(left - 1) * CELL_SIDE + 3, (top - 1) * CELL_SIDE + 3];
        const [width, height] = [(right - left + 1) * CELL_SIDE - 6, (bottom - top + 1) * CELL_SIDE - 6];
        return (
          <g>
            <rect x={x} y={y} width={width} height={height} rx="4" />
            <circle cx={x + width / 2} cy={y + height / 2} r="13" />
            {renderDrawnElement(
              centeredText([x + width / 2, y + height / 2], String(nimber), 16, 'paper', {
                'font-weight': 700,
              }),
            )}
          </g>
        );
      })}
    </Decoration>
  );
}
