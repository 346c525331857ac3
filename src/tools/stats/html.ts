/** Formats a report of `stats` as one HTML page. */

import { escapeMarkup } from '../../core/markup.js';
import { renderReportPage, renderResponsivePlot, renderSection, renderTable } from '../bench/page.js';
import { PLOT_COLORS, type PlotSize } from '../bench/plots.js';
import { CENTER_DIGITS_VERTICALLY, svgDocument, svgRectangle, svgText } from '../bench/svg.js';
import { shortenText } from '../bench/tables.js';
import type { StatsReport } from './report.js';
import {
  type BarRow,
  casesOfLargestBar,
  formatNumber,
  formatPercent,
  type StatsSection,
} from './sections.js';

/** `summary` is the sentence below the title. */
export function statsReportToHtml(
  report: StatsReport,
  summary: string,
  sections: readonly StatsSection[],
): string {
  const parts = sections.map((section) => renderStats(section, report.cases));
  const files = report.files.length > 1 ? [filesSection(report)] : [];
  return renderReportPage(`boardmill stats: ${report.problem}`, [
    `<p>${escapeMarkup(summary)}.</p>`,
    ...parts,
    ...files,
  ]);
}

function renderStats({ title, rows, sentences }: StatsSection, cases: number): string {
  const list = sentences.map((sentence) => `<p>${escapeMarkup(sentence)}</p>`).join('\n');
  const plot = rows.length === 0 ? '' : renderResponsivePlot(title, (size) => plotRows(rows, cases, size));
  return renderSection(escapeMarkup(title), '', plot + list);
}

const ROW_HEIGHT = 24;
/** Height of the text above a bar, and of the gap below. */
const BAR_TOP = 3;
/** The average width of a character, in proportion to the size of the font. */
const CHARACTER_WIDTH = 0.56;

/** Plots a horizontal bar for each row, with its label on the left and the number of cases on the right. */
function plotRows(rows: readonly BarRow[], cases: number, size: PlotSize): string {
  const charWidth = size.fontSize * CHARACTER_WIDTH;
  const maxChars = Math.floor((size.width * 0.35) / charWidth);
  const labels = rows.map(({ label }) => shortenText(label, maxChars));
  const left = Math.max(...labels.map(({ length }) => length)) * charWidth + 12;
  const counts = rows.map((row) => `${formatNumber(row.cases)} (${formatPercent(row.cases, cases)})`);
  // The bars get the room that the longest number leaves.
  const right = size.width - Math.max(...counts.map(({ length }) => length)) * charWidth - 12;
  const largest = casesOfLargestBar(rows);
  const marks = rows.flatMap((row, index) => {
    const top = index * ROW_HEIGHT + BAR_TOP;
    const bottom = top + ROW_HEIGHT - 2 * BAR_TOP;
    const middle = (top + bottom) / 2;
    const end = row.isRest ? left : left + ((right - left) * row.cases) / largest;
    return [
      svgText([left - 8, middle], labels[index], { ...CENTER_DIGITS_VERTICALLY, 'text-anchor': 'end' }),
      svgRectangle({ left, right: end, top, bottom }, PLOT_COLORS[0]),
      svgText([end + 6, middle], counts[index], CENTER_DIGITS_VERTICALLY),
    ];
  });
  return svgDocument({ ...size, height: rows.length * ROW_HEIGHT + BAR_TOP }, marks);
}

function filesSection({ files }: StatsReport): string {
  const rows = files.map(({ file, cases, duplicates, error }) => [
    file,
    formatNumber(cases),
    formatNumber(duplicates),
    error ?? '',
  ]);
  return renderSection('Files', '', renderTable(['file', 'cases', 'equal to an earlier one', 'error'], rows));
}
