/** Draws the states that a power cut or SIGKILL may leave at each point of a recorded run. */
import { createHash } from 'node:crypto';
import type { Random } from '../support/random.js';
import { type Choice, Disk, type DiskState, REMAINS, type Remains } from './disk.js';
import type { FileOperation } from './record.js';

/** A state of the disk from which a run has to be continued. */
export interface CutState {
  readonly state: DiskState;
  /** `killed`: SIGKILL ended the process, and the disk has everything. `cut`: the power failed. */
  readonly cause: 'killed' | 'cut';
  /** Number of operations that had ended. */
  readonly operations: number;
}

/** At a point with more combinations than this, the combinations are drawn. */
const MAX_COMBINATIONS = 64;

/**
 * Returns all states that SIGKILL may leave, and those that a power cut may leave: at each point all combinations of what is
 * kept, or if there are more than 64, those in which one change differs from all others, and as many random ones. No state
 * comes twice.
 */
export function statesOf(
  before: DiskState,
  roots: readonly string[],
  operations: readonly FileOperation[],
  random: Random,
): CutState[] {
  const disk = new Disk(before, roots);
  const found = new Map<string, CutState>();
  const add = (state: DiskState, cause: CutState['cause'], at: number) => {
    const key = keyOf(state);
    if (!found.has(key)) found.set(key, { state, cause, operations: at });
  };
  for (let at = 0; at <= operations.length; at++) {
    add(disk.current, 'killed', at);
    for (const choice of choicesOf(disk, random)) add(disk.afterCut(choice), 'cut', at);
    if (at < operations.length) disk.apply(operations[at]);
  }
  return [...found.values()];
}

/** Returns the states that a power cut may leave after the end of a recorded run. */
export function statesAfter(
  before: DiskState,
  roots: readonly string[],
  operations: readonly FileOperation[],
  random: Random,
): DiskState[] {
  const disk = new Disk(before, roots);
  for (const operation of operations) disk.apply(operation);
  return [disk.current, ...choicesOf(disk, random).map((choice) => disk.afterCut(choice))];
}

function choicesOf({ uncertain: { changes, files } }: Disk, random: Random): Choice[] {
  const combinations = 2 ** changes * REMAINS.length ** files;
  if (combinations <= MAX_COMBINATIONS)
    return Array.from({ length: combinations }, (_, i) => combination(i, changes));
  return [
    ...oddOnesOut(changes, files),
    ...Array.from({ length: MAX_COMBINATIONS }, () => drawn(changes, files, random)),
  ];
}

/** The combination with this number: a bit for each change, then a base-4 digit for each file. */
function combination(number: number, changes: number): Choice {
  return {
    keeps: (change) => Math.floor(number / 2 ** change) % 2 === 1,
    remains: (file) => REMAINS[Math.floor(number / 2 ** changes / REMAINS.length ** file) % REMAINS.length],
  };
}

/** The combinations in which all changes and files are treated alike, but for one. */
function oddOnesOut(changes: number, files: number): Choice[] {
  const choices: Choice[] = [];
  for (const isKept of [true, false]) {
    for (let odd = -1; odd < changes; odd++) {
      for (const remains of REMAINS) {
        for (let oddFile = -1; oddFile < files; oddFile++) {
          choices.push({
            keeps: (change) => isKept !== (change === odd),
            remains: (file) => (file === oddFile ? remains : isKept ? 'all' : 'none'),
          });
        }
      }
    }
  }
  return choices;
}

function drawn(changes: number, files: number, random: Random): Choice {
  const kept = Array.from({ length: changes }, () => random.below(2) === 1);
  const remains = Array.from({ length: files }, (): Remains => REMAINS[random.below(REMAINS.length)]);
  return { keeps: (change) => kept[change], remains: (file) => remains[file] };
}

function keyOf(state: DiskState): string {
  const hash = createHash('sha256');
  for (const [path, bytes] of state) hash.update(JSON.stringify([path, bytes?.toString('base64') ?? null]));
  return hash.digest('hex');
}
