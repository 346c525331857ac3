/** River-pawn move by move, with the value of every position. */
import type { CellPlace } from '../../problems/explanation.js';
import {
  type AnalyseGame,
  type Game,
  type GameMove,
  type GameOutcome,
  opponentOf,
  type PlayerNumber,
  type RepeatingMoves,
} from '../../problems/game.js';
import { AnalysedBoard } from './analysed-board.js';
import { shortestRepeat } from './shortest-repeat.js';

export const PLAYER_NAMES = ['Red', 'Black'] as const;
export type PlayerName = (typeof PLAYER_NAMES)[number];

/** The cells of the pieces, numbered from 0 in row-major order, and whose turn it is: 0 for Red, 1 for Black. */
export interface Position {
  readonly turn: PlayerNumber;
  readonly black: number;
  /** The cells of the two red pieces, `red1` < `red2`. */
  readonly red1: number;
  readonly red2: number;
}

export interface Move extends GameMove {
  readonly player: PlayerName;
  readonly from: CellPlace;
  readonly to: CellPlace;
  /** Who wins after the move with best play; null for a tie. */
  readonly winner: PlayerName | null;
  /** Number of moves of both players until the game ends, counting this move; null for a tie. */
  readonly plies: number | null;
}

export const analyseGame: AnalyseGame<Position, Move> = (board) =>
  new RiverPawnGame(new AnalysedBoard(board));

export class RiverPawnGame implements Game<Position, Move> {
  readonly start: Position;
  readonly playerNames = PLAYER_NAMES;
  readonly #board: AnalysedBoard;

  constructor(board: AnalysedBoard) {
    this.#board = board;
    this.start = this.positionOf(0);
  }

  turnAt({ turn }: Position): PlayerNumber {
    return turn;
  }

  outcomeAt(position: Position): GameOutcome {
    const { outcome, distance } = this.#board.analysis;
    const state = this.stateOf(position);
    if (outcome[state] === 0) return { winner: null, plies: null, nimber: null };
    const winner = outcome[state] === 1 ? position.turn : opponentOf(position.turn);
    return { winner, plies: distance[state], nimber: null };
  }

  movesAt(position: Position): readonly Move[] {
    if (this.#board.isFinished(this.stateOf(position))) return [];
    const { black, red1, red2 } = position;
    if (position.turn === 1) return this.#movesOf(position, black, this.#board.blackSteps[black]);
    const { redSteps } = this.#board;
    return [
      ...this.#movesOf(
        position,
        red1,
        redSteps[red1].filter((to) => to !== red2),
      ),
      ...this.#movesOf(
        position,
        red2,
        redSteps[red2].filter((to) => to !== red1),
      ),
    ];
  }

  after(position: Position, { from, to }: Move): Position {
    return moved(position, this.#cellAt(from), this.#cellAt(to));
  }

  /** Returns the first of the best moves, which are those that lead to the value of the position. */
  bestMoveAt(position: Position): Move | null {
    const { winner, plies } = this.outcomeAt(position);
    const winnerName = nameOf(winner);
    return this.movesAt(position).find((move) => move.winner === winnerName && move.plies === plies) ?? null;
  }

  repeatingLineFrom(position: Position): RepeatingMoves<Move> {
    const { states, repeats } = shortestRepeat(this.#board, this.stateOf(position));
    const positions = states.map((state) => this.positionOf(state));
    return { moves: positions.slice(1).map((to, i) => this.#moveBetween(positions[i], to)), repeats };
  }

  #moveBetween(from: Position, to: Position): Move {
    return this.movesAt(from).find((move) => this.stateOf(this.after(from, move)) === this.stateOf(to))!;
  }

  /** If Black is on the cell of a red piece, the board shows the piece that moved last. */
  rowsAt({ turn, black, red1, red2 }: Position): readonly string[] {
    const { rows, cols, isObstacle } = this.#board;
    const letters = isObstacle.map<string>((isHere) => (isHere ? '#' : '.'));
    if (turn === 0) letters[red1] = letters[red2] = 'O';
    letters[black] = 'X';
    if (turn === 1) letters[red1] = letters[red2] = 'O';
    return Array.from({ length: rows }, (_, row) => letters.slice(row * cols, (row + 1) * cols).join(''));
  }

  /** Returns the state that this position has in the analysis. */
  stateOf({ black, red1, red2 }: Position): number {
    return this.#board.analysis.stateOf(black, red1, red2);
  }

  /** Returns the position that a state of the analysis stands for. */
  positionOf(state: number): Position {
    const { analysis } = this.#board;
    const [red1, red2] = analysis.redsOf(state);
    return { turn: analysis.turnOf(state) === 'Red' ? 0 : 1, black: analysis.blackOf(state), red1, red2 };
  }

  #movesOf(position: Position, from: number, steps: readonly number[]): Move[] {
    return steps.map((to) => this.#describeMove(position, from, to));
  }

  #describeMove(position: Position, from: number, to: number): Move {
    const outcome = this.outcomeAt(moved(position, from, to));
    return {
      player: PLAYER_NAMES[position.turn],
      from: this.#placeOf(from),
      to: this.#placeOf(to),
      winner: nameOf(outcome.winner),
      plies: outcome.plies === null ? null : outcome.plies + 1,
      outcome,
    };
  }

  #placeOf(cell: number): CellPlace {
    const { cols } = this.#board;
    return [Math.floor(cell / cols) + 1, (cell % cols) + 1];
  }

  #cellAt([row, column]: CellPlace): number {
    return (row - 1) * this.#board.cols + column - 1;
  }
}

function nameOf(player: PlayerNumber | null): PlayerName | null {
  return player === null ? null : PLAYER_NAMES[player];
}

/** Returns the position after the piece of the player to move has moved from one cell to another. */
function moved({ turn, black, red1, red2 }: Position, from: number, to: number): Position {
  if (turn === 1) return { turn: 0, black: to, red1, red2 };
  const staying = from === red1 ? red2 : red1;
  return { turn: 1, black, red1: Math.min(to, staying), red2: Math.max(to, staying) };
}
