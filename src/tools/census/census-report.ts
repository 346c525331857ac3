/** Reports a census that has ended: as lines of JSON, one for each size, or as tables for people. */
import { formatCount } from '../../core/format-count.js';
import { escapeUnprintable, onOneLine, printJson } from '../../core/printable.js';
import { formatSize, isSizeUnrestricted } from '../../problems/census.js';
import type { CensusNames, CensusState } from './census-state.js';
import type { SizeTotals } from './size-totals.js';

type Counts = ReadonlyMap<string, number>;

/** Returns the lines of JSON, each with a line end. */
export function censusToJson({ names, totals }: CensusState): string {
  return totals.map((each) => `${printJson(describeTotals(names, each))}\n`).join('');
}

/** Returns the counts of a size under the names that users know. */
function describeTotals(names: CensusNames, { size, classes, counts }: SizeTotals): object {
  const { cases, values, answers, largest } = counts;
  const isBoard = !isSizeUnrestricted(size);
  return {
    problem: names.problem,
    ...(isBoard ? { ...size, boards: cases } : { cases }),
    ...(classes === null ? {} : { classes }),
    ...(names.values === null ? {} : { [names.values]: nested(values) }),
    answers: answers && Object.fromEntries(answers),
    largest: largest && { [names.size]: largest.size, [isBoard ? 'board' : 'case']: largest.rows },
  };
}

/** Returns counts as an object. Labels such as `Red 5` and `Red 7` are in an object of their own. */
function nested(counts: Counts): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [label, count] of counts) {
    const [first, second] = label.split(' ');
    if (second === undefined) object[first] = count;
    else object[first] = { ...(object[first] as object | undefined), [second]: count };
  }
  return object;
}

/** Largest number of rows of a table. More different answers than that are in the JSON only. */
const MAX_ROWS = 24;

/** Returns a text with tables for each size. */
export function censusToText({ names, totals }: CensusState): string {
  return totals.map((each) => `${linesOfSize(names, each).join('\n')}\n`).join('\n');
}

function linesOfSize(names: CensusNames, { size, classes, counts }: SizeTotals): string[] {
  const what = isSizeUnrestricted(size) ? 'cases' : 'boards';
  const upTo = classes === null ? '' : `, ${formatCount(classes)} up to ${names.symmetry}`;
  const title = isSizeUnrestricted(size) ? names.problem : `${names.problem} ${formatSize(size)}`;
  return [
    `${title}: ${formatCount(counts.cases)} ${what}${upTo}`,
    ...(names.values === null ? [] : linesOfCounts(names.values, counts.values, counts.cases)),
    ...(isSame(counts.values, counts.answers)
      ? [`  answers: the same as the ${names.values}`]
      : linesOfCounts('answers', counts.answers, counts.cases)),
    ...linesOfLargest(names, counts),
  ];
}

/** Whether the answers say the same as the values, so that one table is enough. */
function isSame(values: Counts, answers: Counts | null): boolean {
  return answers !== null && JSON.stringify([...values]) === JSON.stringify([...answers]);
}

/** One line for each label, with the number of cases and their share. */
function linesOfCounts(name: string, counts: Counts | null, total: number): string[] {
  if (counts === null) return [`  ${name}: too many different ones, or too long ones, to count each`];
  if (counts.size > MAX_ROWS)
    return [`  ${name}: ${formatCount(counts.size)} different ones, which --json lists`];
  const labels = [...counts.keys()].map(onOneLine);
  const labelWidth = Math.max(0, ...labels.map(({ length }) => length));
  const countWidth = Math.max(0, ...[...counts.values()].map((count) => formatCount(count).length));
  const lines = [...counts.values()].map((count, index) => {
    const share = `${((100 * count) / total).toFixed(2)} %`.padStart('100.00 %'.length);
    return `    ${labels[index].padEnd(labelWidth)}  ${formatCount(count).padStart(countWidth)}  ${share}`;
  });
  return [`  ${name}`, ...lines];
}

function linesOfLargest({ size }: CensusNames, { largest }: SizeTotals['counts']): string[] {
  if (largest === null) return [];
  const title = `  the first one of those with the largest value (${size}: ${largest.size})`;
  return [title, ...largest.rows.map((row) => `    ${escapeUnprintable(row)}`)];
}
