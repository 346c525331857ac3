/** Says in sentences why a position has its value. */

import { pluralize } from '../../../core/errors.js';
import { cellsOfBoardRow } from '../boards/board-text.js';
import type { PositionView, ReasonRectangle, ValueReason } from '../engine/messages.js';
import { type GameSession, shownNode } from './game-tree.js';
import type { PageState } from './state.js';
import { nameOfMove, nameOfPlace, pluralizePlies } from './words.js';

/** An explanation: a list of facts, and what follows from them. */
export interface Reasoning {
  readonly facts: readonly string[];
  readonly conclusion: string;
}

/** Explains the value of the position on show, or why this pair pops; null if there is nothing to explain. */
export function explainShownBoard({ session, problem }: PageState): Reasoning | null {
  if (session === null) return null;
  if (session.kind === 'game') return whyOfPosition(session);
  const { kind, popped, line, rows } = session.frame;
  if (kind !== 'pop') return null;
  const [first, second] = popped.map(nameOfPlace);
  const [row, column] = popped[0];
  const symbol = cellsOfBoardRow(problem.style, rows[row - 1])[column - 1][0];
  const segments = pluralize(line.length - 1, 'segment');
  return {
    facts: [
      `Fewest segments: this link has ${segments}, and no two blocks can be linked by fewer.`,
      `First block: of all blocks with such a link, ${symbol} at ${first} is the topmost, then the leftmost.`,
      `Second block: of its partners, ${symbol} at ${second} is the topmost, then the leftmost.`,
    ],
    conclusion: 'So this pair pops first.',
  };
}

function whyOfPosition(session: GameSession): Reasoning {
  const { view } = shownNode(session);
  const { reason } = view;
  switch (reason.kind) {
    case 'rectangles':
      return {
        facts: reason.rectangles.map(
          (rectangle) => `${nameOfRectangle(rectangle)}: nimber ${rectangle.nimber}`,
        ),
        conclusion: sumUp(
          session,
          reason.rectangles.map(({ nimber }) => nimber),
        ),
      };
    case 'classes':
      return {
        facts: [
          `Cells whose row + column is even (light): nimber ${reason.nimbers[0]}`,
          `Cells whose row + column is odd (dark): nimber ${reason.nimbers[1]}`,
        ],
        conclusion: `No ray goes from one kind of cell to the other, so these are two games. ${sumUp(session, reason.nimbers)}`,
      };
    case 'race':
      return whyOfRace(session, view, reason);
  }
}

function nameOfRectangle({ top, bottom, left, right }: ReasonRectangle): string {
  const part = (noun: string, from: number, to: number) =>
    from === to ? `${noun} ${from}` : `${noun}s ${from} to ${to}`;
  return `${part('Row', top, bottom)}, ${part('column', left, right)}`;
}

/** Adds nimbers by XOR: "3 XOR 2 = 1: Becca, who is to move, wins, because this is not 0." */
function sumUp({ playerNames, nodes, shown }: GameSession, nimbers: readonly number[]): string {
  const sum = nimbers.reduce((total, nimber) => total ^ nimber, 0);
  const mover = playerNames[nodes[shown].view.turn];
  const end = sum === 0 ? 'loses, because this is 0' : 'wins, because this is not 0';
  const total =
    nimbers.length < 2 ? `The nimber of the board is ${sum}` : `${nimbers.join(' XOR ')} = ${sum}`;
  return `${total}: ${mover}, who is to move, ${end}. ${sentenceOnMex(sum)}`;
}

/** Says what makes a number the nimber of a position. */
function sentenceOnMex(nimber: number): string {
  const below = ['', 'a move leaves 0', 'moves leave 0 and 1'][nimber] ?? `moves leave 0 to ${nimber - 1}`;
  const here = nimber === 0 ? 'no move leaves 0' : `${below}, and none leaves ${nimber}`;
  return `A nimber is the smallest number that no move leaves: here ${here}.`;
}

function whyOfRace(
  { playerNames }: GameSession,
  { rows, outcome }: PositionView,
  { line }: Extract<ValueReason, { kind: 'race' }>,
): Reasoning {
  const steps = stepsToRow1(rows);
  const race =
    steps === null
      ? 'Obstacles cut Black off from row 1.'
      : `Without red pieces, Black would be in row 1 after ${pluralize(steps, 'move')} of his own.`;
  if (outcome.winner === null) {
    const conclusion = 'Each player has a move after which the other one cannot win, so nobody wins.';
    return { facts: [race], conclusion };
  }
  const facts = line.map((move, i) => {
    const left = outcome.plies! - i - 1;
    const player = 'player' in move ? move.player : '';
    return `${player}: ${nameOfMove(move)} (${left === 0 ? 'the end' : `${pluralizePlies(left)} left`})`;
  });
  const rest = outcome.plies! > line.length ? ` The first ${line.length} are listed.` : '';
  return {
    facts: [race, ...facts],
    conclusion: `${playerNames[outcome.winner]} wins in ${pluralizePlies(outcome.plies!)} with best play.${rest}`,
  };
}

/** Returns the number of moves that Black needs to row 1 if nobody is in his way; null if obstacles bar the way. */
function stepsToRow1(rows: readonly string[]): number | null {
  const start = rows.findIndex((row) => row.includes('X'));
  if (start === -1) return null;
  const seen = new Set<string>();
  let places: (readonly [row: number, column: number])[] = [[start, rows[start].indexOf('X')]];
  for (let steps = 0; places.length > 0; steps++) {
    if (places.some(([row]) => row === 0)) return steps;
    const next = places.flatMap(([row, column]) => [
      [row - 1, column] as const,
      [row, column - 1] as const,
      [row, column + 1] as const,
    ]);
    places = next.filter(([row, column]) => {
      const isNew = ![undefined, '#'].includes(rows[row]?.[column]) && !seen.has(`${row} ${column}`);
      seen.add(`${row} ${column}`);
      return isNew;
    });
  }
  return null;
}
