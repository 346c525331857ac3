/** Scans and parses an input by a layout, as the engine does, without threads. */
import { ByteWriter } from '../../src/core/bytes.js';
import type { Fault } from '../../src/core/errors.js';
import type { CaseExtent, HeadExtent } from '../../src/formats/input-format.js';
import { NO_TAIL } from '../../src/formats/input-format.js';
import type { Layout, RecordValue } from '../../src/formats/language/tree.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';

export interface ReadCase {
  readonly start: number;
  readonly end: number;
  readonly isInvalid: boolean;
  readonly value: RecordValue | null;
  readonly faults: readonly Fault[];
}

export interface Reading {
  readonly head: HeadExtent | Fault;
  readonly headValue: unknown;
  readonly cases: readonly ReadCase[];
  /** Index after the tail; -1 if the input has no tail. */
  readonly tail: number;
}

export interface ReadingOptions {
  /** The numbers of bytes that are available one after another; then all bytes are. */
  readonly available?: readonly number[];
  readonly isThorough?: boolean;
}

/** Reads all cases, or up to the first invalid case if the reading is not thorough. */
export function readByTree(layout: Layout, bytes: Uint8Array, options: ReadingOptions = {}): Reading {
  const { isThorough = false } = options;
  const format = new TreeInputFormat(layout);
  const scanner = format.createScanner({ isThorough });
  const parser = format.createParser();
  const ends = [...(options.available ?? []), bytes.length];
  let step = 0;
  /** Repeats a call with more bytes until it has an answer. It sees no byte that is not available. */
  const ask = <T>(call: (seen: Uint8Array, end: number, atEnd: boolean) => T | null): T => {
    for (;;) {
      const end = ends[step];
      const atEnd = step === ends.length - 1;
      const seen = bytes.slice(0, end + 3);
      seen.fill(0x37, end);
      const answer = call(seen, end, atEnd);
      if (answer !== null) return answer;
      if (atEnd) throw new Error('the scanner wants more bytes at the end of the input');
      step++;
    }
  };
  const head = ask((seen, end, atEnd) => scanner.readHead(seen, end, atEnd));
  if ('offset' in head) return { head, headValue: null, cases: [], tail: -1 };
  parser.useHead(head.head);
  const cases: ReadCase[] = [];
  const extent: CaseExtent = { end: 0, neededEnd: 0, isInvalid: false };
  let at = head.length;
  for (;;) {
    at = ask((seen, end, atEnd) => {
      const start = scanner.skipToCase(seen, at, end);
      return start < end || atEnd ? start : null;
    });
    const isLast = cases.length === head.cases;
    const tail = ask((seen, end, atEnd) => scanner.findTail(seen, at, end, atEnd, isLast));
    if (tail !== NO_TAIL) return { head, headValue: parser.headValue, cases, tail };
    if (at === bytes.length) return { head, headValue: parser.headValue, cases, tail: -1 };
    ask((seen, end, atEnd) => scanner.findCase(seen, at, end, atEnd, extent) || null);
    const { end, isInvalid, neededEnd } = extent;
    if (end <= at) throw new Error(`the case at ${at} ends at ${end}`);
    const chunk = bytes.slice(0, neededEnd);
    const value = parser.parse(chunk, at, end, null);
    const faults = value === null ? [parser.fault as Fault, ...parser.findFaults(chunk, at, end)] : [];
    cases.push({ start: at, end, isInvalid, value, faults });
    if (value === null && !isThorough) return { head, headValue: parser.headValue, cases, tail: -1 };
    at = end;
    if (!isInvalid) continue;
    const search = { at, isInsideToken: false };
    ask((seen, seenEnd, atEnd) => scanner.findNextCase(seen, seenEnd, atEnd, search) || null);
    at = search.at;
  }
}

/** Prints an input that consists of the cases. */
export function printInput(
  layout: Layout,
  values: readonly RecordValue[],
  head: Uint8Array | null = null,
): Uint8Array {
  const format = new TreeInputFormat(layout);
  const out = new ByteWriter();
  format.printHead(head, values.length, out);
  for (const value of values) format.printCase(value, out);
  format.printTail(head, out);
  return out.take();
}

/** The value with only the data of its fields, so that values can be compared. */
export function plain(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (ArrayBuffer.isView(value)) return [...(value as Int32Array)];
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}
