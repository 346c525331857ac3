/** The words of the page: names of moves, cells and values of moves, who wins, and why. */
import { pluralize } from '../../../core/errors.js';
import type { CellPlace } from '../../../problems/explanation.js';
import { outcomeOfMove } from '../../drawing/move-marks.js';
import { type BoardRows, cellsOfBoardRow } from '../boards/board-text.js';
import type { PageMove, PageProblem } from '../games.js';
import {
  countOccurrences,
  type GameSession,
  isGameOver,
  isTiedByRepetition,
  moveLeadingTo,
  pathTo,
  shownNode,
  turnOf,
} from './game-tree.js';
import { areValuesShown, computerMovesNext, computerWaits } from './playing.js';
import type { ReplaySession } from './replay.js';
import type { PageState, PuzzleRun } from './state.js';
import { moveVerdictOf } from './verdict.js';

export function nameOfPlace([row, column]: CellPlace): string {
  return `row ${row}, column ${column}`;
}

const DIRECTIONS: Readonly<Record<string, readonly [word: string, arrow: string]>> = {
  '-1 0': ['up', '↑'],
  '1 0': ['down', '↓'],
  '0 -1': ['left', '←'],
  '0 1': ['right', '→'],
};

type Step = Extract<PageMove, { player: unknown }>;

function directionOf({ from, to }: Step): readonly [word: string, arrow: string] {
  return DIRECTIONS[`${to[0] - from[0]} ${to[1] - from[1]}`];
}

export function nameOfMove(move: PageMove): string {
  if ('cell' in move) return `${move.letter} at ${nameOfPlace(move.cell)}`;
  if ('line' in move) {
    const across = move.line === 'row' ? 'column' : 'row';
    const part = move.from === move.to ? `${across} ${move.from}` : `${across}s ${move.from} to ${move.to}`;
    return `${move.line} ${move.index}, ${part}`;
  }
  return `${directionOf(move)[0]} from ${nameOfPlace(move.from)}`;
}

/** Names a move in few letters, for the list of moves: `row 3: 1-9`, `L 2,1` or `4,1 ↑`. */
export function shortNameOfMove(move: PageMove): string {
  if ('cell' in move) return `${move.letter} ${move.cell.join(',')}`;
  if ('line' in move) {
    const part = move.from === move.to ? move.from : `${move.from}-${move.to}`;
    return `${move.line === 'row' ? 'row' : 'col'} ${move.index}: ${part}`;
  }
  return `${move.from.join(',')} ${directionOf(move)[1]}`;
}

/** Says whether a move wins, loses or ties for the player who makes it. */
export function moveOutcomeInWords(move: PageMove): string {
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
export function nameOfCellContent({ cellNames }: PageProblem, cell: string): string {
  if (cell === '..') return 'empty';
  return cellNames[cell] ?? `${cell[0]}, ${WAYS[cell[1]]}`;
}

// The status line

/** The text of the status line, in two parts. */
interface Status {
  /** Who is to move or has won. */
  readonly headline: string;
  /** Further sentences, such as who wins with best play. */
  readonly detail: string;
  readonly isError: boolean;
}

export function pageStatusOf(state: PageState): Status {
  const { fault, session } = state;
  if (fault !== null) return { headline: 'This board cannot be played.', detail: fault, isError: true };
  if (state.mode === 'edit')
    return {
      headline: 'The board is being edited.',
      detail: 'Click or drag to paint cells.',
      isError: false,
    };
  if (session === null) return { headline: 'Solving the board…', detail: '', isError: false };
  const [headline, ...details] =
    session.kind === 'game' ? statusOfGame(state, session) : statusOfReplay(state.problem, session);
  return { headline, detail: details.filter((text) => text !== '').join(' '), isError: false };
}

/** Returns the headline and the other sentences on a game. */
function statusOfGame(state: PageState, session: GameSession): string[] {
  if (isGameOver(session)) return statusOfEnd(state, session);
  return [
    headlineOf(state, session),
    computerWaits(state) ? 'The computer waits, because you are looking at an earlier position.' : '',
    sentenceOnLastMove(state, session),
    areValuesShown(state) ? predictionOf(session) : '',
    sentenceOnRepetition(session),
  ];
}

function headlineOf(state: PageState, session: GameSession): string {
  const mover = session.playerNames[turnOf(session)];
  if (state.pending?.request.kind === 'puzzles') return 'Looking for puzzles…';
  if (state.pending?.request.kind === 'play-to-end') return 'Playing to the end…';
  if (computerMovesNext(state)) return `${mover} is to move: the computer thinks.`;
  const { puzzle } = state;
  if (puzzle !== null && session.shown === 0) return `${nameOfPuzzle(puzzle)}: find the move that wins.`;
  return `${mover} is to move.`;
}

export function nameOfPuzzle({ level, number, puzzles }: PuzzleRun): string {
  return `Level ${level + 1}, puzzle ${number + 1} of ${puzzles.length}`;
}

function statusOfEnd(state: PageState, session: GameSession): string[] {
  const count = pluralize(shownNode(session).depth, 'move');
  const afterMoves = `The game took ${count}.`;
  if (isTiedByRepetition(session))
    return ['Tie: the game is over.', 'The same position is on the board for the third time.', afterMoves];
  const { winner } = shownNode(session).view.outcome;
  const headline = `${session.playerNames[winner!]} wins: the game is over.`;
  return [headline, reasonOfEnd(state.problem, session), sentenceOnLastMove(state, session), afterMoves];
}

/** Says why the game is over. */
function reasonOfEnd({ name }: PageProblem, session: GameSession): string {
  const loser = session.playerNames[turnOf(session)];
  if (name === 'bacterial-tactics') return `${loser} finds no row or column to fill.`;
  if (name === 'darkraft') return `${loser} finds no letter.`;
  const { rows } = shownNode(session).view;
  if (rows[0].includes('X')) return 'Black has reached row 1.';
  const pieces = rows.join('');
  if (!pieces.includes('X')) return 'Red has caught Black.';
  if (pieces.split('O').length < 3) return 'Black has caught a red piece.';
  return `${loser} cannot move.`;
}

function predictionOf(session: GameSession): string {
  const { winner, plies, nimber } = shownNode(session).view.outcome;
  if (winner === null) return 'With best play, nobody wins.';
  const name = session.playerNames[winner];
  if (plies !== null) return `With best play, ${name} wins in ${pluralizePlies(plies)}.`;
  return `With best play, ${name} wins (nimber ${nimber}).`;
}

/** Judges the last move of the user if values are hidden, or names the last move. */
function sentenceOnLastMove(state: PageState, session: GameSession): string {
  const last = moveLeadingTo(session, session.shown);
  if (last === null) return '';
  const verdict = state.hasValues ? '' : sentenceOnVerdict(state, session);
  return `${verdict} Last move: ${'player' in last ? `${last.player} ` : ''}${nameOfMove(last)}.`.trim();
}

const OUTCOMES = { good: 'won', even: 'kept the tie', bad: 'lost', plain: '' } as const;

/** Says what the last move of the user has done: "Becca's move lost: row 3, columns 1 to 4 won." */
function sentenceOnVerdict(state: PageState, session: GameSession): string {
  const path = pathTo(session, session.shown);
  const node = path.findLast((each) => {
    const { parent } = session.nodes[each];
    return parent !== -1 && !state.isComputer[session.nodes[parent].view.turn];
  });
  if (node === undefined) return '';
  const { view } = session.nodes[session.nodes[node].parent];
  const mover = session.playerNames[view.turn];
  const best = view.moves[view.best];
  const move = moveLeadingTo(session, node)!;
  const won = OUTCOMES[outcomeOfMove(move)];
  // The solution of a puzzle is not given away.
  if (state.puzzle !== null && session.nodes[node].parent === 0) return `${mover}'s move ${won}.`;
  switch (moveVerdictOf(session, node)) {
    case 'mistake':
      return `${mover}'s move ${won}: ${nameOfMove(best)} ${OUTCOMES[outcomeOfMove(best)]}.`;
    case 'inaccuracy':
      return `${mover}'s move ${won}, but ${nameOfMove(best)} was better.`;
    case 'fine':
      return outcomeOfMove(move) === 'bad' ? `Every move of ${mover} lost.` : `Good: ${mover}'s move ${won}.`;
  }
}

function sentenceOnRepetition(session: GameSession): string {
  return shownNode(session).view.outcome.winner === null && countOccurrences(session) === 2
    ? 'This position is on the board for the second time; the third time, the game is a tie.'
    : '';
}

// Replays

function statusOfReplay(problem: PageProblem, { frame, pops, lastFrame, shown }: ReplaySession): string[] {
  const end = shown === lastFrame ? sentenceOnEnd(problem, frame.rows) : '';
  if (frame.kind === 'start') {
    if (pops === 0) return ['No two blocks can be linked.', end];
    return [`${pluralize(pops, 'pop')} follow${pops === 1 ? 's' : ''}.`, end];
  }
  const head = `Pop ${frame.pop} of ${pops}`;
  if (frame.kind === 'pop') return [`${head}.`, sentenceOnPop(problem, frame)];
  return [`${head}: ${pluralize(frame.moves.length, 'move')} after it.`, end];
}

function sentenceOnPop({ style }: PageProblem, { popped, line, rows }: ReplaySession['frame']): string {
  const [row, column] = popped[0];
  const symbol = cellsOfBoardRow(style, rows[row - 1])[column - 1][0];
  const [first, second] = popped.map((place) => `${symbol} at ${nameOfPlace(place)}`);
  return `${first} and ${second}, linked by ${pluralize(line.length - 1, 'segment')}.`;
}

function sentenceOnEnd({ style }: PageProblem, rows: BoardRows): string {
  const left = rows.flatMap((row) => cellsOfBoardRow(style, row)).filter((cell) => cell !== '..').length;
  return left === 0
    ? 'No block is left.'
    : `Nothing can be linked any more; ${pluralize(left, 'block')} left.`;
}

export function pluralizePlies(plies: number): string {
  return plies === 1 ? '1 ply' : `${plies} plies`;
}
