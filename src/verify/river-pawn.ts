/**
 * Checks explanations of river-pawn. The proof lists every position that play can reach. If the game is over exactly where a
 * position has 0 plies, if a won position has a move to one that is lost one ply nearer to the end and none nearer, and if a
 * lost one has only moves to won ones, the longest one ply nearer, then all outcomes and plies are right, by induction on the
 * plies. In a tie, the player to move has a move to a tie and none that wins, so both players can keep the tie for ever.
 */
import {
  assertEqual,
  type Cell,
  type ExplanationFields,
  failCheck,
  readCell,
  readExplanationFields,
  readInteger,
  readList,
  showCell,
  showExplanationValue,
} from './facts.js';
import {
  BLACK_TO_MOVE,
  ListedPositions,
  MAX_MOVES_PER_POSITION,
  PawnBoard,
  RED_TO_MOVE,
} from './river-pawn-positions.js';
import { hasShorterTieLine } from './tie-line.js';

const PLAYERS = ['Red', 'Black'] as const;
/** The number of the position at the start, which the proof lists first. */
const START = 0;

export function checkRiverPawn(board: readonly string[], fields: ExplanationFields): void {
  const positions = new ListedPositions(new PawnBoard(board), fields.proof);
  checkPositions(positions);
  checkAnswer(positions, fields.answer);
  checkFirstMoves(positions, fields.moves);
  checkPlay(positions, fields);
}

function checkPositions(positions: ListedPositions): void {
  const { start } = positions.board;
  if (positions.find(start.turn, start.black, start.red1, start.red2) !== START) {
    failCheck('proof.positions[0] is not the start of the game');
  }
  const reached = new Uint8Array(positions.count);
  const queue = new Int32Array(positions.count);
  const targets = new Int32Array(MAX_MOVES_PER_POSITION);
  let reachedCount = 1;
  reached[START] = 1;
  for (let i = 0; i < reachedCount; i++) {
    const moves = positions.writeMoves(queue[i], targets);
    checkValue(positions, queue[i], targets, moves);
    for (let m = 0; m < moves; m++) {
      if (reached[targets[m]] === 1) continue;
      reached[targets[m]] = 1;
      queue[reachedCount++] = targets[m];
    }
  }
  const idle = reached.indexOf(0);
  if (idle !== -1) failCheck(`${positions.describe(idle)} is listed, but play cannot reach it`);
}

/** Checks the outcome and the plies of a position against those of the positions that its moves lead to. */
function checkValue(positions: ListedPositions, number: number, targets: Int32Array, moves: number): void {
  const { outcomes } = positions;
  let nearestLoss = Number.POSITIVE_INFINITY;
  let farthestWin = -1;
  let hasTie = false;
  for (let m = 0; m < moves; m++) {
    const plies = positions.pliesOf(targets[m]);
    if (plies === null) hasTie = true;
    else if (outcomes[targets[m]] === 1) farthestWin = Math.max(farthestWin, plies);
    else nearestLoss = Math.min(nearestLoss, plies);
  }
  if (nearestLoss < Number.POSITIVE_INFINITY) expectPosition(positions, number, 1, nearestLoss + 1);
  else if (hasTie) expectPosition(positions, number, 0, null);
  else expectPosition(positions, number, -1, farthestWin + 1);
}

function expectPosition(
  positions: ListedPositions,
  number: number,
  outcome: number,
  plies: number | null,
): void {
  const listedOutcome = positions.outcomes[number];
  const listedPlies = positions.pliesOf(number);
  if (listedOutcome === outcome && listedPlies === plies) return;
  const listed = `outcome ${listedOutcome}, plies ${listedPlies}`;
  const reason = plies === 0 ? 'the game is over here' : 'its moves lead to positions';
  const right = plies === 0 ? 'so they are -1 and 0' : `from which they are ${outcome} and ${plies}`;
  failCheck(`${positions.describe(number)}: ${listed}, but ${reason}, ${right}`);
}

/** Returns how the game ends from a position: who wins, and in how many plies. */
function endOf(positions: ListedPositions, number: number): { winner: string | null; plies: number | null } {
  const outcome = positions.outcomes[number];
  if (outcome === 0) return { winner: null, plies: null };
  const turn = positions.turnOf(number);
  return { winner: PLAYERS[outcome === 1 ? turn : 1 - turn], plies: positions.pliesOf(number) };
}

function checkAnswer(positions: ListedPositions, answer: unknown): void {
  const { winner, plies } = readExplanationFields(answer, 'answer', ['winner', 'plies']);
  const right = endOf(positions, START);
  assertEqual(winner, 'answer.winner', right.winner, 'the proof says so of the first position');
  assertEqual(plies, 'answer.plies', right.plies, 'the proof says so of the first position');
}

/** Returns the number of the position after the move. Fails if the move is not legal. */
function positionAfter(
  positions: ListedPositions,
  number: number,
  from: Cell,
  to: Cell,
  what: string,
): number {
  const { board } = positions;
  const { turn, black, red1, red2 } = positions.positionOf(number);
  const [start, end] = [board.cellAt(from.row, from.col), board.cellAt(to.row, to.col)];
  const targets = turn === RED_TO_MOVE ? board.redTargets[start] : board.blackTargets[start];
  const piece = turn === RED_TO_MOVE ? [red1, red2] : [black];
  const isLegal = !positions.isOver(number) && piece.includes(start) && targets.includes(end);
  if (!isLegal || (turn === RED_TO_MOVE && piece.includes(end)))
    failCheck(`${what}: ${showCell(from)} to ${showCell(to)} is not a legal move`);
  if (turn !== RED_TO_MOVE) return positions.find(RED_TO_MOVE, end, red1, red2);
  return positions.find(BLACK_TO_MOVE, black, end, start === red1 ? red2 : red1);
}

/** Checks that `moves` are the legal first moves of Red, each once, with the winner and the plies of the whole game. */
function checkFirstMoves(positions: ListedPositions, value: unknown): void {
  const { rows, cols } = positions.board;
  const seen = new Set<number>();
  readList(value, 'moves').forEach((entry, i) => {
    const what = `moves[${i}]`;
    const fields = readExplanationFields(entry, what, ['from', 'to', 'winner', 'plies']);
    const from = readCell(fields.from, `${what}.from`, rows, cols);
    const to = readCell(fields.to, `${what}.to`, rows, cols);
    const after = positionAfter(positions, START, from, to, what);
    // Different first moves lead to different positions, so a repeated position is a repeated move.
    if (seen.size === seen.add(after).size)
      failCheck(`${what}: ${showCell(from)} to ${showCell(to)} is listed twice`);
    const { winner, plies } = endOf(positions, after);
    assertEqual(fields.winner, `${what}.winner`, winner, 'the proof says so');
    assertEqual(fields.plies, `${what}.plies`, plies === null ? null : plies + 1, 'the proof says so');
  });
  const targets = new Int32Array(MAX_MOVES_PER_POSITION);
  const legal = targets.subarray(0, positions.writeMoves(START, targets));
  const missing = legal.find((target) => !seen.has(target));
  if (missing !== undefined) failCheck(`moves lacks the move that leads to ${positions.describe(missing)}`);
}

/** Checks that `play` is best play: to the end of the game, or in a tie until a position comes back. */
function checkPlay(positions: ListedPositions, { play, repeats }: ExplanationFields): void {
  const line = [START];
  readList(play, 'play').forEach((entry, i) => {
    line.push(playedPosition(positions, line[i], entry, `play[${i}]`));
  });
  if (positions.outcomes[START] === 0) checkTieLine(positions, line, repeats);
  else if (repeats !== undefined)
    failCheck(`repeats is ${showExplanationValue(repeats)}, but the game is not a tie`);
  else if (positions.pliesOf(line.at(-1) as number) !== 0) failCheck('play ends before the game is over');
}

function playedPosition(positions: ListedPositions, number: number, entry: unknown, what: string): number {
  const { rows, cols } = positions.board;
  const fields = readExplanationFields(entry, what, ['player', 'from', 'to', 'left']);
  const player = PLAYERS[positions.turnOf(number)];
  assertEqual(fields.player, `${what}.player`, player, `it is ${player}'s turn`);
  const from = readCell(fields.from, `${what}.from`, rows, cols);
  const to = readCell(fields.to, `${what}.to`, rows, cols);
  const after = positionAfter(positions, number, from, to, what);
  const plies = positions.pliesOf(number);
  const best = plies === null ? null : plies - 1;
  if (positions.outcomes[after] + positions.outcomes[number] !== 0 || positions.pliesOf(after) !== best) {
    const { winner, plies: left } = endOf(positions, after);
    failCheck(
      `${what} is not best: after it, ${winner === null ? 'the game is a tie' : `${winner} wins in ${left} plies`}`,
    );
  }
  assertEqual(fields.left, `${what}.left`, best, 'this is the number of plies left after the move');
  return after;
}

/** Checks the best play of a tie. `line` has the numbers of its positions from the start on. */
function checkTieLine(positions: ListedPositions, line: readonly number[], repeats: unknown): void {
  const moves = line.length - 1;
  if (moves === 0) failCheck('play has no move, but in a tie it returns to an earlier position');
  const last = line[moves];
  const first = readInteger(repeats, 'repeats', 0, moves - 1);
  if (line[first] !== last) {
    const back = line.indexOf(last);
    const truth =
      back === moves ? 'this position was not there before' : `it is the position after ${back} moves`;
    failCheck(
      `repeats is ${first}, but the position after play is not the one after ${first} moves: ${truth}`,
    );
  }
  const returnsBefore = new Set(line).size < moves;
  if (returnsBefore || hasShorterTieLine(positions, moves))
    failCheck(`play returns to an earlier position after ${moves} moves, but a shorter line does so too`);
}
