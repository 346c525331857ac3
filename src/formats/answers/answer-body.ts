/** Reads the body of an answer, which is what follows its label. The code that parses fields of inputs parses the body, too. */
import { evaluateExpression, type NameInExpression } from '../language/expression.js';
import type { NameScope } from '../language/expression-values.js';
import { freeNames } from '../language/free-names.js';
import type { Field, RecordTree } from '../language/tree.js';
import type { MutableRecord, ReadFields } from '../tree/case-cursor.js';
import { SlotScope, slotName } from '../tree/compile-expression.js';
import { NEEDS_MORE, STRUCTURE_LOST } from '../tree/cursor.js';
import { compileRecordReader } from '../tree/parse.js';
import { AnswerCursor } from './answer-cursor.js';
import { ANSWER_READING_RULES } from './answer-rules.js';
import type { AnswerCandidate } from './find-answer.js';

interface ReadBody {
  readonly value: unknown;
  /** Index of the byte after the text that was read as the answer. */
  readonly at: number;
  /** Number of empty lines after the answer's first line that are missing because the bytes ended first. */
  readonly linesAtEnd: number;
}

/** The name of the only field of an answer in the record that is read. Fields of modules never have an empty name. */
const UNNAMED = '';

export class AnswerBodyReader {
  /** The names in counts and bounds that mean fields of the case or of the input's head, by their slots in the environment. */
  readonly #freeNames: ReadonlyMap<number, NameInExpression>;
  readonly #read: ReadFields;
  readonly #isRecord: boolean;
  readonly #endsWithLine: boolean;
  readonly #cursor = new AnswerCursor();

  /** If `endsWithLine` is true, the line end after the last line belongs to the answer. */
  constructor(body: Field | RecordTree, endsWithLine: boolean) {
    const record = recordOf(body);
    const scope = new SlotScope();
    this.#freeNames = new Map(freeNames(record).map((name) => [scope.declare(slotName(name)), name]));
    this.#read = compileRecordReader(record, { scope: new SlotScope(scope), rules: ANSWER_READING_RULES });
    this.#cursor.environment = scope.createEnvironment();
    this.#isRecord = body.kind === 'record';
    this.#endsWithLine = endsWithLine;
  }

  /** Whether the length of the answer depends on the case. */
  get needsCase(): boolean {
    return this.#freeNames.size > 0;
  }

  /** Reads the answer at the start of the bytes. `isAtLineStart` is false if a label stands before it on the same line. */
  read(
    { bytes, start, end, atEnd }: AnswerCandidate,
    isAtLineStart: boolean,
    names: NameScope,
  ): ReadBody | 'malformed' | 'needs-more' {
    const cursor = this.#cursor;
    cursor.start(bytes, start, end, atEnd);
    cursor.isAtLineStart = isAtLineStart;
    this.#useNames(names);
    const record: MutableRecord = {};
    const status = this.#read(cursor, record);
    if (cursor.mayGoOn()) return 'needs-more';
    if (status === STRUCTURE_LOST) return 'malformed';
    if (this.#endsWithLine && cursor.finishLine() === NEEDS_MORE) return 'needs-more';
    const linesAtEnd = Math.max(0, cursor.linesAtEnd - (start === end ? 1 : 0));
    return { value: this.#isRecord ? record : record[UNNAMED], at: cursor.at, linesAtEnd };
  }

  #useNames(names: NameScope): void {
    for (const [slot, name] of this.#freeNames)
      this.#cursor.environment[slot] = Number(evaluateExpression(name, names) ?? Number.NaN);
  }
}

/** Returns the body of an answer as a record. A body that is only one field becomes a record of that field. */
function recordOf(body: Field | RecordTree): RecordTree {
  return body.kind === 'record' ? body : { kind: 'record', fields: [{ name: UNNAMED, field: body }] };
}
