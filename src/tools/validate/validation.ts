/** What `validate` reports about an input, and how strict it is. */
import type { Location } from '../../core/location.js';
import type { InputHeadOfTask } from '../../engine/messages.js';
import type { CasesAsBytes } from '../stress/shrink.js';
import type { LayoutRule } from './layout.js';

/**
 * Number of errors of one layout rule that `validate` reports one by one. Further errors of the rule are only
 * counted.
 */
export const MAX_REPORTED_LAYOUT_FINDINGS = 10;

export interface ValidationFinding extends Location {
  /**
   * `format`: the input breaks its format, so `solve` refuses it, unless only its number of cases is out of bounds; `valid`:
   * the author's `valid` refuses a case; `contest`: a case, or a sum over all cases, exceeds the limits of the contest;
   * `damaged`: the compressed data of the input is not whole; otherwise, the layout rule that is broken.
   */
  readonly rule: 'format' | 'valid' | 'contest' | 'damaged' | LayoutRule;
  /** Number of the case; null if the finding is outside the cases. */
  readonly caseNumber: number | null;
  readonly what: string;
  /** With the rule `contest`: the constraint that is broken, and the set that has it, or null for the widest limits. */
  readonly broken?: { readonly constraint: string; readonly set: string | null };
}

export interface ValidationSummary {
  readonly cases: number;
  /**
   * For each layout rule, the number of findings after the first MAX_REPORTED_LAYOUT_FINDINGS, which are not
   * reported.
   */
  readonly omitted: ReadonlyMap<ValidationFinding['rule'], number>;
}

export interface ValidationOptions {
  /** Whether the cases must also obey the limits of the contest. */
  readonly contest: boolean;
  /**
   * The set of the contest whose limits apply. Null: the set that the head of the input names, or else the widest limits.
   */
  readonly set: string | null;
  /**
   * Returns for each case null if it has the properties that the input format cannot say, and otherwise what is wrong
   * with it, or an empty text. `numberOf` returns the number of a case. Missing if there are no such properties.
   */
  readonly findInvalid?: (
    head: InputHeadOfTask,
    cases: CasesAsBytes,
    numberOf: (index: number) => number,
  ) => Promise<readonly (string | null)[]>;
}
