/** The pictures of bench/: on white, as README files show them in any theme. */
import * as Plot from '@observablehq/plot';
import { COLORS, draw } from '../dist/src/bench/plots.js';

const ON_WHITE = {
  background: 'white',
  color: '#222',
  fontSize: '12px',
  fontFamily: 'system-ui, sans-serif',
};

/** `bars`: {input, series, ratio}. How many times the peer's throughput; the peer is 1. */
export function plotSpeeds(bars, title) {
  const series = [...new Set(bars.map((bar) => bar.series))];
  return draw({
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

/** `points` and `theory`: {series, side, seconds}. Both axes in logs: a power law is a straight line. */
export function plotGrowth(points, theory, title) {
  const series = [...new Set(points.map((point) => point.series))];
  const last = series.map((name) => points.filter((point) => point.series === name).at(-1));
  const micros = (point) => point.seconds * 1e6;
  return draw({
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
    y: { type: 'log', label: `${title}: microseconds a case`, grid: true, tickFormat: '~s' },
    color: { domain: series, range: COLORS },
    marks: [
      Plot.lineY(theory, { x: 'side', y: micros, z: 'series', strokeDasharray: '4,4', strokeOpacity: 0.6 }),
      Plot.lineY(points, { x: 'side', y: micros, stroke: 'series', strokeWidth: 2, marker: 'dot' }),
      Plot.text(last, { x: 'side', y: micros, text: 'series', fill: 'series', dx: 8, textAnchor: 'start' }),
    ],
  });
}
