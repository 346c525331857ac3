/** Puts many mutants into one source, of which a variable of the environment chooses one when the program runs. */
import type { Mutant } from './mutant.js';

/** The variable of the environment with the number of the mutant; without it, the program is as its author wrote it. */
export const MUTANT_VARIABLE = 'BOARDMILL_MUTANT';
/** If this variable is set, the program prints at its end how often it came to the mutated place: `MUTANT_HITS_PREFIX n`. */
export const MUTANT_HITS_VARIABLE = 'BOARDMILL_MUTANT_HITS';
export const MUTANT_HITS_PREFIX = '#boardmill-hits';

/** How a language chooses among mutants. */
export interface MutantSwitch {
  /** Wraps a changed expression or statement: `otherwise` is what the program does without the mutant. */
  wrap(mutant: Mutant, otherwise: string): string;
  /** What stands before the source. It ends with a line end, and the lines of the source keep their numbers. */
  readonly head: string;
  /** The source that reads the variable, without the ending of its name. */
  readonly reader: string;
}

const READER_NAME = 'boardmill_mutant';

/** The name of the file with the source that reads the variable. */
export function mutantReaderFileName(ending: string): string {
  return `${READER_NAME}${ending}`;
}

export const C_MUTANT_SWITCH: MutantSwitch = {
  wrap({ number, text, form, line }, otherwise) {
    const isChosen = `(boardmill_mutant == ${number} && ++boardmill_hits)`;
    // After a text of several lines, what follows would have other line numbers than in the source.
    const changed = text.includes('\n') ? `${text}\n#line ${line}\n` : text;
    return form === 'expression'
      ? `(${isChosen} ? (${changed}) : (${otherwise}))`
      : `{ if ${isChosen} { ${changed} } else { ${otherwise} } }`;
  },
  head: 'extern int boardmill_mutant; extern long long boardmill_hits;\n#line 1\n',
  reader: `
#include <stdio.h>
#include <stdlib.h>
extern int boardmill_mutant;
extern long long boardmill_hits;
int boardmill_mutant = 0;
long long boardmill_hits = 0;
__attribute__((constructor(101))) static void boardmill_begin(void) {
  const char *number = getenv("${MUTANT_VARIABLE}");
  if (number != NULL) boardmill_mutant = atoi(number);
}
__attribute__((destructor(101))) static void boardmill_end(void) {
  if (getenv("${MUTANT_HITS_VARIABLE}") == NULL) return;
  printf("\\n${MUTANT_HITS_PREFIX} %lld\\n", boardmill_hits);
  fflush(stdout);
}
`,
};

/** Returns the source with all these mutants. */
export function sourceWithMutants(
  source: string,
  mutants: readonly Mutant[],
  { wrap, head }: MutantSwitch,
): string {
  // Outer changes come before the changes inside of them. Changes of the same text stand side by side.
  const sorted = mutants.toSorted((a, b) => a.from - b.from || b.to - a.to || a.number - b.number);
  let next = 0;
  const textOf = (from: number, to: number): string => {
    let text = '';
    let at = from;
    while (next < sorted.length && sorted[next].from < to) {
      const outer = sorted[next];
      const here = sorted.slice(next).filter((each) => each.from === outer.from && each.to === outer.to);
      next += here.length;
      const inside = textOf(outer.from, outer.to);
      text +=
        source.slice(at, outer.from) + here.reduce((otherwise, mutant) => wrap(mutant, otherwise), inside);
      at = outer.to;
    }
    return text + source.slice(at, to);
  };
  return head + textOf(0, source.length);
}
