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

const WIDTH = 720;
const FONT = { fontSize: '12px', fontFamily: 'system-ui, sans-serif' };

/** The SVG of a plot, which is whole in a page and in a file of its own. */
export function draw(options: Plot.PlotOptions): string {
  const document = domino.createDocument('<body></body>');
  const svg = Plot.plot({
    document,
    width: WIDTH,
    marginBottom: 42,
    style: FONT,
    ...options,
  } as Plot.PlotOptions);
  // On its own, as a picture, it needs to say what it is.
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return svg.outerHTML;
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

/** Cases a second by workers, and what they would be if each worker added as much as the first; `levels`: others. */
export function plotThroughput(points: readonly ThroughputPoint[], levels: readonly Level[]): string {
  const series = [...new Set(points.map((point) => point.series))];
  const jobs = [...new Set(points.map((point) => point.jobs))].sort((a, b) => a - b);
  const last = series.map(
    (name) => points.filter((point) => point.series === name).at(-1) as ThroughputPoint,
  );
  return draw({
    height: 340,
    marginLeft: 70,
    marginRight: 110,
    x: { type: 'point', domain: jobs, label: 'worker threads' },
    y: { label: 'cases a second', zero: true, grid: true, tickFormat: '~s', nice: true },
    color: { domain: series, range: COLORS },
    marks: [
      Plot.ruleY([0]),
      Plot.lineY(idealOf(points), {
        x: 'jobs',
        y: 'casesPerSecond',
        z: 'series',
        stroke: 'series',
        strokeDasharray: '2,4',
      }),
      Plot.ruleX(points, {
        x: 'jobs',
        y1: 'low',
        y2: 'high',
        stroke: 'series',
        strokeWidth: 5,
        strokeOpacity: 0.35,
      }),
      Plot.lineY(points, { x: 'jobs', y: 'casesPerSecond', stroke: 'series', strokeWidth: 2, marker: 'dot' }),
      Plot.text(last, {
        x: 'jobs',
        y: 'casesPerSecond',
        text: 'series',
        fill: 'series',
        dx: 10,
        textAnchor: 'start',
      }),
      Plot.ruleY(levels, { y: 'casesPerSecond', strokeOpacity: 0.6 }),
      Plot.text(levels, {
        y: 'casesPerSecond',
        text: 'label',
        frameAnchor: 'left',
        dx: 4,
        dy: -7,
        textAnchor: 'start',
      }),
    ],
  });
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
export function plotCaseTimes(buckets: readonly Bucket[], meanNanoseconds: number): string {
  const micros = buckets.map(({ from, to, cases }) => ({ from: from / 1e3, to: to / 1e3, cases }));
  return draw({
    height: 260,
    marginLeft: 70,
    x: { type: 'log', label: 'microseconds a case', tickFormat: '~s', ticks: 6, nice: true },
    // The root lets a handful of slow cases show beside thousands of quick ones.
    y: { type: 'sqrt', label: 'cases', grid: true, tickFormat: '~s', nice: true },
    marks: [
      Plot.rectY(micros, { x1: 'from', x2: 'to', y: 'cases', fill: COLORS[0], inset: 0.5 }),
      Plot.ruleY([0]),
      Plot.ruleX([meanNanoseconds / 1e3], { strokeDasharray: '4,3' }),
      Plot.text([meanNanoseconds / 1e3], {
        x: (mean: number) => mean,
        text: () => 'mean',
        frameAnchor: 'top',
        dx: 5,
        textAnchor: 'start',
      }),
    ],
  });
}

export interface Share {
  readonly row: string;
  readonly part: string;
  readonly seconds: number;
}

/** What each row's time is made of, in equal lengths. */
export function plotShares(
  shares: readonly Share[],
  parts: readonly { part: string; color: string }[],
): string {
  const rows = [...new Set(shares.map((share) => share.row))];
  const longest = Math.max(...rows.map((row) => row.length));
  return draw({
    height: 72 + 34 * rows.length,
    marginLeft: 16 + 7 * longest,
    x: { percent: true, label: 'share of the time, %', grid: true },
    y: { domain: rows, label: null },
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
          insetTop: 3,
          insetBottom: 3,
        }),
      ),
    ],
  });
}

export interface Run {
  readonly series: string;
  readonly round: number;
  readonly seconds: number;
}

/** Every run, in the order of the rounds: whether the machine was quiet can be seen. */
export function plotRuns(runs: readonly Run[]): string {
  const series = [...new Set(runs.map((run) => run.series))];
  return draw({
    height: 240,
    marginLeft: 70,
    x: { label: 'round', ticks: [...new Set(runs.map((run) => run.round))], tickFormat: 'd', inset: 12 },
    y: { label: 'seconds', grid: true, zero: true, nice: true },
    color: { domain: series, range: COLORS },
    marks: [
      Plot.ruleY([0]),
      Plot.lineY(runs, { x: 'round', y: 'seconds', stroke: 'series', strokeOpacity: 0.4 }),
      Plot.dot(runs, { x: 'round', y: 'seconds', fill: 'series', r: 3.5 }),
    ],
  });
}
