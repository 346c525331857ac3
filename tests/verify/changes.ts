/** Changes single facts of explanations, and decides which changes leave an explanation true. */
import type { Board } from '../../src/formats/boards/board.js';
import type { Game, GameMove } from '../../src/problems/game.js';
import type { Random } from '../support/random.js';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Explanation = { [name: string]: Json };

/** Values that replace others. */
const OTHER_VALUES: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  2,
  1.5,
  1e300,
  '',
  'Red',
  'row',
  'turns',
  [],
  {},
  [1, 1],
  [[1, 1]],
];

/** Returns a copy of the explanation with one change in one of the fields, and the field in which the change is. */
export function changeOnce(
  explanation: Explanation,
  random: Random,
  fields: readonly string[] = Object.keys(explanation),
): { changed: Explanation; field: string } {
  const changed = structuredClone(explanation);
  const field = random.pick(fields);
  if (random.below(20) === 0) delete changed[field];
  else changed[field] = changeWithin(changed[field], random);
  return { changed, field };
}

/** Changes the value, or a value inside. */
function changeWithin(value: Json, random: Random): Json {
  if (random.below(40) === 0) return structuredClone(random.pick(OTHER_VALUES)) as Json;
  if (Array.isArray(value))
    return value.length === 0 || random.below(3) === 0
      ? changeList(value, random)
      : changeEntry(value, random);
  if (typeof value === 'object' && value !== null) return changeField(value, random);
  if (typeof value === 'number') return value + random.pick([-2, -1, 1, 1, 2, 100]);
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' ? changeText(value, random) : random.below(9);
}

function changeEntry(list: Json[], random: Random): Json[] {
  const at = random.below(list.length);
  return list.map((entry, i) => (i === at ? changeWithin(entry, random) : entry));
}

/** Removes, repeats, moves or adds an entry, or adds one that differs a little from another one. */
function changeList(list: Json[], random: Random): Json[] {
  const at = random.below(list.length);
  const other = random.below(list.length);
  const copy = [...list];
  const changes = [
    () => copy.splice(at, 1),
    () => copy.splice(at, 0, changeWithin(structuredClone(copy[other]), random)),
    () => copy.push(changeWithin(structuredClone(copy[other]), random)),
    () => copy.splice(at, 0, ...list.slice(other, other + 1)),
    () => copy.splice(at, 1, ...list.slice(other, other + 1)),
    () => ([copy[at], copy[other]] = [copy[other], copy[at]]),
    () => copy.push(structuredClone(random.pick(OTHER_VALUES)) as Json),
  ];
  if (list.length === 0) copy.push(structuredClone(random.pick(OTHER_VALUES)) as Json);
  else random.pick(changes)();
  return copy;
}

function changeField(object: { [name: string]: Json }, random: Random): Json {
  const name = random.pick(Object.keys(object));
  const { [name]: value, ...others } = object;
  if (random.below(12) === 0) return others;
  if (random.below(12) === 0) return { ...object, extra: 1 };
  return { ...object, [name]: changeWithin(value, random) };
}

function changeText(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.pick('LRX.#XOABUS ') + text.slice(at + random.below(2));
}

/** The fields whose entries may be in any order. */
const SETS: Readonly<Record<string, readonly string[]>> = {
  'bacterial-tactics': ['moves'],
  darkraft: ['moves'],
  'river-pawn': ['moves'],
  'link-and-pop': [],
};

/** Whether the changed explanation says the same as the original one, perhaps in another order. `game` judges best play. */
export function saysTheSame(
  problem: string,
  original: Explanation,
  changed: Explanation,
  board: Board,
  start: StartAnyGame | null,
): boolean {
  const normal = (explanation: Explanation) => normalise(problem, explanation);
  if (normal(original) === normal(changed)) return true;
  if (start === null || !Array.isArray(changed.play) || !Array.isArray(original.play)) return false;
  const { repeats } = changed;
  const rest = {
    ...changed,
    play: original.play,
    ...(original.repeats !== undefined && { repeats: original.repeats }),
  };
  if (normal(original) !== normal(rest)) return false;
  const names = namesOf(original.play[0]);
  if (changed.play.some((move) => namesOf(move) !== names)) return false;
  if (original.repeats === undefined) return repeats === undefined && isBestPlay(start(board), changed.play);
  return changed.play.length === original.play.length && isTieLine(start(board), changed.play, repeats);
}

function namesOf(move: Json): string {
  return Object.keys(move ?? {})
    .sort()
    .join();
}

export type StartAnyGame = (board: Board) => Game<unknown, GameMove>;

function normalise(problem: string, explanation: Explanation): string {
  const sorted = { ...explanation };
  for (const field of SETS[problem]) sorted[field] = sortList(sorted[field]);
  sorted.proof = sortProof(problem, sorted.proof);
  return JSON.stringify(Object.entries(sorted).sort());
}

function sortProof(problem: string, proof: Json): Json {
  if (typeof proof !== 'object' || proof === null || Array.isArray(proof)) return proof;
  // Each of the two classes of darkraft begins with all its cells.
  const classOf = (entry: Json) => (problem === 'darkraft' ? (entry as Json[])?.[0] : 0);
  return Object.fromEntries(
    Object.entries(proof).map(([name, list]) => {
      if (!Array.isArray(list)) return [name, list];
      const isFirst = (entry: Json, i: number) =>
        list.findIndex((other) => classOf(other) === classOf(entry)) === i;
      return [name, [sortList(list.filter(isFirst)), sortList(list)]];
    }),
  );
}

function sortList(value: Json): Json {
  return Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)).sort() : (value ?? null);
}

/** Whether the moves are legal, lead to the end of the game, and lose nothing. */
function isBestPlay(game: Game<unknown, GameMove>, play: readonly Json[]): boolean {
  const positions = follow(game, play);
  return positions !== null && game.movesAt(positions.at(-1)).length === 0;
}

/** Whether the moves are legal, keep the tie, and lead back to the position after the first `repeats` moves. */
function isTieLine(game: Game<unknown, GameMove>, play: readonly Json[], repeats: Json | undefined): boolean {
  const positions = follow(game, play);
  if (positions === null || typeof repeats !== 'number' || !(repeats in positions) || repeats === play.length)
    return false;
  const show = (position: unknown) => JSON.stringify([game.turnAt(position), game.rowsAt(position)]);
  return show(positions[repeats]) === show(positions.at(-1));
}

/** Returns the positions from the start on. Null if a move is not legal or loses something. */
function follow(game: Game<unknown, GameMove>, play: readonly Json[]): unknown[] | null {
  const positions = [game.start];
  for (const entry of play) {
    const position = positions.at(-1);
    const move = game.movesAt(position).find((candidate) => isMove(candidate, entry));
    if (move === undefined || !keepsValue(game.outcomeAt(position), move.outcome)) return null;
    positions.push(game.after(position, move));
  }
  return positions;
}

function isMove(move: GameMove, entry: Json): boolean {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false;
  const { outcome, ...fields } = move;
  const { left, ...others } = entry;
  if (left !== undefined && left !== outcome.plies) return false;
  const named = Object.entries(others);
  const all = fields as unknown as Record<string, unknown>;
  return (
    named.length > 0 && named.every(([name, value]) => JSON.stringify(all[name]) === JSON.stringify(value))
  );
}

function keepsValue(before: GameMove['outcome'], after: GameMove['outcome']): boolean {
  return before.winner === after.winner && (before.plies === null || after.plies === before.plies - 1);
}
