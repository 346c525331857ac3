/** The census of the boards of one size, as the command `census` wants it. */
import type { BoardCensus } from '../../problems/census.js';
import { BacterialCensus, MAX_CENSUS_CELLS, MAX_CENSUS_SIDE } from './census.js';

/** Opens the census of a size; null if the size is too large. */
export function openCensus(rows: number, cols: number): BoardCensus | null {
  if (Math.max(rows, cols) > MAX_CENSUS_SIDE || rows * cols > MAX_CENSUS_CELLS) return null;
  const census = BacterialCensus.load(rows, cols);
  return {
    slices: census.slices,
    count(slice) {
      const { boards, nimbers, answers, largest } = census.count(slice);
      return {
        cases: Number(boards),
        values: labelled(nimbers),
        answers: labelled(answers),
        largest: largest && { size: largest.value, index: Number(largest.index) },
      };
    },
  };
}

function labelled(counts: ReadonlyMap<number, bigint>): Map<string, number> {
  return new Map([...counts].map(([value, count]) => [`${value}`, Number(count)]));
}
