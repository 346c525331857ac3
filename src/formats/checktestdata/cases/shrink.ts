/**
 * Makes a case of a grammar simpler, to get a counterexample that people can read. A simpler case is drawn again from the
 * derivation of the case, with a change, so that it obeys the grammar.
 */

import { Seed } from '../../../core/random.js';
import { type CaseChange, simplifyingChanges } from '../../cases/changes.js';
import { ChoiceFailure } from '../../cases/chooser.js';
import type { DerivationItem } from '../../cases/derivation.js';
import { ReplayChooser } from '../../cases/replay.js';
import { normalizeExactInteger } from '../../language/exact.js';
import type { Regex } from '../language/regex.js';
import type { FloatCommand, IntCommand, RegexCommand } from '../language/syntax.js';
import { RuntimeFailure } from '../language/values.js';
import {
  type CaseOfGrammar,
  GrammarCaseParser,
  type GrammarInputFormat,
  integersOf,
} from '../reading/grammar-format.js';
import { type FloatRange, StepLimitError } from '../reading/machine.js';
import type { CompiledGrammar } from './cases.js';
import { DerivationReader, nameOfValue } from './derivation-reader.js';
import { drawFloat, drawTextOfRegex, isInRange, isWholeMatch } from './draw-number.js';
import { ChosenValueWriter, continuingDecision, type GrammarChooser } from './drawer.js';
import { GrammarChoiceFailure } from './writing-machine.js';

/** Yields cases that are simpler than `value`, the largest steps first. All of them are valid with this head. */
export function* simplerGrammarCases(
  format: GrammarInputFormat,
  value: CaseOfGrammar,
  head: Uint8Array | null,
): Generator<CaseOfGrammar> {
  const replayer = new Replayer(format.division, head, value.bytes);
  const items = replayer.record();
  if (items === null) return;
  for (const change of simplifyingChanges(items)) {
    const simpler = replayer.replay(items, change);
    if (simpler !== null) yield simpler;
  }
}

/** Records the derivation of a case, and draws the case again with changes. */
class Replayer {
  readonly #division: CompiledGrammar;
  readonly #bytes: Uint8Array;
  readonly #parser: GrammarCaseParser;
  readonly #reader: DerivationReader;

  constructor(division: CompiledGrammar, head: Uint8Array | null, bytes: Uint8Array) {
    this.#division = division;
    this.#bytes = bytes;
    this.#parser = new GrammarCaseParser(division);
    this.#parser.useHead(head);
    this.#reader = new DerivationReader(division);
  }

  /** Records the derivation of the case. Returns null if the case does not match the grammar. */
  record(): readonly DerivationItem[] | null {
    return this.#isAccepted(this.#bytes) ? this.#reader.items : null;
  }

  #isAccepted(bytes: Uint8Array): boolean {
    return this.#reader.accepts(bytes, this.#parser.headVariables, this.#division.runBody);
  }

  replay(items: readonly DerivationItem[], change: CaseChange): CaseOfGrammar | null {
    const { compiler, runBody, continues } = this.#division;
    const head = this.#parser.headVariables;
    const drawer = new ChosenValueWriter(compiler.slotCount, new ReplayGrammarChooser(items, change));
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

/** What is thrown if no case can be made with a change. */
const FAILURES = [GrammarChoiceFailure, ChoiceFailure, RuntimeFailure, StepLimitError];

/** Chooses the values of a derivation, with a change. Where they do not fit any more, it chooses the smallest value. */
class ReplayGrammarChooser extends ReplayChooser implements GrammarChooser {
  readonly isRandom = false;

  constructor(items: readonly DerivationItem[], change: CaseChange) {
    super(items, change, true);
  }

  integer(min: number | bigint, max: number | bigint, command: IntCommand): number | bigint {
    const range = { low: min, high: max, kind: 'bigint', decimals: null } as const;
    return normalizeExactInteger(this.number(range, { name: nameOfValue(command) }) as bigint);
  }

  float(range: FloatRange, command: FloatCommand): string {
    const text = this.textOf(nameOfValue(command));
    if (text !== null && isInRange(text, range)) return text;
    const drawn = drawFloat(fixedRandom(), range, 0);
    if (drawn === null) throw new GrammarChoiceFailure(command.at, 'bounds with a number between them');
    return drawn;
  }

  regex(regex: Regex, command: RegexCommand): string {
    const text = this.textOf(nameOfValue(command));
    if (text !== null && isWholeMatch(regex, text)) return text;
    const drawn = drawTextOfRegex(fixedRandom(), regex, (min) => min);
    if (drawn === null)
      throw new GrammarChoiceFailure(command.at, 'a regular expression that matches a whole text');
    return drawn;
  }

  decide(kind: 'match' | 'is-eof', { loops }: ChosenValueWriter): boolean {
    const recorded = this.decision(kind);
    if (recorded !== null) return recorded;
    const current = loops.at(-1);
    return current?.isInCondition === true && !continuingDecision(current.loop.condition);
  }
}

function fixedRandom() {
  return new Seed('the smallest value').random(0);
}
