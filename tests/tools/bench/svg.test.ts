import { scaleLinear, scaleLog } from 'd3-scale';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeMarkup } from '../../../src/core/markup.js';
import {
  NARROW_PLOT,
  plotCaseTimes,
  plotRuns,
  plotThroughput,
  plotTimeShares,
  throughputLegend,
  WIDE_PLOT,
} from '../../../src/tools/bench/plots.js';
import {
  axisTicksOf,
  bottomAxis,
  formatTick,
  leftAxis,
  proportionalIntervals,
  svgCircle,
  svgDocument,
  svgLine,
  svgPolyline,
  svgRectangle,
  svgText,
} from '../../../src/tools/bench/svg.js';

/** One tag of SVG text: `<name attribute="value" ..>` or `</name>`. */
const TAG = /<(\/?)([a-z]+)((?: [a-zA-Z0-9:-]+="[^"<]*")*)>/g;
/** A character that XML does not allow, or an `&` that starts no entity. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|&(?!(?:amp|lt|gt|quot);)/u;

/** Checks that a text is one well-formed XML element without numbers that are not finite. Returns its texts. */
function checkMarkup(markup: string): string[] {
  const open: string[] = [];
  const mistakes: string[] = [];
  const texts: string[] = [];
  let end = 0;
  for (const { 0: tag, 1: slash, 2: name, 3: attributes, index } of markup.matchAll(TAG)) {
    if (index > end) texts.push(markup.slice(end, index));
    end = index + tag.length;
    if (/NaN|Infinity|undefined|null/.test(attributes)) mistakes.push(tag);
    if (slash === '') open.push(name);
    else if (open.pop() !== name) mistakes.push(tag);
    if (open.length === 0 && end < markup.length) mistakes.push(`${tag} ends too early`);
  }
  if (end < markup.length) mistakes.push(`the text ends with ${markup.slice(end)}`);
  mistakes.push(...texts.filter((content) => /[<>]/.test(content)), ...(FORBIDDEN.exec(markup) ?? []));
  expect([...mistakes, ...open]).toEqual([]);
  return texts;
}

describe('the marks of a plot', () => {
  test('marks are at the given positions, rounded to hundredths of a pixel', () => {
    expect(svgLine([1, 2.3456], [3, 4])).toBe('<line x1="1" y1="2.35" x2="3" y2="4"></line>');
    expect(svgCircle([1, 2], 3, { fill: 'red' })).toBe('<circle cx="1" cy="2" r="3" fill="red"></circle>');
    expect(svgRectangle({ left: 1, right: 5, top: 2, bottom: 9 }, 'red')).toBe(
      '<rect x="1" y="2" width="4" height="7" fill="red"></rect>',
    );
    expect(
      svgPolyline(
        [
          [0, 1],
          [2, 3.456],
        ],
        { stroke: 'red' },
      ),
    ).toContain('points="0,1 2,3.46"');
  });

  test('a bar without an area has no negative sides, which SVG forbids', () => {
    expect(svgRectangle({ left: 5, right: 4, top: 2, bottom: 1 }, 'red')).toContain('width="0" height="0"');
  });

  test('any text is escaped, so that the picture stays well-formed and shows the text', () => {
    expect(svgText([1, 2], `<"a" & 'b'>`)).toBe(`<text x="1" y="2">&lt;&quot;a&quot; &amp; 'b'&gt;</text>`);
    const size = { width: 10, height: 10, fontSize: 12 };
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (content, attribute) => {
        const marks = [svgText([1, 2], `.${content}`, { 'data-label': attribute })];
        expect(checkMarkup(svgDocument(size, marks))).toEqual([escapeMarkup(`.${content}`)]);
      }),
    );
  });

  test('characters that XML forbids are replaced, and line breaks stay', () => {
    expect(escapeMarkup('a\0b\x1bc\ud800d\uffffe\tf\ng😀')).toBe('a�b�c�d�e\tf\ng😀');
  });
});

describe('the axes of a plot', () => {
  test.each([
    [0, '0'],
    [0.05, '0.05'],
    [0.30000000000000004, '0.3'],
    [20, '20'],
    [1500, '1.5k'],
    [1e6, '1M'],
  ])('the number %d has the label %s', (value, label) => {
    expect(formatTick(value)).toBe(label);
  });

  test('the ticks of a linear scale are round numbers at their positions', () => {
    expect(axisTicksOf(scaleLinear([0, 100], [200, 0]), 100)).toEqual([
      { position: 200, label: '0' },
      { position: 100, label: '50' },
      { position: 0, label: '100' },
    ]);
  });

  test('a logarithmic scale has a tick for every digit, but labels only where there is room', () => {
    const ticks = axisTicksOf(scaleLog([1, 100], [0, 200]), 50);
    expect(ticks.map(({ label }) => label).filter((label) => label !== '')).toEqual([
      '1',
      '2',
      '10',
      '20',
      '100',
    ]);
    expect(ticks).toHaveLength(19);
    expect(ticks.find(({ label }) => label === '10')?.position).toBeCloseTo(100);
  });

  const frame = { left: 50, right: 250, top: 30, bottom: 130 };

  test('a left axis writes its labels beside the frame and draws a grid across the frame', () => {
    const axis = leftAxis(frame, scaleLinear([0, 10], [130, 30]), 'a < b');
    expect(checkMarkup(`<g>${axis}</g>`)).toEqual(['0', '5', '10', '↑ a &lt; b']);
    expect(axis).toContain('<line x1="50" y1="80" x2="250" y2="80"></line>');
    expect(axis).toContain('<text x="41" y="80" dy="0.32em">5</text>');
  });

  test('a bottom axis draws a short line without a number for a tick without a label', () => {
    const axis = bottomAxis(
      frame,
      [
        { position: 60, label: '1' },
        { position: 70, label: '' },
      ],
      'round',
    );
    expect(checkMarkup(`<g>${axis}</g>`)).toEqual(['1', 'round →']);
    expect(axis).toContain('<line x1="70" y1="130" x2="70" y2="136"></line>');
  });
});

test('a stack divides the range from 0 to 1, even if all values are zero', () => {
  expect(proportionalIntervals([1, 2, 1])).toEqual([
    { from: 0, to: 0.25 },
    { from: 0.25, to: 0.75 },
    { from: 0.75, to: 1 },
  ]);
  expect(proportionalIntervals([0, 0])).toEqual([
    { from: 0, to: 0 },
    { from: 0, to: 0 },
  ]);
});

describe('plots of random data', () => {
  const size = fc.constantFrom(WIDE_PLOT, NARROW_PLOT);
  const name = fc.string({ unit: 'binary', minLength: 1 });
  const positive = fc.double({ min: 1e-9, max: 1e12, noNaN: true });
  const times = fc.array(positive, { minLength: 1, maxLength: 20 });

  test('a plot of speeds is well-formed', () => {
    const point = fc.record({
      series: name,
      jobs: fc.integer({ min: 1, max: 99 }),
      casesPerSecond: positive,
      low: positive,
      high: positive,
    });
    const points = fc.array(point, { minLength: 1, maxLength: 9 });
    const programs = fc.array(fc.record({ label: name, casesPerSecond: positive }), { maxLength: 9 });
    fc.assert(
      fc.property(points, programs, size, (points, programs, size) => {
        checkMarkup(plotThroughput(points, programs, size));
      }),
    );
  });

  test('a plot of runs is well-formed', () => {
    fc.assert(
      fc.property(fc.array(times, { minLength: 1, maxLength: 9 }), size, (measuredCommands, size) => {
        const runs = measuredCommands.flatMap((times, i) =>
          times.map((seconds, round) => ({ series: `${i}`, round: round + 1, seconds })),
        );
        checkMarkup(
          plotRuns(
            runs,
            measuredCommands.map((_, i) => ({ label: `${i}`, color: 'red' })),
            size,
          ),
        );
      }),
    );
  });

  test('a histogram is well-formed, even if the clock measured no time', () => {
    const cases = fc.array(fc.nat({ max: 1e9 }), { minLength: 1, maxLength: 20 });
    const mean = fc.oneof(fc.constant(0), positive);
    fc.assert(
      fc.property(cases, mean, fc.integer({ min: 0, max: 150 }), size, (cases, mean, first, size) => {
        const start = (i: number) => 2 ** ((first + i) / 4);
        const buckets = cases.map((count, i) => ({ from: start(i), to: start(i + 1), cases: count }));
        checkMarkup(plotCaseTimes(buckets, mean, size));
      }),
    );
  });

  test('a plot of shares is well-formed, names its rows, and fills the width', () => {
    const seconds = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 4, maxLength: 4 });
    const entries = ['a', 'b', 'c', 'd'].map((label) => ({ label, color: `#${label}` }));
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1, maxLength: 9 }),
        seconds,
        size,
        (rows, seconds, size) => {
          const shares = rows.flatMap((row) =>
            entries.map(({ label }, i) => ({ row, part: label, seconds: seconds[i] })),
          );
          const markup = plotTimeShares(shares, entries, size);
          expect(checkMarkup(markup)).toEqual(expect.arrayContaining(rows.map(escapeMarkup)));
          const widths = [...markup.matchAll(/<rect[^>]* width="([^"]*)"/g)].map(([, width]) =>
            Number(width),
          );
          const sum = widths.reduce((all, width) => all + width, 0) / rows.length;
          if (seconds.some((each) => each > 1e-9)) expect(sum).toBeCloseTo(size.width - 28, 0);
        },
      ),
    );
  });

  test('the colours of a throughput plot are those of its legend', () => {
    const points = [{ series: 'boardmill', jobs: 1, casesPerSecond: 2, low: 1, high: 3 }];
    const programs = [{ label: './mine', casesPerSecond: 2 }];
    const plot = plotThroughput(points, programs, WIDE_PLOT);
    for (const { color } of throughputLegend(points, programs)) expect(plot).toContain(`stroke="${color}"`);
  });
});
