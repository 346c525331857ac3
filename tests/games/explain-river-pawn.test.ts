/** Explanations and games of river-pawn, checked by the rules and the values of a slow oracle. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnalysedBoard } from '../../src/games/river-pawn/analysed-board.js';
import { explainer } from '../../src/games/river-pawn/explain.js';
import { analyseGame, type Move, type Position } from '../../src/games/river-pawn/game.js';
import { shortestRepeat } from '../../src/games/river-pawn/shortest-repeat.js';
import { createPortableSolver, type RiverPawnAnswer } from '../../src/games/river-pawn/solve.js';
import { ProofTooLarge } from '../../src/problems/explanation.js';
import type { Board } from '../../src/problems/problem.js';
import {
  type Position as LiteralPosition,
  type Rules,
  rulesOf,
  solveLiterally,
  type Value,
  valuesOf,
} from '../oracles/river-pawn.js';
import { everyBoard } from '../support/every-board.js';
import { runs } from '../support/random-tests.js';
import { anyBoard, boardOf, boardsIn, boardsOf, read, show } from '../support/river-pawn-boards.js';

type Place = [row: number, column: number];
interface Played {
  player: string;
  from: Place;
  to: Place;
  left: number | null;
}
interface Explained {
  answer: RiverPawnAnswer;
  moves: { from: Place; to: Place; winner: string | null; plies: number | null }[];
  play: Played[];
  repeats?: number;
  proof?: { positions: (number | null)[][] };
}

const ANY_SIZE = Number.POSITIVE_INFINITY;
const portable = createPortableSolver();

/** Explains a board through JSON, as users see it. */
function explain(board: Board, wantsProof = false): Explained {
  return JSON.parse(JSON.stringify(explainer.explain(board, wantsProof, ANY_SIZE)));
}

function solve(board: Board): RiverPawnAnswer {
  const answers: RiverPawnAnswer[] = [];
  portable.solve([board], 1, answers);
  return answers[0];
}

/** A text for each position, the same one for both orders of the red pieces. */
function keyOf({ turn, black, reds }: LiteralPosition): string {
  return [turn, black, Math.min(...reds), Math.max(...reds)].join();
}

function literal({ turn, black, red1, red2 }: Position): LiteralPosition {
  return { turn: turn === 0 ? 'Red' : 'Black', black, reds: [red1, red2] };
}

function successors(rules: Rules, position: LiteralPosition): LiteralPosition[] {
  return rules.winnerBeforeMoving(position) === null ? rules.moves(position) : [];
}

/** Returns all positions that legal play from a position reaches and `isAllowed` accepts, with their distances. */
function reached(
  rules: Rules,
  from: LiteralPosition,
  isAllowed: (position: LiteralPosition) => boolean = () => true,
): Map<string, { position: LiteralPosition; distance: number }> {
  const found = new Map([[keyOf(from), { position: from, distance: 0 }]]);
  for (const { position, distance } of found.values())
    for (const next of successors(rules, position))
      if (isAllowed(next) && !found.has(keyOf(next)))
        found.set(keyOf(next), { position: next, distance: distance + 1 });
  return found;
}

/** Returns the successor that a move of one piece leads to, which must be legal. */
function play(
  board: Board,
  rules: Rules,
  position: LiteralPosition,
  from: Place,
  to: Place,
): LiteralPosition {
  const cellOf = ([row, column]: Place) => (row - 1) * board.cols + column - 1;
  const { turn, black, reds } = position;
  const replace = (cell: number) => (cell === cellOf(from) ? cellOf(to) : cell);
  const wanted: LiteralPosition =
    turn === 'Red'
      ? { turn: 'Black', black, reds: [replace(reds[0]), replace(reds[1])] }
      : { turn: 'Red', black: replace(black), reds };
  const next = successors(rules, position).find((candidate) => keyOf(candidate) === keyOf(wanted));
  if (next === undefined) expect.fail(`no legal move ${from} to ${to}: ${keyOf(position)}\n${show(board)}`);
  return next;
}

/** Plays the line of an explanation by the rules, and returns the positions from the start on. */
function follow(board: Board, rules: Rules, { play: line }: Explained): LiteralPosition[] {
  const positions = [rules.start];
  for (const { player, from, to } of line) {
    const position = positions.at(-1)!;
    if (player !== position.turn) expect.fail(`${position.turn} is to move, not ${player}\n${show(board)}`);
    positions.push(play(board, rules, position, from, to));
  }
  return positions;
}

/** The number of moves of a shortest line of ties that returns to an earlier position, found without any cleverness. */
function shortestRepeatLiterally(rules: Rules, isTie: (position: LiteralPosition) => boolean): number {
  let best = Number.POSITIVE_INFINITY;
  for (const { position, distance } of reached(rules, rules.start, isTie).values())
    for (const next of successors(rules, position).filter(isTie)) {
      const back = reached(rules, next, isTie).get(keyOf(position));
      if (back !== undefined) best = Math.min(best, distance + 1 + back.distance);
    }
  return best;
}

function sameValue(one: { winner: string | null; plies: number | null }, other: Value): boolean {
  return one.winner === other.winner && one.plies === other.plies;
}

/** Expects everything in an explanation to follow from the values of the oracle. */
function expectTrue(board: Board): void {
  const rules = rulesOf(board);
  const valueAt = valuesOf(board);
  const explained = explain(board, true);
  expect(explained.answer, show(board)).toEqual(valueAt(rules.start));
  const next = explained.moves.map(({ from, to }) => play(board, rules, rules.start, from, to));
  expect(new Set(next.map(keyOf)), show(board)).toEqual(new Set(successors(rules, rules.start).map(keyOf)));
  for (const [i, { winner, plies }] of explained.moves.entries()) {
    const value = valueAt(next[i]);
    expect([winner, plies], show(board)).toEqual([
      value.winner,
      value.plies === null ? null : value.plies + 1,
    ]);
  }
  expectBestPlay(board, rules, valueAt, explained);
  expectTrueProof(board, rules, valueAt, explained);
}

function expectBestPlay(
  board: Board,
  rules: Rules,
  valueAt: (position: LiteralPosition) => Value,
  explained: Explained,
): void {
  const positions = follow(board, rules, explained);
  const { winner, plies } = explained.answer;
  for (const [i, { left }] of explained.play.entries()) {
    const expected = { winner, plies: plies === null ? null : plies - i - 1 };
    if (left !== expected.plies || !sameValue(valueAt(positions[i + 1]), expected))
      expect.fail(`move ${i + 1} of best play does not keep the value\n${show(board)}`);
  }
  if (winner !== null) {
    expect(explained.play, show(board)).toHaveLength(plies!);
    expect(rules.winnerBeforeMoving(positions.at(-1)!), show(board)).toBe(winner);
    expect(explained).not.toHaveProperty('repeats');
    return;
  }
  expect(keyOf(positions.at(-1)!)).toBe(keyOf(positions[explained.repeats!]));
  expect(new Set(positions.map(keyOf)).size).toBe(explained.play.length);
  const shortest = shortestRepeatLiterally(rules, (position) => valueAt(position).winner === null);
  expect(explained.play, show(board)).toHaveLength(shortest);
}

function expectTrueProof(
  board: Board,
  rules: Rules,
  valueAt: (position: LiteralPosition) => Value,
  { proof }: Explained,
): void {
  const expected = Array.from(reached(rules, rules.start).values(), ({ position }) => {
    const { turn, black, reds } = position;
    const { winner, plies } = valueAt(position);
    const outcome = winner === null ? 0 : winner === turn ? 1 : -1;
    const cells = [black, Math.min(...reds), Math.max(...reds)].map((cell) => cell + 1);
    return [turn === 'Red' ? 0 : 1, ...cells, outcome, plies];
  });
  const { positions } = proof!;
  if (positions[0].join() !== expected[0].join()) expect(positions[0], show(board)).toEqual(expected[0]);
  const sorted = (entries: (number | null)[][]) => entries.map((entry) => entry.join()).sort();
  if (sorted(positions).join('\n') !== sorted(expected).join('\n'))
    expect(sorted(positions), show(board)).toEqual(sorted(expected));
}

describe('explanations of river-pawn', () => {
  it('on every board of the smallest sizes, values, best play and proof are those of the oracle', async () => {
    const boards = [
      ...(await everyBoard('river-pawn', 2, 2)),
      ...(await everyBoard('river-pawn', { from: 3, to: 5 }, 1)),
    ];
    expect(boards.length).toBeGreaterThan(50);
    for (const board of boards) expectTrue(board);
  });

  it('on random small boards, values, best play and proof are those of the oracle', () => {
    fc.assert(fc.property(anyBoard(5, 5, 10), expectTrue), { numRuns: runs(40) });
    fc.assert(fc.property(boardsOf(3, 4), expectTrue), { numRuns: runs(6) });
  });

  it('on larger boards, best play is legal, as long as the answer says, and ends with the winner', () => {
    const check = (board: Board) => {
      const rules = rulesOf(board);
      const explained = explain(board);
      const { winner, plies } = solve(board);
      expect(explained.answer, show(board)).toEqual({ winner, plies });
      const positions = follow(board, rules, explained);
      if (winner === null) {
        expect(keyOf(positions.at(-1)!)).toBe(keyOf(positions[explained.repeats!]));
        return;
      }
      expect(explained.play.map(({ left }) => left)).toEqual(
        Array.from({ length: plies! }, (_, i) => plies! - 1 - i),
      );
      expect(rules.winnerBeforeMoving(positions.at(-1)!), show(board)).toBe(winner);
    };
    boardsIn(read('truth/long.in')).forEach(check);
    boardsIn(read('sample/statement.in')).forEach(check);
    fc.assert(fc.property(anyBoard(10, 10), check), { numRuns: runs(25) });
  });

  /** Analyses a board, and pretends that exactly the start and the states that `isTie` names are ties. */
  function pretendTies(board: Board, isTie: (state: number) => boolean): AnalysedBoard {
    const analysed = new AnalysedBoard(board);
    const { outcome, stateCount } = analysed.analysis;
    for (let state = 0; state < stateCount; state++)
      if (!analysed.isFinished(state)) outcome[state] = state === 0 || isTie(state) ? 0 : 1;
    return analysed;
  }

  // On most boards, a cycle is near the start. So this test pretends that positions are ties at random.
  it('a line that repeats a position is a shortest one, wherever the ties are', () => {
    const prefixes: number[] = [];
    const check = (board: Board, tieShare: number, seed: number) => {
      const isTieByChance = (state: number) =>
        (Math.imul(state ^ seed, 2654435761) >>> 0) / 2 ** 32 < tieShare;
      const analysed = pretendTies(board, isTieByChance);
      const { outcome, stateOf } = analysed.analysis;
      const rules = rulesOf(board);
      const isTie = ({ black, reds }: LiteralPosition) => outcome[stateOf(black, ...reds)] === 0;
      const shortest = shortestRepeatLiterally(rules, isTie);
      if (shortest === Number.POSITIVE_INFINITY) return;
      const { states, repeats } = shortestRepeat(analysed, 0);
      expect(states.length - 1, show(board)).toBe(shortest);
      expect(states.at(-1)).toBe(states[repeats]);
      prefixes.push(repeats);
    };
    const board = fc.constantFrom(boardOf('...', '...', 'OXO'), boardOf('....', '.#..', 'OX.O'));
    fc.assert(fc.property(board, fc.constantFrom(0.3, 0.4, 0.5), fc.nat(), check), { numRuns: runs(150) });
    // Few random ties make a line with moves before the cycle. Some of these fixed ones do.
    for (let seed = 0; seed < 300; seed++) check(boardOf('....', '.#..', 'OX.O'), 0.4, seed);
    expect(Math.max(...prefixes)).toBeGreaterThan(1);
  });

  it('a proof with more entries than allowed is refused with its size', () => {
    const board = boardOf('#.#', 'O.O', '.X.');
    const { length } = explain(board, true).proof!.positions;
    expect(explainer.explain(board, true, length)).toHaveProperty('proof');
    expect(() => explainer.explain(board, true, length - 1)).toThrow(new ProofTooLarge(length, 'positions'));
  });

  it('fields are printed in the order of the schema, with cells counted from 1', () => {
    const text = JSON.stringify(explainer.explain(boardOf('..', 'XO', '#O'), true, ANY_SIZE));
    const moves = [
      '{"from":[2,2],"to":[1,2],"winner":"Black","plies":2}',
      '{"from":[2,2],"to":[2,1],"winner":"Red","plies":1}',
    ];
    const play = '{"player":"Red","from":[2,2],"to":[2,1],"left":0}';
    const head = `{"answer":{"winner":"Red","plies":1},"moves":[${moves.join()}],"play":[${play}]`;
    expect(text.startsWith(`${head},"proof":{"positions":[[0,3,4,6,1,1],`), text).toBe(true);
  });
});

describe('the game of river-pawn', () => {
  /** Expects the game to give the rules' moves and the oracle's values at every position that play reaches. */
  function expectTrueGame(board: Board): void {
    const rules = rulesOf(board);
    const valueAt = valuesOf(board);
    const game = analyseGame(board);
    const nameOf = (player: number | null) => (player === null ? null : game.playerNames[player]);
    const seen = new Set<string>();
    const open = [game.start];
    for (let position = open.pop(); position !== undefined; position = open.pop()) {
      const here = literal(position);
      if (seen.has(keyOf(here))) continue;
      seen.add(keyOf(here));
      const { winner, plies } = game.outcomeAt(position);
      if (!sameValue({ winner: nameOf(winner), plies }, valueAt(here)))
        expect.fail(`${keyOf(here)}\n${show(board)}`);
      const moves = game.movesAt(position);
      const after = moves.map((move) => game.after(position!, move));
      expect(after.map((next) => keyOf(literal(next))).sort()).toEqual(
        successors(rules, here).map(keyOf).sort(),
      );
      expectBestMove(moves, game.bestMoveAt(position), nameOf(position.turn));
      open.push(...after);
    }
    expect(seen.size).toBe(reached(rules, rules.start).size);
  }

  /** The winner takes the fewest plies, the loser the most, and in a tie both take the first move that keeps the tie. */
  function expectBestMove(moves: readonly Move[], best: Move | null, player: string | null): void {
    const won = moves.filter(({ winner }) => winner === player);
    const tied = moves.filter(({ winner }) => winner === null);
    const byPlies = (sign: number) => (one: Move, other: Move) => sign * (one.plies! - other.plies!);
    const ranked =
      won.length > 0 ? won.toSorted(byPlies(1)) : tied.length > 0 ? tied : moves.toSorted(byPlies(-1));
    expect(best).toEqual(ranked[0] ?? null);
  }

  it('on random small boards, every position has the moves of the rules and the value of the oracle', () => {
    fc.assert(fc.property(anyBoard(4, 4, 9), expectTrueGame), { numRuns: runs(20) });
  });

  it('moves are in row-major order of the pieces, each up, left, right, down, and the board is shown as in an input', () => {
    const board = boardOf('..#', 'O.O', '.X.');
    const game = analyseGame(board);
    board.cells.fill(1);
    const steps = game.movesAt(game.start).map(({ from, to }) => `${from}-${to}`);
    expect(steps).toEqual(['2,1-1,1', '2,1-2,2', '2,1-3,1', '2,3-2,2', '2,3-3,3']);
    expect(game.rowsAt(game.start)).toEqual(['..#', 'O.O', '.X.']);
    expect(game.movesAt(game.start)[0].player).toBe('Red');
  });

  it('if Black is on the cell of a red piece, the board shows the piece that moved last, and the game is over', () => {
    const game = analyseGame(boardOf('...', 'O.O', '.X.'));
    const move = (position: Position, to: string) =>
      game.after(position, game.movesAt(position).find((candidate) => candidate.to.join() === to)!);
    const above = move(game.start, '2,2');
    const blackCaptures = move(above, '2,2');
    expect(game.rowsAt(blackCaptures)).toEqual(['...', '.XO', '...']);
    expect(game.outcomeAt(blackCaptures)).toEqual({ winner: 1, plies: 0, nimber: null });
    const redCaptures = move(move(move(game.start, '1,1'), '3,1'), '1,2');
    expect(game.turnAt(redCaptures)).toBe(1);
    const captured = analyseGame(boardOf('...', 'O.O', 'X..'));
    const redWins = captured.after(captured.start, captured.movesAt(captured.start)[2]);
    expect(captured.rowsAt(redWins)).toEqual(['...', '..O', 'O..']);
    expect(captured.outcomeAt(redWins)).toEqual({ winner: 0, plies: 0, nimber: null });
    expect(captured.movesAt(redWins)).toEqual([]);
    expect(captured.bestMoveAt(redWins)).toBeNull();
  });

  it('the value of the start is the answer of the oracle', () => {
    fc.assert(
      fc.property(anyBoard(4, 4, 12), (board) => {
        const game = analyseGame(board);
        const { winner, plies } = game.outcomeAt(game.start);
        const expected = solveLiterally(board);
        expect([winner === null ? null : game.playerNames[winner], plies]).toEqual([
          expected.winner,
          expected.plies,
        ]);
      }),
      { numRuns: runs(15) },
    );
  });
});
