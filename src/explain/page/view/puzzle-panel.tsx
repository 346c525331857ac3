/** The puzzles of a level: whether the first move has solved the puzzle, and how to go on. */
import type { JSX } from 'preact';
import { pathTo } from '../state/game-tree.js';
import { leavePuzzles } from '../state/new-game.js';
import { showMoment } from '../state/playing.js';
import { gameOf, type PageState, showPuzzle } from '../state/state.js';
import { moveVerdictOf } from '../state/verdict.js';
import { nameOfPuzzle } from '../state/words.js';
import type { PartProps } from './parts.js';

export function PuzzlePanel({ state, change }: PartProps): JSX.Element | null {
  const { puzzle } = state;
  if (puzzle === null) return null;
  const result = resultOf(state);
  const hasNext = puzzle.number + 1 < puzzle.puzzles.length;
  return (
    <section class="panel puzzle" aria-label="Puzzles">
      <div class="panel-head">
        <h2>{nameOfPuzzle(puzzle)}</h2>
        <button type="button" class="small" onClick={() => change(leavePuzzles)}>
          Leave the puzzles
        </button>
      </div>
      <p role="status" class={result === 'wrong' ? 'error' : ''}>
        {
          {
            open: 'Exactly one move wins. Find it.',
            solved: hasNext ? 'Solved.' : 'Solved. This was the last puzzle of the level.',
            wrong: 'This move does not win.',
          }[result]
        }
      </p>
      <div class="buttons">
        {result === 'wrong' && (
          <button type="button" onClick={() => change((now) => showMoment(now, 0))}>
            Try again
          </button>
        )}
        {hasNext && (
          <button
            type="button"
            class={result === 'solved' ? 'primary' : ''}
            onClick={() => change((now) => showPuzzle(now, puzzle.number + 1))}
          >
            {result === 'solved' ? 'Next puzzle' : 'Skip'}
          </button>
        )}
      </div>
    </section>
  );
}

function resultOf(state: PageState): 'open' | 'solved' | 'wrong' {
  const game = gameOf(state);
  const first = game === null ? undefined : pathTo(game, game.shown).at(1);
  if (game === null || first === undefined) return 'open';
  return moveVerdictOf(game, first) === 'mistake' ? 'wrong' : 'solved';
}
