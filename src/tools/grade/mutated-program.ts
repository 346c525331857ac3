/** Reads a right program, finds its mutants, and builds them: many in one build where the language allows that. */
import { extname } from 'node:path';
import type { LimitFunction } from 'p-limit';
import { KIB } from '../../core/bytes.js';
import { BoardmillError } from '../../core/errors.js';
import type { BuildResult, BuiltProgram, ProgramBuilder } from '../judge/package/programs/builder.js';
import {
  type ProgramSource,
  programmingLanguageOf,
  readProgramSource,
  type SourceFile,
} from '../judge/package/programs/program-source.js';
import { commandWithLimits } from '../judge/package/programs/run-program.js';
import { MutantFinder } from './mutants/find-mutants.js';
import { type Mutant, sourceOfMutant, sourceWithErrorAt } from './mutants/mutant.js';
import { MUTATED_LANGUAGES, type MutatedLanguage } from './mutants/mutated-languages.js';
import { MUTANT_VARIABLE, mutantReaderFileName, sourceWithMutants } from './mutants/switched-source.js';

/** A program that can be run: the right one, or one of its mutants. */
export interface ProgramVariant {
  readonly argv: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** A mutant that was built. */
export interface BuiltMutant extends ProgramVariant {
  readonly mutant: Mutant;
  /** Whether the program can say how often it came to the mutated place. */
  readonly countsHits: boolean;
}

/** A right program with its mutants. */
export interface ProgramWithMutants {
  /** The path of the program, as the user typed it. */
  readonly name: string;
  readonly right: ProgramVariant;
  readonly mutants: readonly BuiltMutant[];
  /** Number of changes that made no program, because the compiler refused them. */
  readonly refused: number;
}

export interface BuildTools {
  readonly builder: ProgramBuilder;
  /** Limits the number of compilers that run at the same time. */
  readonly limitBuilds: LimitFunction;
  readonly environment: NodeJS.ProcessEnv;
  readonly memoryBytes: number;
  readonly onBuilt: (built: number, all: number) => void;
}

/**
 * Largest number of builds with many mutants that are tried. After each, the mutants that the compiler refused are left out.
 */
const MAX_SHARED_BUILDS = 40;

/** Largest size of a source. Each of its mutants runs on the tests, so a larger one would never come to an end. */
const MAX_SOURCE_BYTES = 128 * KIB;

/** Reads and builds a program. Fails with kind `usage` if boardmill cannot mutate or build it. */
export async function buildProgramWithMutants(path: string, tools: BuildTools): Promise<ProgramWithMutants> {
  const source = readProgramSource(path, path);
  const language = programmingLanguageOf(source);
  const mutated = MUTATED_LANGUAGES.find(({ codes }) => language !== null && codes.includes(language.code));
  if (language === null || mutated === undefined || source.files.length !== 1)
    throw new BoardmillError(
      'usage',
      `${path} is no program in C, C++ or Python in one file, so boardmill can make no mutants of it`,
    );
  if (source.files[0].bytes.length > MAX_SOURCE_BYTES)
    throw new BoardmillError(
      'usage',
      `${path} has more than ${MAX_SOURCE_BYTES} bytes, so boardmill makes no mutants of it`,
    );
  const finder = await MutantFinder.open(mutated);
  return new ProgramMutation(source, mutated, tools).build(finder);
}

class ProgramMutation {
  readonly #source: ProgramSource;
  readonly #mutated: MutatedLanguage;
  readonly #tools: BuildTools;
  /** Each byte is a character, so that a mutant has the bytes of the program, whatever its encoding is. */
  readonly #text: string;

  constructor(source: ProgramSource, mutated: MutatedLanguage, tools: BuildTools) {
    this.#source = source;
    this.#mutated = mutated;
    this.#tools = tools;
    this.#text = source.files[0].bytes.toString('latin1');
  }

  async build(finder: MutantFinder): Promise<ProgramWithMutants> {
    const right = await this.#tools.builder.build(this.#source);
    if (right.kind !== 'built') {
      const what = right.kind === 'broken' ? 'does not compile: the compiler' : 'cannot be built:';
      throw new BoardmillError('usage', `${this.#source.name} ${what} ${right.reason}`);
    }
    const mutants = await this.#withoutLeftOut(finder.find(this.#text, this.#source.name));
    const shared = await this.#buildShared(mutants.filter(({ form }) => form !== 'text'));
    const isShared = new Set(shared?.mutants);
    let done = isShared.size;
    const own = mutants.filter((mutant) => !isShared.has(mutant));
    const built = await Promise.all(
      own.map((mutant) =>
        this.#tools.limitBuilds(async () => {
          const program = await this.#buildText(sourceOfMutant(this.#text, mutant));
          this.#tools.onBuilt(++done, mutants.length);
          return program.kind === 'built' ? this.#builtMutant(mutant, program, false) : null;
        }),
      ),
    );
    const all = [
      ...(shared?.mutants ?? []).map((mutant) => this.#builtMutant(mutant, shared!.program, true)),
      ...built.filter((each) => each !== null),
    ].toSorted((a, b) => a.mutant.number - b.mutant.number);
    return {
      name: this.#source.name,
      // In the shared build, a program is slower than in its own. The time limit must suit mutants of both builds.
      right: this.#runnable(shared?.program ?? right),
      mutants: all,
      refused: mutants.length - all.length,
    };
  }

  /** Leaves out the mutants of parts that the preprocessor leaves out, such as `#ifdef DEBUG`: they are the program itself. */
  async #withoutLeftOut(mutants: readonly Mutant[]): Promise<readonly Mutant[]> {
    const parts = new Map<number, Promise<boolean>>();
    for (const mutant of mutants) {
      const part = mutant.conditionalPart;
      if (part === null || parts.has(part)) continue;
      const build = async () =>
        (await this.#buildText(sourceWithErrorAt(this.#text, mutant))).kind === 'built';
      parts.set(part, this.#tools.limitBuilds(build));
    }
    const isLeftOut = new Map(
      await Promise.all([...parts].map(async ([part, builds]) => [part, await builds] as const)),
    );
    return mutants.filter(({ conditionalPart: part }) => part === null || isLeftOut.get(part) === false);
  }

  /** Builds one program with as many mutants as the compiler accepts together. Returns null if there is none. */
  async #buildShared(
    mutants: readonly Mutant[],
  ): Promise<{ readonly program: BuiltProgram; readonly mutants: readonly Mutant[] } | null> {
    const { switch: mutantSwitch } = this.#mutated;
    if (mutantSwitch === null) return null;
    let accepted = mutants;
    for (let tries = 0; tries < MAX_SHARED_BUILDS && accepted.length > 0; tries++) {
      const text = sourceWithMutants(this.#text, accepted, mutantSwitch);
      const program = await this.#buildText(text, mutantSwitch.reader);
      if (program.kind === 'built') return { program, mutants: accepted };
      const line = lineOfError(program);
      const others = accepted.filter((mutant) => mutant.line !== line);
      if (others.length === accepted.length) return null;
      accepted = others;
    }
    return null;
  }

  #buildText(text: string, reader: string | null = null): Promise<BuildResult> {
    const [file] = this.#source.files;
    const changed: SourceFile = { ...file, bytes: Buffer.from(text, 'latin1') };
    const ending = extname(file.name);
    const readers =
      reader === null ? [] : [{ ...file, name: mutantReaderFileName(ending), bytes: Buffer.from(reader) }];
    return this.#tools.builder.build({ ...this.#source, files: [changed, ...readers] });
  }

  #builtMutant(mutant: Mutant, program: BuiltProgram, isShared: boolean): BuiltMutant {
    const { argv, environment } = this.#runnable(program);
    const chosen = isShared ? { ...environment, [MUTANT_VARIABLE]: String(mutant.number) } : environment;
    return { mutant, argv, environment: chosen, countsHits: isShared };
  }

  #runnable(program: BuiltProgram): ProgramVariant {
    const { environment, memoryBytes } = this.#tools;
    return { argv: commandWithLimits(program, memoryBytes).words, environment };
  }
}

/** Returns the line of the first error that a compiler has found; null if its message names none. */
function lineOfError(result: BuildResult): number | null {
  const [, line] = ('reason' in result && /:(\d+):\d+: .*error/i.exec(result.reason)) || [];
  return line === undefined ? null : Number(line);
}
