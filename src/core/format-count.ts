/** Formats counts for people. JSON and places such as `file:line:column` use plain digits. */

/**
 * Rounds a number and separates its thousands: "739,072". The first call of `toLocaleString` in a process takes 40 ms, which is
 * longer than many runs.
 */
export function formatCount(value: number): string {
  return `${Math.round(value)}`.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats a count with its noun: "1 case", "739,072 cases". */
export function formatQuantity(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a number of bytes with one decimal: "12.3 MiB". */
export function formatMebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
