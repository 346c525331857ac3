/**
 * Draws the plots of a report as SVG, without a browser. The library Observable Plot needs a DOM document, which the
 * library domino creates. A page with these plots therefore needs no script.
 */
import domino from '@mixmark-io/domino';
import * as Plot from '@observablehq/plot';
import type { TimeBucket } from './case-times.js';

/** Colours that colour-blind people can distinguish, on light and dark backgrounds (Okabe and Ito, 2008). */
export const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];
/** A transparent grey for the part of a bar that is none of the named parts, such as idle time. */
export const REMAINDER_COLOR = '#9994';

/**
 * The sizes of a plot. Wide and narrow screens get plots of different sizes, because scaling a plot would also scale its
 * text.
 */
export interface PlotSize {
  /** Width of the whole plot, in CSS pixels. */
  readonly width: number;
  /** Font size of all text, in CSS pixels. */
  readonly fontSize: number;
  /** Space for the labels of the y axis, in CSS pixels. */
  readonly marginLeft: number;
  /** Largest number of labels that fit on the x axis. */
  readonly maxTicks: number;
}

/** The size of plots for wide screens and for files. */
export const WIDE_PLOT: PlotSize = { width: 720, fontSize: 12, marginLeft: 70, maxTicks: 20 };
/** The size of plots for phones. A page may shrink the plot to 90 %; letters are then still 11 pixels high or more. */
export const NARROW_PLOT: PlotSize = { width: 320, fontSize: 13, marginLeft: 60, maxTicks: 6 };

/** Draws a plot and returns its SVG element, which works inside an HTML page and as a separate file. */
export function drawPlot(
  options: Plot.PlotOptions,
  { width, fontSize, marginLeft }: PlotSize = WIDE_PLOT,
): string {
  const document = domino.createDocument();
  const svg = Plot.plot({
    document,
    width,
    marginLeft,
    marginTop: 30,
    marginBottom: 42,
    style: { fontSize: `${fontSize}px`, fontFamily: 'system-ui, sans-serif' },
    ...options,
  } as Plot.PlotOptions);
  // Inside HTML, the SVG namespace is implied. A separate SVG file is only valid if it declares the namespace.
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return svg.outerHTML;
}

/** If the largest value is more than this many times the smallest value, the axis of a plot is logarithmic. */
const MAX_LINEAR_RATIO = 10;

/** Returns true if the smallest values could not be distinguished from zero on a linear axis. */
export function needsLogAxis(values: readonly number[]): boolean {
  return Math.max(...values) > MAX_LINEAR_RATIO * Math.min(...values);
}

/** Returns a y axis for positive values: linear from zero, or logarithmic if the values differ too much. */
function valueAxis(label: string, values: readonly number[]): Plot.ScaleOptions {
  // Values below 1 get no SI prefix: readers would take "m" (a thousandth) for millions or minutes.
  const tickFormat = Math.min(...values) < 1 ? '~g' : '~s';
  const axis = { grid: true, nice: true, tickFormat };
  return needsLogAxis(values)
    ? { ...axis, type: 'log', label: `${label} (logarithmic)` }
    : { ...axis, zero: true, label };
}

/** Returns the marks that draw a line at zero. A logarithmic axis has no zero, so it gets no line. */
function zeroLineMarks(values: readonly number[]): Plot.Markish[] {
  return needsLogAxis(values) ? [] : [Plot.ruleY([0])];
}

/** Selects at most `maxTicks` of the values as labels of an axis: the first value, and every k-th value after it. */
export function selectTicks(values: readonly number[], maxTicks: number): number[] {
  const step = Math.ceil(values.length / maxTicks);
  return values.filter((_, i) => i % step === 0);
}

/** One entry of a legend: the name and the colour of a series, a program or a part of a run. */
export interface LegendEntry {
  readonly label: string;
  readonly color: string;
  /** True for a program other than boardmill, which is drawn as a horizontal line instead of points. */
  readonly isHorizontalLine?: boolean;
}

/** The speed of boardmill with one solver and one number of workers. */
export interface ThroughputPoint {
  /** Name of the line that connects the points of one solver. */
  readonly series: string;
  /** Number of workers. */
  readonly jobs: number;
  /** Median speed of all runs. */
  readonly casesPerSecond: number;
  /** Cases per second of the slowest run. */
  readonly low: number;
  /** Cases per second of the fastest run. */
  readonly high: number;
}

/** The median speed of a program other than boardmill. A plot shows it as a horizontal line. */
export interface ProgramThroughput {
  readonly label: string;
  readonly casesPerSecond: number;
}

/** Returns the legend of a throughput plot: first the series of points, then the other programs. */
export function throughputLegend(
  points: readonly ThroughputPoint[],
  programs: readonly ProgramThroughput[],
): LegendEntry[] {
  const series = [...new Set(points.map((point) => point.series))];
  const entries = [
    ...series.map((label) => ({ label, isHorizontalLine: false })),
    ...programs.map(({ label }) => ({ label, isHorizontalLine: true })),
  ];
  return entries.map((entry, i) => ({ ...entry, color: COLORS[i % COLORS.length] }));
}

/** Plots cases per second by number of workers, the speed with perfect scaling, and the speeds of other programs. */
export function plotThroughput(
  points: readonly ThroughputPoint[],
  programs: readonly ProgramThroughput[],
  size: PlotSize,
): string {
  const entries = throughputLegend(points, programs);
  const jobs = [...new Set(points.map((point) => point.jobs))].sort((a, b) => a - b);
  const speeds = [...points, ...programs].map(({ casesPerSecond }) => casesPerSecond);
  const coloredPrograms = programs.map((program, i) => ({
    ...program,
    color: entries[entries.length - programs.length + i].color,
  }));
  return drawPlot(
    {
      height: 340,
      x: { type: 'point', domain: jobs, ticks: selectTicks(jobs, size.maxTicks), label: 'worker threads' },
      y: valueAxis('cases per second', speeds),
      color: { domain: entries.map(({ label }) => label), range: COLORS },
      marks: [
        ...zeroLineMarks(speeds),
        Plot.ruleY(coloredPrograms, {
          y: 'casesPerSecond',
          stroke: (program: LegendEntry) => program.color,
          strokeWidth: 2,
          strokeDasharray: PROGRAM_LINE_DASHES,
        }),
        ...throughputMarks(points),
      ],
    },
    size,
  );
}

/** Lengths of the dashes and gaps in the lines of other programs. */
const PROGRAM_LINE_DASHES = '8,4';

function throughputMarks(points: readonly ThroughputPoint[]): Plot.Markish[] {
  const line = { x: 'jobs', y: 'casesPerSecond', z: 'series', stroke: 'series' };
  return [
    Plot.lineY(linearScaling(points), { ...line, strokeDasharray: '2,4' }),
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

/** Returns the points of perfect scaling: the speed of one worker times the number of workers. */
function linearScaling(
  points: readonly ThroughputPoint[],
): { series: string; jobs: number; casesPerSecond: number }[] {
  return points.flatMap(({ series, jobs }) => {
    const single = points.find((point) => point.series === series && point.jobs === 1);
    return single === undefined ? [] : [{ series, jobs, casesPerSecond: single.casesPerSecond * jobs }];
  });
}

/** Plots the distribution of the time per case as a histogram. */
export function plotCaseTimes(
  buckets: readonly TimeBucket[],
  meanNanoseconds: number,
  size: PlotSize,
): string {
  const micros = buckets.map(({ from, to, cases }) => ({ from: from / 1e3, to: to / 1e3, cases }));
  const mean = meanNanoseconds / 1e3;
  const isMeanLeft = mean < Math.sqrt(micros[0].from * micros[micros.length - 1].to);
  return drawPlot(
    {
      height: 260,
      // This inset leaves space for the word "mean" above the highest bar.
      insetTop: 20,
      // This inset keeps the first label of the x axis away from the zero of the y axis.
      insetLeft: 14,
      x: {
        type: 'log',
        label: 'microseconds per case (logarithmic)',
        tickFormat: micros[0].from < 1 ? '~g' : '~s',
        nice: true,
      },
      // With a square-root scale, a few slow cases are visible next to thousands of quick cases.
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

/** The time that one part of a run took. */
export interface TimeShare {
  /** Name of the bar in which the part is shown. */
  readonly row: string;
  /** Name of the part. */
  readonly part: string;
  readonly seconds: number;
}

/** Height of one bar of shares and of the name above the bar, in CSS pixels. */
const SHARE_ROW_HEIGHT = 46;
/** Height of the name above a bar of shares, in CSS pixels. */
const SHARE_LABEL_HEIGHT = 22;

/** Plots a bar for each row of `shares`, which shows how its time is divided into parts. All bars are equally long. */
export function plotShares(
  shares: readonly TimeShare[],
  entries: readonly LegendEntry[],
  size: PlotSize,
): string {
  const rows = [...new Set(shares.map((share) => share.row))];
  return drawPlot(
    {
      height: 46 + SHARE_ROW_HEIGHT * rows.length,
      marginTop: 4,
      marginLeft: 8,
      x: {
        percent: true,
        label: 'share of the time, %',
        ticks: selectTicks([0, 20, 40, 60, 80, 100], size.maxTicks),
      },
      y: { domain: rows, axis: null, padding: 0, round: false },
      color: { domain: entries.map(({ label }) => label), range: entries.map(({ color }) => color) },
      marks: [
        Plot.barX(
          shares,
          Plot.stackX({
            x: 'seconds',
            y: 'row',
            fill: 'part',
            offset: 'normalize',
            order: entries.map(({ label }) => label),
            insetTop: SHARE_LABEL_HEIGHT,
          }),
        ),
        Plot.text(rows, {
          y: (row: string) => row,
          text: (row: string) => row,
          frameAnchor: 'left',
          textAnchor: 'start',
          dy: (SHARE_LABEL_HEIGHT - SHARE_ROW_HEIGHT) / 2,
        }),
      ],
    },
    size,
  );
}

/** The time of one run. */
export interface RunTime {
  /** Name of the line that connects the runs of one contender. */
  readonly series: string;
  /** Number of the round, counted from 1. */
  readonly round: number;
  readonly seconds: number;
}

/** Plots the time of every run by round, so that readers see whether something disturbed the machine. */
export function plotRuns(runs: readonly RunTime[], entries: readonly LegendEntry[], size: PlotSize): string {
  const rounds = [...new Set(runs.map((run) => run.round))];
  const times = runs.map(({ seconds }) => seconds);
  return drawPlot(
    {
      height: 240,
      x: { label: 'round', ticks: selectTicks(rounds, size.maxTicks), tickFormat: 'd', inset: 12 },
      y: valueAxis('seconds', times),
      color: { domain: entries.map(({ label }) => label), range: entries.map(({ color }) => color) },
      marks: [
        ...zeroLineMarks(times),
        Plot.lineY(runs, { x: 'round', y: 'seconds', stroke: 'series', strokeOpacity: 0.4 }),
        Plot.dot(runs, { x: 'round', y: 'seconds', fill: 'series', r: 3.5 }),
      ],
    },
    size,
  );
}
