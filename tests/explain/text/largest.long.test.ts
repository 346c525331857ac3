/** Explanations of the largest boards that boardmill explains. */
import { expect, test } from 'vitest';
import { explainer as bacterialTactics } from '../../../src/games/bacterial-tactics/explain.js';
import { explainer as darkraft } from '../../../src/games/darkraft/explain.js';
import { ProofTooLarge } from '../../../src/problems/explanation.js';
import { Random } from '../../support/random.js';

const NO_BOUND = Number.POSITIVE_INFINITY;

test('on the largest empty board of bacterial-tactics, play can leave every rectangle', () => {
  const board = { rows: 50, cols: 50, cells: new Uint8Array(50 * 50) };
  expect(bacterialTactics.explain(board, false, NO_BOUND)).toMatchObject({ answer: 0, nimber: 0 });
  const ranges = (50 * 51) / 2;
  expect(() => bacterialTactics.explain(board, true, 1_000_000)).toThrow(
    new ProofTooLarge(ranges ** 2, 'rectangles'),
  );
});

test('on the largest board of darkraft with L only, play can leave every range of sums', () => {
  const board = { rows: 40, cols: 40, cells: new Uint8Array(40 * 40) };
  const sums = { even: 40, odd: 39 };
  const ranges = (sums.even * (sums.even + 1)) / 2 + (sums.odd * (sums.odd + 1)) / 2;
  expect(() => darkraft.explain(board, true, 0)).toThrow(new ProofTooLarge(ranges, 'rectangles'));
});

test('an explanation of the largest board of darkraft names its winning moves and ends with a move of the winner', () => {
  const random = new Random(4);
  const cells = Uint8Array.from({ length: 40 * 40 }, () => random.below(3));
  const { answer, moves, play } = darkraft.explain(
    { rows: 40, cols: 40, cells },
    false,
    NO_BOUND,
  ) as unknown as {
    answer: string;
    moves: { wins: boolean }[];
    play: unknown[];
  };
  expect(moves).toHaveLength(1600);
  expect(moves.some(({ wins }) => wins)).toBe(answer === 'WIN');
  expect(play.length % 2 === 1).toBe(answer === 'WIN');
});
