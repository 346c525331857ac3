/** The rules, a legend, and an example. */
import { h, type JSX } from 'preact';
import { drawBoard } from '../../drawing/board.js';
import { CELL_LOOKS } from '../../drawing/cells.js';
import { fillAttributes } from '../../drawing/colors.js';
import { type BoardMark, CELL_SIDE, drawMark } from '../../drawing/marks.js';
import { GAME_RULES } from '../state/rules.js';
import type { PageState } from '../state/state.js';
import { renderDrawnElement } from './board-drawing.js';

export function HowToPlay({ state: { problem } }: { state: PageState }): JSX.Element {
  const { rules, legend, values, example, controls } = GAME_RULES[problem.name];
  return (
    <>
      <ul>
        {rules.map((rule) => (
          <li>{rule}</li>
        ))}
      </ul>
      <h3>Example</h3>
      <ol class="example">
        {example.map(({ rows, caption }) => (
          <li>
            <Picture problem={problem.name} rows={rows} name={caption} />
            <p>{caption}</p>
          </li>
        ))}
      </ol>
      <h3>On the board</h3>
      <ul class="legend">
        {legend.map(([cell, meaning]) => (
          <li>
            <CellPicture problem={problem.name} cell={cell} /> {meaning}
          </li>
        ))}
        {values.length > 0 && <MarkLegend problem={problem.name} />}
      </ul>
      {values.map((text) => (
        <p>{text}</p>
      ))}
      <h3>Controls</h3>
      <ul>
        {controls.map((text) => (
          <li>{text}</li>
        ))}
      </ul>
    </>
  );
}

function Picture({
  problem,
  rows,
  name,
}: {
  problem: string;
  rows: readonly string[];
  name: string;
}): JSX.Element {
  const { attributes, children } = drawBoard(problem, rows);
  const { width: _width, height: _height, ...others } = attributes;
  return h('svg', { ...others, 'aria-label': name }, children.map(renderDrawnElement));
}

function CellPicture({ problem, cell }: { problem: string; cell: string }): JSX.Element {
  const { ground, content } = CELL_LOOKS[problem](cell, 2, 2);
  return (
    <svg viewBox={`0 0 ${CELL_SIDE} ${CELL_SIDE}`} text-anchor="middle" aria-hidden="true">
      {h('rect', { width: CELL_SIDE, height: CELL_SIDE, ...fillAttributes(ground) })}
      {content.map(renderDrawnElement)}
    </svg>
  );
}

/** A mark of the legend: how a move of this value looks on the board of the game. */
type Sample = readonly [tone: BoardMark['tone'], label: string, meaning: string];

const NIMBERS: readonly Sample[] = [
  ['good', '0', 'a move that wins (solid)'],
  ['bad', '2', 'a move that loses (hollow)'],
];
const PLIES: readonly Sample[] = [
  ['good', '+7', 'a move that wins (solid)'],
  ['bad', '−6', 'a move that loses (hollow)'],
  ['even', '=', 'a move that keeps a tie (with corners)'],
];

interface MarkSamples {
  readonly samples: readonly Sample[];
  /** The part of a drawing that has the whole mark. */
  readonly viewBox: string;
  readonly shape: WithoutHead<BoardMark>;
}

type WithoutHead<Mark> = Mark extends BoardMark ? Omit<Mark, 'tone' | 'label'> : never;

const MARKS: Readonly<Record<string, MarkSamples>> = {
  'bacterial-tactics': {
    samples: NIMBERS,
    viewBox: '-9 -4 48 48',
    shape: { kind: 'line', line: 'row', index: 1, from: 1, to: 1 },
  },
  darkraft: { samples: NIMBERS, viewBox: '0 0 40 40', shape: { kind: 'cell', cell: [1, 1] } },
  'river-pawn': {
    samples: PLIES,
    viewBox: '28 -4 36 36',
    shape: { kind: 'step', from: [1, 1], to: [1, 2] },
  },
};

/** Says how the marks of moves look. */
function MarkLegend({ problem }: { problem: string }): JSX.Element {
  const { samples, viewBox, shape } = MARKS[problem];
  return (
    <>
      {samples.map(([tone, label, meaning]) => (
        <li>
          <svg viewBox={viewBox} text-anchor="middle" aria-hidden="true">
            {renderDrawnElement(drawMark({ ...shape, tone, label }, 0))}
          </svg>{' '}
          {meaning}
        </li>
      ))}
    </>
  );
}
