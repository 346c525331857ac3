/**
 * Parses the text of a grammar: a hand-written parser with one method for each rule of the language. The operators && and ||
 * have the same precedence, and ! applies to everything up to the next closing parenthesis, as in checktestdata itself.
 */
import { escapeBytes } from '../../../core/bytes.js';
import type { Comparison, Operator } from '../../language/exact.js';
import { GrammarError } from './grammar-error.js';
import { parseRegex, RegexError } from './regex.js';
import type {
  FloatNotation,
  Grammar,
  GrammarCommand,
  GrammarCondition,
  GrammarExpression,
  GrammarPlace,
  LoopCommand,
  VariableExpression,
} from './syntax.js';
import { GrammarLexer, type GrammarToken } from './tokens.js';

/** The largest depth of nested commands, and of nested expressions. */
const MAX_BLOCK_DEPTH = 100;
const MAX_EXPRESSION_DEPTH = 250;
/** The largest size of a grammar, in bytes. */
export const MAX_GRAMMAR_BYTES = 1 << 20;
const MAX_ASSERT_TEXT = 60;

const COMPARE_OPERATORS = ['<', '>', '<=', '>=', '==', '!='];
const FIRST_PLACE: GrammarPlace = { line: 1, column: 1 };

/** Parses a grammar. Each character of `text` stands for one byte. Throws a `GrammarError` at the first mistake. */
export function parseGrammar(text: string, fileName: string): Grammar {
  const source = text.replace(/^\xef\xbb\xbf/, '');
  if (source.length > MAX_GRAMMAR_BYTES)
    throw new GrammarError(fileName, FIRST_PLACE, 'expected a grammar of at most 1 MiB');
  return new Parser(source, fileName).parse();
}

type Operand = GrammarExpression | GrammarCondition;

const TEST_KINDS = new Set<string>(['not', 'and', 'or', 'compare', 'match', 'is-eof', 'unique', 'in-array']);

function isTest(operand: Operand): operand is GrammarCondition {
  return TEST_KINDS.has(operand.kind);
}

class Parser {
  readonly #source: string;
  readonly #fileName: string;
  readonly #lexer: GrammarLexer;
  #token: GrammarToken;
  #blockDepth = 0;
  #expressionDepth = 0;

  constructor(source: string, fileName: string) {
    this.#source = source;
    this.#fileName = fileName;
    this.#lexer = new GrammarLexer(source, fileName);
    this.#token = this.#lexer.next();
  }

  parse(): Grammar {
    const commands = this.#block();
    if (this.#token.kind !== 'end') throw this.#unexpected('a command or the end of the grammar');
    return { fileName: this.#fileName, commands };
  }

  /** Parses commands up to END, ELSE or the end of the grammar. */
  #block(): GrammarCommand[] {
    if (++this.#blockDepth > MAX_BLOCK_DEPTH)
      throw this.#error(this.#token.at, `expected at most ${MAX_BLOCK_DEPTH} nested blocks`);
    const commands: GrammarCommand[] = [];
    while (this.#token.kind !== 'end' && !this.#isKeyword('END') && !this.#isKeyword('ELSE'))
      commands.push(this.#command());
    this.#blockDepth--;
    return commands;
  }

  #command(): GrammarCommand {
    const { at } = this.#token;
    switch (this.#token.kind === 'keyword' ? this.#token.text : '') {
      case 'REP':
      case 'REPI':
      case 'WHILE':
      case 'WHILEI':
        return this.#loop(at);
      case 'IF':
        return this.#if(at);
      case 'EOF':
        this.#advance();
        return { kind: 'eof', at };
      default:
        return this.#simpleCommand(at);
    }
  }

  /** Parses a command that may also stand between the iterations of a loop. */
  #simpleCommand(at: GrammarPlace): GrammarCommand {
    switch (this.#token.kind === 'keyword' ? this.#token.text : '') {
      case 'SPACE':
        this.#advance();
        return { kind: 'space', at };
      case 'NEWLINE':
        this.#advance();
        return { kind: 'newline', at };
      case 'INT':
        return this.#int(at);
      case 'FLOAT':
      case 'FLOATP':
        return this.#float(at);
      case 'STRING':
        return this.#call(() => ({ kind: 'text', at, value: this.#value() }));
      case 'REGEX':
        return this.#regex(at);
      case 'ASSERT':
        return this.#assert(at);
      case 'SET':
        return this.#call(() => ({ kind: 'set', at, assignments: this.#list(() => this.#assignment()) }));
      case 'UNSET':
        return this.#call(() => ({ kind: 'unset', at, names: this.#list(() => this.#name()) }));
      default:
        throw this.#unexpected('a command');
    }
  }

  #int(at: GrammarPlace): GrammarCommand {
    return this.#call(() => {
      const min = this.#expression();
      this.#expect(',');
      return { kind: 'int', at, min, max: this.#expression(), variable: this.#optionalVariable() };
    });
  }

  #float(at: GrammarPlace): GrammarCommand {
    const hasDecimals = this.#isKeyword('FLOATP');
    return this.#call(() => {
      const min = this.#expression();
      this.#expect(',');
      const max = this.#expression();
      const decimals = hasDecimals ? this.#decimals() : null;
      const variable = this.#optionalVariable();
      return { kind: 'float-number', at, min, max, decimals, variable, notation: this.#notation(variable) };
    });
  }

  #decimals(): { min: GrammarExpression; max: GrammarExpression } {
    this.#expect(',');
    const min = this.#expression();
    this.#expect(',');
    return { min, max: this.#expression() };
  }

  #notation(variable: VariableExpression | null): FloatNotation {
    if (variable === null || !this.#accept(',')) return 'any';
    if (this.#acceptKeyword('FIXED')) return 'fixed';
    if (this.#acceptKeyword('SCIENTIFIC')) return 'scientific';
    throw this.#unexpected('FIXED or SCIENTIFIC');
  }

  #regex(at: GrammarPlace): GrammarCommand {
    return this.#call(() => {
      const pattern = this.#value();
      if (pattern.kind === 'string') this.#checkRegex(pattern.text, pattern.at);
      return { kind: 'regex', at, pattern, variable: this.#optionalVariable() };
    });
  }

  #checkRegex(text: string, at: GrammarPlace): void {
    try {
      parseRegex(text);
    } catch (error) {
      throw error instanceof RegexError ? this.#error(at, error.message) : error;
    }
  }

  #assert(at: GrammarPlace): GrammarCommand {
    const { from } = this.#token;
    let to = from;
    const test = this.#call(() => {
      const condition = this.#test();
      to = this.#token.to;
      return condition;
    });
    const text = escapeBytes(this.#source.slice(from, to).replace(/\s+/g, ' '));
    const isLong = text.length > MAX_ASSERT_TEXT;
    return { kind: 'assert', at, test, text: isLong ? `${text.slice(0, MAX_ASSERT_TEXT)}...` : text };
  }

  #assignment(): { variable: VariableExpression; value: GrammarExpression } {
    const variable = this.#variable();
    this.#expect('=');
    return { variable, value: this.#expression() };
  }

  #loop(at: GrammarPlace): LoopCommand {
    const name = this.#token.text;
    const hasIndex = name.endsWith('I');
    const isCounted = name.startsWith('REP');
    const header = this.#call(() => {
      const index = hasIndex ? this.#variable() : null;
      if (hasIndex) this.#expect(',');
      const count = isCounted ? this.#expression() : null;
      const condition = isCounted ? null : this.#test();
      const separator = this.#accept(',') ? this.#simpleCommand(this.#token.at) : null;
      return { index, count, condition, separator };
    });
    const body = this.#block();
    this.#expectEnd(name, at);
    return { kind: 'loop', at, ...header, body };
  }

  #if(at: GrammarPlace): GrammarCommand {
    const test = this.#call(() => this.#test());
    const then = this.#block();
    const otherwise = this.#acceptKeyword('ELSE') ? this.#block() : [];
    this.#expectEnd('IF', at);
    return { kind: 'if', at, test, then, otherwise };
  }

  #expectEnd(name: string, at: GrammarPlace): void {
    if (!this.#acceptKeyword('END')) throw this.#unexpected(`END of the ${name} in line ${at.line}`);
  }

  /** Parses a test. A `!` applies to the whole rest of the test, because checktestdata reads it in this way. */
  #test(): GrammarCondition {
    const operand = this.#operand();
    if (!isTest(operand)) throw this.#unexpected('a comparison');
    return operand;
  }

  #expression(): GrammarExpression {
    const { at } = this.#token;
    const operand = this.#sum();
    if (isTest(operand)) throw this.#error(at, 'expected a value, got a test');
    return operand;
  }

  /** Parses a test or an expression, either of which may stand in parentheses. */
  #operand(): Operand {
    let left = this.#comparison();
    while (isTest(left) && (this.#isSymbol('&&') || this.#isSymbol('||'))) {
      const { at, text } = this.#token;
      this.#advance();
      const right = this.#comparison();
      if (!isTest(right)) throw this.#unexpected('a comparison');
      left = this.#deeper({ kind: text === '&&' ? 'and' : 'or', at, left, right }, left, right);
    }
    return left;
  }

  #comparison(): Operand {
    const { at } = this.#token;
    if (this.#accept('!')) return this.#nested(() => this.#not(at));
    const left = this.#sum();
    if (isTest(left) || this.#token.kind !== 'symbol' || !COMPARE_OPERATORS.includes(this.#token.text))
      return left;
    const operator = this.#token.text as Comparison;
    this.#advance();
    const right = this.#expression();
    return this.#deeper({ kind: 'compare', at, operator, left, right }, left, right);
  }

  #not(at: GrammarPlace): GrammarCondition {
    const operand = this.#test();
    return this.#deeper({ kind: 'not', at, operand }, operand);
  }

  #sum(): Operand {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/', '%'], () => this.#factor()));
  }

  /** Parses operands with operators of the same precedence between them. The operators apply from left to right. */
  #chain(operators: readonly string[], operand: () => Operand): Operand {
    let left = operand();
    while (this.#token.kind === 'symbol' && operators.includes(this.#token.text)) {
      const { at, text } = this.#token;
      if (isTest(left)) throw this.#error(at, `expected a value before ${text}, got a test`);
      this.#advance();
      const right = operand();
      if (isTest(right)) throw this.#error(at, `expected a value after ${text}, got a test`);
      left = this.#deeper({ kind: 'binary', at, operator: text as Operator, left, right }, left, right);
    }
    return left;
  }

  #factor(): Operand {
    return this.#chain(['^'], () => this.#unary());
  }

  #unary(): Operand {
    const { at } = this.#token;
    if (!this.#accept('-')) return this.#primary();
    return this.#nested(() => {
      const operand = this.#factor();
      if (isTest(operand)) throw this.#error(at, 'expected a value after -, got a test');
      return this.#deeper({ kind: 'negate', at, operand }, operand);
    });
  }

  #primary(): Operand {
    if (this.#accept('(')) {
      const operand = this.#nested(() => this.#operand());
      this.#expect(')');
      return operand;
    }
    return this.#testCommand() ?? this.#value();
  }

  #testCommand(): GrammarCondition | null {
    const { at } = this.#token;
    if (this.#acceptKeyword('ISEOF')) return { kind: 'is-eof', at };
    if (this.#isKeyword('MATCH')) return this.#call(() => ({ kind: 'match', at, letters: this.#value() }));
    if (this.#isKeyword('UNIQUE'))
      return this.#call(() => ({ kind: 'unique', at, names: this.#list(() => this.#name()) }));
    if (!this.#isKeyword('INARRAY')) return null;
    return this.#call(() => {
      const value = this.#expression();
      this.#expect(',');
      return { kind: 'in-array', at, value, name: this.#name() };
    });
  }

  #value(): GrammarExpression {
    const { kind, text, at } = this.#token;
    if (kind === 'name') return this.#variable();
    if (this.#isKeyword('STRLEN'))
      return this.#nested(() =>
        this.#call(() => {
          const operand = this.#value();
          return this.#deeper<GrammarExpression>({ kind: 'length', at, operand }, operand);
        }),
      );
    if (kind !== 'integer' && kind !== 'float' && kind !== 'string') throw this.#unexpected('a value');
    this.#advance();
    return kind === 'integer' ? { kind, at, digits: text } : { kind, at, text };
  }

  #variable(): VariableExpression {
    const { at } = this.#token;
    const name = this.#name();
    if (!this.#accept('[')) return { kind: 'variable', at, name, indices: [] };
    const indices = this.#nested(() => this.#list(() => this.#expression()));
    this.#expect(']');
    return this.#deeper({ kind: 'variable', at, name, indices }, ...indices);
  }

  #optionalVariable(): VariableExpression | null {
    return this.#accept(',') ? this.#variable() : null;
  }

  #name(): string {
    const { kind, text } = this.#token;
    if (kind !== 'name') throw this.#unexpected('the name of a variable');
    this.#advance();
    return text;
  }

  #list<T>(element: () => T): T[] {
    const elements = [element()];
    while (this.#accept(',')) elements.push(element());
    return elements;
  }

  /** Parses a keyword that the caller has found, and its arguments in parentheses. */
  #call<T>(args: () => T): T {
    this.#advance();
    this.#expect('(');
    const value = args();
    this.#expect(')');
    return value;
  }

  #nested<T>(parse: () => T): T {
    if (++this.#expressionDepth > MAX_EXPRESSION_DEPTH) throw this.#tooDeep();
    const value = parse();
    this.#expressionDepth--;
    return value;
  }

  /** The depth of each operator. It is limited, so that later stages can walk the tree by recursion. */
  readonly #depths = new WeakMap<Operand, number>();

  #deeper<T extends Operand>(node: T, ...children: readonly Operand[]): T {
    const depth = Math.max(...children.map((child) => this.#depths.get(child) ?? 0)) + 1;
    if (depth > MAX_EXPRESSION_DEPTH) throw this.#tooDeep();
    this.#depths.set(node, depth);
    return node;
  }

  #tooDeep(): GrammarError {
    return this.#error(this.#token.at, `expected at most ${MAX_EXPRESSION_DEPTH} nested operators`);
  }

  #isKeyword(text: string): boolean {
    return this.#token.kind === 'keyword' && this.#token.text === text;
  }

  #isSymbol(text: string): boolean {
    return this.#token.kind === 'symbol' && this.#token.text === text;
  }

  #acceptKeyword(text: string): boolean {
    if (!this.#isKeyword(text)) return false;
    this.#advance();
    return true;
  }

  #accept(symbol: string): boolean {
    if (!this.#isSymbol(symbol)) return false;
    this.#advance();
    return true;
  }

  #expect(symbol: string): void {
    if (!this.#accept(symbol)) throw this.#unexpected(`"${symbol}"`);
  }

  #advance(): void {
    this.#token = this.#lexer.next();
  }

  #unexpected(expected: string): GrammarError {
    const { kind, text, at } = this.#token;
    const got = kind === 'end' ? 'the end of the grammar' : kind === 'string' ? 'a string' : `"${text}"`;
    return this.#error(at, `expected ${expected}, got ${got}`);
  }

  #error(at: GrammarPlace, message: string): GrammarError {
    return new GrammarError(this.#fileName, at, message);
  }
}
