/**
 * Measures on one core how fast the scanner and the parser of a format read: `node bench/formats.mjs` prints MB/s. The
 * formats are trees of fields, as authors of problems write them. Needs a build (`npm run build`).
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { ByteWriter } from '../build/src/core/bytes.js';
import { TreeInputFormat } from '../build/src/formats/tree/tree-format.js';

const BYTES = 8e6;
const ROUNDS = 5;

const int = { kind: 'scalar', of: 'int', min: null, max: null, decimals: null, description: null };
const named = (name) => ({ kind: 'name', name });
const numbers = (of) => ({ kind: 'numbers', of, count: named('n'), min: null, max: null, decimals: null });
const grid = (letters) => ({ kind: 'grid', rows: named('r'), cols: named('c'), letters });
const edges = { kind: 'list', count: named('n'), of: record({ u: int, v: int, w: int }) };

/** @returns {import('../build/src/formats/language/tree.js').RecordTree} */
function record(fields) {
  return { kind: 'record', fields: Object.entries(fields).map(([name, field]) => ({ name, field })) };
}

/** @returns {import('../build/src/formats/language/tree.js').Layout} */
function counted(fields) {
  const ending = { kind: /** @type {const} */ ('counted'), name: null, min: null, max: null };
  return { ending, head: null, shape: { kind: 'record', records: [record(fields)] }, total: [] };
}

const generator = xoroshiro128plus(20190504);
const below = (bound) => (generator.next() >>> 0) % bound;
const times = (count, make) => Array.from({ length: count }, make);

const word = () => String(below(2) ? below(2e9) - 1e9 : below(1000));
const row = (cols) => times(cols, () => '.#'[below(2)]).join('');
const blocks = (cols) => times(cols, () => 'ABC'[below(3)] + 'LRU'[below(3)]).join(' ');
const table = (makeRow) => (rows, cols) =>
  `${rows} ${cols}\n${times(rows, () => `${makeRow(cols)}\n`).join('')}`;
const board = table(row);

/**
 * For each measured format its name, its layout, and a function that makes a case as text.
 * @type {[string, import('../build/src/formats/language/tree.js').Layout, () => string][]}
 */
const FORMATS = [
  ['ints, up to 200 of them', counted({ n: int, a: numbers('int32') }), () => ints(below(200))],
  ['ints, up to 5', counted({ n: int, a: numbers('int32') }), () => ints(below(6))],
  ['numbers, up to 200', counted({ n: int, a: numbers('number') }), () => decimals(below(200))],
  [
    'grid, up to 50 x 50',
    counted({ r: int, c: int, g: grid(['.#']) }),
    () => board(1 + below(50), 1 + below(50)),
  ],
  [
    'grid, up to 5 x 5',
    counted({ r: int, c: int, g: grid(['.#']) }),
    () => board(1 + below(5), 1 + below(5)),
  ],
  [
    'blocks, up to 16 x 16',
    counted({ r: int, c: int, g: grid(['ABC', 'LRU']) }),
    () => table(blocks)(1 + below(16), 1 + below(16)),
  ],
  ['list, up to 100 edges', counted({ n: int, edges }), () => list(below(100))],
];

function ints(count) {
  return `${count}\n${times(count, word).join(' ')}\n`;
}

function decimals(count) {
  return `${count}\n${times(count, () => (below(2e6) / 1000 - 1000).toFixed(below(4))).join(' ')}\n`;
}

function list(count) {
  return `${count}\n${times(count, () => `${below(1e5)} ${below(1e5)} ${below(1e9)}\n`).join('')}`;
}

function makeInput(makeCase) {
  const cases = times(3000, makeCase);
  const text = cases.join('');
  const repeats = Math.ceil(BYTES / text.length);
  return new TextEncoder().encode(`${cases.length * repeats}\n${text.repeat(repeats)}`);
}

/** Returns the indices at which the cases begin, and the index at which the last case ends. */
function scan(scanner, bytes) {
  const starts = [];
  const extent = { end: 0, neededEnd: 0, isInvalid: false };
  const head = scanner.readHead(bytes, bytes.length, true);
  let at = head.length;
  for (let found = 0; found < head.cases; found++) {
    at = scanner.skipToCase(bytes, at, bytes.length);
    if (scanner.findTail(bytes, at, bytes.length, true, false) !== -1)
      throw new Error('the input ends early');
    scanner.findCase(bytes, at, bytes.length, true, extent);
    if (extent.isInvalid) throw new Error('an invalid case');
    starts.push(at);
    at = extent.end;
  }
  starts.push(at);
  return starts;
}

function parse(parser, bytes, starts) {
  for (let index = 0; index + 1 < starts.length; index++) {
    if (parser.parse(bytes, starts[index], starts[index + 1], null) === null)
      throw new Error('an invalid case');
  }
}

function print(format, parser, bytes, starts) {
  const out = new ByteWriter(bytes.length);
  for (let index = 0; index + 1 < starts.length; index++) {
    format.printCase(parser.parse(bytes, starts[index], starts[index + 1], null), out);
  }
}

/** Returns the best speed of several runs, in MB per second of processor time: other programs do not change it. */
function measure(bytes, run) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1e6);
  }
  return Math.round(bytes.length / best / 1e6);
}

for (const [name, layout, makeCase] of FORMATS) {
  const format = new TreeInputFormat(layout);
  const bytes = makeInput(makeCase);
  const parser = format.createParser();
  const scanner = format.createScanner();
  const thorough = format.createScanner({ isThorough: true });
  const starts = scan(scanner, bytes);
  const speeds = {
    boundaries: measure(bytes, () => scan(scanner, bytes)),
    thorough: measure(bytes, () => scan(thorough, bytes)),
    parsing: measure(bytes, () => parse(parser, bytes, starts)),
    'parsing and printing': measure(bytes, () => print(format, parser, bytes, starts)),
  };
  const columns = Object.entries(speeds).map(([what, speed]) => `${what} ${speed} MB/s`);
  console.log(`${name}: ${columns.join(', ')}`);
}
