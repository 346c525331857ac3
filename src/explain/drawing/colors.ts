/**
 * The colours of drawings. An element carries the light colour as an attribute, for programs that read no style sheets. The
 * element also carries a class such as `fill-cell`, with which the style sheet of a page or of the file replaces the colour.
 */

interface Shades {
  readonly light: string;
  readonly dark: string;
}

const COLORS = {
  paper: { light: '#ffffff', dark: '#12161c' },
  cell: { light: '#fbf9f5', dark: '#272f3a' },
  'other-cell': { light: '#f1ede4', dark: '#1e242d' },
  grid: { light: '#d9d3c7', dark: '#3b4553' },
  edge: { light: '#8d8678', dark: '#6d7889' },
  ink: { light: '#2b2f36', dark: '#e7eaee' },
  label: { light: '#646970', dark: '#9ba5b3' },
  'radioactive-cell': { light: '#f5d565', dark: '#c99f24' },
  'radioactive-sign': { light: '#453a05', dark: '#1f1a03' },
  'filled-cell': { light: '#e4f1e6', dark: '#1d3529' },
  bacterium: { light: '#69b07f', dark: '#4b9b69' },
  'bacterium-edge': { light: '#22633e', dark: '#b9e5c6' },
  'cleared-cell': { light: '#d6d1c7', dark: '#0b0e12' },
  'letter-L': { light: '#1f64a8', dark: '#82b5ec' },
  'letter-R': { light: '#ad4424', dark: '#f2a081' },
  'letter-X': { light: '#69479f', dark: '#bda2ec' },
  obstacle: { light: '#767c87', dark: '#5a6473' },
  'obstacle-edge': { light: '#9ca2ac', dark: '#7a8596' },
  'goal-cell': { light: '#e3edf7', dark: '#1b2f45' },
  red: { light: '#c5352b', dark: '#d4483c' },
  black: { light: '#262a31', dark: '#07090c' },
  'on-piece': { light: '#ffffff', dark: '#f4f6f8' },
  'piece-edge': { light: '#ffffff', dark: '#c9d0d9' },
  'last-cell': { light: '#ffd966', dark: '#8f7420' },
  good: { light: '#177245', dark: '#45c486' },
  bad: { light: '#a23b3b', dark: '#ec8b8b' },
  even: { light: '#8a5c00', dark: '#e3b04b' },
  plain: { light: '#5a626d', dark: '#a7b1be' },
  'on-mark': { light: '#ffffff', dark: '#0d1117' },
  link: { light: '#c2185b', dark: '#ff78ab' },
} as const satisfies Record<string, Shades>;

export type ColorName = keyof typeof COLORS;

/** Colours the inside of a shape. */
export function fillAttributes(name: ColorName, className = ''): { class: string; fill: string } {
  return { class: `${className} fill-${name}`.trim(), fill: COLORS[name].light };
}

/** Colours the outline of a shape, and leaves its inside empty. */
export function outlineAttributes(
  name: ColorName,
  width: number,
): { class: string; fill: string; stroke: string; 'stroke-width': number } {
  return { class: `stroke-${name}`, fill: 'none', stroke: COLORS[name].light, 'stroke-width': width };
}

/** Colours the inside and the outline of a shape. */
export function fillAndOutlineAttributes(
  fill: ColorName,
  stroke: ColorName,
  width: number,
): { class: string; fill: string; stroke: string; 'stroke-width': number } {
  return {
    class: `fill-${fill} stroke-${stroke}`,
    fill: COLORS[fill].light,
    stroke: COLORS[stroke].light,
    'stroke-width': width,
  };
}

/** Returns the rules of a style sheet that take the colours from variables such as `--board-cell`. */
export function colorStyleSheet(): string {
  return colorNames()
    .map((name) => `.fill-${name}{fill:var(--board-${name})}.stroke-${name}{stroke:var(--board-${name})}`)
    .join('\n');
}

/** Returns declarations that give the variables of `colorStyleSheet` their values, such as `--board-cell:#272f3a;`. */
export function colorVariables(theme: keyof Shades): string {
  return colorNames()
    .map((name) => `--board-${name}:${COLORS[name][theme]};`)
    .join('');
}

/** Returns a style sheet for a drawing in a file, which gives it the dark colours if its reader prefers a dark theme. */
export function darkStyle(): string {
  const rules = colorNames().map((name) => {
    const { dark } = COLORS[name];
    return `.fill-${name}{fill:${dark}}.stroke-${name}{stroke:${dark}}`;
  });
  return `@media (prefers-color-scheme:dark){${rules.join('')}}`;
}

function colorNames(): ColorName[] {
  return Object.keys(COLORS) as ColorName[];
}

/** Degrees between the hues of two consecutive letters: steps of the golden angle keep all hues apart. */
const HUE_STEP = 137.508;
/** Letters whose hues are close differ in lightness. */
const LIGHTNESSES = [0.8, 0.68, 0.74];

/** Returns the colour of the blocks with a symbol. It is light enough for black letters in every theme. */
export function symbolColor(symbol: string): string {
  const index = symbol.toUpperCase().charCodeAt(0) - 'A'.charCodeAt(0);
  const isCapital = symbol === symbol.toUpperCase();
  const saturation = isCapital ? 0.62 : 0.3;
  return hexColor((index * HUE_STEP) % 360, saturation, LIGHTNESSES[index % LIGHTNESSES.length]);
}

/** Converts hue (degrees), saturation and lightness (0 to 1) to a colour such as `#a0c8f0`. */
function hexColor(hue: number, saturation: number, lightness: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const sector = (offset + hue / 30) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(sector - 3, 9 - sector, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}
