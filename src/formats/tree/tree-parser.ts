/** Parses the cases of an input whose format is a tree. */
import { isDigit, skipWhitespace } from '../../core/bytes.js';
import { type Fault, pluralize } from '../../core/errors.js';
import type { CaseParser } from '../input-format.js';
import { lastField } from '../language/shapes.js';
import type { RecordValue } from '../language/tree.js';
import { UNNAMED_COUNT } from './case-count.js';
import { CaseCursor, type MutableRecord } from './case-cursor.js';
import { READ_OK } from './cursor.js';
import type { CompiledLayout } from './tree-program.js';

export class TreeCaseParser implements CaseParser<RecordValue> {
  readonly #program: CompiledLayout;
  readonly #cursor = new CaseCursor();
  #head: RecordValue = {};
  #promisedCases: number | null = null;

  constructor(program: CompiledLayout) {
    this.#program = program;
    this.#cursor.environment = program.read.scope.createEnvironment();
  }

  useHead(head: Uint8Array | null): void {
    if (head !== null) this.readHead(head, 0, head.length);
  }

  /** Reads the head in bytes[start, end). Returns its fault; null if it has none. */
  readHead(bytes: Uint8Array, start: number, end: number): Fault | null {
    const value: MutableRecord = {};
    this.#cursor.start(bytes, start, end, true);
    this.#program.read.head?.(this.#cursor, value);
    const countName = this.#program.head?.countName ?? null;
    this.#promisedCases = countName === null ? null : Number(value[countName] ?? Number.NaN);
    delete value[UNNAMED_COUNT];
    this.#head = value;
    return this.fault;
  }

  /** The number of cases in the head; null if the head does not give it. */
  get promisedCases(): number | null {
    return this.#promisedCases;
  }

  get headValue(): RecordValue {
    return this.#head;
  }

  get fault(): Fault | null {
    return this.#cursor.faults[0] ?? null;
  }

  get lineEnds(): number {
    return -1;
  }

  parse(bytes: Uint8Array, start: number, end: number): RecordValue | null {
    const value: MutableRecord = {};
    this.#read(bytes, start, end, value);
    return this.#cursor.faults.length === 0 ? value : null;
  }

  findFaults(bytes: Uint8Array, start: number, end: number): Fault[] {
    this.#cursor.isCollecting = true;
    this.#read(bytes, start, end, {});
    this.#cursor.isCollecting = false;
    return [...this.#cursor.faults];
  }

  #read(bytes: Uint8Array, start: number, end: number, value: MutableRecord): void {
    const cursor = this.#cursor;
    const { maxCaseBytes } = this.#program;
    cursor.start(bytes, start, end, true);
    if (end - start >= maxCaseBytes) {
      cursor.reportLost(start, `a case of fewer than ${maxCaseBytes} bytes`, 'more');
      return;
    }
    if (this.#program.read.case(cursor, value) !== READ_OK) return;
    if (cursor.at === start) {
      cursor.reportLost(start, 'a case with a token');
      return;
    }
    const next = skipWhitespace(bytes, cursor.at, end);
    // If the case has a fault, a number after it may belong to the next case.
    const mayBeginCase = cursor.faults.length > 0 && this.#program.headerNumbers > 0 && isDigit(bytes[next]);
    if (next < end && !mayBeginCase)
      cursor.report(next, this.#describeEnd(), `one more: ${cursor.describeToken(next)}`);
  }

  /** Describes the expected end of a case, for the message about a surplus token after it. */
  #describeEnd(): string {
    const last = lastField(this.#program.layout.shape);
    if (last?.kind !== 'grid') return 'the end of the case';
    const { rows, cols } = this.#cursor;
    return last.letters.length === 1 ? pluralize(rows, 'row') : `${rows} x ${cols} blocks`;
  }

  /** Reads a case in bytes[start, end), or only its first fields. Returns the index after them, or the fault. */
  tryCase(bytes: Uint8Array, start: number, end: number, isWhole: boolean): number | Fault {
    const { read } = this.#program;
    this.#cursor.start(bytes, start, end, true);
    (isWhole ? read.case : read.caseStart)(this.#cursor, {});
    return this.fault ?? this.#cursor.at;
  }
}
