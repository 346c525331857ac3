/**
 * The elements of a drawing: plain data with the tags and attributes of SVG. Elements can be printed as an SVG file, and a page
 * can turn them into elements of its document.
 */
import { escapeMarkup, type MarkupAttributes, printElement, roundToHundredths } from '../../core/markup.js';

export interface DrawnElement {
  readonly tag: string;
  readonly attributes: MarkupAttributes;
  readonly children: readonly (DrawnElement | string)[];
}

/** A point of a drawing, with y growing downwards. The side of a cell is CELL_SIDE long. */
export type Point = readonly [x: number, y: number];

/** Makes an element. Lengths are rounded here, so that a page and a file get the same attributes. */
export function createDrawnElement(
  tag: string,
  attributes: MarkupAttributes,
  children: readonly (DrawnElement | string)[] = [],
): DrawnElement {
  return { tag, attributes: roundNumbers(attributes), children };
}

/** Joins elements. */
export function groupElements(
  attributes: MarkupAttributes,
  children: readonly (DrawnElement | string)[],
): DrawnElement {
  return createDrawnElement('g', attributes, children);
}

/** Moves elements to the right and down. */
export function moveElements(
  [x, y]: Point,
  attributes: MarkupAttributes,
  children: readonly DrawnElement[],
): DrawnElement {
  return groupElements(
    { ...attributes, transform: `translate(${roundToHundredths(x)} ${roundToHundredths(y)})` },
    children,
  );
}

/** Prints a drawing as SVG text. */
export function printDrawing({ tag, attributes, children }: DrawnElement): string {
  const content = children.map((child) =>
    typeof child === 'string' ? escapeMarkup(child) : printDrawing(child),
  );
  return printElement(tag, attributes, content.join(''));
}

/** Returns the commands of a path through points, such as `M1 2L3 4`. */
export function pathThrough(points: readonly Point[]): string {
  return points
    .map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${roundToHundredths(x)} ${roundToHundredths(y)}`)
    .join('');
}

function roundNumbers(attributes: MarkupAttributes): MarkupAttributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'number' ? roundToHundredths(value) : value,
    ]),
  );
}
