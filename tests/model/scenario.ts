/** Random inputs, mistakes in them, and options of runs, as arbitraries of fast-check, so that what fails gets smaller. */
import fc from 'fast-check';
import {
  anyDamage,
  anyLayout,
  anyShare,
  applyDamage,
  bytesOf,
  type Damage,
  linesOf,
  type PlainCase,
  randomCase,
  STYLES,
  type Style,
} from '../support/inputs.js';
import { Random } from '../support/random.js';
import type { Column, Format, Look } from './answers.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** An input before and after somebody has made mistakes in it. Most inputs have no mistake. */
export interface Input {
  readonly good: Bytes;
  readonly bytes: Bytes;
}

/** How an input is made. */
interface InputWish {
  /** The largest number of cases. */
  readonly maxCases: number;
  /** The smallest number of cases. */
  readonly minCases?: number;
  /** `letters`: a few boards have wrong letters, after which `--on-error mark` goes on. */
  readonly mistakes: 'none' | 'some' | 'always' | 'letters';
  /** Blanks behind each line, so that an input of few cases has many bytes. */
  readonly blanks?: number;
  /** How often the cases are repeated, at least so often that there are this many of them. */
  readonly repeatedTo?: number;
}

/**
 * An input that is so large that workers scan parts of it themselves, about 700 KB: of cases with very long lines, or of many
 * cases. Blanks make them large, because reading and judging many cases takes most of the time of a scenario.
 */
export function anyLargeInput(style: Style, mistakes: InputWish['mistakes'] = 'none'): fc.Arbitrary<Input> {
  return fc.oneof(
    anyInput(style, { minCases: 400, maxCases: 500, mistakes, blanks: 500 }),
    anyInput(style, { minCases: 50, maxCases: 100, mistakes, repeatedTo: 4000, blanks: 50 }),
  );
}

/** A mistake of somebody who writes an input: it changes a line, which is a list of tokens. */
interface Mistake {
  readonly kind:
    | 'letter'
    | 'short'
    | 'long'
    | 'lost row'
    | 'row twice'
    | 'size'
    | 'T'
    | 'text after the end'
    | 'cut';
  /** Where the mistake is: a share of the lines, from 0 to 1. */
  readonly place: number;
}

const MISTAKES: readonly Mistake['kind'][] = [
  'letter',
  'short',
  'long',
  'lost row',
  'row twice',
  'size',
  'T',
  'text after the end',
  'cut',
];

/** Boards of up to 9 cells, which the slow oracles can solve. */
const MAX_SIDE = 3;

export function anyInput(style: Style, wish: InputWish): fc.Arbitrary<Input> {
  const mistake = fc.record({
    kind: wish.mistakes === 'letters' ? fc.constant('letter' as const) : fc.constantFrom(...MISTAKES),
    place: anyShare(),
  });
  const [minMistakes, maxMistakes] = { none: [0, 0], some: [0, 1], always: [1, 2], letters: [0, 3] }[
    wish.mistakes
  ];
  return fc
    .record({
      cases: anyCases(style, wish),
      layout: anyLayout(),
      mistakes: fc.array(mistake, { minLength: minMistakes, maxLength: maxMistakes }),
      damages: fc.oneof(
        { weight: 3, arbitrary: fc.constant<Damage[]>([]) },
        {
          weight: ['none', 'letters'].includes(wish.mistakes) ? 0 : 1,
          arbitrary: fc.array(anyDamage(), { maxLength: 1 }),
        },
      ),
    })
    .map(({ cases, layout, mistakes, damages }) => {
      const print = (rows: readonly (readonly string[])[]) =>
        bytesOf(layout(rows.map((tokens) => withBlanks(tokens, wish.blanks ?? 0))));
      const lines = once(() => linesOf(style, cases()));
      const good = once(() => print(lines()));
      if (mistakes.length + damages.length === 0) return inputOf(good, good);
      const wrong = () => mistakes.reduce((rows, each) => makeMistake(style, rows, each), lines());
      return inputOf(
        good,
        once(() => damages.reduce(applyDamage, print(wrong()))),
      );
    });
}

/** Returns an input whose bytes are made when they are first used. Short tests draw many inputs that they do not use. */
function inputOf(good: () => Bytes, bytes: () => Bytes): Input {
  return {
    get good() {
      return good();
    },
    get bytes() {
      return bytes();
    },
  };
}

/** Returns a function that makes something when it is first called, and keeps it. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Any number of small cases, each of them drawn from one seed, and made when they are needed. */
function anyCases(
  style: Style,
  { minCases = 0, maxCases, repeatedTo = 0 }: InputWish,
): fc.Arbitrary<() => PlainCase[]> {
  const least = style.preamble.length > 0 || style.terminated ? minCases : Math.max(1, minCases);
  return fc
    .record({ count: fc.integer({ min: least, max: Math.max(least, maxCases) }), seed: fc.nat() })
    .map(({ count, seed }) => () => {
      const random = new Random(seed);
      return repeat(
        Array.from({ length: count }, () => smallCase(style, random)),
        repeatedTo,
      );
    });
}

function smallCase(style: Style, random: Random): PlainCase {
  const { minRows, maxRows, maxCols, minCells } = style;
  const [rows, cols] = [1 + random.below(MAX_SIDE), 1 + random.below(MAX_SIDE)];
  return randomCase(
    style,
    Math.min(maxRows, Math.max(minRows, rows)),
    Math.min(maxCols, Math.max(Math.ceil(minCells / Math.min(2, maxRows)), cols)),
    random,
  );
}

function repeat(cases: PlainCase[], atLeast: number): PlainCase[] {
  return Array.from({ length: Math.ceil(atLeast / cases.length) || 1 }, () => cases).flat();
}

function withBlanks(tokens: readonly string[], blanks: number): readonly string[] {
  // A mistake may have left a line without tokens.
  if (blanks === 0 || tokens.length === 0) return tokens;
  return tokens.with(-1, tokens.at(-1)! + ' '.repeat(blanks));
}

/** Returns copies of the lines with this mistake in one of them. */
function makeMistake(style: Style, rows: readonly string[][], { kind, place }: Mistake): string[][] {
  // A mistake before this one may have left a line without words, in which there is nothing to change.
  const lines = rows.filter((row) => row.length > 0);
  if (lines.length === 0) return [['?']];
  const at = Math.floor(place * lines.length);
  const line = lines[at];
  const last = line.at(-1)!;
  const changed = (...tokens: string[]) => [...lines.slice(0, at), tokens, ...lines.slice(at + 1)];
  switch (kind) {
    case 'letter':
      return changed(...line.with(-1, `${last.slice(0, -1)}?`));
    case 'short':
      return changed(...line.with(-1, last.slice(0, -1)).filter((token) => token !== ''));
    case 'long':
      return changed(...(style.letters.length === 2 ? [...line, last] : line.with(-1, last + last.at(-1))));
    case 'lost row':
      return [...lines.slice(0, at), ...lines.slice(at + 1)];
    case 'row twice':
      return [...lines.slice(0, at), line, ...lines.slice(at)];
    case 'size':
      return changed(...(/^\d/.test(line[0]) ? ['1', '2'] : line));
    case 'T':
      return [lines[0].with(-1, `${Number(lines[0].at(-1)) + (at % 2 === 0 ? 1 : -1)}`), ...lines.slice(1)];
    case 'text after the end':
      return [...lines, ['1', '1'], [style.letters.map((letters) => letters[0]).join('')]];
    case 'cut':
      return lines.slice(0, at).map((row) => [...row]);
  }
}

/** Returns the input with another letter of the boards at about `place`, a share of its length, and with the same size. */
export function withOtherLetter(style: Style, bytes: Bytes, place: number): Bytes {
  const letters = style.letters[0];
  const from = Math.floor(place * bytes.length);
  const isCell = (byte: number) => letters.includes(String.fromCharCode(byte));
  const after = bytes.findIndex((byte, at) => at >= from && isCell(byte));
  const at = after < 0 ? bytes.findLastIndex(isCell) : after;
  if (at < 0) return bytes;
  const other = (letters.indexOf(String.fromCharCode(bytes[at])) + 1) % letters.length;
  return bytes.with(at, letters.charCodeAt(other));
}

/** The options of a run. Those of `how` change no byte of its output. */
export interface Options {
  readonly look: Look;
  readonly how: How;
  readonly quiet: boolean;
  readonly stats: boolean;
}

/** How a run is done, which no answer may depend on. */
export interface How {
  readonly jobs: number;
  readonly chunk: string | null;
  readonly solver: string | null;
  readonly timeout: string | null;
  /** The share of the cases that is solved again, as their symmetric twins. */
  readonly audit: string | null;
}

export function anyHow(chunks: readonly (string | null)[] = CHUNKS): fc.Arbitrary<How> {
  return fc.record({
    // To start a worker takes longer than to solve most of these inputs.
    jobs: fc.constantFrom(1, 1, 2, 3),
    chunk: fc.constantFrom(...chunks),
    solver: fc.constantFrom(null, 'auto', 'portable'),
    timeout: fc.constantFrom(null, null, '1000'),
    audit: fc.constantFrom(null, null, null, '10%', '100%'),
  });
}

/** Chunks of all sizes, from one case to the whole input. */
export const CHUNKS = [null, '1', '7', '40', '300', '2K', '64K', '256K'];

/** Chunks of few cases, so that a run answers the first ones long before it has read its input. */
export const SMALL_CHUNKS = ['1', '13', '64'];

/** Chunks that are large enough for workers to scan the input themselves. */
export const LARGE_CHUNKS = ['256K', '300K'];

const always = () => true;
/** For each column, whether the game offers it. */
const HAS_COLUMN: Readonly<Record<Column, (style: Style) => boolean>> = {
  file: always,
  line: always,
  rows: always,
  cols: always,
  board: always,
  nimber: ({ name }) => ['bacterial-tactics', 'darkraft'].includes(name),
};

function anyLook(style: Style): fc.Arbitrary<Look> {
  const columns = (Object.keys(HAS_COLUMN) as Column[]).filter((name) => HAS_COLUMN[name](style));
  return fc
    .record({
      format: fc.constantFrom<Format>('text', 'ndjson', 'csv'),
      columns: fc.shuffledSubarray(columns, { maxLength: 3 }),
      onError: fc.constantFrom<'stop' | 'mark'>('stop', 'mark'),
    })
    .map(({ format, columns: some, onError }) => ({
      format,
      onError,
      columns: format === 'text' ? [] : some,
      fileFirst: false,
    }));
}

export function anyOptions(style: Style, how: fc.Arbitrary<How> = anyHow()): fc.Arbitrary<Options> {
  return fc.record({
    look: anyLook(style),
    how,
    quiet: fc.boolean(),
    stats: fc.boolean(),
  });
}

export const anyStyle: fc.Arbitrary<Style> = fc.constantFrom(...STYLES);

/** Returns the words of a command line with these options. */
export function wordsOf({ look, how, quiet, stats }: Options): string[] {
  return [
    ...howWords(how),
    ...(look.format === 'text' ? [] : ['--format', look.format]),
    ...(look.columns.length === 0 ? [] : ['--columns', look.columns.join(',')]),
    ...(look.onError === 'stop' ? [] : ['--on-error', look.onError]),
    ...(quiet ? ['-q'] : []),
    ...(stats ? ['--stats', 'stats.json'] : []),
  ];
}

function howWords({ jobs, chunk, solver, timeout, audit }: How): string[] {
  return [
    '-j',
    `${jobs}`,
    ...(chunk === null ? [] : ['--chunk', chunk]),
    ...(solver === null ? [] : ['--solver', solver]),
    ...(timeout === null ? [] : ['--timeout', timeout]),
    ...(audit === null ? [] : ['--audit', audit]),
  ];
}
