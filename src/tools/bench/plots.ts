/** Draws the plots of a report as SVG text. */
import { scaleLinear, scaleLog, scalePoint, scaleSqrt } from 'd3-scale';
import type { TimeBucket } from './case-times.js';
import {
  AXIS_LABEL_SPACING,
  type AxisTick,
  axisTicksOf,
  bottomAxis,
  CENTER_DIGITS_VERTICALLY,
  leftAxis,
  type NumberScale,
  type PlotPoint,
  type PlotRectangle,
  proportionalIntervals,
  svgCircle,
  svgDocument,
  svgGroup,
  svgLine,
  svgPolyline,
  svgRectangle,
  svgText,
} from './svg.js';

/** Colours that colour-blind people can distinguish, on light and dark backgrounds (Okabe and Ito, 2008). */
export const PLOT_COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];
/** A transparent grey for the part of a bar that is none of the named parts, such as idle time. */
export const UNNAMED_PART_COLOR = '#9994';

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

/** Returns the rectangle between the axes of a plot. Its margins leave space for the axes and their titles. */
function frameOf({ width, marginLeft }: PlotSize, height: number): PlotRectangle {
  return { left: marginLeft, right: width - 20, top: 30, bottom: height - 42 };
}

/** If the largest value is more than this many times the smallest value, the axis of a plot is logarithmic. */
const MAX_LINEAR_RATIO = 10;

/** Returns true if the smallest values could not be distinguished from zero on a linear axis. */
export function needsLogAxis(values: readonly number[]): boolean {
  return Math.max(...values) > MAX_LINEAR_RATIO * Math.min(...values);
}

/** The y axis of a plot: its scale, and its picture. */
interface ValueAxis {
  readonly y: NumberScale;
  readonly marks: string;
}

/**
 * Returns a y axis for positive values: linear from zero, or logarithmic if the values differ too much. The axis also has
 * room for the values of `others`, which do not decide whether it is logarithmic.
 */
function valueAxis(
  title: string,
  frame: PlotRectangle,
  values: readonly number[],
  others: readonly number[] = [],
): ValueAxis {
  const all = [...values, ...others];
  if (needsLogAxis(values)) {
    const y = verticalScale(scaleLog(), frame, [Math.min(...all), Math.max(...all)]);
    return { y, marks: leftAxis(frame, y, `${title} (logarithmic)`) };
  }
  const y = verticalScale(scaleLinear(), frame, [0, Math.max(...all)]);
  return { y, marks: leftAxis(frame, y, title) + horizontalLine(frame, y(0)) };
}

/** Spreads a scale over the height of the frame. The scale starts and ends with numbers that its axis shows. */
function verticalScale(
  scale: NumberScale,
  { top, bottom }: PlotRectangle,
  domain: readonly [number, number],
): NumberScale {
  return scale
    .domain(domain)
    .range([bottom, top])
    .nice((bottom - top) / AXIS_LABEL_SPACING);
}

function horizontalLine({ left, right }: PlotRectangle, y: number, stroke = 'currentColor'): string {
  return svgLine([left, y], [right, y], { stroke });
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
interface ThroughputPoint {
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
interface ProgramThroughput {
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
  return entries.map((entry, i) => ({ ...entry, color: PLOT_COLORS[i % PLOT_COLORS.length] }));
}

/** Lengths of the dashes and gaps in the lines of other programs. */
const PROGRAM_LINE_DASHES = '8,4';

/** Plots cases per second by number of workers, the speed with perfect scaling, and the speeds of other programs. */
export function plotThroughput(
  points: readonly ThroughputPoint[],
  programs: readonly ProgramThroughput[],
  size: PlotSize,
): string {
  const height = 340;
  const frame = frameOf(size, height);
  const jobs = [...new Set(points.map((point) => point.jobs))].sort((a, b) => a - b);
  const scale = scalePoint(jobs, [frame.left, frame.right]).padding(0.5);
  const x = (count: number) => scale(count) as number;
  const { y, marks } = throughputAxis(points, programs, frame);
  const entries = throughputLegend(points, programs);
  const programEntries = entries.filter((entry) => entry.isHorizontalLine);
  const programLines = programs.map(({ casesPerSecond }, i) =>
    horizontalLine(frame, y(casesPerSecond), programEntries[i].color),
  );
  const series = entries
    .filter((entry) => !entry.isHorizontalLine)
    .map(({ label, color }) => throughputMarks(pointsOf(label, points), x, y, color));
  return svgDocument({ ...size, height }, [
    marks,
    bottomAxis(frame, ticksAt(selectTicks(jobs, size.maxTicks), x), 'worker threads'),
    svgGroup({ 'stroke-width': 2, 'stroke-dasharray': PROGRAM_LINE_DASHES }, programLines),
    ...series,
  ]);
}

/** Returns the y axis of a throughput plot. The axis has room for the slowest and fastest runs and for perfect scaling. */
function throughputAxis(
  points: readonly ThroughputPoint[],
  programs: readonly ProgramThroughput[],
  frame: PlotRectangle,
): ValueAxis {
  const medians = [...points, ...programs].map(({ casesPerSecond }) => casesPerSecond);
  const reached = points.flatMap(({ low, high }) => [low, high]);
  const perfect = linearScaling(points).map(({ casesPerSecond }) => casesPerSecond);
  return valueAxis('cases per second', frame, medians, [...reached, ...perfect]);
}

function pointsOf<T extends { readonly series: string }>(name: string, points: readonly T[]): T[] {
  return points.filter(({ series }) => series === name);
}

/** Draws the speeds of one solver: perfect scaling, the range of all runs, and the medians. */
function throughputMarks(
  points: readonly ThroughputPoint[],
  x: (jobs: number) => number,
  y: NumberScale,
  color: string,
): string {
  const place = (point: JobsAndSpeed): PlotPoint => [x(point.jobs), y(point.casesPerSecond)];
  return svgGroup({ stroke: color, fill: color }, [
    svgPolyline(linearScaling(points).map(place), { 'stroke-dasharray': '2,4' }),
    svgGroup(
      { 'stroke-width': 5, 'stroke-opacity': 0.35 },
      points.map(({ jobs, low, high }) => svgLine([x(jobs), y(low)], [x(jobs), y(high)])),
    ),
    svgPolyline(points.map(place), { 'stroke-width': 2 }),
    ...points.map((point) => svgCircle(place(point), 3, { stroke: 'none' })),
  ]);
}

type JobsAndSpeed = Pick<ThroughputPoint, 'jobs' | 'casesPerSecond'>;

/** Returns the points of perfect scaling: the speed of one worker times the number of workers. */
function linearScaling(points: readonly ThroughputPoint[]): JobsAndSpeed[] {
  return points.flatMap(({ series, jobs }) => {
    const single = points.find((point) => point.series === series && point.jobs === 1);
    return single === undefined ? [] : [{ jobs, casesPerSecond: single.casesPerSecond * jobs }];
  });
}

/** Returns a tick with a label for each of the values. */
function ticksAt(values: readonly number[], scale: (value: number) => number): AxisTick[] {
  return values.map((value) => ({ position: scale(value), label: String(value) }));
}

/** Distance between the labels of a logarithmic x axis, in CSS pixels. */
const LOG_TICK_SPACING = 90;

/** Plots the distribution of the time per case as a histogram. */
export function plotCaseTimes(
  buckets: readonly TimeBucket[],
  meanNanoseconds: number,
  size: PlotSize,
): string {
  const height = 260;
  const frame = frameOf(size, height);
  const micros = buckets.map(({ from, to, cases }) => ({ from: from / 1e3, to: to / 1e3, cases }));
  // The first label of the x axis is kept away from the zero of the y axis.
  const x = scaleLog([micros[0].from, micros[micros.length - 1].to], [frame.left + 14, frame.right]).nice();
  // Above the highest bar there is space for the word "mean".
  const barFrame = { ...frame, top: frame.top + 20 };
  // With a square-root scale, a few slow cases are visible next to thousands of quick cases.
  const y = verticalScale(scaleSqrt(), barFrame, [0, Math.max(...micros.map(({ cases }) => cases))]);
  // A clock that is too coarse for single cases can report a mean of zero, which is on no logarithmic axis.
  const mean = Math.max(micros[0].from, meanNanoseconds / 1e3);
  return svgDocument({ ...size, height }, [
    leftAxis(frame, y, 'cases (square root)'),
    bottomAxis(frame, axisTicksOf(x, LOG_TICK_SPACING), 'microseconds per case (logarithmic)'),
    ...micros.map(({ from, to, cases }) =>
      svgRectangle({ left: x(from) + 0.5, right: x(to) - 0.5, top: y(cases), bottom: y(0) }, PLOT_COLORS[0]),
    ),
    horizontalLine(frame, y(0)),
    meanLine(frame, x(mean)),
  ]);
}

/** Draws a vertical line with the word "mean", on the side where the line has more space. */
function meanLine({ left, right, top, bottom }: PlotRectangle, x: number): string {
  const [dx, anchor] = x < (left + right) / 2 ? [5, 'start'] : [-5, 'end'];
  return (
    svgLine([x, top], [x, bottom], { stroke: 'currentColor', 'stroke-dasharray': '4,3' }) +
    svgText([x + dx, top], 'mean', { 'text-anchor': anchor, dy: '0.71em' })
  );
}

/** The time that one part of a run took. */
export interface TimeOfPart {
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

/**
 * Plots a bar for each row of `shares`, which shows how its time is divided into parts, in the order of `shares`. All bars
 * are equally long.
 */
export function plotTimeShares(
  shares: readonly TimeOfPart[],
  entries: readonly LegendEntry[],
  size: PlotSize,
): string {
  const rows = [...new Set(shares.map((share) => share.row))];
  const frame = { left: 8, right: size.width - 20, top: 4, bottom: 4 + SHARE_ROW_HEIGHT * rows.length };
  const x = scaleLinear([0, 1], [frame.left, frame.right]);
  const bars = rows.map((row, i) => {
    const top = frame.top + SHARE_ROW_HEIGHT * i;
    const parts = shares.filter((share) => share.row === row);
    return shareBar(row, parts, entries, x, { ...frame, top, bottom: top + SHARE_ROW_HEIGHT });
  });
  const ticks = ticksAt(selectTicks([0, 20, 40, 60, 80, 100], size.maxTicks), (percent) => x(percent / 100));
  return svgDocument({ ...size, height: frame.bottom + 42 }, [
    ...bars,
    bottomAxis(frame, ticks, 'share of the time, %'),
  ]);
}

/** Draws one bar of shares at the bottom of its box, and its name above. */
function shareBar(
  name: string,
  parts: readonly TimeOfPart[],
  entries: readonly LegendEntry[],
  x: NumberScale,
  { left, top, bottom }: PlotRectangle,
): string {
  const ranges = proportionalIntervals(parts.map(({ seconds }) => seconds));
  const rectangles = parts.map(({ part }, i) =>
    svgRectangle(
      { left: x(ranges[i].from), right: x(ranges[i].to), top: top + SHARE_LABEL_HEIGHT, bottom },
      colorOf(part, entries),
    ),
  );
  return svgText([left, top + SHARE_LABEL_HEIGHT / 2], name, CENTER_DIGITS_VERTICALLY) + rectangles.join('');
}

function colorOf(name: string, entries: readonly LegendEntry[]): string {
  return (entries.find(({ label }) => label === name) as LegendEntry).color;
}

/** The time of one run. */
interface RunTime {
  /** Name of the line that connects the runs of one command. */
  readonly series: string;
  /** Number of the round, counted from 1. */
  readonly round: number;
  readonly seconds: number;
}

/** Plots the time of every run by round, so that readers see whether something disturbed the machine. */
export function plotRuns(runs: readonly RunTime[], entries: readonly LegendEntry[], size: PlotSize): string {
  const height = 240;
  const frame = frameOf(size, height);
  const rounds = [...new Set(runs.map((run) => run.round))];
  const x = scaleLinear([1, Math.max(...rounds)], [frame.left + 12, frame.right - 12]);
  const times = runs.map(({ seconds }) => seconds);
  const { y, marks } = valueAxis('seconds', frame, times);
  const series = entries.map(({ label, color }) => {
    const points = pointsOf(label, runs).map(({ round, seconds }): PlotPoint => [x(round), y(seconds)]);
    return svgGroup({ stroke: color, fill: color }, [
      svgPolyline(points, { 'stroke-opacity': 0.4 }),
      ...points.map((point) => svgCircle(point, 3.5, { stroke: 'none' })),
    ]);
  });
  return svgDocument({ ...size, height }, [
    marks,
    bottomAxis(frame, ticksAt(selectTicks(rounds, size.maxTicks), x), 'round'),
    ...series,
  ]);
}
