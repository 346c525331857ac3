/** The input format that a layout describes. Its scanner, parser and printer are made from the tree of fields. */
import { ByteWriter, LF } from '../../core/bytes.js';
import type { Fault } from '../../core/errors.js';
import { smallestValueOf } from '../cases/smallest.js';
import {
  type CaseParser,
  type CaseScanner,
  type InputFormat,
  type JointCasesCheck,
  NO_TAIL,
  type ScannerOptions,
} from '../input-format.js';
import { describeLayout, describeTerminator } from '../language/describe-tree.js';
import { countLeadingEmptyLines, kindOfCaseStart, NO_ARRAYS } from '../language/shapes.js';
import type { Layout, RecordValue } from '../language/tree.js';
import { MAX_TREE_CASE_BYTES } from './cursor.js';
import { printShape } from './print.js';
import { TreeCaseParser } from './tree-parser.js';
import { type CompiledLayout, compileLayout } from './tree-program.js';
import { TreeScanner } from './tree-scanner.js';

/** An input needs no look at all of its cases. */
const NEVER = (): never => {
  throw new Error('the whole input is not needed');
};

export class TreeInputFormat implements InputFormat<RecordValue> {
  readonly maxCaseBytes: number;
  readonly ending: InputFormat['ending'];
  readonly terminator: string | null;
  readonly emptyLinesBeforeCase: number;
  readonly joint?: JointCasesCheck;
  readonly #layout: Layout;
  readonly #program: CompiledLayout;

  constructor(layout: Layout, maxCaseBytes = MAX_TREE_CASE_BYTES) {
    this.#layout = layout;
    this.maxCaseBytes = maxCaseBytes;
    this.ending = layout.ending.kind;
    this.terminator = describeTerminator(layout.ending);
    this.#program = compileLayout(layout, maxCaseBytes);
    this.emptyLinesBeforeCase = this.#program.start === 'any-line' ? 0 : countLeadingEmptyLines(layout.shape);
    const { ending } = layout;
    if (ending.kind === 'until-terminator' && ending.when !== null) {
      const findHeadFault = (head: Uint8Array) => this.#findTerminatorFault(head, ending.text);
      this.joint = { needsWhole: false, findHeadFault, findTail: NEVER };
    }
  }

  /** Returns the fault of a head with which the terminator `text` does not fulfil the condition of the layout. */
  #findTerminatorFault(head: Uint8Array, text: string): Fault | null {
    const out = new ByteWriter();
    this.printTail(head, out);
    const tail = out.take();
    const scanner = this.createScanner();
    scanner.useHead(head);
    if (scanner.findTail(tail, 0, tail.length, true, false) !== NO_TAIL) return null;
    const expected = `a head with which ${JSON.stringify(text)} is the terminator`;
    return { offset: 0, expected, got: 'another head' };
  }

  describe(): string {
    return describeLayout(this.#layout);
  }

  createScanner(options?: ScannerOptions): CaseScanner {
    return new TreeScanner(this.#program, options);
  }

  createParser(): CaseParser<RecordValue> {
    return new TreeCaseParser(this.#program);
  }

  findCountFault(head: Uint8Array): Fault | null {
    const program = compileLayout(this.#layout, this.maxCaseBytes, 'bounded');
    return program.head === null ? null : new TreeCaseParser(program).readHead(head, 0, head.length);
  }

  printHead(head: Uint8Array | null, count: number, out: ByteWriter): void {
    const tree = this.#program.head;
    if (tree === null) return;
    this.printHeadValue(head === null ? smallestValueOf(tree.shape) : this.#parseHead(head), count, out);
  }

  /** Writes a head with this value and this number of cases. */
  printHeadValue(value: RecordValue, count: number, out: ByteWriter): void {
    const tree = this.#program.head;
    if (tree === null) return;
    const counted = tree.countName === null ? value : { ...value, [tree.countName]: count };
    printShape(tree.shape, counted, out, kindOfCaseStart(tree.shape, NO_ARRAYS) === 'any-line');
  }

  #parseHead(head: Uint8Array): RecordValue {
    const parser = new TreeCaseParser(this.#program);
    parser.useHead(head);
    return parser.headValue;
  }

  printCase(value: RecordValue, out: ByteWriter): void {
    printShape(this.#layout.shape, value, out, this.#program.start === 'any-line');
  }

  printTail(_head: Uint8Array | null, out: ByteWriter): void {
    const { ending } = this.#layout;
    if (ending.kind !== 'until-terminator') return;
    out.utf8(ending.text);
    out.byte(LF);
  }
}
