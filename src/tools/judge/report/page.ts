/**
 * Formats the results of `judge` as one HTML page: its tables can be sorted, and it shows a small failing case of each program.
 */
import { escapeMarkup } from '../../../core/markup.js';
import type { Verdict } from '../../../engine/verdict.js';
import { renderReportPage, renderSection } from '../../bench/page.js';
import {
  programColumnName,
  type VerdictMatrixCell,
  type VerdictMatrixRow,
  verdictCellText,
} from './matrix.js';

/** A case on which a program fails, with what the program printed. */
export interface FailingExample {
  readonly program: string;
  /** Where the case comes from, such as `data/secret/2.in, case 7`. */
  readonly origin: string;
  readonly verdict: Verdict;
  readonly message: string | null;
  readonly input: Uint8Array;
  readonly expected: Uint8Array;
  /** What the program printed; null if that is not known. */
  readonly got: Uint8Array | null;
  /** Whether the case was made smaller than the one in the tests. */
  readonly isShrunk: boolean;
}

export interface JudgePage {
  readonly title: string;
  /** Sentences above the tables. */
  readonly remarks: readonly string[];
  /** The table with a row for each program. Rows of programs that do not do what is expected are marked. */
  readonly programs: {
    readonly headings: readonly string[];
    readonly rows: readonly { readonly cells: readonly string[]; readonly isBad: boolean }[];
  };
  readonly matrix: readonly VerdictMatrixRow[];
  readonly examples: readonly FailingExample[];
}

/** Largest number of bytes of an input or an output that the page shows. */
const MAX_SHOWN_BYTES = 4096;

export function judgePageToHtml({ title, remarks, programs, matrix, examples }: JudgePage): string {
  const parts = [
    ...remarks.map((remark) => `<p>${escapeMarkup(remark)}</p>`),
    programsSection(programs),
    ...(matrix.length === 0 ? [] : [matrixSection(matrix)]),
    ...(examples.length === 0 ? [] : [examplesSection(examples)]),
  ];
  return renderReportPage(title, parts, { style: STYLE, script: SORT_SCRIPT });
}

const STYLE = `
th button { font: inherit; background: none; border: 0; padding: 0; cursor: pointer; color: inherit; text-decoration: underline dotted; }
td.bad, tr.bad td:first-child { color: #d55e00; font-weight: 600; }
pre { border: 1px solid var(--line); padding: 0.5rem; overflow-x: auto; max-height: 24rem; }
`;

/**
 * Sorts a table by the column whose heading is clicked: by numbers, if both cells begin with one, else by texts. A second click
 * turns the order around.
 */
const SORT_SCRIPT = `
const valueOf = (row, column) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
const compare = (one, other) => {
  const [a, b] = [parseFloat(one), parseFloat(other)];
  return isNaN(a) || isNaN(b) ? one.localeCompare(other, 'en', { numeric: true }) : a - b;
};
for (const table of document.querySelectorAll('table.sortable')) {
  const body = table.tBodies[0];
  for (const heading of table.tHead.rows[0].cells) {
    heading.firstChild.addEventListener('click', () => {
      const sign = heading.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
      heading.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
      const column = heading.cellIndex;
      const rows = [...body.rows];
      rows.sort((one, other) => sign * compare(valueOf(one, column), valueOf(other, column)));
      body.append(...rows);
    });
  }
}
`;

function programsSection({ headings, rows }: JudgePage['programs']): string {
  const body = rows.map(({ cells, isBad }) => {
    const texts = cells.map((text) => `<td>${escapeMarkup(text)}</td>`).join('');
    return `<tr${isBad ? ' class="bad"' : ''}>${texts}</tr>`;
  });
  const table = sortableTable(headings, body);
  return renderSection('Programs', 'A click on a heading sorts the table.', table);
}

function matrixSection(matrix: readonly VerdictMatrixRow[]): string {
  const headings = ['file', ...matrix[0].cells.map((_, index) => programColumnName(index))];
  const body = matrix.map(
    ({ test, cells }) => `<tr><td>${escapeMarkup(test)}</td>${cells.map(matrixCell).join('')}</tr>`,
  );
  const text = 'Verdicts and seconds. The columns have the numbers of the programs above.';
  return renderSection('Files', text, sortableTable(headings, body));
}

/** Sorts by time, which follows the verdict in the text of the cell. */
function matrixCell(cell: VerdictMatrixCell | null): string {
  if (cell === null) return '<td data-sort="-1">-</td>';
  const title = cell.message === null ? '' : ` title="${escapeMarkup(cell.message)}"`;
  const mark = cell.isBad ? ' class="bad"' : '';
  return `<td data-sort="${cell.seconds.toFixed(6)}"${title}${mark}>${verdictCellText(cell)}</td>`;
}

function sortableTable(headings: readonly string[], body: readonly string[]): string {
  const head = headings
    .map((heading) => `<th><button type="button">${escapeMarkup(heading)}</button></th>`)
    .join('');
  return `<div class="scroll"><table class="sortable"><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

function examplesSection(examples: readonly FailingExample[]): string {
  return renderSection(
    'Smallest failing cases',
    'For each program that fails, the smallest case on which it does, made smaller where that is possible.',
    examples.map(exampleText).join('\n'),
  );
}

function exampleText({
  program,
  origin,
  isShrunk,
  verdict,
  message,
  input,
  expected,
  got,
}: FailingExample): string {
  const why = message === null ? '' : `: ${message}`;
  const from = isShrunk ? `made smaller from ${origin}` : origin;
  const parts: [string, Uint8Array | null][] = [
    ['input', input],
    ['expected', expected],
    ['got', got],
  ];
  const shown = parts.flatMap(([name, bytes]) => (bytes === null ? [] : [`<h4>${name}</h4>${pre(bytes)}`]));
  return `<h3>${escapeMarkup(program)}</h3><p>${escapeMarkup(`${verdict} (${from})${why}`)}</p>${shown.join('')}`;
}

function pre(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, MAX_SHOWN_BYTES)).toString();
  const rest = bytes.length - MAX_SHOWN_BYTES;
  return `<pre>${escapeMarkup(text)}${rest > 0 ? `\n... and ${rest} more bytes` : ''}</pre>`;
}
