/** The words of the page: names of moves, cells and values of moves, and who wins. */
import { pluralize } from '../../core/errors.js';
import type { CellPlace } from '../../problems/explanation.js';
import { type BoardRows, cellsOf } from './board-text.js';
import type { PageMove, PageProblem } from './games.js';
import {
  findRepeat,
  type GameSession,
  legalMoves,
  positionOf,
  type ReplayFrame,
  type ReplaySession,
  shownRows,
  turnOf,
} from './session.js';
import { isComputersTurn, type PageState } from './state.js';

export function nameOfPlace([row, column]: CellPlace): string {
  return `row ${row}, column ${column}`;
}

const DIRECTIONS: Readonly<Record<string, string>> = {
  '-1 0': 'up',
  '1 0': 'down',
  '0 -1': 'left',
  '0 1': 'right',
};

export function nameOfMove(move: PageMove): string {
  if ('cell' in move) return `${move.letter} at ${nameOfPlace(move.cell)}`;
  if ('line' in move) {
    const across = move.line === 'row' ? 'column' : 'row';
    const part = move.from === move.to ? `${across} ${move.from}` : `${across}s ${move.from} to ${move.to}`;
    return `${move.line} ${move.index}, ${part}`;
  }
  const direction = DIRECTIONS[`${move.to[0] - move.from[0]} ${move.to[1] - move.from[1]}`];
  return `${direction} from ${nameOfPlace(move.from)}`;
}

/** Names a move together with the piece of river-pawn that moves. */
function describePlayed(move: PageMove): string {
  return 'player' in move ? `${move.player} ${nameOfMove(move)}` : nameOfMove(move);
}

/** Says whether a move wins, loses or ties for the player who makes it. */
export function nameOfValue(move: PageMove): string {
  if ('nimber' in move) return `${move.wins ? 'wins' : 'loses'}, nimber ${move.nimber}`;
  if (move.plies === null) return 'tie';
  return `${move.winner === move.player ? 'wins' : 'loses'} in ${pluralizePlies(move.plies)}`;
}

const WAYS: Readonly<Record<string, string>> = {
  U: 'moves up',
  D: 'moves down',
  L: 'moves left',
  R: 'moves right',
  S: 'stands still',
};

/** Says what is on a cell. */
export function nameOfCell({ cellNames }: PageProblem, cell: string): string {
  if (cell === '..') return 'empty';
  return cellNames[cell] ?? `${cell[0]}, ${WAYS[cell[1]]}`;
}

/** The text of the status line, in two parts. */
interface Status {
  /** Who is to move or has won. */
  readonly headline: string;
  /** A further sentence, such as who wins with best play. */
  readonly detail: string;
  readonly isMistake: boolean;
}

export function statusOf(state: PageState): Status {
  const { notice } = state;
  const status = statusWithoutNotice(state);
  return notice === null ? status : { ...status, detail: `${notice} ${status.detail}`.trim() };
}

function statusWithoutNotice(state: PageState): Status {
  const { mistake, session } = state;
  if (mistake !== null) return { headline: 'This board cannot be played.', detail: mistake, isMistake: true };
  if (session === null) return { headline: 'Solving the board…', detail: '', isMistake: false };
  return session.kind === 'game' ? statusOfGame(state, session) : statusOfReplay(state.problem, session);
}

function statusOfGame(state: PageState, session: GameSession): Status {
  const names = session.game.playerNames;
  const last = session.moves[session.at - 1];
  const played = last === undefined ? '' : `Last move: ${describePlayed(last)}. `;
  const outcome = session.game.outcomeAt(positionOf(session));
  if (legalMoves(session).length === 0) {
    const winner = outcome.winner === null ? 'Nobody' : names[outcome.winner];
    return {
      headline: `${winner} wins: the game is over.`,
      detail: `${played}${pluralize(session.at, 'move')} were played.`.replace('1 move were', '1 move was'),
      isMistake: false,
    };
  }
  const mover = names[turnOf(session)];
  const headline = isComputersTurn(state)
    ? `${mover} is to move: the computer thinks.`
    : `${mover} is to move.`;
  const prediction = state.hasValues ? `${predictionOf(session)} ` : '';
  return { headline, detail: `${prediction}${played}${sentenceOnRepeat(session)}`.trim(), isMistake: false };
}

function predictionOf(session: GameSession): string {
  const { winner, plies, nimber } = session.game.outcomeAt(positionOf(session));
  if (winner === null) return 'With best play, nobody wins.';
  const name = session.game.playerNames[winner];
  if (plies !== null) return `With best play, ${name} wins in ${pluralizePlies(plies)}.`;
  return `With best play, ${name} wins (nimber ${nimber}).`;
}

function sentenceOnRepeat(session: GameSession): string {
  const repeat = findRepeat(session);
  if (repeat === null) return '';
  return repeat === 0
    ? 'This is the position of the start again.'
    : `This is the position after ${pluralize(repeat, 'move')} again.`;
}

function statusOfReplay(problem: PageProblem, session: ReplaySession): Status {
  const { frames, at } = session;
  const frame = frames[at];
  const pops = frames[frames.length - 1].pop;
  const end = at === frames.length - 1 ? sentenceOnEnd(problem, shownRows(session)) : '';
  if (frame.kind === 'start') {
    const headline =
      pops === 0
        ? 'No two blocks can be linked.'
        : `${pluralize(pops, 'pop')} follow.`.replace('1 pop follow', '1 pop follows');
    return { headline, detail: end, isMistake: false };
  }
  const headline = `Pop ${frame.pop} of ${pops}${frame.kind === 'moves' ? `: ${pluralize(frame.moves.length, 'move')} after it` : ''}.`;
  return {
    headline,
    detail: frame.kind === 'pop' ? sentenceOnPop(problem, frame, shownRows(session)) : end,
    isMistake: false,
  };
}

function sentenceOnPop({ style }: PageProblem, { popped, line }: ReplayFrame, rows: BoardRows): string {
  const [row, column] = popped[0];
  const symbol = cellsOf(style, rows[row - 1])[column - 1][0];
  return `${symbol} at ${nameOfPlace(popped[0])} and ${symbol} at ${nameOfPlace(popped[1])}, linked by ${pluralize(line.length - 1, 'segment')}.`;
}

function sentenceOnEnd({ style }: PageProblem, rows: BoardRows): string {
  const left = rows.flatMap((row) => cellsOf(style, row)).filter((cell) => cell !== '..').length;
  return left === 0
    ? 'No block is left.'
    : `Nothing can be linked any more; ${pluralize(left, 'block')} left.`;
}

function pluralizePlies(plies: number): string {
  return plies === 1 ? '1 ply' : `${plies} plies`;
}
