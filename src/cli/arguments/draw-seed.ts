import { randomInt } from 'node:crypto';

/** Draws a seed for a command line without `--seed`. It is short, because users type it again and files are named after it. */
export function drawSeed(): string {
  return String(randomInt(1e6));
}
