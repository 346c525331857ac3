/** Draws the plots of the programs in bench/. They have a background of their own, white or, in dark themes, dark. */
import { scaleBand, scaleLog } from 'd3-scale';
import { COLORS } from '../build/src/tools/bench/plots.js';
import {
  bottomAxis,
  drawBar,
  drawDot,
  drawLine,
  drawPicture,
  drawRule,
  drawText,
  groupMarks,
  leftAxis,
  MIDDLE,
  ticksOf,
} from '../build/src/tools/bench/svg.js';

const WIDTH = 720;

/** The colours in dark themes. Elsewhere, the background is white and the text black. */
const DARK_STYLE =
  '<style>@media(prefers-color-scheme:dark){svg{color:#e8ebef}svg>rect:first-of-type{fill:#171c23}}</style>';

/** Returns a picture with a background. */
function drawOnBackground(height, marks) {
  const background = drawBar({ left: 0, right: WIDTH, top: 0, bottom: height }, 'white');
  return drawPicture({ width: WIDTH, height, fontSize: 12 }, [DARK_STYLE, background, ...marks]);
}

/**
 * Plots speeds relative to the C++ peer, whose speed is 1. Each of `bars` has `input` (the group of bars), `series`
 * (the name of the bar) and `ratio`.
 */
export function plotSpeeds(bars, title) {
  const inputs = [...new Set(bars.map((each) => each.input))];
  const series = [...new Set(bars.map((each) => each.series))];
  const height = 60 + 52 * inputs.length;
  const frame = { left: 170, right: WIDTH - 110, top: 14, bottom: height - 42 };
  const x = scaleLog([1, 2 * Math.max(...bars.map((each) => each.ratio))], [frame.left, frame.right]);
  const inputBand = scaleBand(inputs, [frame.top, frame.bottom]).padding(0.15);
  const seriesBand = scaleBand(series, [0, inputBand.bandwidth()]).padding(0.1);
  const ticks = ticksOf(x, 80);
  return drawOnBackground(height, [
    groupMarks({ stroke: 'currentColor', 'stroke-opacity': 0.15 }, ticks.map(gridLine)),
    bottomAxis(frame, ticks, title),
    ...inputs.map((input) =>
      drawText([frame.left - 9, inputBand(input) + inputBand.bandwidth() / 2], input, {
        'text-anchor': 'end',
        ...MIDDLE,
      }),
    ),
    ...bars.map(labelledBar),
  ]);

  function gridLine({ position }) {
    return drawRule([position, frame.top], [position, frame.bottom]);
  }

  function labelledBar({ input, series: name, ratio }) {
    const top = inputBand(input) + seriesBand(name);
    const bottom = top + seriesBand.bandwidth();
    const color = COLORS[series.indexOf(name) % COLORS.length];
    const label = `${name}: ${ratio.toFixed(1)}x`;
    return (
      drawBar({ left: frame.left, right: x(ratio), top, bottom }, color) +
      drawText([x(ratio) + 6, (top + bottom) / 2], label, MIDDLE)
    );
  }
}

/**
 * Plots the time per case by the side of the board. Each of `points` and `theory` has `series` (the solver), `side` and
 * `seconds`. Both axes are logarithmic, so a power law is a straight line.
 */
export function plotGrowth(points, theory, title) {
  const height = 340;
  const frame = { left: 60, right: WIDTH - 80, top: 34, bottom: height - 42 };
  const sides = [...new Set(points.map(({ side }) => side))].sort((a, b) => a - b);
  const series = [...new Set(points.map((point) => point.series))];
  const x = scaleLog([sides[0], sides.at(-1)], [frame.left, frame.right]);
  const micros = [...points, ...theory].map(({ seconds }) => seconds * 1e6);
  const y = scaleLog([Math.min(...micros), Math.max(...micros)], [frame.bottom, frame.top]);
  const placesOf = (name, all) =>
    all.filter((each) => each.series === name).map(({ side, seconds }) => [x(side), y(seconds * 1e6)]);
  return drawOnBackground(height, [
    leftAxis(frame, y, `${title}: microseconds per case`),
    bottomAxis(
      frame,
      sides.map((side) => ({ position: x(side), label: String(side) })),
      'side of the board',
    ),
    ...series.map((name, i) => growthMarks(name, placesOf(name, points), placesOf(name, theory), COLORS[i])),
  ]);
}

/** Draws the times of one solver, its name beside its last time, and the times that the theory predicts. */
function growthMarks(name, places, predicted, color) {
  const [lastX, lastY] = places.at(-1);
  return groupMarks({ stroke: color, fill: color }, [
    drawLine(predicted, { stroke: 'currentColor', 'stroke-dasharray': '4,4', 'stroke-opacity': 0.6 }),
    drawLine(places, { 'stroke-width': 2 }),
    ...places.map((place) => drawDot(place, 3)),
    drawText([lastX + 8, lastY], name, { stroke: 'none', ...MIDDLE }),
  ]);
}

/**
 * Plots cases per second by number of workers: predictions as dashed lines, measurements as dots. Each of `predicted` and
 * `measured` has `series` (the load), `workers` and `casesPerSecond`. Both axes are logarithmic.
 */
export function plotPredictions(predicted, measured) {
  const height = 400;
  const frame = { left: 60, right: WIDTH - 180, top: 34, bottom: height - 42 };
  const series = [...new Set(predicted.map((point) => point.series))];
  const workers = [...new Set(predicted.map((point) => point.workers))];
  const speeds = [...predicted, ...measured].map(({ casesPerSecond }) => casesPerSecond);
  const x = scaleLog([workers[0], workers.at(-1)], [frame.left + 12, frame.right]);
  const y = scaleLog([Math.min(...speeds), Math.max(...speeds)], [frame.bottom, frame.top]);
  const placesOf = (name, all) =>
    all.filter((each) => each.series === name).map((each) => [x(each.workers), y(each.casesPerSecond)]);
  const labels = spreadLabels(series.map((name) => ({ name, place: placesOf(name, predicted).at(-1) })));
  return drawOnBackground(height, [
    leftAxis(frame, y, 'cases per second; dashed: predicted, dots: measured'),
    bottomAxis(
      frame,
      workers.map((count) => ({ position: x(count), label: String(count) })),
      'workers, each with a processor of its own',
    ),
    ...series.map((name, i) =>
      groupMarks({ stroke: COLORS[i], fill: COLORS[i] }, [
        drawLine(placesOf(name, predicted), { 'stroke-dasharray': '5,4' }),
        ...placesOf(name, measured).map((place) => drawDot(place, 4)),
        drawText(labels.get(name), name, { stroke: 'none', ...MIDDLE }),
      ]),
    ),
  ]);
}

/** Smallest distance between two labels, in pixels. */
const LABEL_HEIGHT = 14;

/** Moves labels beside their places, and down where they would overlap. Returns the place of each label by its name. */
function spreadLabels(labels) {
  const placed = new Map();
  let free = 0;
  for (const { name, place } of labels.toSorted((a, b) => a.place[1] - b.place[1])) {
    const top = Math.max(place[1], free);
    placed.set(name, [place[0] + 8, top]);
    free = top + LABEL_HEIGHT;
  }
  return placed;
}
