/** Scans and parses a whole input as the engine does: bytes arrive in pieces, and a parser sees only its own case. */
import type { Fault } from '../../../src/core/errors.js';
import type {
  CaseOfGrammar,
  GrammarInputFormat,
} from '../../../src/formats/checktestdata/reading/grammar-format.js';
import { type CaseSearch, NO_TAIL } from '../../../src/formats/input-format.js';

export interface Scanned {
  readonly headFault: Fault | null;
  readonly announced: number | null;
  readonly head: Uint8Array | null;
  readonly headValue: unknown;
  readonly cases: (CaseOfGrammar | null)[];
  readonly faults: Fault[];
  readonly tailFault: Fault | null;
  /** The text after the tail, or from its fault on. */
  readonly rest: string;
}

export function scanAll(format: GrammarInputFormat, text: string, piece = Number.POSITIVE_INFINITY): Scanned {
  const bytes = new Uint8Array(Buffer.from(text, 'latin1'));
  const scanner = format.createScanner();
  const parser = format.createParser();
  let end = Math.min(piece, bytes.length);
  /** Calls `decide` with more and more bytes until it can decide. */
  const decided = <T>(decide: (isAtEnd: boolean) => T | null): T => {
    for (;;) {
      const result = decide(end === bytes.length);
      if (result !== null) return result;
      if (end === bytes.length) throw new Error('the scanner wants bytes after the end');
      end = Math.min(bytes.length, end + piece);
    }
  };
  const head = decided((isAtEnd) => scanner.readHead(bytes, end, isAtEnd));
  const result = {
    head: null,
    headValue: null,
    announced: null,
    cases: [],
    faults: [],
    tailFault: null,
    rest: '',
  };
  if ('expected' in head) return { ...result, headFault: head };
  const scanned = { ...result, headFault: null, head: head.head, announced: head.cases } as Scanned;
  parser.useHead(head.head);
  let at = head.length;
  let tailFault: Fault | null = null;
  for (let found = 0; ; found++) {
    at = decided((isAtEnd) => {
      const next = scanner.skipToCase(bytes, at, end);
      return next === end && !isAtEnd ? null : next;
    });
    const isLast = head.cases === found;
    scanner.useIndex?.(found);
    parser.useIndex?.(found);
    // The engine asks for a tail at the end of the input unless it knows that cases are missing.
    if (at === bytes.length && !isLast && format.ending !== 'until-end') break;
    const tail = decided((isAtEnd) => scanner.findTail(bytes, at, end, isAtEnd, isLast));
    if (tail !== NO_TAIL) {
      at = tail;
      tailFault = scanner.tailFault ?? null;
      break;
    }
    if (at === bytes.length && !isLast) {
      tailFault = { offset: at, expected: 'a case', got: 'the end of the input' };
      break;
    }
    const extent = { end: 0, neededEnd: 0, isInvalid: false };
    decided((isAtEnd) => scanner.findCase(bytes, at, end, isAtEnd, extent) || null);
    const own = bytes.slice(at, extent.neededEnd);
    const value = parser.parse(own, 0, extent.end - at, null);
    if ((value === null) !== extent.isInvalid)
      throw new Error(
        `the scanner and the parser disagree on case ${found + 1}: ${JSON.stringify(parser.fault)}`,
      );
    scanned.cases.push(value);
    if (!extent.isInvalid) at = extent.end;
    else {
      scanned.faults.push({ ...parser.fault!, offset: at + parser.fault!.offset });
      scanner.useIndex?.(found + 1);
      const search: CaseSearch = { at: extent.end, isInsideToken: false };
      decided((isAtEnd) => scanner.findNextCase(bytes, end, isAtEnd, search) || null);
      at = search.at;
    }
  }
  return { ...scanned, tailFault, headValue: parser.headValue, rest: text.slice(at) };
}
