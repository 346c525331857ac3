/**
 * Draws from small random grammars with ASSERTs. What is drawn must be what a search through all texts finds: nothing that the
 * grammar refuses, and every input that it accepts.
 */
import { expect, test } from 'vitest';
import { type Random, Seed } from '../../../src/core/random.js';
import { compileGrammar, divideGrammar } from '../../../src/formats/checktestdata/cases/cases.js';
import { GrammarInputGenerator } from '../../../src/formats/checktestdata/cases/draw.js';
import { GrammarChoiceFailure } from '../../../src/formats/checktestdata/cases/writing-machine.js';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';
import { GrammarVariables } from '../../../src/formats/checktestdata/language/variables.js';
import { WholeFileChecker } from '../../../src/formats/checktestdata/reading/check-whole.js';

const FIRST_SEED = 0;
const GRAMMARS = 200;
const MAX_INPUTS = 60;
const MAX_DRAWS = 40_000;
const INTEGERS = Array.from({ length: 10 }, (_, i) => `${i - 3}`);
const WORDS = ['', 'x', 'xx', 'xxx'];
const ELEMENTS = ['0', '1', '2'];
const COMPARISONS = ['==', '==', '==', '!=', '<', '<=', '>', '>='];

/** A grammar, and texts among which each line of its inputs is. */
interface RandomGrammar {
  readonly text: string;
  readonly lines: readonly (readonly string[])[];
}

class GrammarMaker {
  readonly #random: Random;
  readonly #commands: string[] = [];
  readonly #lines: (readonly string[])[] = [];
  readonly #integers: string[] = [];
  readonly #terms: string[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  make(): RandomGrammar {
    for (const name of ['a', 'b', 'c']) {
      this.#read(name);
      if (this.#random.chance(0.3)) this.#set(`d${name}`);
      if (this.#random.chance(0.4)) this.#assert();
    }
    this.#assert();
    return { text: this.#commands.join(' '), lines: this.#lines };
  }

  #read(name: string): void {
    const kind = this.#random.below(8);
    if (kind === 0) {
      this.#readElements(name);
      return;
    }
    if (kind === 1) {
      this.#commands.push(`REGEX("x{0,3}",${name}) NEWLINE`);
      this.#lines.push(WORDS);
      this.#terms.push(`STRLEN(${name})`);
      return;
    }
    if (kind === 2)
      this.#commands.push(`IF(${this.#test(1)}) ${this.#int(name)} ELSE ${this.#int(name)} END`);
    else this.#commands.push(this.#int(name));
    this.#lines.push(INTEGERS);
    this.#integers.push(name);
    this.#terms.push(name);
  }

  #int(name: string): string {
    const low = this.#random.between(-3, 2);
    const isRelative = this.#integers.length > 0 && this.#random.chance(0.3);
    const other = isRelative ? this.#random.pick(this.#integers) : null;
    const bounds = this.#random.chance(0.5)
      ? [low, other ?? low + this.#random.below(5)]
      : [other ?? low, low + this.#random.below(5)];
    return `INT(${bounds},${name}) NEWLINE`;
  }

  #readElements(name: string): void {
    const own = `${name}[i]`;
    const other = this.#random.pick([`${name}[i-1]`, this.#term()]);
    const compare = `${own} ${this.#random.pick(COMPARISONS)} ${other} + ${this.#random.between(-1, 1)}`;
    const claim = this.#random.pick([`ASSERT(i==0 || ${compare})`, `IF(i>0) ASSERT(${compare}) END`]);
    this.#commands.push(`REPI(i,2) INT(0,2,${own}) NEWLINE ${claim} END`);
    this.#lines.push(ELEMENTS, ELEMENTS);
    this.#terms.push(`${name}[1]`);
  }

  #set(name: string): void {
    this.#commands.push(`SET(${name}=${this.#sum(1)})`);
    this.#terms.push(name);
  }

  #assert(): void {
    const isConditional = this.#random.chance(0.2);
    const claim = `ASSERT(${this.#test(2)})`;
    this.#commands.push(
      isConditional ? `IF(${this.#test(1)}) ${claim} ELSE ASSERT(${this.#test(1)}) END` : claim,
    );
  }

  #test(depth: number): string {
    const kind = depth === 0 ? 0 : this.#random.below(8);
    if (kind === 5) return `(${this.#test(depth - 1)} && ${this.#test(depth - 1)})`;
    if (kind === 6) return `(${this.#test(depth - 1)} || ${this.#test(depth - 1)})`;
    if (kind === 7) return `!(${this.#test(depth - 1)})`;
    return `${this.#sum(2)} ${this.#random.pick(COMPARISONS)} ${this.#sum(1)}`;
  }

  #sum(depth: number): string {
    if (depth === 0 || this.#random.chance(0.3)) return this.#term();
    const operator = this.#random.pick(['+', '-', '*', '*', '%', '/']);
    if (operator === '%' || operator === '/')
      return `(${this.#sum(depth - 1)})${operator}${this.#random.pick([2, 3, -3])}`;
    return `(${this.#sum(depth - 1)}${operator}${this.#sum(depth - 1)})`;
  }

  #term(): string {
    if (this.#terms.length === 0 || this.#random.chance(0.3)) return `${this.#random.between(0, 6)}`;
    return this.#random.chance(0.1) ? `(-${this.#random.pick(this.#terms)})` : this.#random.pick(this.#terms);
  }
}

function validInputs({ text, lines }: RandomGrammar): Set<string> {
  const check = new WholeFileChecker(parseGrammar(text, 'test.ctd'));
  const inputs = lines.reduce(
    (starts: string[], line) => starts.flatMap((start) => line.map((end) => `${start}${end}\n`)),
    [''],
  );
  return new Set(inputs.filter((input) => check.findFault(Buffer.from(input, 'latin1')) === null));
}

/** Draws until all wanted inputs were drawn, or often enough. */
function drawnInputs(text: string, wanted: ReadonlySet<string>, seed: string): Set<string> {
  const division = compileGrammar(divideGrammar(parseGrammar(text, 'test.ctd')));
  const drawer = new GrammarInputGenerator(division);
  const options = { profile: 'random', maxSize: null, caseCount: null } as const;
  const random = new Seed(seed).random(0);
  const drawn = new Set<string>();
  for (let draws = 0; draws < MAX_DRAWS && wanted.size > drawn.size; draws++) {
    const input = drawer.tryDrawCase(
      random,
      options,
      new GrammarVariables(division.compiler.slotCount),
      1000,
    );
    if (!(input instanceof GrammarChoiceFailure)) drawn.add(Buffer.from(input.bytes).toString('latin1'));
  }
  return drawn;
}

test(`${GRAMMARS} random grammars, from seed ${FIRST_SEED}`, () => {
  for (let seed = FIRST_SEED, compared = 0; compared < GRAMMARS; seed++) {
    const grammar = new GrammarMaker(new Seed(`grammar ${seed}`).random(0)).make();
    const valid = validInputs(grammar);
    if (valid.size === 0 || valid.size > MAX_INPUTS) continue;
    compared++;
    const drawn = drawnInputs(grammar.text, valid, `draw ${seed}`);
    expect([...drawn].sort(), `seed ${seed}: ${grammar.text}`).toEqual([...valid].sort());
  }
}, 600_000);
