/**
 * Measures which mutants of the WebAssembly kernels the tests of the games kill. In a mutant, one instruction is another one, or one
 * constant is larger by 1. The kernel is written as text, changed there, and translated again, so any instruction can be drawn.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import binaryen from 'binaryen';
import { buildCopy, makeCopy } from './copy.mjs';
import { draw } from './draw.mjs';
import { runTests } from './run-tests.mjs';
import { longLast } from './test-files.mjs';

/** The folders of a build that have the kernels: one for tests of sources, one for the program. */
const FOLDERS = ['build/workers/kernels', 'dist/workers/kernels'];

/** What takes the place of an instruction, by the part of its name after the dot. Types before it stay. */
const OTHERS = {
  add: 'sub',
  sub: 'add',
  mul: 'add',
  and: 'or',
  or: 'and',
  xor: 'and',
  andnot: 'and',
  shl: 'shr_u',
  shr_u: 'shl',
  shr_s: 'shl',
  rotl: 'rotr',
  eq: 'ne',
  ne: 'eq',
  lt_s: 'le_s',
  le_s: 'lt_s',
  gt_s: 'ge_s',
  ge_s: 'gt_s',
  lt_u: 'le_u',
  le_u: 'lt_u',
  gt_u: 'ge_u',
  ge_u: 'gt_u',
  min_u: 'max_u',
  max_u: 'min_u',
  ctz: 'clz',
  clz: 'ctz',
};

/** An instruction in the text of a kernel, and the value of a constant. */
const INSTRUCTION = /\((\w+)\.(\w+)(?=\s|$)( -?\d+)?/g;

/**
 * Returns the mutants of a kernel: places in its text, and what stands there instead.
 * @param {string} text
 * @returns {{ id: string, start: number, end: number, from: string, to: string }[]}
 */
export function mutantsOfKernel(text) {
  const mutants = [];
  let name = '';
  let index = 0;
  for (const line of linesWithStarts(text)) {
    const declared = /^ \(func \$(\S+)/.exec(line.text);
    if (declared !== null) [name, index] = [declared[1], 0];
    if (name === '') continue;
    for (const match of line.text.matchAll(INSTRUCTION)) {
      index++;
      const to = otherThan(match);
      if (to === null) continue;
      const start = line.start + match.index;
      mutants.push({
        id: `${name}:${index}`,
        start,
        end: start + match[0].length,
        from: match[0].slice(1),
        to: to.slice(1),
      });
    }
  }
  return mutants;
}

function otherThan([whole, type, operation, constant]) {
  if (operation === 'const' && constant !== undefined)
    return `(${type}.const ${BigInt(constant.trim()) + 1n}`;
  const other = OTHERS[operation];
  return other ? whole.replace(`.${operation}`, `.${other}`) : null;
}

function* linesWithStarts(text) {
  let start = 0;
  for (const line of text.split('\n')) {
    yield { text: line, start };
    start += line.length + 1;
  }
}

/** Returns a kernel as text. */
export function readKernel(file) {
  const module = binaryen.readBinary(readFileSync(file));
  module.setFeatures(binaryen.Features.All);
  const text = module.emitText();
  module.dispose();
  return text;
}

/**
 * Writes a kernel with a mutant. Returns false if the result is no valid module.
 * @param {string} text
 * @param {{ start: number, end: number, to: string }} mutant
 * @param {readonly string[]} files
 */
export function writeKernel(text, { start, end, to }, files) {
  const module = binaryen.parseText(`${text.slice(0, start)}(${to}${text.slice(end)}`);
  module.setFeatures(binaryen.Features.All);
  const isValid = module.validate() === 1;
  if (isValid) for (const file of files) writeFileSync(file, module.emitBinary());
  module.dispose();
  return isValid;
}

/**
 * Measures `count` mutants of each kernel, and prints what became of them. Returns how many there are, and how many were killed.
 * @param {object} settings
 * @param {string} settings.root the checkout
 * @param {string} settings.work a folder for the copy
 * @param {readonly string[]} settings.kernels such as `darkraft`
 * @param {number} settings.count
 * @param {number} settings.seed
 * @param {AbortSignal} settings.signal
 * @param {(line: string) => void} settings.say
 */
export async function measureKernels({ root, work, kernels, count, seed, signal, say }) {
  const unknown = kernels.find((kernel) => !existsSync(join(root, 'workers/kernels', `${kernel}.ts`)));
  if (unknown !== undefined) throw new Error(`there is no kernel ${unknown} in workers/kernels`);
  const copy = join(work, 'copy');
  say('copying and building the checkout');
  makeCopy(root, copy, []);
  await buildCopy(copy, signal);
  const found = { drawn: 0, killed: 0 };
  for (const kernel of kernels) {
    const files = testsOf(kernel, copy);
    const run = { copy, folder: join(work, 'r1'), workers: 1, seed, signal };
    const usual = await runTests({ ...run, files });
    if (!usual.passed) throw new Error(`the tests of ${kernel} fail without a mutant`);
    const times = new Map(usual.files.map(({ file, ms }) => [file, ms]));
    const places = FOLDERS.map((folder) => join(copy, folder, `${kernel}.wasm`));
    const original = readFileSync(places[0]);
    const text = readKernel(places[0]);
    const mutants = mutantsOfKernel(text);
    say(`${kernel}: ${count} of ${mutants.length} mutants, seed ${seed}, ${files.length} test files`);
    for (const mutant of draw(mutants, count, seed)) {
      if (!writeKernel(text, mutant, places)) continue;
      const { passed, failure } = await runTests({ ...run, files, usualMs: (file) => times.get(file) ?? 0 });
      found.drawn++;
      if (!passed) found.killed++;
      const how = passed ? '' : ` by ${failure.file}`;
      say(`${passed ? 'survived' : 'killed'} ${kernel}:${mutant.id} ${mutant.from} -> ${mutant.to}${how}`);
    }
    for (const place of places) writeFileSync(place, original);
  }
  return found;
}

/** The tests of a game, those of `npm test` first. */
function testsOf(kernel, copy) {
  const names = readdirSync(join(copy, 'tests/games')).filter((name) => name.endsWith('.test.ts'));
  const own = names.filter((name) => name.startsWith(kernel) || name === 'lanes.test.ts');
  return own
    .map((name) => ({ file: `tests/games/${name}` }))
    .sort(longLast)
    .map(({ file }) => file);
}
