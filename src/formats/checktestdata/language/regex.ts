/**
 * Regular expressions of checktestdata (doc/regex-spec.md there): literals, `.` (any byte), sets, repetitions, `|` and groups.
 * Of several alternatives, the first one that matches is taken; repetitions match as much text as they can. `^` and `$` are
 * literals. POSIX classes such as [[:digit:]] and sets that begin with `]` work as well, because older grammars have them.
 * There are no back references and no assertions.
 *
 * A `Regex` is matched in time linear in the text: it simulates all paths at once (K. Thompson, 1968), keeps them ordered by
 * preference (R. Pike), and caches the sets of paths as the states of an automaton that it builds while it reads (R. Cox,
 * "Regular Expression Matching in the Wild", 2010). Backtracking would take exponential time on some patterns.
 */
import { LF, quoteLatin1 } from '../../../core/bytes.js';

/** A mistake in a regular expression. */
export class RegexError extends Error {}

export type RegexNode =
  /** A set from which the text has one byte; `set[byte]` is 1 for the bytes of the set. */
  | { readonly kind: 'set'; readonly set: Uint8Array }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly part: RegexNode; readonly min: number; readonly max: number };

const SPECIAL = '(){}[]*+?|\\^.-';
const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  xdigit: '0-9A-Fa-f',
  blank: ' - \t-\t',
  space: '\t-\r - ',
  punct: '!-/:-@[-`{-~',
  print: ' -~',
  graph: '!-~',
  cntrl: '\x00-\x1f\x7f-\x7f',
};
const MAX_DEPTH = 100;
/** The largest number of instructions of a compiled expression. It limits `{m,n}` and nested repetitions. */
const MAX_INSTRUCTIONS = 20_000;

export function parseRegex(text: string): RegexNode {
  return new RegexParser(text).parse();
}

class RegexParser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): RegexNode {
    const node = this.#choice();
    if (this.#at < this.#text.length) throw this.#error('a ( before )');
    if (countInstructions(node) > MAX_INSTRUCTIONS)
      throw new RegexError(
        `expected a regular expression of at most ${MAX_INSTRUCTIONS} instructions, got larger repetitions`,
      );
    return node;
  }

  #choice(): RegexNode {
    if (++this.#depth > MAX_DEPTH) throw this.#error(`at most ${MAX_DEPTH} nested groups`);
    const parts = [this.#sequence()];
    while (this.#accept('|')) parts.push(this.#sequence());
    this.#depth--;
    return parts.length === 1 ? parts[0] : { kind: 'choice', parts };
  }

  #sequence(): RegexNode {
    const parts: RegexNode[] = [];
    while (this.#at < this.#text.length && !this.#sees('|') && !this.#sees(')')) parts.push(this.#repeated());
    return parts.length === 1 ? parts[0] : { kind: 'sequence', parts };
  }

  #repeated(): RegexNode {
    const part = this.#atom();
    const range = this.#range();
    if (range === null) return part;
    if (this.#range() !== null) throw this.#error('only one repetition in a row');
    return { kind: 'repeat', part, min: range[0], max: range[1] };
  }

  #atom(): RegexNode {
    const letter = this.#text[this.#at];
    if ('*+?{'.includes(letter)) throw this.#error(`something to repeat before ${letter}`);
    if (this.#accept('(')) return this.#group();
    if (this.#accept('[')) return { kind: 'set', set: this.#set() };
    if (this.#accept('.')) return { kind: 'set', set: new Uint8Array(256).fill(1) };
    return { kind: 'set', set: setOf(this.#literal()) };
  }

  #group(): RegexNode {
    const node = this.#choice();
    if (!this.#accept(')')) throw this.#error('a ) after (');
    return node;
  }

  /** Reads one character, which a backslash may escape. A backslash before an ordinary character is itself a literal. */
  #literal(): string {
    if (this.#sees('\\') && this.#at + 1 < this.#text.length && SPECIAL.includes(this.#text[this.#at + 1]))
      this.#at++;
    return this.#text[this.#at++];
  }

  /** Reads a repetition; null if no repetition follows. */
  #range(): [number, number] | null {
    if (this.#accept('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#accept('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#accept('?')) return [0, 1];
    if (!this.#accept('{')) return null;
    const min = this.#count();
    const isExact = !this.#accept(',');
    if (isExact && min === null) throw this.#error('a number after {');
    const max = isExact ? min : (this.#count() ?? Number.POSITIVE_INFINITY);
    if (!this.#accept('}')) throw this.#error('} after the repetition');
    if ((min ?? 0) > max!) throw this.#error('a repetition whose first number is not above the second');
    return [min ?? 0, max!];
  }

  #count(): number | null {
    const digits = /[0-9]*/y;
    digits.lastIndex = this.#at;
    const text = digits.exec(this.#text)![0];
    if (text.length > 1 && text[0] === '0') throw this.#error('a number without leading zeros');
    this.#at += text.length;
    return text === '' ? null : Number(text);
  }

  /** Reads a set of bytes after its opening bracket. */
  #set(): Uint8Array {
    const isInverted = this.#accept('^');
    // In POSIX, a bracket that closes the set cannot be its first member. checktestdata refuses a set of only `]`.
    const isPosix = this.#sees(']') && this.#at + 1 < this.#text.length && this.#text[this.#at + 1] !== ']';
    const set = new Uint8Array(256);
    const pending: SetMember[] = [];
    let isEmpty = true;
    for (; isEmpty && isPosix ? true : !this.#sees(']'); isEmpty = false) {
      if (this.#at >= this.#text.length) throw this.#error('] after the set');
      if (!this.#addClass(set)) this.#addMember(set, pending, isPosix);
    }
    if (isEmpty) throw this.#error('a set with at least one character');
    for (const member of pending) set[member.code] = 1;
    this.#at++;
    return isInverted ? set.map((bit) => 1 - bit) : set;
  }

  /** Adds the next character to the set, or the range that ends with this character. */
  #addMember(set: Uint8Array, pending: SetMember[], isPosix: boolean): void {
    if (this.#sees('[') && !isPosix) throw this.#error('\\[ in a set');
    const isDash = this.#sees('-');
    pending.push({ code: this.#literal().charCodeAt(0), isDash });
    if (pending.length < 3 || !pending.at(-2)!.isDash) return;
    const [from, , to] = pending.splice(-3);
    if (from.code > to.code) throw this.#error('a range whose first character is not above the last');
    set.fill(1, from.code, to.code + 1);
    for (const member of pending.splice(0)) set[member.code] = 1;
  }

  /** Reads a POSIX class such as [:digit:]. Returns false if no class follows. */
  #addClass(set: Uint8Array): boolean {
    const pattern = /\[:([a-z]*):\]/y;
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return false;
    const ranges = CLASSES[match[1]];
    if (ranges === undefined) throw this.#error('a class such as [:digit:]');
    this.#at += match[0].length;
    for (let i = 0; i < ranges.length; i += 3)
      set.fill(1, ranges.charCodeAt(i), ranges.charCodeAt(i + 2) + 1);
    return true;
  }

  #sees(letter: string): boolean {
    return this.#text[this.#at] === letter;
  }

  #accept(letter: string): boolean {
    if (!this.#sees(letter)) return false;
    this.#at++;
    return true;
  }

  #error(expected: string): RegexError {
    const rest = this.#text.slice(this.#at, this.#at + 24);
    const got = rest === '' ? 'its end' : quoteLatin1(rest);
    return new RegexError(`expected ${expected} in the regular expression, got ${got}`);
  }
}

interface SetMember {
  readonly code: number;
  /** Whether this member of a set is a `-` without a backslash, which can make a range. */
  readonly isDash: boolean;
}

function setOf(letter: string): Uint8Array {
  const set = new Uint8Array(256);
  set[letter.charCodeAt(0)] = 1;
  return set;
}

function countInstructions(node: RegexNode): number {
  if (node.kind === 'set') return 1;
  if (node.kind === 'repeat') {
    const part = countInstructions(node.part) + 1;
    return part * (node.max === Number.POSITIVE_INFINITY ? node.min + 1 : node.max) + 1;
  }
  return node.parts.reduce((sum, part) => sum + countInstructions(part) + 2, 0);
}

/** One instruction of a compiled expression: read a byte of `set`, or try `next` and then `other` without reading. */
type Instruction =
  | { readonly kind: 'read'; readonly set: Uint8Array }
  | { readonly kind: 'split'; next: number; other: number }
  | { readonly kind: 'match' };

/** Compiles the nodes of an expression to instructions. After an instruction comes the next one, unless it is a split. */
class RegexCompiler {
  readonly program: Instruction[] = [];

  compile(node: RegexNode): readonly Instruction[] {
    this.#emit(node);
    this.program.push({ kind: 'match' });
    return this.program;
  }

  #emit(node: RegexNode): void {
    if (node.kind === 'set') this.program.push({ kind: 'read', set: node.set });
    else if (node.kind === 'sequence') for (const part of node.parts) this.#emit(part);
    else if (node.kind === 'choice') this.#emitChoice(node.parts);
    else this.#emitRepeat(node.part, node.min, node.max);
  }

  #emitChoice(parts: readonly RegexNode[]): void {
    const exits: { next: number; other: number }[] = [];
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      const split = isLast ? null : this.#split();
      this.#emit(part);
      if (split === null) continue;
      exits.push(this.#split());
      split.other = this.program.length;
    }
    for (const exit of exits) exit.next = exit.other = this.program.length;
  }

  #emitRepeat(part: RegexNode, min: number, max: number): void {
    for (let i = 0; i < min; i++) this.#emit(part);
    if (max === Number.POSITIVE_INFINITY) this.#emitLoop(part);
    else this.#emitOptional(part, max - min);
  }

  /**
   * Emits `part*` as `(part+)?`. If the end of the part led back to the first split, a part that can match nothing, such as
   * `(|a)`, would reach a split that was already followed. Then reading more text would be preferred to ending the loop.
   */
  #emitLoop(part: RegexNode): void {
    const split = this.#split();
    const start = this.program.length;
    this.#emit(part);
    this.#split().next = start;
    split.other = this.program.length;
  }

  #emitOptional(part: RegexNode, times: number): void {
    const splits: { next: number; other: number }[] = [];
    for (let i = 0; i < times; i++) {
      splits.push(this.#split());
      this.#emit(part);
    }
    for (const split of splits) split.other = this.program.length;
  }

  #split(): { next: number; other: number } {
    const split = { kind: 'split' as const, next: this.program.length + 1, other: this.program.length + 1 };
    this.program.push(split);
    return split;
  }
}

/** A state of the automaton: a set of paths through the expression that have read the same bytes, the preferred path first. */
export interface RegexState {
  /** For each path, the index of the `read` instruction that it has reached. */
  readonly paths: Int32Array;
  /** Whether the bytes read so far match. If so, `paths` has only paths that are preferred to this match. */
  readonly isMatch: boolean;
  /** The next state for each class of bytes; null if it is not known yet. */
  readonly next: (RegexState | null)[];
}

/** When the cache of states holds more paths than this, it is emptied. So its memory is limited. */
const MAX_CACHED_PATHS = 200_000;
const MAX_CACHED_STATES = 4_000;
/** The bytes of space, tab, LF and CR. */
const WHITESPACE = [0x20, 0x09, 0x0a, 0x0d];
/** The result of `match` if the expression does not match. */
export const NO_MATCH = -1;

export class Regex {
  readonly node: RegexNode;
  readonly #program: readonly Instruction[];
  /** The class of each byte. The sets of the expression do not distinguish bytes of the same class. */
  readonly #classes: Uint8Array;
  /** One byte of each class of bytes. */
  readonly #examples: readonly number[];
  readonly #marks: Int32Array;
  #mark = 0;
  #states = new Map<string, RegexState>();
  #cachedPaths = 0;
  #start: RegexState;
  /** Index of the byte after the last byte that `match` has looked at; above `end` if `match` looked at the end of the text. */
  reach = 0;

  constructor(text: string) {
    this.node = parseRegex(text);
    this.#program = new RegexCompiler().compile(this.node);
    this.#marks = new Int32Array(this.#program.length);
    const sets = this.#program.flatMap((step) => (step.kind === 'read' ? [step.set] : []));
    const { classes, examples } = classifyBytes(sets);
    this.#classes = classes;
    this.#examples = examples;
    this.#start = this.#closure([0]);
  }

  /** The state of the automaton before the first byte. */
  get start(): RegexState {
    return this.#start;
  }

  /** Returns the state after a byte. */
  after(state: RegexState, byte: number): RegexState {
    const byteClass = this.#classes[byte];
    return state.next[byteClass] ?? this.#step(state, byteClass, () => {});
  }

  /** Whether the expression matches the empty text, or a text that consists of whitespace. */
  matchesWhitespace(): boolean {
    return this.#reachesByWhitespace((state) => state.isMatch);
  }

  /** Whether the text of a match may be empty, or may begin with a blank line or with a part of one. */
  mayBeginBlank(): boolean {
    return this.#reachesByWhitespace((state) => state.isMatch || this.after(state, LF).paths.length > 0);
  }

  /** Whether the test is true of a state after some whitespace, or after nothing. True if there are too many such states. */
  #reachesByWhitespace(test: (state: RegexState) => boolean): boolean {
    const states = new Set([this.#start]);
    // The loop also visits the states that are added to the set while it runs.
    for (const state of states) {
      if (test(state) || states.size > MAX_CACHED_STATES) return true;
      for (const blank of WHITESPACE) states.add(this.after(state, blank));
    }
    return false;
  }

  /**
   * Returns the index after the match that begins at `from`, or NO_MATCH. Calls `charge` with the cost of new states, and of
   * text behind the match, which may be read again and again.
   */
  match(bytes: Uint8Array, from: number, end: number, charge: (cost: number) => void): number {
    let state = this.#start;
    let matched = state.isMatch ? from : NO_MATCH;
    let at = from;
    for (; state.paths.length > 0 && at < end; at++) {
      const byteClass = this.#classes[bytes[at]];
      state = state.next[byteClass] ?? this.#step(state, byteClass, charge);
      if (state.isMatch) matched = at + 1;
    }
    charge((at - Math.max(matched, from)) >> 3);
    this.reach = state.paths.length > 0 ? at + 1 : at;
    return matched;
  }

  #step(state: RegexState, byteClass: number, charge: (cost: number) => void): RegexState {
    charge(state.paths.length + 1);
    const example = this.#examples[byteClass];
    const starts: number[] = [];
    for (const path of state.paths) {
      const step = this.#program[path];
      if (step.kind === 'read' && step.set[example] === 1) starts.push(path + 1);
    }
    const next = this.#closure(starts);
    state.next[byteClass] = next;
    charge(next.paths.length);
    return next;
  }

  /** Follows all splits from these instructions, the preferred path first, and stops at the first match. */
  #closure(starts: readonly number[]): RegexState {
    this.#mark++;
    const paths: number[] = [];
    const stack = starts.toReversed();
    while (stack.length > 0) {
      const index = stack.pop()!;
      if (this.#marks[index] === this.#mark) continue;
      this.#marks[index] = this.#mark;
      const step = this.#program[index];
      if (step.kind === 'match') return this.#intern(paths, true);
      if (step.kind === 'read') paths.push(index);
      else stack.push(step.other, step.next);
    }
    return this.#intern(paths, false);
  }

  #intern(paths: readonly number[], isMatch: boolean): RegexState {
    const key = `${isMatch}${paths.join()}`;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    if (this.#cachedPaths > MAX_CACHED_PATHS || this.#states.size > MAX_CACHED_STATES) this.#forget();
    const next = new Array<RegexState | null>(this.#examples.length).fill(null);
    const state = { paths: Int32Array.from(paths), isMatch, next };
    this.#states.set(key, state);
    this.#cachedPaths += paths.length;
    return state;
  }

  /** Empties the cache of states. Only the states that are in use remain in memory. */
  #forget(): void {
    for (const state of this.#states.values()) state.next.fill(null);
    this.#states.clear();
    this.#cachedPaths = 0;
  }
}

function classifyBytes(sets: readonly Uint8Array[]): { classes: Uint8Array; examples: number[] } {
  const distinct = [...new Map(sets.map((set) => [set.join(''), set])).values()];
  const classes = new Uint8Array(256);
  const numbers = new Map<string, number>();
  const examples: number[] = [];
  for (let byte = 0; byte < 256; byte++) {
    const signature = distinct.map((set) => set[byte]).join('');
    if (!numbers.has(signature)) {
      numbers.set(signature, examples.length);
      examples.push(byte);
    }
    classes[byte] = numbers.get(signature)!;
  }
  return { classes, examples };
}
