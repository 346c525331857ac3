/**
 * Draws the axes and the marks of a plot as SVG text. No document and no browser is needed, so a page with these plots
 * contains no script. All positions are in pixels from the top left corner of the plot.
 */
import { format } from 'd3-format';
import type { ScaleContinuousNumeric } from 'd3-scale';
import { escapeMarkup, type MarkupAttributes, printElement, roundToHundredths } from '../../core/markup.js';

export type PlotPoint = readonly [x: number, y: number];
/** A scale between numbers, such as `scaleLinear()` or `scaleLog()`. */
export type NumberScale = ScaleContinuousNumeric<number, number>;

/** A rectangle: a bar, or the part of a plot that lies between its axes. */
export interface PlotRectangle {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A position on an axis. If the label is empty, the axis has a short line at the position, but no number. */
export interface AxisTick {
  readonly position: number;
  readonly label: string;
}

/** Returns a picture of this size. The picture works inside an HTML page and as a separate file. */
export function svgDocument(
  { width, height, fontSize }: { width: number; height: number; fontSize: number },
  marks: readonly string[],
): string {
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  const font = { 'font-family': 'system-ui, sans-serif', 'font-size': fontSize, fill: 'currentColor' };
  // Inside HTML, the SVG namespace is implied. A separate SVG file is only valid if it declares the namespace.
  const root = { xmlns: 'http://www.w3.org/2000/svg', ...size, ...font };
  return printElement('svg', root, marks.join(''));
}

/** Joins marks that share attributes, such as a colour. */
export function svgGroup(attributes: MarkupAttributes, marks: readonly string[]): string {
  return printElement('g', attributes, marks.join(''));
}

/** Draws a line through all points. */
export function svgPolyline(points: readonly PlotPoint[], attributes: MarkupAttributes): string {
  const path = points.map((point) => point.map(roundToHundredths).join(',')).join(' ');
  const look = { fill: 'none', 'stroke-width': 1.5, 'stroke-linejoin': 'round' };
  return printElement('polyline', { points: path, ...look, ...attributes });
}

/** Draws a straight line between two points. */
export function svgLine([x1, y1]: PlotPoint, [x2, y2]: PlotPoint, attributes: MarkupAttributes = {}): string {
  return printElement('line', { x1, y1, x2, y2, ...attributes });
}

/** Draws a dot around a point. */
export function svgCircle([cx, cy]: PlotPoint, r: number, attributes: MarkupAttributes = {}): string {
  return printElement('circle', { cx, cy, r, ...attributes });
}

/** Draws a filled rectangle. A box without an area is not visible, whatever its sides. */
export function svgRectangle({ left, right, top, bottom }: PlotRectangle, fill: string): string {
  const width = Math.max(0, right - left);
  const height = Math.max(0, bottom - top);
  return printElement('rect', { x: left, y: top, width, height, fill });
}

/** Writes a text that starts at a point of its baseline. The attribute `text-anchor` can make the text end there instead. */
export function svgText([x, y]: PlotPoint, content: string, attributes: MarkupAttributes = {}): string {
  return printElement('text', { x, y, ...attributes }, escapeMarkup(content));
}

/** Moves a text down by this length, so that the middle of its digits is at the position of the text. */
export const CENTER_DIGITS_VERTICALLY = { dy: '0.32em' };

/** Divides the range from 0 to 1 into parts that are proportional to the values, without gaps. */
export function proportionalIntervals(values: readonly number[]): { from: number; to: number }[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  let end = 0;
  return values.map((value) => {
    const from = end;
    end += total === 0 ? 0 : value / total;
    return { from, to: end };
  });
}

const formatSmall = format('~g');
const formatLarge = format('~s');

/** Formats a number for an axis: 0.05, 20, 1.5k. Small numbers get no prefix, because "m" could mean millions. */
export function formatTick(value: number): string {
  return value < 1 ? formatSmall(value) : formatLarge(value);
}

/** Chooses round numbers on a scale, such that those with a label are about `spacing` pixels apart. */
export function axisTicksOf(scale: NumberScale, spacing: number): AxisTick[] {
  const [start, end] = scale.range();
  const count = Math.abs(end - start) / spacing;
  // A logarithmic scale has more ticks than there is room for labels. It formats ticks without a label as an empty text.
  const formatIfRoom = scale.tickFormat(count);
  return scale
    .ticks(count)
    .map((value) => ({ position: scale(value), label: formatIfRoom(value) && formatTick(value) }));
}

/** Distance between the labels of a left axis, in pixels. */
export const AXIS_LABEL_SPACING = 35;
const TICK_LENGTH = 6;
const LABEL_DISTANCE = 9;

/** Draws the axis on the left of the frame, its title above it, and a grid of horizontal lines. */
export function leftAxis(frame: PlotRectangle, scale: NumberScale, title: string): string {
  const { left, right, top } = frame;
  const ticks = axisTicksOf(scale, AXIS_LABEL_SPACING);
  const labels = ticks.filter(({ label }) => label !== '');
  return [
    svgGroup(
      { stroke: 'currentColor', 'stroke-opacity': 0.15 },
      labels.map(({ position: y }) => svgLine([left, y], [right, y])),
    ),
    svgGroup(
      { stroke: 'currentColor' },
      ticks.map(({ position: y }) => svgLine([left - TICK_LENGTH, y], [left, y])),
    ),
    svgGroup(
      { 'text-anchor': 'end' },
      labels.map(({ position, label }) =>
        svgText([left - LABEL_DISTANCE, position], label, CENTER_DIGITS_VERTICALLY),
      ),
    ),
    svgText([3, top - 18], `↑ ${title}`),
  ].join('');
}

/** Draws the axis below the frame, and its title, if it is given. */
export function bottomAxis(
  { right, bottom }: PlotRectangle,
  ticks: readonly AxisTick[],
  title?: string,
): string {
  const labels = ticks.filter(({ label }) => label !== '');
  return [
    svgGroup(
      { stroke: 'currentColor' },
      ticks.map(({ position: x }) => svgLine([x, bottom], [x, bottom + TICK_LENGTH])),
    ),
    svgGroup(
      { 'text-anchor': 'middle' },
      labels.map(({ position, label }) =>
        svgText([position, bottom + LABEL_DISTANCE], label, { dy: '0.71em' }),
      ),
    ),
    title === undefined ? '' : svgText([right + 14, bottom + 38], `${title} →`, { 'text-anchor': 'end' }),
  ].join('');
}
