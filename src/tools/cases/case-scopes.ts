import type { InputHeadOfTask } from '../../engine/messages.js';
import type { AnswerScope } from '../../formats/answer-format.js';
import type { CaseParser, InputFormat } from '../../formats/input-format.js';

/** Parses cases again when their answers are read, because the length of an answer may depend on the case. */
export class AnswerScopeParser {
  readonly #parser: CaseParser<unknown>;
  #head: InputHeadOfTask | null = null;

  constructor(inputFormat: InputFormat) {
    this.#parser = inputFormat.createParser();
  }

  /** `index` is the index of the case in its input, from 0. */
  scopeOf(caseBytes: Uint8Array, index: number, head: InputHeadOfTask): AnswerScope {
    this.#useHead(head);
    this.#parser.useIndex?.(index);
    const value = this.#parser.parse(caseBytes, 0, caseBytes.length, null);
    if (value === null) throw new Error('a case that was answered cannot be parsed');
    return { value, head: this.#parser.headValue };
  }

  #useHead(head: InputHeadOfTask): void {
    if (head.number === this.#head?.number) return;
    this.#head = head;
    this.#parser.useHead(head.bytes);
  }
}
