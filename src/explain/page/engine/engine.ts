/** Answers the page's requests with boardmill's own solvers. It runs in a worker, so that the page never waits. */
import type { Replay } from '../../../games/link-and-pop/replay.js';
import { type BoardRows, boardOf } from '../boards/board-text.js';
import type { PageGame, PageMove, PageProblem } from '../games.js';
import type {
  MoveTree,
  PageEngineAnswer,
  PageEngineRequest,
  PlayedMove,
  PositionView,
  ReplayFrame,
} from './messages.js';
import { findPuzzles } from './puzzles.js';
import { valueReasonOf } from './reasons.js';
import { isTieByRepetition } from './repetitions.js';
import { type FrameOfTurn, framesOf } from './replay-frames.js';

/** Number of boards whose games stay in memory: the one that is shown, and one to which an undo can return. */
const MAX_BOARDS = 2;
/** Number of positions of a game whose moves stay in memory. */
const MAX_POSITIONS = 64;

interface SolvedGame {
  readonly game: PageGame;
  /** The moves of the positions that were looked at last, by the text of the position. */
  readonly moves: Map<string, readonly PageMove[]>;
}

interface SolvedReplay {
  readonly replay: Replay;
  readonly frames: readonly FrameOfTurn[];
}

export class PageEngine {
  readonly #problem: PageProblem;
  readonly #boards = new Map<string, SolvedGame | SolvedReplay>();

  constructor(problem: PageProblem) {
    this.#problem = problem;
  }

  answer(request: PageEngineRequest): PageEngineAnswer {
    switch (request.kind) {
      case 'solve':
        return this.#solve(request.rows, request.tree);
      case 'play':
        return { kind: 'moves', played: [playAt(this.#gameOf(request.rows), request.key, request.index)] };
      case 'play-to-end':
        return { kind: 'moves', played: playToEnd(this.#gameOf(request.rows), request.keys) };
      case 'frame':
        return { kind: 'frame', frame: frameAt(this.#replayOf(request.rows), request.at) };
      case 'puzzles':
        return { kind: 'puzzles', puzzles: findPuzzles(this.#problem, request.level, request.seed) };
    }
  }

  #solve(rows: BoardRows, tree: MoveTree): PageEngineAnswer {
    if (this.#problem.show.kind === 'replay') {
      const solved = this.#replayOf(rows);
      const { length } = solved.frames;
      return {
        kind: 'replay',
        lastFrame: length - 1,
        pops: solved.replay.turns.length,
        frame: frameAt(solved, 0),
      };
    }
    const solved = this.#gameOf(rows);
    const start = viewOf(solved, solved.game.start);
    const { playerNames } = solved.game;
    return { kind: 'game', playerNames, start, played: playTree(solved, start, tree) };
  }

  #gameOf(rows: BoardRows): SolvedGame {
    return this.#boardOf(rows) as SolvedGame;
  }

  #replayOf(rows: BoardRows): SolvedReplay {
    return this.#boardOf(rows) as SolvedReplay;
  }

  /** Solves a board, unless it is one of the last boards. */
  #boardOf(rows: BoardRows): SolvedGame | SolvedReplay {
    const text = rows.join('\n');
    const solved = this.#boards.get(text) ?? this.#start(rows);
    remember(this.#boards, text, solved, MAX_BOARDS);
    return solved;
  }

  #start(rows: BoardRows): SolvedGame | SolvedReplay {
    const { style, show } = this.#problem;
    const board = boardOf(style, rows);
    if (show.kind === 'game') return { game: show.start(board), moves: new Map() };
    const replay = show.start(board);
    return { replay, frames: framesOf(replay) };
  }
}

/** Puts an entry at the end of a map, and removes the first entries if there are too many. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  for (const first of map.keys()) {
    if (map.size <= max) return;
    map.delete(first);
  }
}

function movesAt({ game, moves }: SolvedGame, key: string): readonly PageMove[] {
  const known = moves.get(key) ?? game.movesAt(JSON.parse(key));
  remember(moves, key, known, MAX_POSITIONS);
  return known;
}

function viewOf(solved: SolvedGame, position: unknown): PositionView {
  const { game } = solved;
  const key = JSON.stringify(position);
  const moves = movesAt(solved, key);
  const outcome = game.outcomeAt(position);
  return {
    key,
    rows: game.rowsAt(position),
    turn: game.turnAt(position),
    outcome,
    moves,
    best: indexOfBest(moves, outcome.winner, outcome.plies),
    reason: valueReasonOf(game, position),
  };
}

/** Returns the index of the first move that leads to the value of the position, as `bestMoveAt` of the games does. */
function indexOfBest(moves: readonly PageMove[], winner: 0 | 1 | null, plies: number | null): number {
  const best = moves.findIndex(
    ({ outcome }) => outcome.winner === winner && (plies === null || outcome.plies === plies - 1),
  );
  return best === -1 && moves.length > 0 ? 0 : best;
}

function playAt(solved: SolvedGame, key: string, index: number): PlayedMove {
  const move = movesAt(solved, key)[index];
  return { index, view: viewOf(solved, solved.game.after(JSON.parse(key), move)) };
}

/** Plays the moves of a tree, up to the first one that is not legal. */
function playTree(solved: SolvedGame, start: PositionView, tree: MoveTree): PlayedMove[] {
  const views = [start];
  const played: PlayedMove[] = [];
  for (const [parent, index] of tree) {
    if (views[parent]?.moves[index] === undefined) break;
    const next = playAt(solved, views[parent].key, index);
    views.push(next.view);
    played.push(next);
  }
  return played;
}

/** Plays best moves until the game is over. If nobody can win, the line goes around until the game is a tie by repetition. */
function playToEnd(solved: SolvedGame, keys: readonly string[]): PlayedMove[] {
  const times = countTexts(keys);
  const played: PlayedMove[] = [];
  let view = viewOf(solved, JSON.parse(keys[keys.length - 1]));
  const line = repeatingLine(solved, view);
  while (view.best !== -1 && !isTieByRepetition(view, times.get(view.key)!)) {
    const index = line?.(played.length, view) ?? view.best;
    const next = playAt(solved, view.key, index);
    played.push(next);
    view = next.view;
    times.set(view.key, (times.get(view.key) ?? 0) + 1);
  }
  return played;
}

function countTexts(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Returns the index of each move of a shortest line that repeats itself, or null if somebody wins. */
function repeatingLine(
  { game }: SolvedGame,
  { key, outcome }: PositionView,
): ((ply: number, view: PositionView) => number) | null {
  if (outcome.winner !== null || game.repeatingLineFrom === undefined) return null;
  const { moves, repeats } = game.repeatingLineFrom(JSON.parse(key));
  const texts = moves.map((move) => JSON.stringify(move));
  return (ply, view) => {
    const place = ply < texts.length ? ply : repeats + ((ply - repeats) % (texts.length - repeats));
    return view.moves.findIndex((move) => JSON.stringify(move) === texts[place]);
  };
}

function frameAt({ replay, frames }: SolvedReplay, at: number): ReplayFrame {
  const frame = frames[Math.max(0, Math.min(at, frames.length - 1))];
  const { kind, pop, turn } = frame;
  const { cells, line } = kind === 'pop' ? turn!.pop : { cells: [], line: [] };
  const moves = kind === 'moves' ? turn!.moves : [];
  const rows = replay.rowsAfter(kind === 'pop' ? pop - 1 : pop, true);
  return { kind, pop, popped: cells, line, moves, rows };
}
