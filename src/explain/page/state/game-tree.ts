/**
 * The positions of one game as a tree: a move that is played in an earlier position begins a variation, and nothing that was
 * played is lost. The page shows one position, and the line through it.
 */
import type { MoveTree, PageEngineAnswer, PlayedMove, PositionView } from '../engine/messages.js';
import { isTieByRepetition } from '../engine/repetitions.js';
import type { PageMove } from '../games.js';

/** A position, and the move that led to it. */
interface GameNode {
  /** The number of the position before the move; -1 for the start. */
  readonly parent: number;
  /** The index of the move among the legal moves of the position before; -1 for the start. */
  readonly index: number;
  /** Number of moves since the start. */
  readonly depth: number;
  readonly view: PositionView;
  /** The numbers of the positions after the moves that were played here, in the order in which they were first played. */
  readonly children: readonly number[];
  /** The child that was visited last, to which "redo" goes; -1 if there is none. */
  readonly next: number;
}

export interface GameSession {
  readonly kind: 'game';
  readonly playerNames: readonly [string, string];
  /** The positions by their numbers, in the order in which they were first reached. Number 0 is the start. */
  readonly nodes: readonly GameNode[];
  /** The number of the position that is shown. */
  readonly shown: number;
}

/** Starts a game with the moves of a tree. The engine has played those that are legal. */
export function startGameSession(
  { playerNames, start, played }: Extract<PageEngineAnswer, { kind: 'game' }>,
  tree: MoveTree,
): GameSession {
  const first: GameNode = { parent: -1, index: -1, depth: 0, view: start, children: [], next: -1 };
  const session: GameSession = { kind: 'game', playerNames, nodes: [first], shown: 0 };
  return played.reduce<GameSession>((now, move, i) => withMove(now, tree[i][0], move), session);
}

export function shownNode({ nodes, shown }: GameSession): GameNode {
  return nodes[shown];
}

/** Returns the move that led to a position; null for the start. */
export function moveLeadingTo({ nodes }: GameSession, node: number): PageMove | null {
  const { parent, index } = nodes[node];
  return parent === -1 ? null : nodes[parent].view.moves[index];
}

/** Adds the position after a move, unless the move was played before. The position that is shown stays the same. */
function withMove(session: GameSession, parent: number, { index, view }: PlayedMove): GameSession {
  const { nodes } = session;
  const known = findChild(session, parent, index);
  const before = nodes[parent];
  if (known !== null) return { ...session, nodes: nodes.with(parent, { ...before, next: known }) };
  const child: GameNode = { parent, index, depth: before.depth + 1, view, children: [], next: -1 };
  const children = [...before.children, nodes.length];
  return { ...session, nodes: [...nodes.with(parent, { ...before, children, next: nodes.length }), child] };
}

/** Adds moves one after the other, and shows the position after the last one. */
export function playMoves(session: GameSession, played: readonly PlayedMove[]): GameSession {
  return played.reduce((now, move) => {
    const next = withMove(now, now.shown, move);
    return { ...next, shown: next.nodes[now.shown].next };
  }, session);
}

/** Returns the position to which a move leads, if the move was played before. */
export function findChild({ nodes }: GameSession, parent: number, index: number): number | null {
  return nodes[parent].children.find((child) => nodes[child].index === index) ?? null;
}

/** Shows a position. The line through it becomes the one to which "redo" goes. */
export function showNode(session: GameSession, shown: number): GameSession {
  const nodes = [...session.nodes];
  for (let node = shown; nodes[node].parent !== -1; node = nodes[node].parent) {
    const { parent } = nodes[node];
    nodes[parent] = { ...nodes[parent], next: node };
  }
  return { ...session, nodes, shown };
}

/** Returns the numbers of the positions from the start to a position. */
export function pathTo({ nodes }: GameSession, end: number): number[] {
  const path: number[] = [];
  for (let node = end; node !== -1; node = nodes[node].parent) path.push(node);
  return path.reverse();
}

/** Returns the line through the position that is shown: the path to it, and the moves that were played last after it. */
export function shownLine(session: GameSession): number[] {
  const line = pathTo(session, session.shown);
  for (let { next } = shownNode(session); next !== -1; next = session.nodes[next].next) line.push(next);
  return line;
}

/** Returns the legal moves in a position; none if the game is over. */
export function legalMoves(session: GameSession, node = session.shown): readonly PageMove[] {
  return isTiedByRepetition(session, node) ? [] : session.nodes[node].view.moves;
}

export function isGameOver(session: GameSession, node = session.shown): boolean {
  return legalMoves(session, node).length === 0;
}

/** Whether the game is a tie, because the position is on the board for the last time that the rules of the page allow. */
export function isTiedByRepetition(session: GameSession, node = session.shown): boolean {
  return isTieByRepetition(session.nodes[node].view, countOccurrences(session, node));
}

/** Returns how many times the position has been on the board since the start, this time included. */
export function countOccurrences(session: GameSession, node = session.shown): number {
  const { key } = session.nodes[node].view;
  return pathTo(session, node).filter((each) => session.nodes[each].view.key === key).length;
}

export function turnOf(session: GameSession): 0 | 1 {
  return shownNode(session).view.turn;
}

/** Returns the moves of the whole tree. The engine can play them again. */
export function moveTreeOf({ nodes }: GameSession): MoveTree {
  return nodes.slice(1).map(({ parent, index }) => [parent, index]);
}

/** Returns the moves up to the position that is shown, as a tree without variations. */
export function shownPathOf(session: GameSession): MoveTree {
  const path = pathTo(session, session.shown).slice(1);
  return path.map((node, i) => [i, session.nodes[node].index]);
}
