/**
 * The syntax tree of a grammar, which is a program in the language of checktestdata. The tree is plain data: it can be
 * sent to a thread, hashed and printed. All texts in it hold bytes, one character per byte.
 */
import type { Comparison, Operator } from '../../language/exact.js';

/** A place in the file of a grammar. Lines and columns are counted from 1, and columns are counted in bytes. */
export interface GrammarPlace {
  readonly line: number;
  readonly column: number;
}

export interface VariableExpression {
  readonly kind: 'variable';
  readonly at: GrammarPlace;
  readonly name: string;
  /** The indices of an array element; empty for a variable without indices. */
  readonly indices: readonly GrammarExpression[];
}

export type GrammarExpression =
  | { readonly kind: 'integer'; readonly at: GrammarPlace; readonly digits: string }
  | { readonly kind: 'float'; readonly at: GrammarPlace; readonly text: string }
  | { readonly kind: 'string'; readonly at: GrammarPlace; readonly text: string }
  | VariableExpression
  | { readonly kind: 'negate'; readonly at: GrammarPlace; readonly operand: GrammarExpression }
  | { readonly kind: 'length'; readonly at: GrammarPlace; readonly operand: GrammarExpression }
  | {
      readonly kind: 'binary';
      readonly at: GrammarPlace;
      readonly operator: Operator;
      readonly left: GrammarExpression;
      readonly right: GrammarExpression;
    };

export type GrammarCondition =
  | { readonly kind: 'not'; readonly at: GrammarPlace; readonly operand: GrammarCondition }
  | {
      readonly kind: 'and' | 'or';
      readonly at: GrammarPlace;
      readonly left: GrammarCondition;
      readonly right: GrammarCondition;
    }
  | {
      readonly kind: 'compare';
      readonly at: GrammarPlace;
      readonly operator: Comparison;
      readonly left: GrammarExpression;
      readonly right: GrammarExpression;
    }
  | { readonly kind: 'match'; readonly at: GrammarPlace; readonly letters: GrammarExpression }
  | { readonly kind: 'is-eof'; readonly at: GrammarPlace }
  | { readonly kind: 'unique'; readonly at: GrammarPlace; readonly names: readonly string[] }
  | {
      readonly kind: 'in-array';
      readonly at: GrammarPlace;
      readonly value: GrammarExpression;
      readonly name: string;
    };

export interface IntCommand {
  readonly kind: 'int';
  readonly at: GrammarPlace;
  readonly min: GrammarExpression;
  readonly max: GrammarExpression;
  readonly variable: VariableExpression | null;
}

export type FloatNotation = 'any' | 'fixed' | 'scientific';

export interface FloatCommand {
  readonly kind: 'float-number';
  readonly at: GrammarPlace;
  readonly min: GrammarExpression;
  readonly max: GrammarExpression;
  /** The bounds on the number of decimals (FLOATP); null for FLOAT. */
  readonly decimals: { readonly min: GrammarExpression; readonly max: GrammarExpression } | null;
  readonly variable: VariableExpression | null;
  readonly notation: FloatNotation;
}

export interface RegexCommand {
  readonly kind: 'regex';
  readonly at: GrammarPlace;
  readonly pattern: GrammarExpression;
  readonly variable: VariableExpression | null;
}

export interface AssertCommand {
  readonly kind: 'assert';
  readonly at: GrammarPlace;
  readonly test: GrammarCondition;
  /** The text of the command as it stands in the grammar, shortened if it is long. */
  readonly text: string;
}

export interface LoopCommand {
  readonly kind: 'loop';
  readonly at: GrammarPlace;
  /** The number of iterations (REP, REPI); null for WHILE and WHILEI. */
  readonly count: GrammarExpression | null;
  /** The condition of WHILE and WHILEI; null for REP and REPI. */
  readonly condition: GrammarCondition | null;
  /** The variable that holds the number of iterations so far (REPI, WHILEI). */
  readonly index: VariableExpression | null;
  readonly separator: GrammarCommand | null;
  readonly body: readonly GrammarCommand[];
}

export type GrammarCommand =
  | { readonly kind: 'space' | 'newline' | 'eof'; readonly at: GrammarPlace }
  | IntCommand
  | FloatCommand
  | { readonly kind: 'text'; readonly at: GrammarPlace; readonly value: GrammarExpression }
  | RegexCommand
  | AssertCommand
  | {
      readonly kind: 'set';
      readonly at: GrammarPlace;
      readonly assignments: readonly {
        readonly variable: VariableExpression;
        readonly value: GrammarExpression;
      }[];
    }
  | { readonly kind: 'unset'; readonly at: GrammarPlace; readonly names: readonly string[] }
  | LoopCommand
  | {
      readonly kind: 'if';
      readonly at: GrammarPlace;
      readonly test: GrammarCondition;
      readonly then: readonly GrammarCommand[];
      readonly otherwise: readonly GrammarCommand[];
    };

export interface Grammar {
  /** The name of the grammar's file, which messages show. */
  readonly fileName: string;
  readonly commands: readonly GrammarCommand[];
}
