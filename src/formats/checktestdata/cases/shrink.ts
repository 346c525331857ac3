/**
 * Makes a case simpler, for a counterexample that people can read. A simpler case is drawn from the derivation of the case,
 * with a change, so that it obeys the grammar.
 */

import { Seed } from '../../../core/random.js';
import { type Change, changes } from '../../cases/changes.js';
import { MakeFailure } from '../../cases/chooser.js';
import type { Item } from '../../cases/derivation.js';
import { ReplayChooser } from '../../cases/replay.js';
import { normalize } from '../../language/exact.js';
import type { Regex } from '../language/regex.js';
import type { FloatCommand, IntCommand, LoopCommand, RegexCommand } from '../language/syntax.js';
import { RuntimeFailure } from '../language/values.js';
import {
  type GrammarCase,
  type GrammarFormat,
  GrammarParser,
  integersOf,
} from '../reading/grammar-format.js';
import { type FloatRange, StepLimitError } from '../reading/machine.js';
import type { CompiledDivision } from './cases.js';
import { DerivationReader, nameOf } from './derivation-reader.js';
import { isAccepted } from './draw.js';
import { drawFloat, drawMatch, isInRange, isWholeMatch } from './draw-number.js';
import { type Choices, continuingDecision, Drawer, DrawFailure } from './drawer.js';

/** Simpler cases than `value`, those with the largest steps first. All are valid with this head. */
export function* simplerCases(
  format: GrammarFormat,
  value: GrammarCase,
  head: Uint8Array | null,
): Generator<GrammarCase> {
  const replayer = new Replayer(format.division, head, value.bytes);
  const items = replayer.record();
  if (items === null) return;
  for (const change of changes(items)) {
    const simpler = replayer.replay(items, change);
    if (simpler !== null) yield simpler;
  }
}

/** Records the derivation of a case and draws the case again with changes. */
class Replayer {
  readonly #division: CompiledDivision;
  readonly #bytes: Uint8Array;
  readonly #parser: GrammarParser;
  readonly #reader: DerivationReader;

  constructor(division: CompiledDivision, head: Uint8Array | null, bytes: Uint8Array) {
    this.#division = division;
    this.#bytes = bytes;
    this.#parser = new GrammarParser(division);
    this.#parser.useHead(head);
    this.#reader = new DerivationReader(division);
  }

  /** Returns null if the case does not match the grammar. */
  record(): readonly Item[] | null {
    return this.#isAccepted(this.#bytes) ? this.#reader.items : null;
  }

  #isAccepted(bytes: Uint8Array): boolean {
    return isAccepted(this.#reader, this.#division.runBody, bytes, this.#parser.headVariables);
  }

  replay(items: readonly Item[], change: Change): GrammarCase | null {
    const { compiler, runBody, continues } = this.#division;
    const head = this.#parser.headVariables;
    const drawer = new Drawer(compiler.slotCount, new ReplayChoices(items, change));
    try {
      const bytes = drawer.draw(() => runBody(drawer), head);
      if (this.#division.ending === 'until-terminator' && !continues!(drawer)) return null;
      if (Buffer.compare(bytes, this.#bytes) === 0) return null;
      if (!this.#isAccepted(bytes)) return null;
      return { bytes, variables: integersOf(drawer.variables, compiler.names) };
    } catch (error) {
      if (FAILURES.some((failure) => error instanceof failure)) return null;
      throw error;
    }
  }
}

/** How a change can fail. */
const FAILURES = [DrawFailure, MakeFailure, RuntimeFailure, StepLimitError];

/** Chooses what a derivation says, with a change. Where the derivation does not fit any more, the smallest value. */
class ReplayChoices implements Choices {
  readonly isRandom = false;
  readonly depth = 0;
  readonly #replay: ReplayChooser;
  /** The loops that are running, the innermost one last. */
  readonly #loops: { readonly loop: LoopCommand; isInCondition: boolean }[] = [];

  constructor(items: readonly Item[], change: Change) {
    this.#replay = new ReplayChooser(items, change, true);
  }

  integer(min: number | bigint, max: number | bigint, command: IntCommand): number | bigint {
    const range = { low: min, high: max, kind: 'bigint', decimals: null } as const;
    return normalize(this.#replay.number(range, { name: nameOf(command) }) as bigint);
  }

  float(range: FloatRange, command: FloatCommand): string {
    const text = this.#replay.textOf(nameOf(command));
    if (text !== null && isInRange(text, range)) return text;
    const drawn = drawFloat(fixedRandom(), range, 0);
    if (drawn === null) throw new DrawFailure(command.at, 'bounds with a number between them');
    return drawn;
  }

  regex(regex: Regex, command: RegexCommand): string {
    const text = this.#replay.textOf(nameOf(command));
    if (text !== null && isWholeMatch(regex, text)) return text;
    const drawn = drawMatch(fixedRandom(), regex, (min) => min);
    if (drawn === null) throw new DrawFailure(command.at, 'a regular expression that matches a whole text');
    return drawn;
  }

  decide(kind: 'match' | 'is-eof'): boolean {
    const recorded = this.#replay.decision(kind);
    if (recorded !== null) return recorded;
    const current = this.#loops.at(-1);
    return current?.isInCondition === true && !continuingDecision(current.loop.condition);
  }

  enterLoop(loop: LoopCommand, count: number | null): void {
    this.#loops.push({ loop, isInCondition: false });
    this.#replay.enter('', count);
  }

  beforeCondition(iteration: number): void {
    this.#loops.at(-1)!.isInCondition = true;
    this.#replay.beforeCondition(iteration);
  }

  beforeIteration(iteration: number): void {
    this.#loops.at(-1)!.isInCondition = false;
    this.#replay.beforeElement(iteration);
  }

  leaveLoop(): void {
    this.#loops.pop();
    this.#replay.leave();
  }
}

function fixedRandom() {
  return new Seed('the smallest value').random(0);
}
