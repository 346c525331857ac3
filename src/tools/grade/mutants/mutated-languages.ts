/** The languages whose programs boardmill can mutate, as a table. Another language is another row. */
import { C_OPERATORS } from './c-operators.js';
import type { MutationOperator } from './operator.js';
import { PYTHON_OPERATORS } from './python-operators.js';
import { C_MUTANT_SWITCH, type MutantSwitch } from './switched-source.js';

export interface MutatedLanguage {
  /** The codes of the language in the table of languages that boardmill can build. */
  readonly codes: readonly string[];
  /** The package with the grammar of the language, which the user installs. */
  readonly grammar: string;
  readonly operators: readonly MutationOperator[];
  /** How one build contains many mutants; null if each mutant is a program of its own. */
  readonly switch: MutantSwitch | null;
}

export const MUTATED_LANGUAGES: readonly MutatedLanguage[] = [
  { codes: ['cpp'], grammar: 'tree-sitter-cpp', operators: C_OPERATORS, switch: C_MUTANT_SWITCH },
  { codes: ['c'], grammar: 'tree-sitter-c', operators: C_OPERATORS, switch: C_MUTANT_SWITCH },
  {
    codes: ['python3', 'pypy3', 'python2'],
    grammar: 'tree-sitter-python',
    operators: PYTHON_OPERATORS,
    switch: null,
  },
];
