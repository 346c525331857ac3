/** A report as one page that needs nothing else: finished pictures, no script, no network. */
import {
  describeCoordinator,
  describeRun,
  formatDifference,
  formatSeconds,
  STAGE_HEADINGS,
  SUMMARY_HEADINGS,
  stageRows,
  summaryRow,
} from './format.js';
import {
  COLORS,
  IDLE_COLOR,
  plotCaseTimes,
  plotRuns,
  plotShares,
  plotThroughput,
  type Share,
} from './plots.js';
import type { Profile } from './profile.js';
import type { Summary } from './race.js';
import type { CaseTimesReport, Report } from './report.js';

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

const STYLE = `
:root { color-scheme: light dark; --line: #8884; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
h1 { font-size: 1.6rem; margin-bottom: 0.25rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 0.25rem; }
figure { margin: 1rem 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; background: none; }
.legend { display: flex; flex-wrap: wrap; gap: 0 1.2rem; margin: 0; font-size: 0.85rem; }
.legend i { display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.4em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
.wrong { border-left: 0.3rem solid #d55e00; padding-left: 0.8rem; font-weight: 600; }
p { margin: 0.4rem 0; max-width: 46rem; }
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
            series: contender.setting.solver,
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
    'Medians of whole processes, start-up included; the thick strokes reach from the slowest run to the fastest. Dotted: each worker adds as much as the first.',
    figure('throughput by worker threads', plotThroughput(points, levels)) +
      table(SUMMARY_HEADINGS, summaries.map(summaryRow)),
  );
}

const COORDINATOR_PARTS = parts(['read', 'split', 'wait for workers', 'other']);
const WORKER_PARTS = parts(['parse', 'solve', 'print', 'idle']);

function parts(names: readonly string[]): { part: string; color: string }[] {
  return names.map((part, i) => ({ part, color: i === names.length - 1 ? IDLE_COLOR : COLORS[i] }));
}

function whereTimeGoes(report: Report): string {
  const { profiles, summaries } = report;
  const labelOf = ({ setting }: Profile) =>
    (summaries.find(({ contender }) => contender.setting === setting) as Summary).contender.label;
  const coordinator = profiles.flatMap((profile) => {
    const { read, split, room } = profile.stages;
    const other = Math.max(0, profile.seconds - read - split - room);
    return sharesOf(labelOf(profile), COORDINATOR_PARTS, [read, split, room, other]);
  });
  const workers = profiles.flatMap((profile) => {
    const { parse, solve, print } = profile.stages;
    const idle = Math.max(0, profile.setting.jobs * profile.seconds - parse - solve - print);
    return sharesOf(labelOf(profile), WORKER_PARTS, [parse, solve, print, idle]);
  });
  return section(
    'Where time goes',
    'One run of each setting, seen from inside. A coordinator that mostly waits for workers is no bottleneck; idle workers are started, or wait for chunks.',
    `<h3>The coordinator</h3>${legend(COORDINATOR_PARTS)}${figure("the coordinator's time", plotShares(coordinator, COORDINATOR_PARTS))}` +
      `<h3>The workers</h3>${legend(WORKER_PARTS)}${figure("the workers' time", plotShares(workers, WORKER_PARTS))}` +
      `<p>${escapeHtml(describeCoordinator(report))}</p>${table(STAGE_HEADINGS, stageRows(report))}`,
  );
}

function sharesOf(row: string, names: readonly { part: string }[], seconds: readonly number[]): Share[] {
  return names.map(({ part }, i) => ({ row, part, seconds: seconds[i] }));
}

function caseTimes({ solver, cases, meanNanoseconds, buckets, slowest }: CaseTimesReport): string {
  const rows = slowest.map((timed) => [String(timed.case), formatSeconds(timed.seconds)]);
  return section(
    'Time a case',
    `${cases.toLocaleString('en-US')} cases, each solved alone (--solver ${solver}), ${formatSeconds(meanNanoseconds / 1e9)} on average. A kernel that takes several boards at once is slower this way.`,
    figure('distribution of time a case', plotCaseTimes(buckets, meanNanoseconds)) +
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
    'In turn, in the order of the rounds: what disturbed the machine shows as a bump of all lines.',
    legend(names) + figure('time of every run', plotRuns(points)),
  );
}

function section(title: string, text: string, content: string): string {
  return `<section>\n<h2>${title}</h2>\n<p>${escapeHtml(text)}</p>\n${content}\n</section>`;
}

function figure(what: string, svg: string): string {
  return `<figure role="img" aria-label="${escapeHtml(what)}">${svg}</figure>`;
}

function legend(names: readonly { part: string; color: string }[]): string {
  const entries = names.map(
    ({ part, color }) => `<span><i style="background:${color}"></i>${escapeHtml(part)}</span>`,
  );
  return `<p class="legend">${entries.join('')}</p>`;
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((row) => line(row, 'td')).join('');
  return `<div class="scroll"><table><thead>${line(headings, 'th')}</thead><tbody>${body}</tbody></table></div>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]);
}
