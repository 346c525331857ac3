/**
 * Lists every case of a grammar. The commands of a case run one after the other, up to the next INT or REGEX, which is a
 * choice. A choice decides what follows if a later command uses its variable.
 */
import { type Choice, ChoiceTree, DEAD_END, type Step, TooManyChoices } from '../../cases/choices.js';
import { GrammarError } from '../language/grammar-error.js';
import { accessesOf, testAccesses, usesBeyondIndexing } from '../language/names.js';
import { RegexTexts } from '../language/regex-texts.js';
import type {
  Command,
  Expression,
  Grammar,
  IntCommand,
  LoopCommand,
  Place,
  RegexCommand,
  Test,
  VariableExpression,
} from '../language/syntax.js';
import { isInteger, keyOf, RuntimeFailure } from '../language/values.js';
import { Variables } from '../language/variables.js';
import { type GrammarCase, GrammarFormat, integersOf } from '../reading/grammar-format.js';
import { StepLimitError } from '../reading/machine.js';
import { RecordingReader } from '../reading/recording-reader.js';
import type { CompiledDivision, GrammarOptions } from './cases.js';
import { GrammarDrawer } from './draw.js';
import { DrawFailure } from './drawer.js';
import { ListingMachine, type Written } from './listing-machine.js';

/** The cases of a grammar. */
interface GrammarCases {
  /** The tokens of the head; null if there is none. */
  readonly head: Uint8Array | null;
  readonly count: bigint;
  /** Whether every candidate is a case. If not, an ASSERT or the way in which a text is read decides. */
  readonly isExact: boolean;
  /** How many cases the grammar allows in an input; null where it does not say. */
  readonly inputCases: { readonly min: number | null; readonly max: number | null };
  candidatesFrom(index: bigint): Iterable<GrammarCase | null>;
}

/** What has run: the variables and the text. */
interface State {
  readonly variables: Variables;
  readonly written: Written;
  /** Whether an ASSERT has failed that does not end the choices. */
  readonly isRejected: boolean;
}

type GrammarStep = Step<State>;

/** The commands that are still to run: those of a block from `at` on, then those of `parent`. */
interface Frame {
  readonly commands: readonly Command[];
  readonly at: number;
  readonly parent: Frame | null;
  /** The loop whose body the commands are, and how often it runs; null for other blocks. */
  readonly loop: { readonly command: LoopCommand; readonly iteration: number; readonly times: number } | null;
}

/** Lists the cases. Fails with kind `usage`, and names the command because of which that is impossible. */
export function enumerateGrammar(grammar: Grammar, options: GrammarOptions): GrammarCases {
  const { division } = new GrammarFormat(grammar, options);
  assertListable(division);
  const head = onlyHead(division);
  try {
    return listCases(division, head, true);
  } catch (error) {
    const hasAssert = accessible(division.body).some(({ kind }) => kind === 'assert');
    if (!(error instanceof TooManyChoices) || !hasAssert) throw error;
    return listCases(division, head, false);
  }
}

interface Head {
  readonly state: State;
  readonly inputCases: GrammarCases['inputCases'];
}

function listCases(division: CompiledDivision, head: Head, isPruned: boolean): GrammarCases {
  const { grammar, compiler, runBody } = division;
  const walker = new GrammarWalker(division, true, isPruned);
  const tree = new ChoiceTree(walker.start(division.body, head.state.variables));
  const reader = new RecordingReader(compiler.slotCount, grammar.fileName);
  const isCase = (state: State) =>
    !state.isRejected &&
    (!walker.isAmbiguous || reader.readsAs(runBody, state.written, head.state.variables));
  const { text } = head.state.written;
  return {
    head: text === '' ? null : bytesOf(text),
    count: tree.count,
    isExact: isPruned && !walker.isAmbiguous,
    inputCases: head.inputCases,
    *candidatesFrom(index) {
      for (const state of tree.madeFrom(index)) {
        yield isCase(state)
          ? { bytes: bytesOf(state.written.text), variables: integersOf(state.variables, compiler.names) }
          : null;
      }
    },
  };
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

/** Fails if no command can say which texts there are, or if a case depends on the other cases of its input. */
function assertListable({ grammar, head, body, loop, caseCount }: CompiledDivision): void {
  for (const command of [...accessible(head), ...accessible(body)]) {
    const reason = reasonAgainst(command);
    if (reason !== null) throw listError(grammar, command.at, reason);
  }
  const index = loop?.index?.name;
  if (index !== undefined && usesBeyondIndexing(body, index)) {
    throw listError(grammar, loop!.at, `a case depends on its index ${index}`);
  }
  const countName = caseCount?.variable?.name;
  const use = accessesOf(body).find(({ name, kind }) => name === countName && kind === 'use');
  if (use !== undefined)
    throw listError(grammar, use.at, `a case depends on the number of cases ${countName}`);
}

function listError({ fileName }: Grammar, at: Place, reason: string): GrammarError {
  return new GrammarError(fileName, at, `cannot list every case: ${reason}`);
}

/** All commands, with those inside of loops and of IF. */
function accessible(commands: readonly Command[]): Command[] {
  return commands.flatMap((command) => {
    if (command.kind === 'loop') return [command, ...accessible(command.body)];
    return command.kind === 'if'
      ? [command, ...accessible(command.then), ...accessible(command.otherwise)]
      : [command];
  });
}

function reasonAgainst(command: Command): string | null {
  if (command.kind === 'float-number') return 'there is no end to the values of a FLOAT';
  const test = 'test' in command ? command.test : command.kind === 'loop' ? command.condition : null;
  return test !== null && looksAtInput(test) ? 'MATCH and ISEOF depend on the text that follows' : null;
}

function looksAtInput(test: Test): boolean {
  if (test.kind === 'not') return looksAtInput(test.operand);
  if (test.kind === 'and' || test.kind === 'or') return looksAtInput(test.left) || looksAtInput(test.right);
  return test.kind === 'match' || test.kind === 'is-eof';
}

/** Returns the head if all inputs have the same one, apart from the number of cases. */
function onlyHead(division: CompiledDivision): Head {
  const { grammar, head, compiler, ending, indexSlot } = division;
  const walker = new GrammarWalker(division, false, true);
  const tree = new ChoiceTree(walker.start(head, new Variables(compiler.slotCount)));
  if (tree.count !== 1n) {
    const at = accessible(head).find(({ kind }) => kind === 'int' || kind === 'regex')?.at ?? {
      line: 1,
      column: 1,
    };
    throw listError(
      grammar,
      at,
      `there are ${tree.count} heads, but all cases of an input have the same head`,
    );
  }
  const [state] = tree.madeFrom(0n);
  if (indexSlot >= 0) state.variables.scalars[indexSlot] = 0;
  if (walker.caseBounds !== null) return { state, inputCases: walker.caseBounds };
  if (ending !== 'counted') return { state, inputCases: { min: null, max: null } };
  const count = new GrammarDrawer(division).countCases(state.variables);
  return { state, inputCases: { min: count, max: count } };
}

/** Runs the commands between choices. */
class GrammarWalker {
  readonly #division: CompiledDivision;
  /** Whether the commands are those of a case, and not of the head. */
  readonly #isCase: boolean;
  /** Whether a failed ASSERT ends the choices. If not, what fails it is made all the same, and rejected. */
  readonly #isPruned: boolean;
  readonly #machine: ListingMachine;
  readonly #runs = new Map<Command, (machine: ListingMachine) => void>();
  readonly #texts = new Map<unknown, RegexTexts>();
  readonly #uses = new Map<readonly Command[], ReadonlySet<string>[]>();
  readonly #usesOfLoop = new Map<LoopCommand, ReadonlySet<string>>();
  readonly #blocks = new Map<readonly Command[], number>();
  /** The smallest and largest number of cases, once the head has run. */
  caseBounds: { readonly min: number; readonly max: number } | null = null;

  constructor(division: CompiledDivision, isCase: boolean, isPruned: boolean) {
    this.#division = division;
    this.#isCase = isCase;
    this.#isPruned = isPruned;
    this.#machine = new ListingMachine(division.compiler.slotCount);
  }

  /** Whether two sequences of choices may have the same text. */
  get isAmbiguous(): boolean {
    return this.#machine.isAmbiguous;
  }

  start(commands: readonly Command[], variables: Variables): GrammarStep {
    const state = { variables, written: this.#machine.nothing, isRejected: false };
    return this.#continue({ commands, at: 0, parent: null, loop: null }, state, () => {});
  }

  /** Goes on from a state: `first` runs, then the commands up to the next choice. */
  #continue(frame: Frame, state: State, first: () => void): GrammarStep {
    this.#machine.load(state.variables, state.written);
    try {
      first();
      return this.#run(frame, state.isRejected);
    } catch (error) {
      if (error instanceof DrawFailure) return DEAD_END;
      if (error instanceof RuntimeFailure) throw this.#error(error.at, error.message);
      if (error instanceof StepLimitError) throw this.#error(frame.commands[0].at, 'expected loops that end');
      throw error;
    }
  }

  #error(at: Place, message: string): GrammarError {
    return new GrammarError(this.#division.grammar.fileName, at, message);
  }

  #run(start: Frame, wasRejected: boolean): GrammarStep {
    let isRejected = wasRejected;
    for (let frame: Frame | null = start; frame !== null; ) {
      this.#machine.charge(1);
      if (frame.at === frame.commands.length) {
        frame = this.#leave(frame);
        continue;
      }
      const command: Command = frame.commands[frame.at];
      const after: Frame = { ...frame, at: frame.at + 1 };
      if (command.kind === 'regex') return this.#regexChoice(command, frame, after, isRejected);
      if (command.kind === 'int' && command !== this.#division.caseCount) {
        return this.#intChoice(command, frame, after, isRejected);
      }
      if (command.kind === 'int') this.#countCases(command);
      if (command.kind === 'if') {
        const branch: readonly Command[] = this.#test(command.test) ? command.then : command.otherwise;
        frame = { commands: branch, at: 0, parent: after, loop: null };
      } else if (command.kind === 'loop') frame = this.#enter(command, after);
      else {
        if (command.kind !== 'int') isRejected = this.#execute(command) || isRejected;
        frame = after;
      }
    }
    return this.#end(isRejected);
  }

  /** Runs a command without a choice. Returns whether it is an ASSERT that has failed and is not pruned. */
  #execute(command: Command): boolean {
    let run = this.#runs.get(command);
    if (run === undefined) {
      run = this.#division.compiler.block([command]);
      this.#runs.set(command, run);
    }
    try {
      run(this.#machine);
      return false;
    } catch (error) {
      if (!(error instanceof DrawFailure) || command.kind !== 'assert' || this.#isPruned) throw error;
      return true;
    }
  }

  /** Writes the smallest number of cases in place of the number, which the head gets later. */
  #countCases(command: IntCommand): void {
    const [min, max] = this.#boundsOf(command);
    this.caseBounds = { min: Number(min), max: Number(max) };
    this.#machine.writeInteger(min);
    this.#store(command.variable, { kind: 'integer', at: command.at, digits: String(min) });
  }

  #enter(command: LoopCommand, after: Frame): Frame {
    this.#store(command.index, { kind: 'integer', at: command.at, digits: '0' });
    const { compiler } = this.#division;
    const times =
      command.count === null ? Number.POSITIVE_INFINITY : compiler.count(command.count)(this.#machine);
    if (times === 0 || !this.#goesOn(command)) return after;
    return { commands: command.body, at: 0, parent: after, loop: { command, iteration: 0, times } };
  }

  /** What runs after the last command of a block. */
  #leave({ commands, parent, loop }: Frame): Frame | null {
    if (loop === null) return parent;
    const iteration = loop.iteration + 1;
    this.#store(loop.command.index, { kind: 'integer', at: loop.command.at, digits: String(iteration) });
    if (iteration >= loop.times || !this.#goesOn(loop.command)) return parent;
    if (loop.command.separator !== null) this.#execute(loop.command.separator);
    return { commands, at: 0, parent, loop: { ...loop, iteration } };
  }

  #goesOn({ condition }: LoopCommand): boolean {
    return condition === null || this.#test(condition);
  }

  #test(test: Test): boolean {
    return this.#division.compiler.test(test)(this.#machine);
  }

  #store(variable: VariableExpression | null, value: Expression): void {
    if (variable === null) return;
    const set: Command = { kind: 'set', at: variable.at, assignments: [{ variable, value }] };
    this.#division.compiler.block([set])(this.#machine);
  }

  #end(isRejected: boolean): GrammarStep {
    const { ending, continues } = this.#division;
    // After the last iteration, which is the terminator and no case, the condition is false.
    if (this.#isCase && ending === 'until-terminator' && !continues!(this.#machine)) return DEAD_END;
    const state = this.#machine.save(isRejected);
    return { kind: 'end', make: () => state };
  }

  #boundsOf({ min, max, at }: IntCommand): [bigint, bigint] {
    const { compiler } = this.#division;
    const bounds = [min, max].map((bound) => compiler.expression(bound)(this.#machine));
    if (!bounds.every(isInteger)) throw new RuntimeFailure(at, 'integers as bounds', 'another value');
    return [BigInt(bounds[0] as number), BigInt(bounds[1] as number)];
  }

  #intChoice(command: IntCommand, frame: Frame, after: Frame, isRejected: boolean): GrammarStep {
    const [min, max] = this.#boundsOf(command);
    const size = max < min ? 0n : max - min + 1n;
    return this.#choice(command, size, frame, after, isRejected, (index) => {
      const value = min + index;
      this.#machine.writeInteger(value);
      this.#store(command.variable, { kind: 'integer', at: command.at, digits: String(value) });
    });
  }

  #regexChoice(command: RegexCommand, frame: Frame, after: Frame, isRejected: boolean): GrammarStep {
    const pattern = this.#division.compiler.expression(command.pattern)(this.#machine);
    if (typeof pattern !== 'string') throw new RuntimeFailure(command.at, 'a string', 'a number');
    let texts = this.#texts.get(pattern);
    if (texts === undefined) {
      texts = new RegexTexts(this.#machine.regexOf(pattern));
      this.#texts.set(pattern, texts);
    }
    const { size, bytes } = texts;
    if (size === null) {
      throw listError(
        this.#division.grammar,
        command.at,
        'there is no end to the texts that this REGEX matches',
      );
    }
    return this.#choice(command, size, frame, after, isRejected, (index) => {
      const text = texts.at(index);
      this.#machine.writeMatch(text, bytes);
      this.#store(command.variable, { kind: 'string', at: command.at, text });
    });
  }

  #choice(
    { at, variable }: IntCommand | RegexCommand,
    size: bigint,
    frame: Frame,
    after: Frame,
    isRejected: boolean,
    take: (index: bigint) => void,
  ): Choice<State> {
    const state = this.#machine.save(isRejected);
    const used = this.#usedFrom(after);
    return {
      kind: 'choice',
      key: this.#keyOf(frame, state.variables),
      name: `${this.#division.grammar.fileName}:${at.line}:${at.column}`,
      size,
      isDeciding: variable !== null && used.has(variable.name),
      take: (index) => this.#continue(after, state, () => take(index)),
    };
  }

  /** The commands that are still to run, and the values that they use. */
  #keyOf(frame: Frame, variables: Variables): string {
    const parts: (string | number)[] = [];
    for (let at: Frame | null = frame; at !== null; at = at.parent) {
      parts.push(this.#numberOf(at.commands), at.at);
      if (at.loop !== null) parts.push(`${at.loop.iteration}/${at.loop.times}`);
    }
    for (const name of this.#usedFrom(frame)) {
      for (const [index, value] of variables.entries(this.#division.compiler.slot(name))) {
        const key = String(keyOf(value));
        parts.push(`${name}[${index}]=${key.length}:${key}`);
      }
    }
    return parts.join(' ');
  }

  #numberOf(commands: readonly Command[]): number {
    let number = this.#blocks.get(commands);
    if (number === undefined) {
      number = this.#blocks.size;
      this.#blocks.set(commands, number);
    }
    return number;
  }

  /** The names that the commands of a frame, and of those around it, use. */
  #usedFrom(frame: Frame): ReadonlySet<string> {
    const used = new Set(this.#namesAtEnd);
    for (let at: Frame | null = frame; at !== null; at = at.parent) {
      for (const name of this.#usedIn(at.commands, at.at)) used.add(name);
      if (at.loop !== null && at.loop.iteration + 1 < at.loop.times) {
        for (const name of this.#usedByLoop(at.loop.command)) used.add(name);
      }
    }
    return used;
  }

  get #namesAtEnd(): string[] {
    const { ending, loop } = this.#division;
    if (!this.#isCase || ending !== 'until-terminator') return [];
    return testAccesses(loop!.condition!).map(({ name }) => name);
  }

  #usedIn(commands: readonly Command[], at: number): ReadonlySet<string> {
    let uses = this.#uses.get(commands);
    if (uses === undefined) {
      uses = Array.from({ length: commands.length + 1 }, (_, from) => this.#namesIn(commands.slice(from)));
      this.#uses.set(commands, uses);
    }
    return uses[at];
  }

  #usedByLoop(loop: LoopCommand): ReadonlySet<string> {
    let uses = this.#usesOfLoop.get(loop);
    if (uses === undefined) {
      uses = this.#namesIn([loop]);
      this.#usesOfLoop.set(loop, uses);
    }
    return uses;
  }

  #namesIn(commands: readonly Command[]): ReadonlySet<string> {
    const relevant = this.#isPruned ? commands : withoutAsserts(commands);
    return new Set(accessesOf(relevant).flatMap(({ name, kind }) => (kind === 'use' ? [name] : [])));
  }
}

function withoutAsserts(commands: readonly Command[]): Command[] {
  return commands.flatMap((command): Command[] => {
    if (command.kind === 'assert') return [];
    if (command.kind === 'loop') return [{ ...command, body: withoutAsserts(command.body) }];
    if (command.kind !== 'if') return [command];
    const [then, otherwise] = [command.then, command.otherwise].map(withoutAsserts);
    return [{ ...command, then, otherwise }];
  });
}
