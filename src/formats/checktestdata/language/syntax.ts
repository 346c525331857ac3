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
  readonly indices: readonly Expression[];
}

export type Expression =
  | { readonly kind: 'integer'; readonly at: GrammarPlace; readonly digits: string }
  | { readonly kind: 'float'; readonly at: GrammarPlace; readonly text: string }
  | { readonly kind: 'string'; readonly at: GrammarPlace; readonly text: string }
  | VariableExpression
  | { readonly kind: 'negate'; readonly at: GrammarPlace; readonly operand: Expression }
  | { readonly kind: 'length'; readonly at: GrammarPlace; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly at: GrammarPlace;
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    };

export type GrammarTest =
  | { readonly kind: 'not'; readonly at: GrammarPlace; readonly operand: GrammarTest }
  | {
      readonly kind: 'and' | 'or';
      readonly at: GrammarPlace;
      readonly left: GrammarTest;
      readonly right: GrammarTest;
    }
  | {
      readonly kind: 'compare';
      readonly at: GrammarPlace;
      readonly operator: Comparison;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'match'; readonly at: GrammarPlace; readonly letters: Expression }
  | { readonly kind: 'is-eof'; readonly at: GrammarPlace }
  | { readonly kind: 'unique'; readonly at: GrammarPlace; readonly names: readonly string[] }
  | {
      readonly kind: 'in-array';
      readonly at: GrammarPlace;
      readonly value: Expression;
      readonly name: string;
    };

export interface IntCommand {
  readonly kind: 'int';
  readonly at: GrammarPlace;
  readonly min: Expression;
  readonly max: Expression;
  readonly variable: VariableExpression | null;
}

export type Notation = 'any' | 'fixed' | 'scientific';

export interface FloatCommand {
  readonly kind: 'float-number';
  readonly at: GrammarPlace;
  readonly min: Expression;
  readonly max: Expression;
  /** The bounds on the number of decimals (FLOATP); null for FLOAT. */
  readonly decimals: { readonly min: Expression; readonly max: Expression } | null;
  readonly variable: VariableExpression | null;
  readonly notation: Notation;
}

export interface RegexCommand {
  readonly kind: 'regex';
  readonly at: GrammarPlace;
  readonly pattern: Expression;
  readonly variable: VariableExpression | null;
}

export interface AssertCommand {
  readonly kind: 'assert';
  readonly at: GrammarPlace;
  readonly test: GrammarTest;
  /** The text of the command as it stands in the grammar, shortened if it is long. */
  readonly text: string;
}

export interface LoopCommand {
  readonly kind: 'loop';
  readonly at: GrammarPlace;
  /** The number of iterations (REP, REPI); null for WHILE and WHILEI. */
  readonly count: Expression | null;
  /** The condition of WHILE and WHILEI; null for REP and REPI. */
  readonly condition: GrammarTest | null;
  /** The variable that holds the number of iterations so far (REPI, WHILEI). */
  readonly index: VariableExpression | null;
  readonly separator: Command | null;
  readonly body: readonly Command[];
}

export type Command =
  | { readonly kind: 'space' | 'newline' | 'eof'; readonly at: GrammarPlace }
  | IntCommand
  | FloatCommand
  | { readonly kind: 'text'; readonly at: GrammarPlace; readonly value: Expression }
  | RegexCommand
  | AssertCommand
  | {
      readonly kind: 'set';
      readonly at: GrammarPlace;
      readonly assignments: readonly { readonly variable: VariableExpression; readonly value: Expression }[];
    }
  | { readonly kind: 'unset'; readonly at: GrammarPlace; readonly names: readonly string[] }
  | LoopCommand
  | {
      readonly kind: 'if';
      readonly at: GrammarPlace;
      readonly test: GrammarTest;
      readonly then: readonly Command[];
      readonly otherwise: readonly Command[];
    };

export interface Grammar {
  /** The name of the grammar's file, which messages show. */
  readonly fileName: string;
  readonly commands: readonly Command[];
}
