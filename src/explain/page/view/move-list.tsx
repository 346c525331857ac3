/** The moves that were played, with their numbers, their variations, and signs for mistakes. A click shows the position. */
import type { JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { type GameSession, moveLeadingTo } from '../state/game-tree.js';
import { showPosition } from '../state/playing.js';
import { gameOf } from '../state/state.js';
import { MOVE_VERDICT_SIGNS, moveVerdictOf } from '../state/verdict.js';
import { nameOfMove, shortNameOfMove } from '../state/words.js';
import type { PartProps } from './parts.js';
import { useRovingList } from './roving-list.js';

export function MoveList({ state, change }: PartProps): JSX.Element | null {
  const game = gameOf(state);
  const order = game === null ? [] : orderOf(game);
  const { list, item } = useRovingList(order.length);
  useLayoutEffect(() => scrollToShown(list.ref.current), [game?.shown]);
  if (game === null) return null;
  const [first, ...siblings] = game.nodes[0].children;
  const places = new Map(order.map((node, place) => [node, place]));
  const moveButton = (node: number) => (
    <MoveButton
      game={game}
      node={node}
      hasSigns={state.hasValues || state.puzzle === null}
      show={() => change((now) => showPosition(now, node))}
      item={item(places.get(node)!)}
    />
  );
  return (
    <section class="panel played" aria-label="Moves played">
      <ul {...list}>
        {first === undefined ? (
          <li class="hint">No moves were played yet.</li>
        ) : (
          <Line game={game} first={first} siblings={siblings} moveButton={moveButton} />
        )}
      </ul>
    </section>
  );
}

/** Keeps the button of the shown position in view, without scrolling the page. */
function scrollToShown(box: HTMLElement | null): void {
  const shown = box?.querySelector<HTMLElement>('[aria-current]');
  if (box === null || !shown) return;
  const [around, at] = [box.getBoundingClientRect(), shown.getBoundingClientRect()];
  if (at.top < around.top) box.scrollTop -= around.top - at.top + 8;
  else if (at.bottom > around.bottom) box.scrollTop += at.bottom - around.bottom + 8;
}

interface LineProps {
  readonly game: GameSession;
  readonly first: number;
  /** Moves that were played instead of the first one. */
  readonly siblings: readonly number[];
  readonly moveButton: (node: number) => JSX.Element;
}

/** A line of moves. The variations of a move stand after it, in parentheses. */
function Line({ game, first, siblings, moveButton }: LineProps): JSX.Element {
  const parts: JSX.Element[] = [];
  let others = siblings;
  // At the beginning of a line, and after variations, a move of the second player has a number, too.
  for (let node = first, isNumbered = true; node !== undefined; ) {
    const { depth, children } = game.nodes[node];
    parts.push(
      <li>
        {(isNumbered || depth % 2 === 1) && <span class="number">{numberOf(depth)}</span>}
        {moveButton(node)}
      </li>,
    );
    for (const other of others) {
      parts.push(
        <li class="variation">
          <ul>
            <Line game={game} first={other} siblings={[]} moveButton={moveButton} />
          </ul>
        </li>,
      );
    }
    isNumbered = others.length > 0;
    [node] = children;
    others = children.slice(1);
  }
  return <>{parts}</>;
}

/** The number of a pair of moves: `1.` before a move of the first player, and `1…` before one of the second. */
function numberOf(depth: number): string {
  return `${Math.ceil(depth / 2)}${depth % 2 === 1 ? '.' : '…'}`;
}

interface MoveButtonProps {
  readonly game: GameSession;
  readonly node: number;
  readonly hasSigns: boolean;
  readonly show: () => void;
  readonly item: object;
}

const WORDS = { fine: '', inaccuracy: ', an inaccuracy', mistake: ', a mistake' } as const;

function MoveButton({ game, node, hasSigns, show, item }: MoveButtonProps): JSX.Element {
  const move = moveLeadingTo(game, node)!;
  const verdict = hasSigns ? moveVerdictOf(game, node) : 'fine';
  const name = `Move ${game.nodes[node].depth}, ${nameOfMove(move)}${WORDS[verdict]}`;
  return (
    <button
      type="button"
      {...item}
      class={`played-move ${verdict}`}
      title={name}
      aria-current={game.shown === node ? 'step' : undefined}
      onClick={show}
    >
      <span aria-hidden="true">
        {shortNameOfMove(move)}
        {MOVE_VERDICT_SIGNS[verdict]}
      </span>
      <span class="unseen">{name}</span>
    </button>
  );
}

/** Returns the positions after moves, in the order in which the list shows them. */
function orderOf(game: GameSession): number[] {
  const order: number[] = [];
  const addLine = (first: number | undefined, siblings: readonly number[]): void => {
    let others = siblings;
    for (let node = first; node !== undefined; ) {
      order.push(node);
      for (const other of others) addLine(other, []);
      const { children } = game.nodes[node];
      [node] = children;
      others = children.slice(1);
    }
  };
  const [first, ...siblings] = game.nodes[0].children;
  addLine(first, siblings);
  return order;
}
