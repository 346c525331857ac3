/** Draws the plots of the programs in bench/. A white background makes them readable in light and dark themes. */
import * as Plot from '@observablehq/plot';
import { COLORS, drawPlot } from '../build/src/bench/plots.js';

const ON_WHITE = {
  background: 'white',
  color: '#222',
  fontSize: '12px',
  fontFamily: 'system-ui, sans-serif',
};

/**
 * Plots speeds relative to the C++ peer, whose speed is 1. Each of `bars` has `input` (the group of bars), `series`
 * (the name of the bar) and `ratio`.
 */
export function plotSpeeds(bars, title) {
  const series = [...new Set(bars.map((bar) => bar.series))];
  return drawPlot({
    style: ON_WHITE,
    height: 60 + 52 * new Set(bars.map((bar) => bar.input)).size,
    marginLeft: 170,
    marginRight: 110,
    marginTop: 34,
    x: { type: 'log', label: title, grid: true, domain: [1, 2 * Math.max(...bars.map((bar) => bar.ratio))] },
    y: { axis: null, domain: series },
    fy: { domain: [...new Set(bars.map((bar) => bar.input))], label: null, axis: 'left', padding: 0.15 },
    color: { domain: series, range: COLORS },
    marks: [
      Plot.barX(bars, { fy: 'input', y: 'series', x1: 1, x2: 'ratio', fill: 'series' }),
      Plot.text(bars, {
        fy: 'input',
        y: 'series',
        x: 'ratio',
        text: ({ series, ratio }) => `${ratio.toFixed(1)}x  ${series}`,
        dx: 6,
        textAnchor: 'start',
      }),
    ],
  });
}

/**
 * Plots the time per case by the side of the board. Each of `points` and `theory` has `series` (the solver), `side` and
 * `seconds`. Both axes are logarithmic, so a power law is a straight line.
 */
export function plotGrowth(points, theory, title) {
  const series = [...new Set(points.map((point) => point.series))];
  const lastPoints = series.map((name) => points.filter((point) => point.series === name).at(-1));
  const micros = (point) => point.seconds * 1e6;
  return drawPlot({
    style: ON_WHITE,
    height: 340,
    marginLeft: 60,
    marginRight: 80,
    marginTop: 34,
    x: {
      type: 'log',
      label: 'side of the board',
      ticks: [...new Set(points.map(({ side }) => side))],
      tickFormat: 'd',
    },
    y: { type: 'log', label: `${title}: microseconds per case`, grid: true, tickFormat: '~s' },
    color: { domain: series, range: COLORS },
    marks: [
      Plot.lineY(theory, { x: 'side', y: micros, z: 'series', strokeDasharray: '4,4', strokeOpacity: 0.6 }),
      Plot.lineY(points, { x: 'side', y: micros, stroke: 'series', strokeWidth: 2, marker: 'dot' }),
      Plot.text(lastPoints, {
        x: 'side',
        y: micros,
        text: 'series',
        fill: 'series',
        dx: 8,
        textAnchor: 'start',
      }),
    ],
  });
}
