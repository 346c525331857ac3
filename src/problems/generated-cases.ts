/** Random cases of a module that has `generate` or `valid`. Only worker threads make them. */
import { ByteWriter } from '../core/bytes.js';
import { BoardmillError } from '../core/errors.js';
import { Seed } from '../core/random.js';
import { printRange } from '../core/range.js';
import type { CaseParser } from '../formats/input-format.js';
import { outermostFieldsOf } from '../formats/language/shapes.js';
import type { RecordValue } from '../formats/language/tree.js';
import type { ProblemDefinition } from './modules/definition.js';
import { boundsOfFields, type ModuleProblem, type ModuleRandomCaseSource } from './modules/module-problem.js';
import { callModuleFunction, callModulePredicate } from './modules/module-verdict.js';
import type { RandomCasesRequest } from './problem.js';

/** Largest number of times that a case is drawn because the author's `valid` refuses it. */
const MAX_DRAWS = 1000;
/** The number of values that a random 32-bit word can have. A word divided by it is a number of at least 0 and less than 1. */
const RANDOM_BITS = 2 ** 32;

export class ModuleCaseGenerator {
  readonly head: Uint8Array | null;
  readonly #definition: ProblemDefinition;
  readonly #problem: ModuleProblem;
  readonly #request: RandomCasesRequest;
  readonly #source: ModuleRandomCaseSource;
  readonly #parser: CaseParser<RecordValue>;
  readonly #out = new ByteWriter();

  constructor(definition: ProblemDefinition, problem: ModuleProblem, request: RandomCasesRequest) {
    this.#definition = definition;
    this.#problem = problem;
    this.#request = request;
    this.#source = problem.cases.createSource(request);
    this.head = this.#source.head;
    const format = request.set === null ? null : problem.contest?.createFormat(request.set);
    this.#parser = (format ?? problem.inputFormat).createParser();
    this.#parser.useHead(this.head);
  }

  /** Returns the bytes of the valid case with this index. */
  caseAt(index: number): Uint8Array {
    let reason = '';
    for (let draw = 0; draw < MAX_DRAWS; draw++) {
      const bytes = this.#draw(index, draw);
      const value = this.#parser.parse(bytes, 0, bytes.length, null);
      if (value === null) throw this.#malformed(index);
      this.#assertSizes(value, index);
      const verdict = this.#verdict(value);
      if (verdict === null) return bytes;
      reason = verdict;
    }
    const why = reason === '' ? '' : `; the last one: ${reason}`;
    throw this.#mistake(`\`valid\` refused ${MAX_DRAWS} random cases in a row${why}; define \`generate\``);
  }

  #draw(index: number, draw: number): Uint8Array {
    const { generate } = this.#definition;
    if (generate === null) return this.#print(this.#source.caseAt(index * MAX_DRAWS + draw));
    const random = new Seed(`${this.#request.seed}/generate/${draw}`).random(index);
    const { description } = this.#definition;
    const bounds = boundsOfFields(description, this.#request);
    const made = callModuleFunction('generate', description.name, () =>
      generate({ random: () => random.word() / RANDOM_BITS, index, bounds }),
    );
    if (typeof made === 'string') return Buffer.from(made.endsWith('\n') ? made : `${made}\n`);
    if (made instanceof Promise) {
      made.catch(() => {});
      throw this.#mistake('`generate` must not be async: it returned a Promise');
    }
    if (typeof made !== 'object' || made === null)
      throw this.#mistake(`\`generate\` must return a text or an object with fields, but returned ${made}`);
    this.#assertFields(made);
    return this.#print(this.#source.caseAt(index, made as RecordValue));
  }

  /** Fails if `generate` has returned a field that cases do not have. Fields that are missing are drawn at random. */
  #assertFields(made: object): void {
    const names = outermostFieldsOf(this.#definition.description.layout.shape).map(({ name }) => name);
    const unknown = Object.keys(made).find((name) => !names.includes(name));
    if (unknown === undefined) return;
    throw this.#mistake(`\`generate\` returned a field ${unknown}; a case has ${names.join(', ')}`);
  }

  /** Fails if `generate` has returned a board of another size than the user wants. */
  #assertSizes(value: RecordValue, index: number): void {
    for (const side of ['rows', 'cols'] as const) {
      const wanted = this.#request.boards[side];
      if (wanted === null) continue;
      // Users can ask for sizes only if cases have boards, so the problem has these columns.
      const size = this.#problem.caseColumns![side](value);
      if (size >= wanted.from && size <= wanted.to) continue;
      throw this.#mistake(
        `\`generate\` made case ${index + 1} with ${size} ${side}, but --${side} asks for ${printRange(wanted)}; it gets the sizes in \`bounds\``,
      );
    }
  }

  #print(value: RecordValue): Uint8Array {
    this.#problem.inputFormat.printCase(value, this.#out);
    return this.#out.take();
  }

  #verdict(value: RecordValue): string | null {
    const { valid, description } = this.#definition;
    if (valid === null) return null;
    const head = this.#parser.headValue as RecordValue;
    return callModulePredicate('valid', description.name, () => valid(value, head));
  }

  #malformed(index: number): BoardmillError {
    const { expected, got } = this.#parser.fault!;
    return this.#mistake(
      `\`generate\` made case ${index + 1}, which the format refuses: expected ${expected}, got ${got}`,
    );
  }

  #mistake(what: string): BoardmillError {
    return new BoardmillError('usage', `problem ${this.#definition.description.name}: ${what}`);
  }
}
