/**
 * The plots of a report, as SVG. Observable Plot draws on any document; domino's is enough for it and needs no
 * browser, so a page holds finished pictures and no script.
 */
import domino from '@mixmark-io/domino';
import * as Plot from '@observablehq/plot';
import type { Bucket } from './case-times.js';

/** Colours that the colour-blind can tell apart, on light and dark ground (Okabe and Ito, 2008). */
export const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];
export const IDLE_COLOR = '#9994';

/** How a plot is drawn for screens of one kind. Text is not scaled: a page shows the picture that fits. */
export interface PlotSize {
  /** Of the whole picture, in CSS pixels. */
  readonly width: number;
  readonly fontSize: number;
  /** Room for the labels of the y axis. */
  readonly marginLeft: number;
  /** How many values an axis can name side by side. */
  readonly mostTicks: number;
}

export const WIDE: PlotSize = { width: 720, fontSize: 12, marginLeft: 70, mostTicks: 20 };
/** For phones. A page may shrink it to nine tenths, which leaves letters of 11 pixels and more. */
export const NARROW: PlotSize = { width: 320, fontSize: 13, marginLeft: 60, mostTicks: 6 };

/** The SVG of a plot, which is whole in a page and in a file of its own. */
export function draw(options: Plot.PlotOptions, { width, fontSize, marginLeft }: PlotSize = WIDE): string {
  const document = domino.createDocument('<body></body>');
  const svg = Plot.plot({
    document,
    width,
    marginLeft,
    marginTop: 30,
    marginBottom: 42,
    style: { fontSize: `${fontSize}px`, fontFamily: 'system-ui, sans-serif' },
    ...options,
  } as Plot.PlotOptions);
  // On its own, as a picture, it needs to say what it is.
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return svg.outerHTML;
}

/** A value axis is logarithmic where the largest value is more than so many times the smallest. */
const MOST_LINEAR_RATIO = 10;

/** Whether a linear axis would press the small values against its foot. */
export function needsLogAxis(values: readonly number[]): boolean {
  return Math.max(...values) > MOST_LINEAR_RATIO * Math.min(...values);
}

/** The y axis for positive values: linear from zero, or logarithmic. */
function valueAxis(label: string, values: readonly number[]): Plot.ScaleOptions {
  // The prefixes below 1 (m for a thousandth) would be read as millions or minutes.
  const tickFormat = Math.min(...values) < 1 ? '~g' : '~s';
  const axis = { grid: true, nice: true, tickFormat };
  return needsLogAxis(values)
    ? { ...axis, type: 'log', label: `${label} (logarithmic)` }
    : { ...axis, zero: true, label };
}

/** A line at zero, on axes that have a zero. */
function zeroLine(values: readonly number[]): Plot.Markish[] {
  return needsLogAxis(values) ? [] : [Plot.ruleY([0])];
}

/** Every k-th of the values, the first among them, so that no more than `most` are left. */
export function thinOut(values: readonly number[], most: number): number[] {
  const step = Math.ceil(values.length / most);
  return values.filter((_, i) => i % step === 0);
}

/** What stands for a name in a plot and in its legend. */
export interface Key {
  readonly part: string;
  readonly color: string;
  /** Drawn as a level line, not as points. */
  readonly isLevel?: boolean;
}

export interface ThroughputPoint {
  readonly series: string;
  readonly jobs: number;
  readonly casesPerSecond: number;
  /** Slowest and fastest run. */
  readonly low: number;
  readonly high: number;
}

export interface Level {
  readonly label: string;
  readonly casesPerSecond: number;
}

/** The colours of a throughput plot: series of points first, then levels. */
export function throughputKeys(points: readonly ThroughputPoint[], levels: readonly Level[]): Key[] {
  const series = [...new Set(points.map((point) => point.series))];
  const names = [
    ...series.map((part) => ({ part, isLevel: false })),
    ...levels.map(({ label }) => ({ part: label, isLevel: true })),
  ];
  return names.map((name, i) => ({ ...name, color: COLORS[i % COLORS.length] }));
}

/** Cases per second by workers, and what they would be if each worker added as much as the first; `levels`: others. */
export function plotThroughput(
  points: readonly ThroughputPoint[],
  levels: readonly Level[],
  size: PlotSize,
): string {
  const keys = throughputKeys(points, levels);
  const jobs = [...new Set(points.map((point) => point.jobs))].sort((a, b) => a - b);
  const speeds = [...points, ...levels].map(({ casesPerSecond }) => casesPerSecond);
  const colored = levels.map((level, i) => ({
    ...level,
    color: keys[keys.length - levels.length + i].color,
  }));
  return draw(
    {
      height: 340,
      x: { type: 'point', domain: jobs, ticks: thinOut(jobs, size.mostTicks), label: 'worker threads' },
      y: valueAxis('cases per second', speeds),
      color: { domain: keys.map(({ part }) => part), range: COLORS },
      marks: [
        ...zeroLine(speeds),
        Plot.ruleY(colored, {
          y: 'casesPerSecond',
          stroke: (level: Key) => level.color,
          strokeWidth: 2,
          strokeDasharray: LEVEL_DASHES,
        }),
        ...throughputMarks(points),
      ],
    },
    size,
  );
}

const LEVEL_DASHES = '8,4';

function throughputMarks(points: readonly ThroughputPoint[]): Plot.Markish[] {
  const line = { x: 'jobs', y: 'casesPerSecond', z: 'series', stroke: 'series' };
  return [
    Plot.lineY(idealOf(points), { ...line, strokeDasharray: '2,4' }),
    Plot.ruleX(points, {
      x: 'jobs',
      y1: 'low',
      y2: 'high',
      stroke: 'series',
      strokeWidth: 5,
      strokeOpacity: 0.35,
    }),
    Plot.lineY(points, { ...line, strokeWidth: 2, marker: 'dot' }),
  ];
}

/** What the first worker does, times the workers. */
function idealOf(
  points: readonly ThroughputPoint[],
): { series: string; jobs: number; casesPerSecond: number }[] {
  return points.flatMap(({ series, jobs }) => {
    const single = points.find((point) => point.series === series && point.jobs === 1);
    return single === undefined ? [] : [{ series, jobs, casesPerSecond: single.casesPerSecond * jobs }];
  });
}

/** How many cases take how long. */
export function plotCaseTimes(buckets: readonly Bucket[], meanNanoseconds: number, size: PlotSize): string {
  const micros = buckets.map(({ from, to, cases }) => ({ from: from / 1e3, to: to / 1e3, cases }));
  const mean = meanNanoseconds / 1e3;
  const isMeanLeft = mean < Math.sqrt(micros[0].from * micros[micros.length - 1].to);
  return draw(
    {
      height: 260,
      // Room for the word "mean" above the highest bar.
      insetTop: 20,
      // Keeps the first value of the x axis off the zero of the y axis.
      insetLeft: 14,
      x: {
        type: 'log',
        label: 'microseconds per case (logarithmic)',
        tickFormat: micros[0].from < 1 ? '~g' : '~s',
        nice: true,
      },
      // The root lets a handful of slow cases show beside thousands of quick ones.
      y: { type: 'sqrt', label: 'cases', grid: true, tickFormat: '~s', nice: true },
      marks: [
        Plot.rectY(micros, { x1: 'from', x2: 'to', y: 'cases', fill: COLORS[0], inset: 0.5 }),
        Plot.ruleY([0]),
        Plot.ruleX([mean], { strokeDasharray: '4,3' }),
        Plot.text([mean], {
          x: (value: number) => value,
          text: () => 'mean',
          frameAnchor: 'top',
          dx: isMeanLeft ? 5 : -5,
          textAnchor: isMeanLeft ? 'start' : 'end',
        }),
      ],
    },
    size,
  );
}

export interface Share {
  readonly row: string;
  readonly part: string;
  readonly seconds: number;
}

/** The height of a row of shares; its name takes the upper part. */
const SHARE_ROW = 46;
const SHARE_NAME = 22;

/** What each row's time is made of, in equal lengths. */
export function plotShares(shares: readonly Share[], parts: readonly Key[], size: PlotSize): string {
  const rows = [...new Set(shares.map((share) => share.row))];
  return draw(
    {
      height: 46 + SHARE_ROW * rows.length,
      marginTop: 4,
      marginLeft: 8,
      x: {
        percent: true,
        label: 'share of the time, %',
        ticks: thinOut([0, 20, 40, 60, 80, 100], size.mostTicks),
      },
      y: { domain: rows, axis: null, padding: 0, round: false },
      color: { domain: parts.map(({ part }) => part), range: parts.map(({ color }) => color) },
      marks: [
        Plot.barX(
          shares,
          Plot.stackX({
            x: 'seconds',
            y: 'row',
            fill: 'part',
            offset: 'normalize',
            order: parts.map(({ part }) => part),
            insetTop: SHARE_NAME,
          }),
        ),
        Plot.text(rows, {
          y: (row: string) => row,
          text: (row: string) => row,
          frameAnchor: 'left',
          textAnchor: 'start',
          dy: (SHARE_NAME - SHARE_ROW) / 2,
        }),
      ],
    },
    size,
  );
}

export interface Run {
  readonly series: string;
  readonly round: number;
  readonly seconds: number;
}

/** Every run, in the order of the rounds: whether the machine was quiet can be seen. */
export function plotRuns(runs: readonly Run[], keys: readonly Key[], size: PlotSize): string {
  const rounds = [...new Set(runs.map((run) => run.round))];
  const times = runs.map(({ seconds }) => seconds);
  return draw(
    {
      height: 240,
      x: { label: 'round', ticks: thinOut(rounds, size.mostTicks), tickFormat: 'd', inset: 12 },
      y: valueAxis('seconds', times),
      color: { domain: keys.map(({ part }) => part), range: keys.map(({ color }) => color) },
      marks: [
        ...zeroLine(times),
        Plot.lineY(runs, { x: 'round', y: 'seconds', stroke: 'series', strokeOpacity: 0.4 }),
        Plot.dot(runs, { x: 'round', y: 'seconds', fill: 'series', r: 3.5 }),
      ],
    },
    size,
  );
}
