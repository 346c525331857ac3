/**
 * A report as one page that needs nothing else: finished pictures, no script, no network. Each plot is there twice,
 * for wide and for narrow screens: a picture that is scaled down cannot be read.
 */

import type { SolverChoice } from '../problems/problem.js';
import type { Breakdown } from './breakdown.js';
import {
  COLORS,
  IDLE_COLOR,
  type Key,
  NARROW,
  type PlotSize,
  plotCaseTimes,
  plotRuns,
  plotShares,
  plotThroughput,
  type Share,
  throughputKeys,
  WIDE,
} from './plots.js';
import type { Summary } from './race.js';
import type { CaseTimesReport, Report } from './report.js';
import {
  describeCoordinator,
  describeRun,
  formatDifference,
  formatSeconds,
  STAGE_HEADINGS,
  SUMMARY_HEADINGS,
  shorten,
  stageRows,
  summaryRow,
} from './tables.js';

export function toHtml(report: Report): string {
  const sections = [
    throughput(report),
    whereTimeGoes(report),
    ...(report.caseTimes === null ? [] : [caseTimes(report.caseTimes)]),
    runs(report),
  ];
  const title = `boardmill bench: ${report.problem}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(describeRun(report))}; ${escapeHtml(report.date.slice(0, 16).replace('T', ' '))} UTC.</p>
${report.input.made === null ? '' : `<p>Input: <code>${escapeHtml(report.input.made)}</code></p>`}
${wrongAnswers(report.summaries)}
${sections.join('\n')}
</main>
</body>
</html>
`;
}

/** Below 800 pixels the narrow pictures are shown, below 1100 each row of a wide table is a card of its own. */
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
.legend i.level { width: 1.6em; height: 0; border-top: 2px dashed; vertical-align: middle; }
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

function wrongAnswers(summaries: readonly Summary[]): string {
  return summaries
    .flatMap(({ contender, difference }) => (difference === null ? [] : [{ contender, difference }]))
    .map(({ contender, difference }) => {
      const what = `${contender.label} answers differently, ${formatDifference(difference)}`;
      return `<p class="wrong">${escapeHtml(what)}</p>`;
    })
    .join('\n');
}

function throughput({ summaries, input }: Report): string {
  const points = summaries.flatMap(({ contender, casesPerSecond, min, max }) =>
    contender.setting === null
      ? []
      : [
          {
            series: seriesName(contender.setting.solver),
            jobs: contender.setting.jobs,
            casesPerSecond,
            low: input.cases / max,
            high: input.cases / min,
          },
        ],
  );
  const levels = summaries
    .filter(({ contender }) => contender.setting === null)
    .map(({ contender, casesPerSecond }) => ({ label: contender.label, casesPerSecond }));
  return section(
    'Throughput',
    'Medians of whole processes, start-up included. The thick strokes reach from the slowest run to the fastest. The dotted lines show what it would be if each worker added as much as the first.' +
      (levels.length === 0 ? '' : ' A dashed line is another program.'),
    legend(throughputKeys(points, levels)) +
      figure('throughput by worker threads', (size) => plotThroughput(points, levels, size)) +
      table(SUMMARY_HEADINGS, summaries.map(summaryRow)),
  );
}

function seriesName(solver: SolverChoice): string {
  return solver === 'auto' ? 'boardmill' : `boardmill --solver ${solver}`;
}

const COORDINATOR_PARTS = parts(['read', 'split', 'wait for workers', 'other']);
const WORKER_PARTS = parts(['parse', 'solve', 'print', 'idle']);

function parts(names: readonly string[]): Key[] {
  return names.map((part, i) => ({ part, color: i === names.length - 1 ? IDLE_COLOR : COLORS[i] }));
}

function whereTimeGoes(report: Report): string {
  const { breakdowns, summaries } = report;
  const labelOf = ({ setting }: Breakdown) =>
    (summaries.find(({ contender }) => contender.setting === setting) as Summary).contender.label;
  const coordinator = breakdowns.flatMap((profile) => {
    const { read, scan, wait } = profile.stages;
    const other = Math.max(0, profile.seconds - read - scan - wait);
    return sharesOf(labelOf(profile), COORDINATOR_PARTS, [read, scan, wait, other]);
  });
  const workers = breakdowns.flatMap((profile) => {
    const { parse, solve, print } = profile.stages;
    const idle = Math.max(0, profile.setting.jobs * profile.seconds - parse - solve - print);
    return sharesOf(labelOf(profile), WORKER_PARTS, [parse, solve, print, idle]);
  });
  return section(
    'Where time goes',
    'One profiled run of each setting. A coordinator that mostly waits for workers is no bottleneck. Idle workers are starting, or wait for chunks.',
    sharesPlot('The coordinator', "the coordinator's time", coordinator, COORDINATOR_PARTS) +
      sharesPlot('The workers', "the workers' time", workers, WORKER_PARTS) +
      `<p>${escapeHtml(describeCoordinator(report))}</p>${table(STAGE_HEADINGS, stageRows(report))}`,
  );
}

function sharesPlot(title: string, what: string, shares: readonly Share[], names: readonly Key[]): string {
  const plot = figure(what, (size) => plotShares(shares, names, size));
  return `<h3>${title}</h3>${legend(names)}${plot}`;
}

function sharesOf(row: string, names: readonly Key[], seconds: readonly number[]): Share[] {
  return names.map(({ part }, i) => ({ row, part, seconds: seconds[i] }));
}

function caseTimes({ solver, cases, meanNanoseconds, buckets, slowest }: CaseTimesReport): string {
  const rows = slowest.map((timed) => [String(timed.case), formatSeconds(timed.seconds)]);
  return section(
    'Time per case',
    `${cases.toLocaleString('en-US')} cases, each solved alone (--solver ${solver}), ${formatSeconds(meanNanoseconds / 1e9)} on average. A kernel that can solve several boards at once is slower on one at a time.`,
    figure('distribution of time per case', (size) => plotCaseTimes(buckets, meanNanoseconds, size)) +
      table(['slowest case', 'time'], rows),
  );
}

function runs({ summaries }: Report): string {
  const points = summaries.flatMap(({ contender, times }) =>
    times.map((seconds, i) => ({ series: contender.label, round: i + 1, seconds })),
  );
  const names = summaries.map(({ contender }, i) => ({
    part: contender.label,
    color: COLORS[i % COLORS.length],
  }));
  return section(
    'All runs',
    'Each round runs every command once. What disturbed the machine for a while shows as a bump in all lines.',
    legend(names) + figure('time of every run', (size) => plotRuns(points, names, size)),
  );
}

function section(title: string, text: string, content: string): string {
  return `<section>\n<h2>${title}</h2>\n<p>${escapeHtml(text)}</p>\n${content}\n</section>`;
}

/** The picture for wide screens and the one for narrow screens; the style shows one of them. */
function figure(what: string, plot: (size: PlotSize) => string): string {
  const pictures = `<div class="wide">${plot(WIDE)}</div><div class="narrow">${plot(NARROW)}</div>`;
  return `<figure role="img" aria-label="${escapeHtml(what)}">${pictures}</figure>`;
}

/** As many letters of a name as fit a line of a phone; tables have the whole name. */
const LEGEND_LETTERS = 36;

function legend(keys: readonly Key[]): string {
  const entries = keys.map(({ part, color, isLevel }) => {
    const swatch = isLevel
      ? `<i class="level" style="border-color:${color}"></i>`
      : `<i style="background:${color}"></i>`;
    return `<span title="${escapeHtml(part)}">${swatch}${escapeHtml(shorten(part, LEGEND_LETTERS))}</span>`;
  });
  return `<p class="legend">${entries.join('')}</p>`;
}

/** A table with more columns becomes a list of cards on narrow screens. */
const MOST_NARROW_COLUMNS = 3;

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const kind = headings.length > MOST_NARROW_COLUMNS ? ' class="cards"' : '';
  const head = headings.map((heading) => `<th>${escapeHtml(heading)}</th>`).join('');
  const cell = (text: string, i: number) =>
    `<td data-label="${escapeHtml(headings[i])}">${escapeHtml(text)}</td>`;
  const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('');
  return `<div class="scroll"><table${kind}><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]);
}
