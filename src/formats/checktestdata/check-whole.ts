/** Decides whether a whole file matches a grammar, as checktestdata does. */
import type { Fault } from '../../core/errors.js';
import { Compiler } from './compile.js';
import { NEEDS_BYTES, Reader } from './reader.js';
import type { Grammar } from './syntax.js';
import { Variables } from './variables.js';

/** How many steps a grammar may take for a whole file, apart from those for its bytes. */
const WHOLE_FILE_STEPS = 100_000_000;
const START = { line: 1, column: 1 };

/** Runs the whole grammar on a whole file. Returns null if the file matches, else its first fault. */
export function checkWhole(grammar: Grammar, bytes: Uint8Array): Fault | null {
  const compiler = new Compiler();
  const run = compiler.block([...grammar.commands, { kind: 'eof', at: START }]);
  const reader = new Reader(compiler.slotCount, grammar.fileName, {
    isLenient: false,
    baseSteps: WHOLE_FILE_STEPS,
  });
  reader.prepare({ bytes, from: 0, end: bytes.length, atEnd: true }, new Variables(compiler.slotCount));
  const fault = reader.run(() => run(reader));
  return fault === NEEDS_BYTES ? null : fault;
}
