/**
 * Renders the parts of an HTML page that needs no other files. The page contains each plot twice, for wide and
 * for narrow screens, because the text in a plot becomes too small if the plot is scaled down.
 */
import { createHash } from 'node:crypto';
import { escapeMarkup } from '../../core/markup.js';
import { type LegendEntry, NARROW_PLOT, type PlotSize, WIDE_PLOT } from './plots.js';
import { shortenText } from './tables.js';

/** What a page has besides its parts: more rules for the style sheet, and a script that runs when the page is loaded. */
interface PageExtras {
  readonly style?: string;
  readonly script?: string;
}

/**
 * Returns a page with this title. `parts` are the pieces of HTML below the title. Browsers run no script but the page's own.
 */
export function renderReportPage(
  title: string,
  parts: readonly string[],
  { style = '', script }: PageExtras = {},
): string {
  const scripts = script === undefined ? '' : `; script-src '${sourceHash(script)}'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'${scripts}">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
<main>
<h1>${escapeMarkup(title)}</h1>
${parts.join('\n')}
</main>${script === undefined ? '' : `\n<script>${script}</script>`}
</body>
</html>
`;
}

/** Returns the hash by which the Content-Security-Policy of a page knows a script. */
function sourceHash(script: string): string {
  return `sha256-${createHash('sha256').update(script).digest('base64')}`;
}

/**
 * The style sheet of the page. On screens narrower than 800 pixels it shows the narrow plots. On screens narrower than
 * 1100 pixels it shows each row of a table with many columns as a card.
 */
const STYLE = `
:root { color-scheme: light dark; --line: #8884; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
h1 { font-size: 1.6rem; margin-bottom: 0.25rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 0.25rem; }
figure { margin: 1rem 0; overflow-x: auto; }
figure svg { display: block; background: none; overflow: visible; }
figure .narrow { display: none; }
.legend { display: flex; flex-wrap: wrap; gap: 0 1.2rem; margin: 0; font-size: 0.85rem; }
.legend i { display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.4em; }
.legend i.dashed { width: 1.6em; height: 0; border-top: 2px dashed; vertical-align: middle; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; white-space: normal; }
.wrong { border-left: 0.3rem solid #d55e00; padding-left: 0.8rem; font-weight: 600; }
p { margin: 0.4rem 0; max-width: 46rem; }
@media (max-width: 1099px) {
  .cards thead { display: none; }
  .cards, .cards tbody { display: block; }
  .cards tr {
    display: grid; grid-template-columns: repeat(auto-fill, minmax(8.2rem, 1fr)); gap: 0.1rem 1.2rem;
    border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.5rem 0.8rem; margin: 0.6rem 0;
  }
  .cards td { display: flex; flex-wrap: wrap; justify-content: flex-end; padding: 0; border: 0; }
  .cards td::before { content: attr(data-label); opacity: 0.75; padding-right: 0.6em; margin-right: auto; }
  .cards td:first-child { display: block; grid-column: 1 / -1; font-weight: 600; }
  .cards td:first-child::before { content: none; }
}
@media (max-width: 799px) {
  main { padding: 0.5rem 1rem 3rem; }
  figure .wide { display: none; }
  figure .narrow { display: block; }
  figure .narrow svg { width: 100%; min-width: 288px; max-width: 420px; height: auto; }
}
`;

export function renderSection(title: string, text: string, content: string): string {
  return `<section>\n<h2>${title}</h2>\n<p>${escapeMarkup(text)}</p>\n${content}\n</section>`;
}

/** Draws a plot twice, for wide and for narrow screens. The style sheet shows one of the two plots. */
export function renderResponsivePlot(description: string, plot: (size: PlotSize) => string): string {
  const plots = `<div class="wide">${plot(WIDE_PLOT)}</div><div class="narrow">${plot(NARROW_PLOT)}</div>`;
  return `<figure role="img" aria-label="${escapeMarkup(description)}">${plots}</figure>`;
}

/**
 * Length of the longest label that a legend shows in full, so that the legend fits on a phone. Longer labels are
 * shortened. The tables of the page contain the whole labels.
 */
const MAX_LEGEND_CHARACTERS = 36;

export function renderLegend(entries: readonly LegendEntry[]): string {
  const spans = entries.map(({ label, color, isHorizontalLine }) => {
    const swatch = isHorizontalLine
      ? `<i class="dashed" style="border-color:${color}"></i>`
      : `<i style="background:${color}"></i>`;
    return `<span title="${escapeMarkup(label)}">${swatch}${escapeMarkup(shortenText(label, MAX_LEGEND_CHARACTERS))}</span>`;
  });
  return `<p class="legend">${spans.join('')}</p>`;
}

/** On narrow screens, a table with more columns than this is shown as a list of cards. */
const MAX_COLUMNS_WITHOUT_CARDS = 3;

export function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const classAttribute = headings.length > MAX_COLUMNS_WITHOUT_CARDS ? ' class="cards"' : '';
  const head = headings.map((heading) => `<th>${escapeMarkup(heading)}</th>`).join('');
  const cell = (text: string, i: number) =>
    `<td data-label="${escapeMarkup(headings[i])}">${escapeMarkup(text)}</td>`;
  const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('');
  return `<div class="scroll"><table${classAttribute}><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
