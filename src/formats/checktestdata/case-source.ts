/** Draws the cases of a random input. The same arguments give the same bytes on every machine. */
import { LF } from '../../core/bytes.js';
import { Seed } from '../../core/random.js';
import type { GrammarOptions } from './cases.js';
import { type DrawOptions, GrammarDrawer, type GrammarProfile } from './draw.js';
import { type GrammarCase, GrammarFormat, integersOf } from './grammar-format.js';
import type { Grammar } from './syntax.js';
import { Variables } from './variables.js';

export interface CaseSourceOptions {
  readonly seed: string;
  readonly profile: GrammarProfile;
  /** The number of cases of the input. */
  readonly cases: number;
  /** Largest number of iterations of loops whose count is drawn; null if only the grammar's bounds count. */
  readonly maxSize: number | null;
}

export class GrammarCaseSource {
  readonly #format: GrammarFormat;
  readonly #drawer: GrammarDrawer;
  readonly #seed: Seed;
  readonly #options: DrawOptions;
  readonly #cases: number;
  readonly #headVariables: Variables;
  /** Whether the last case is followed by a line end that the grammar has after its loop. */
  readonly #tailEndsLine: boolean;
  /** The tokens of the head, as `GrammarFormat.printHead` wants them; null if there is no head. */
  readonly head: Uint8Array | null;
  /** The numbers of cases that the grammar allows; null if it does not say. */
  readonly casesBounds: { readonly min: number; readonly max: number } | null;

  /** Throws a `GrammarError` if no head can be drawn. */
  constructor(grammar: Grammar, options: CaseSourceOptions, layout: GrammarOptions = {}) {
    this.#format = new GrammarFormat(grammar, layout);
    const { division } = this.#format;
    this.#drawer = new GrammarDrawer(division);
    this.#seed = new Seed(options.seed);
    this.#cases = options.cases;
    const { profile, maxSize, cases } = options;
    const { caseCount } = division;
    this.#options = {
      profile,
      maxSize,
      caseCount: caseCount === null ? null : { command: caseCount, value: cases },
    };
    const head = this.#drawer.drawHead(this.#seed.random(0), this.#options);
    this.#headVariables = head.variables;
    this.head = head.bytes.length === 0 ? null : trimEnd(head.bytes);
    this.casesBounds = head.caseBounds ?? this.#constantBounds();
    this.#tailEndsLine = this.#drawer.tailEndsLine(head.variables);
  }

  #constantBounds(): { min: number; max: number } | null {
    const { ending } = this.#format;
    if (ending === 'single') return { min: 1, max: 1 };
    if (ending !== 'counted') return null;
    const count = this.#drawer.countCases(this.#headVariables);
    return { min: count, max: count };
  }

  /** The case at an index below the number of cases. Throws a `GrammarError` if none can be drawn. */
  caseAt(index: number): GrammarCase {
    const { division } = this.#format;
    const start = new Variables(division.compiler.slotCount);
    start.restore(this.#headVariables);
    const indexName = division.loop?.index?.name;
    if (indexName !== undefined) start.scalars[division.compiler.slot(indexName)] = index;
    const drawn = this.#drawer.drawCase(this.#seed.random(index + 1), this.#options, start);
    return {
      bytes: withEnd(drawn.bytes, this.#endOf(index)),
      variables: integersOf(drawn.variables, division.compiler.names),
      isComplete: true,
    };
  }

  /** What stands between the case and what follows it. */
  #endOf(index: number): string {
    const { separator } = this.#format.division.loop ?? { separator: null };
    const isLast = index === this.#cases - 1 && this.#format.ending !== 'until-terminator';
    if (isLast) return this.#tailEndsLine ? '\n' : '';
    return separator === null ? '' : separator.kind === 'newline' ? '\n' : ' ';
  }
}

function withEnd(bytes: Uint8Array, end: string): Uint8Array {
  return end === '' ? bytes : new Uint8Array(Buffer.concat([bytes, Buffer.from(end)]));
}

function trimEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === LF || bytes[end - 1] === 0x20)) end--;
  return bytes.slice(0, end);
}
