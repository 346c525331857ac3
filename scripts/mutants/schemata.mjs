/**
 * Writes all drawn mutants into a source at once, each as a switch: `(__mutant(17) ? MUTATED : ORIGINAL)`. The environment
 * variable BOARDMILL_MUTANT chooses those that are active, so one build serves all mutants (mutant schemata: R. Untch,
 * J. Offutt, M. J. Harrold, "Mutation analysis using mutant schemata", 1993).
 */

/** The numbers of the active mutants, with commas between them; 0 or nothing is the program as it is. */
export const ACTIVE = 'BOARDMILL_MUTANT';
/** A file to which each process and thread appends the numbers of the mutants that it reaches. */
export const REACHED = 'BOARDMILL_MUTANTS_REACHED';

/**
 * What stands at the start of each mutated file, in its first line, so that lines keep their numbers. The bundle for browsers
 * has no `process`. Threads and processes inherit the environment, and each reads it once.
 */
const PRELUDE = `const __mutant = (globalThis.__mutants ??= (() => {
  const environment = globalThis.process?.env ?? {};
  const active = new Set((environment.${ACTIVE} ?? '').split(',').map(Number));
  const file = environment.${REACHED};
  if (!file) return (number) => active.has(number);
  const { appendFileSync } = process.getBuiltinModule('node:fs');
  const reached = new Set();
  return (number) => {
    if (reached.has(number)) return false;
    reached.add(number);
    try { appendFileSync(file, number + '\\n'); } catch {}
    return false;
  };
})());`.replace(/\n\s*/g, ' ');

/**
 * Returns a source with a switch for each mutant. Each mutant has a `number`, and lies within another one or beside it.
 * @param {string} text
 * @param {(import('./places.mjs').Mutant & { number: number })[]} mutants
 */
export function withSwitches(text, mutants) {
  if (mutants.length === 0) return text;
  const hashbang = /^#![^\n]*\n/.exec(text)?.[0] ?? '';
  return `${hashbang}${PRELUDE} ${render(text, hashbang.length, text.length, placesOf(mutants))}`;
}

/** Returns the places of mutants, the outer ones first, each with its mutants. */
function placesOf(mutants) {
  const places = new Map();
  for (const mutant of mutants) {
    const { start, end } = mutant;
    const place = places.get(`${start} ${end}`) ?? { start, end, mutants: [] };
    place.mutants.push(mutant);
    places.set(`${start} ${end}`, place);
  }
  return [...places.values()].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Renders a part of the text, and takes the places that lie in it from the front of `places`. */
function render(text, start, end, places) {
  let code = '';
  let at = start;
  while (places.length > 0 && places[0].end <= end) {
    const place = places.shift();
    code += text.slice(at, place.start) + renderPlace(text, place, places);
    at = place.end;
  }
  return code + text.slice(at, end);
}

function renderPlace(text, { start, end, mutants }, places) {
  const original = render(text, start, end, places);
  const blocks = mutants.filter(({ isBlock }) => isBlock);
  const cases = mutants.filter(({ isBlock }) => !isBlock);
  const expression =
    cases.length === 0
      ? original
      : `(${cases.map(({ number, to }) => `__mutant(${number}) ? ${to} : `).join('')}${original})`;
  return blocks.reduce((code, { number }) => `if (!__mutant(${number})) { ${code} }`, expression);
}
