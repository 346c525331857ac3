/** Draws the plots of the programs in bench/. They have a background of their own, white or, in dark themes, dark. */
import { scaleLog } from 'd3-scale';
import { PLOT_COLORS } from '../build/src/tools/bench/plots.js';
import {
  axisTicksOf,
  bottomAxis,
  CENTER_DIGITS_VERTICALLY,
  leftAxis,
  svgCircle,
  svgDocument,
  svgGroup,
  svgLine,
  svgPolyline,
  svgRectangle,
  svgText,
} from '../build/src/tools/bench/svg.js';

/** The width of a plot for wide screens, and of a plot that a phone shows in its own size, in CSS pixels. */
const [WIDTH, NARROW_WIDTH] = [720, 340];

/** The sizes of a plot with groups of bars, in CSS pixels. A bar's height includes the gap below it. */
const [GROUP_TITLE, BAR_HEIGHT, GROUP_GAP, LETTER_WIDTH] = [18, 18, 8, 6.6];

const BOLD = { 'font-weight': 600 };

/** The colours in dark themes. Elsewhere, the background is white and the text black. */
const DARK_STYLE =
  '<style>@media(prefers-color-scheme:dark){svg{color:#e8ebef}svg>rect:first-of-type{fill:#171c23}}</style>';

/** Returns a picture with a background. */
function drawOnBackground({ width, height }, marks) {
  const background = svgRectangle({ left: 0, right: width, top: 0, bottom: height }, 'white');
  return svgDocument({ width, height, fontSize: 12 }, [DARK_STYLE, background, ...marks]);
}

/**
 * Plots numbers of several inputs on one logarithmic axis that starts at 1, such as speeds relative to the C++ peer. Each of `bars`
 * has `input` (the group of bars), `series` (the name of the bar) and `ratio`, which is shown with its `unit`. The plot is as narrow as a phone, because a
 * picture that a page scales down is hard to read.
 */
export function plotRatios(bars, title, unit = '') {
  const inputs = [...new Set(bars.map((each) => each.input))];
  const series = [...new Set(bars.map((each) => each.series))];
  const labelOf = ({ series: name, ratio }) => `${name}: ${ratio.toFixed(1)}${unit}`;
  const labelWidth = LETTER_WIDTH * Math.max(...bars.map((bar) => labelOf(bar).length));
  const groupHeight = GROUP_TITLE + BAR_HEIGHT * series.length + GROUP_GAP;
  const frame = {
    left: 14,
    right: NARROW_WIDTH - labelWidth - 12,
    top: 8,
    bottom: 8 + groupHeight * inputs.length,
  };
  const x = scaleLog([1, Math.max(...bars.map((each) => each.ratio))], [frame.left, frame.right]).nice();
  const ticks = axisTicksOf(x, 60);
  return drawOnBackground({ width: NARROW_WIDTH, height: frame.bottom + 50 }, [
    svgGroup(
      { stroke: 'currentColor', 'stroke-opacity': 0.15 },
      ticks.filter(({ label }) => label !== '').map(gridLine),
    ),
    bottomAxis(frame, ticks),
    svgText([frame.left, frame.bottom + 38], `${title} (logarithmic) →`),
    ...inputs.map((input, i) => svgText([frame.left, frame.top + groupHeight * i + 13], input, BOLD)),
    ...bars.map(labelledBar),
  ]);

  function gridLine({ position }) {
    return svgLine([position, frame.top], [position, frame.bottom]);
  }

  function labelledBar(bar) {
    const row = series.indexOf(bar.series);
    const top = frame.top + groupHeight * inputs.indexOf(bar.input) + GROUP_TITLE + BAR_HEIGHT * row;
    const bottom = top + BAR_HEIGHT - 3;
    const end = x(bar.ratio);
    return (
      svgRectangle({ left: frame.left, right: end, top, bottom }, PLOT_COLORS[row % PLOT_COLORS.length]) +
      svgText([end + 6, (top + bottom) / 2], labelOf(bar), CENTER_DIGITS_VERTICALLY)
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
  return drawOnBackground({ width: WIDTH, height }, [
    leftAxis(frame, y, `${title}: microseconds per case`),
    bottomAxis(
      frame,
      sides.map((side) => ({ position: x(side), label: String(side) })),
      'side of the board',
    ),
    ...series.map((name, i) =>
      growthMarks(name, placesOf(name, points), placesOf(name, theory), PLOT_COLORS[i]),
    ),
  ]);
}

/** Draws the times of one solver, its name beside its last time, and the times that the theory predicts. */
function growthMarks(name, places, predicted, color) {
  const [lastX, lastY] = places.at(-1);
  return svgGroup({ stroke: color, fill: color }, [
    svgPolyline(predicted, { stroke: 'currentColor', 'stroke-dasharray': '4,4', 'stroke-opacity': 0.6 }),
    svgPolyline(places, { 'stroke-width': 2 }),
    ...places.map((place) => svgCircle(place, 3)),
    svgText([lastX + 8, lastY], name, { stroke: 'none', ...CENTER_DIGITS_VERTICALLY }),
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
  return drawOnBackground({ width: WIDTH, height }, [
    leftAxis(frame, y, 'cases per second; dashed: predicted, dots: measured'),
    bottomAxis(
      frame,
      workers.map((count) => ({ position: x(count), label: String(count) })),
      'workers, each with a processor of its own',
    ),
    ...series.map((name, i) =>
      svgGroup({ stroke: PLOT_COLORS[i], fill: PLOT_COLORS[i] }, [
        svgPolyline(placesOf(name, predicted), { 'stroke-dasharray': '5,4' }),
        ...placesOf(name, measured).map((place) => svgCircle(place, 4)),
        svgText(labels.get(name), name, { stroke: 'none', ...CENTER_DIGITS_VERTICALLY }),
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
