/** The answer format that a grammar of one answer describes (`--answers FILE.ctd`). It starts with the case's variables. */
import { type ByteWriter, bytesOfLatin1, decodeText, LF, skipBlanks, trimEnd } from '../../../core/bytes.js';
import {
  type AnswerExtent,
  type AnswerFormat,
  type AnswerScope,
  MAX_OWN_ANSWER_BYTES,
} from '../../answer-format.js';
import { Compiler, type Run } from '../language/compile.js';
import { beginsExactly } from '../language/names.js';
import type { Grammar } from '../language/syntax.js';
import { parseInteger, type Value } from '../language/values.js';
import { Variables } from '../language/variables.js';
import type { GrammarCase } from './grammar-format.js';
import { NEEDS_BYTES, Reader } from './reader.js';

interface GrammarAnswer {
  readonly text: string;
}

/** How many bytes after a fault decide nothing any more. */
const QUOTED_BYTES = 32;

export class GrammarAnswerFormat implements AnswerFormat<GrammarCase, GrammarAnswer> {
  readonly maxAnswerBytes = MAX_OWN_ANSWER_BYTES;
  readonly hasLabels = false;
  readonly needsCase = true;
  readonly #grammar: Grammar;
  readonly #compiler = new Compiler();
  readonly #run: Run;
  readonly #reader: Reader;
  readonly #beginsExactly: boolean;

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
    // EOF at the end of the grammar is the end of the answer, not of the output.
    const commands =
      grammar.commands.at(-1)?.kind === 'eof' ? grammar.commands.slice(0, -1) : grammar.commands;
    this.#run = this.#compiler.block(commands);
    this.#reader = new Reader(this.#compiler.slotCount, grammar.fileName, { isLenient: true });
    this.#beginsExactly = beginsExactly(commands);
  }

  label(): string {
    return '';
  }

  describe(): string {
    return `an answer that matches ${this.#grammar.fileName}`;
  }

  find(
    bytes: Uint8Array,
    from: number,
    end: number,
    atEnd: boolean,
    extent: AnswerExtent,
    scope: AnswerScope<GrammarCase> | null,
  ): boolean | null {
    const first = skipBlanks(bytes, from, end);
    if (first === end) return atEnd ? false : null;
    const start = this.#beginsExactly ? lineStart(bytes, from, first) : first;
    const limit = Math.min(end, start + MAX_OWN_ANSWER_BYTES);
    const isLimitFinal = atEnd || limit < end;
    const answerEnd = this.#answerEnd(bytes, start, limit, isLimitFinal, scope);
    if (answerEnd === null) return null;
    extent.start = extent.bodyStart = start;
    extent.caseNumber = null;
    extent.end = answerEnd;
    return true;
  }

  /** The end of the answer, or of the line of the fault if the text is no answer. Null: more bytes are needed. */
  #answerEnd(
    bytes: Uint8Array,
    start: number,
    limit: number,
    isLimitFinal: boolean,
    scope: AnswerScope<GrammarCase> | null,
  ): number | null {
    this.#reader.prepare({ bytes, from: start, end: limit, atEnd: isLimitFinal }, this.#variablesOf(scope));
    const fault = this.#reader.run(() => this.#run(this.#reader));
    if (fault === NEEDS_BYTES) return null;
    if (fault === null && this.#reader.at > start) return trimEnd(bytes, start, this.#reader.at);
    const faultAt = fault?.offset ?? start;
    if (!isLimitFinal && faultAt + QUOTED_BYTES > limit) return null;
    const lineEnd = bytes.subarray(0, limit).indexOf(LF, faultAt);
    if (lineEnd < 0 && !isLimitFinal) return null;
    return trimEnd(bytes, start, Math.max(start + 1, lineEnd < 0 ? limit : lineEnd));
  }

  parse(
    bytes: Uint8Array,
    { bodyStart, end }: AnswerExtent,
    scope: AnswerScope<GrammarCase> | null,
  ): GrammarAnswer | null {
    this.#reader.prepare({ bytes, from: bodyStart, end, atEnd: true }, this.#variablesOf(scope));
    const fault = this.#reader.run(() => this.#run(this.#reader));
    if (fault !== null || skipBlanks(bytes, this.#reader.at, end) !== end) return null;
    const text = Buffer.from(this.#reader.canonicalBytes()).toString('latin1').trimEnd();
    return { text: decodeText(bytesOfLatin1(text)) };
  }

  #variablesOf(scope: AnswerScope<GrammarCase> | null): Variables {
    const variables = new Variables(this.#compiler.slotCount);
    const values = { ...(scope?.head as Record<string, unknown>), ...scope?.value.variables };
    for (const [slot, name] of this.#compiler.names.entries())
      variables.scalars[slot] = toValue(values[name]);
    return variables;
  }

  print({ text }: GrammarAnswer, _caseNumber: number, out: ByteWriter): void {
    out.utf8(`${text}\n`);
  }

  printError(_caseNumber: number, out: ByteWriter): void {
    out.ascii('ERROR\n');
  }

  toJson({ text }: GrammarAnswer): unknown {
    return text;
  }
}

function toValue(value: unknown): Value | undefined {
  if (typeof value === 'bigint') return parseInteger(value.toString());
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** The start of the line of `first`, but not before `from`. */
function lineStart(bytes: Uint8Array, from: number, first: number): number {
  let at = first;
  while (at > from && bytes[at - 1] !== LF) at--;
  return at;
}
