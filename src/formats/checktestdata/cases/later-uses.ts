/** Finds the names that commands use after a choice. The choices that follow can depend only on the values of these names. */
import { accessesOf } from '../language/names.js';
import type { GrammarCommand, IntCommand, LoopCommand, RegexCommand } from '../language/syntax.js';
import type { RunningLoop } from './writing-machine.js';

/** A command whose possible values are listed, one by one. */
export type ListedValueCommand = IntCommand | RegexCommand;

interface Uses {
  /** A number that identifies the command of the choice. */
  readonly number: number;
  /** The names that the command itself uses, or that commands after it in the blocks around it use. */
  readonly from: ReadonlySet<string>;
  /** The names that commands after this one use, in the blocks around it. */
  readonly after: ReadonlySet<string>;
  /** For each loop around the command, the names that the loop uses. The outermost loop is first. */
  readonly byLoops: readonly ReadonlySet<string>[];
}

/** For each choice of some commands, the names that later commands use. */
export class NamesUsedLater {
  readonly #uses = new Map<GrammarCommand, Uses>();

  /** The names in `atEnd` count as used after the last command. */
  constructor(commands: readonly GrammarCommand[], atEnd: readonly string[]) {
    this.#collect(commands, new Set(atEnd), []);
  }

  #collect(
    commands: readonly GrammarCommand[],
    atEnd: ReadonlySet<string>,
    byLoops: readonly ReadonlySet<string>[],
  ): void {
    let after = atEnd;
    for (const command of commands.toReversed()) {
      const from = new Set([...after, ...namesUsed([command])]);
      if (command.kind === 'int' || command.kind === 'regex')
        this.#uses.set(command, { number: this.#uses.size, from, after, byLoops });
      if (command.kind === 'if')
        for (const branch of [command.then, command.otherwise]) this.#collect(branch, after, byLoops);
      if (command.kind === 'loop') this.#collectLoop(command, after, byLoops);
      after = from;
    }
  }

  #collectLoop(loop: LoopCommand, after: ReadonlySet<string>, byLoops: readonly ReadonlySet<string>[]): void {
    const inside = [...byLoops, namesUsed([loop])];
    this.#collect(loop.body, after, inside);
    if (loop.separator !== null)
      this.#collect([loop.separator], new Set([...after, ...namesUsed(loop.body)]), inside);
  }

  /** Returns a text that identifies the place of a choice: its command and the iterations of the loops that are running. */
  placeOf(command: ListedValueCommand, loops: readonly RunningLoop[]): string {
    const iterations = loops.map(({ iteration, times }) => `${iteration}/${times}`);
    return [this.#uses.get(command)!.number, ...iterations].join(' ');
  }

  /** Returns the names that the command uses, and the names that are used after it. */
  namesFrom(command: ListedValueCommand, loops: readonly RunningLoop[]): ReadonlySet<string> {
    const { from, byLoops } = this.#uses.get(command)!;
    return new Set([from, ...repeated(byLoops, loops)].flatMap((names) => [...names]));
  }

  /** Whether a command that runs after this one uses the name. */
  usesAfter(command: ListedValueCommand, name: string, loops: readonly RunningLoop[]): boolean {
    const { after, byLoops } = this.#uses.get(command)!;
    return after.has(name) || repeated(byLoops, loops).some((names) => names.has(name));
  }
}

/** Returns the names that are used in loops which have further iterations. */
function repeated(
  byLoops: readonly ReadonlySet<string>[],
  loops: readonly RunningLoop[],
): readonly ReadonlySet<string>[] {
  return byLoops.filter((_, at) => loops[at].iteration + 1 < loops[at].times);
}

function namesUsed(commands: readonly GrammarCommand[]): ReadonlySet<string> {
  return new Set(accessesOf(commands).flatMap(({ name, kind }) => (kind === 'use' ? [name] : [])));
}
