/**
 * `node scripts/census.mjs [--count]`: makes the tables, plots, drawings and sequences of docs/census.md from the counts in
 * data/census/. With --count, it first counts all boards again, which takes some minutes. Needs a build.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { scaleLinear } from 'd3-scale';
import { PLOT_COLORS } from '../build/src/tools/bench/plots.js';
import {
  axisTicksOf,
  bottomAxis,
  CENTER_DIGITS_VERTICALLY,
  leftAxis,
  svgCircle,
  svgDocument,
  svgPolyline,
  svgText,
} from '../build/src/tools/bench/svg.js';

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const boardmill = (...args) =>
  execFileSync(process.execPath, [pathOf('dist/src/cli/main.js'), ...args], { maxBuffer: 1e9 }).toString();

/** The sizes that are counted: for each game, pairs of the arguments of --rows and --cols. */
const SIZES = {
  'bacterial-tactics': [
    ['1..6', '1..6'],
    ['1..6', '7'],
    ['1..2', '8..12'],
    ['3', '8..10'],
  ],
  darkraft: [
    ['1..4', '1..4'],
    ['1..3', '5'],
    ['5', '1..3'],
    ['1..3', '6'],
  ],
  'link-and-pop': [
    ['1', '1..6'],
    ['2..6', '1'],
    ['2', '2..3'],
    ['3', '2'],
  ],
  'river-pawn': [
    ['2..4', '2..4'],
    ['2..3', '5'],
    ['5', '1..3'],
    ['3..4', '1'],
  ],
};

/** The frame of a plot, in pixels, and the whole picture. */
const FRAME = { left: 60, right: 620, top: 40, bottom: 330 };
const PICTURE = { width: 720, height: 390, fontSize: 12 };

/** The shares of radioactive cells for which boards are drawn. */
const DENSITIES = Array.from({ length: 21 }, (_, index) => index / 20);

if (process.argv.includes('--count')) countAll();
const sizes = Object.fromEntries(Object.keys(SIZES).map((problem) => [problem, readCounts(problem)]));
writeSequences();
writePlots();
writeDrawings();
writeTables();

/** Counts all boards again. */
function countAll() {
  mkdirSync(pathOf('data/census'), { recursive: true });
  for (const [problem, ranges] of Object.entries(SIZES)) {
    const lines = ranges.map(([rows, cols]) => {
      const begin = performance.now();
      const text = boardmill('census', problem, '--rows', rows, '--cols', cols, '--json');
      console.error(`${problem} ${rows} x ${cols}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
      return text;
    });
    writeFileSync(pathOf(`data/census/${problem}.ndjson`), lines.join(''));
  }
}

function readCounts(problem) {
  const lines = readFileSync(pathOf(`data/census/${problem}.ndjson`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return lines.sort((one, other) => one.rows - other.rows || one.cols - other.cols);
}

function sizeOf(problem, rows, cols) {
  return sizes[problem].find((size) => size.rows === rows && size.cols === cols);
}

/** Writes sequences in the form of b-files: a line for each term, with its index and its value. */
function writeSequences() {
  for (const [name, problem, describe, from, termAt] of sequences()) {
    const lines = [`# ${describe}`, `# Counted by boardmill census ${problem}; see docs/census.md.`];
    for (let n = from; termAt(n) !== undefined; n++) lines.push(`${n} ${termAt(n)}`);
    writeFileSync(pathOf(`data/census/b-${name}.txt`), `${lines.join('\n')}\n`);
  }
}

function sequences() {
  const won = (size) => size && size.boards - (size.nimbers[0] ?? 0);
  const lost = (size) => size && (size.nimbers[0] ?? 0);
  const squares = (problem, of) => (n) => of(sizeOf(problem, n, n));
  const strips = (problem, rows, of) => (n) => of(sizeOf(problem, rows, n));
  const list = [];
  for (const problem of ['bacterial-tactics', 'darkraft']) {
    const what = `boards of ${problem}`;
    list.push(
      [
        `${problem}-wins-square`,
        problem,
        `Number of n X n ${what} that the first player wins.`,
        1,
        squares(problem, won),
      ],
      [
        `${problem}-losses-square`,
        problem,
        `Number of n X n ${what} that the second player wins.`,
        1,
        squares(problem, lost),
      ],
      [
        `${problem}-nimber-square`,
        problem,
        `Largest nimber of an n X n board of ${problem}.`,
        1,
        squares(problem, (size) => size?.largest.nimber),
      ],
      [
        `${problem}-wins-1`,
        problem,
        `Number of 1 X n ${what} that the first player wins.`,
        1,
        strips(problem, 1, won),
      ],
      [
        `${problem}-wins-2`,
        problem,
        `Number of 2 X n ${what} that the first player wins.`,
        1,
        strips(problem, 2, won),
      ],
      [
        `${problem}-wins-3`,
        problem,
        `Number of 3 X n ${what} that the first player wins.`,
        1,
        strips(problem, 3, won),
      ],
    );
  }
  const oneLine = (n) => {
    const size = sizeOf('bacterial-tactics', n, n);
    return size && (size.answers[n] ?? 0);
  };
  list.push([
    'bacterial-tactics-one-opening-square',
    'bacterial-tactics',
    'Number of n X n boards of bacterial-tactics with exactly one row or column that wins.',
    1,
    oneLine,
  ]);
  return list;
}

/** Draws lines of points over numbers, one for each name. */
function plotLines(path, lines, xTitle, yTitle, yMax) {
  const xs = lines.flatMap(({ points }) => points.map(([x]) => x));
  const x = scaleLinear([Math.min(...xs), Math.max(...xs)], [FRAME.left, FRAME.right]);
  const y = scaleLinear([0, yMax], [FRAME.bottom, FRAME.top]);
  const marks = lines.flatMap(({ name, points }, index) => {
    const color = PLOT_COLORS[index % PLOT_COLORS.length];
    const places = points.map(([at, value]) => [x(at), y(value)]);
    return [
      svgPolyline(places, { stroke: color }),
      ...places.map((place) => svgCircle(place, 2.5, { fill: color })),
      svgText([FRAME.right + 20, FRAME.top + 18 * index], name, { ...CENTER_DIGITS_VERTICALLY, fill: color }),
    ];
  });
  const ticks = axisTicksOf(x, 60).filter(({ label }) => xTitle !== 'columns' || !label.includes('.'));
  const axes = [leftAxis(FRAME, y, yTitle), bottomAxis(FRAME, ticks, xTitle)];
  // The picture is shown on white and on dark pages.
  const svg = svgDocument(PICTURE, [...axes, ...marks]).replaceAll('currentColor', '#767676');
  writeFileSync(pathOf(path), `${svg}\n`);
}

function writePlots() {
  mkdirSync(pathOf('docs/census'), { recursive: true });
  const shareOf = ({ boards, nimbers }) => 1 - (nimbers[0] ?? 0) / boards;
  const byRows = (rows, of) =>
    sizes['bacterial-tactics']
      .filter((size) => size.rows === rows && size.cols <= 7)
      .map((size) => [size.cols, of(size)]);
  plotLines(
    'docs/census/wins-by-size.svg',
    [1, 2, 3, 4, 5, 6].map((rows) => ({
      name: rows === 1 ? '1 row' : `${rows} rows`,
      points: byRows(rows, shareOf),
    })),
    'columns',
    'share of the boards that the first player wins',
    1,
  );
  plotLines(
    'docs/census/largest-nimber.svg',
    [1, 2, 3, 4, 5, 6].map((rows) => ({
      name: rows === 1 ? '1 row' : `${rows} rows`,
      points: byRows(rows, (size) => size.largest.nimber),
    })),
    'columns',
    'largest nimber',
    7,
  );
  plotLines(
    'docs/census/wins-by-density.svg',
    [4, 6, 8, 15].map((side) => ({
      name: `${side}x${side}`,
      points: DENSITIES.map((density) => [density, shareAt(side, density)]),
    })),
    'share of radioactive cells',
    'share of 20,000 drawn boards that the first player wins',
    1,
  );
}

/** Returns the share of first-player wins among drawn boards, as `generate` and `stats` find it. */
function shareAt(side, density) {
  const input = pathOf('docs/census/drawn.in');
  const options = ['--cases', '20000', '--seed', 'census', '--rows', `${side}`, '--cols', `${side}`];
  boardmill('generate', 'bacterial-tactics', ...options, '--density', `${density}`, '-o', input, '-f');
  const { answers } = JSON.parse(boardmill('stats', 'bacterial-tactics', input, '--json'));
  rmSync(input);
  return 1 - (answers.find(({ answer }) => answer === 0)?.cases ?? 0) / 20000;
}

/** Draws the boards of the largest nimber of each square size. */
function writeDrawings() {
  for (const problem of ['bacterial-tactics', 'darkraft']) {
    for (const { rows, cols, largest } of sizes[problem].filter(
      (size) => size.rows === size.cols && size.rows > 2,
    )) {
      const head = problem === 'darkraft' ? '' : '1\n';
      const input = pathOf('docs/census/largest.in');
      writeFileSync(input, `${head}${rows} ${cols}\n${largest.board.join('\n')}\n`);
      boardmill(
        'explain',
        problem,
        input,
        '--svg',
        pathOf(`docs/census/${problem}-${rows}x${cols}.svg`),
        '-f',
      );
      rmSync(input);
    }
  }
}

/** Replaces the tables of docs/census.md, which are between two comments. */
function writeTables() {
  const path = pathOf('docs/census.md');
  let text = readFileSync(path, 'utf8');
  const share = (count, boards) => `${((100 * count) / boards).toFixed(2)} %`;
  const plain = (count) => `${count}`.replace(/\B(?=(\d{3})+$)/g, ',');
  const tables = {
    'bacterial-tactics': tableOf(
      [
        'size',
        'boards',
        'up to symmetry',
        'first player wins',
        'share',
        'one winning line',
        'largest nimber',
        'boards of it',
      ],
      sizes['bacterial-tactics']
        .filter(({ rows, cols }) => rows <= cols)
        .map((size) => [
          `${size.rows}x${size.cols}`,
          plain(size.boards),
          plain(size.classes),
          plain(size.boards - size.nimbers[0]),
          share(size.boards - size.nimbers[0], size.boards),
          size.rows === size.cols ? plain(size.answers[size.rows] ?? 0) : '',
          size.largest.nimber,
          plain(size.nimbers[size.largest.nimber]),
        ]),
    ),
    darkraft: tableOf(
      ['size', 'boards', 'up to symmetry', 'first player wins', 'share', 'largest nimber', 'boards of it'],
      sizes.darkraft
        .filter(({ rows, cols }) => rows <= cols)
        .map((size) => [
          `${size.rows}x${size.cols}`,
          plain(size.boards),
          plain(size.classes),
          plain(size.answers.WIN ?? 0),
          share(size.answers.WIN ?? 0, size.boards),
          size.largest.nimber,
          plain(size.nimbers[size.largest.nimber]),
        ]),
    ),
    'river-pawn': tableOf(
      ['size', 'boards', 'up to mirroring', 'Red wins', 'Black wins', 'ties', 'most plies'],
      sizes['river-pawn'].map((size) => {
        const sum = (counts = {}) => Object.values(counts).reduce((total, count) => total + count, 0);
        return [
          `${size.rows}x${size.cols}`,
          plain(size.boards),
          plain(size.classes),
          share(sum(size.outcomes.Red), size.boards),
          share(sum(size.outcomes.Black), size.boards),
          plain(size.outcomes.Tie ?? 0),
          size.largest?.plies ?? '',
        ];
      }),
    ),
    'link-and-pop': tableOf(
      ['size', 'boards', 'empty in the end', 'share', 'nothing pops', 'share'],
      sizes['link-and-pop'].map(({ rows, cols, boards, left }) => {
        const [empty, whole] = [left[0] ?? 0, left[rows * cols] ?? 0];
        return [
          `${rows}x${cols}`,
          plain(boards),
          plain(empty),
          share(empty, boards),
          plain(whole),
          share(whole, boards),
        ];
      }),
    ),
  };
  for (const [name, table] of Object.entries(tables)) {
    const between = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`);
    text = text.replace(between, (_, begin, end) => `${begin}\n${table}\n\n${end}`);
  }
  writeFileSync(path, text);
}

function tableOf(headings, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}
