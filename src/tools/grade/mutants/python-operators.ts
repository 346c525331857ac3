/** The operators for Python. Each mutant is a file of its own, because Python builds nothing. */
import type { Node } from 'web-tree-sitter';
import type { SourceChange } from './mutant.js';
import {
  createBinaryMutationOperator,
  type MutationOperator,
  nearestAncestor,
  nodeTextWith,
  offByOneValues,
  parentNodeOf,
  RELATIONAL_ALTERNATIVES,
  reducedLimit,
  replaceNode,
} from './operator.js';

const LOGICAL: Readonly<Record<string, string>> = { and: 'or', or: 'and' };
const ARITHMETIC: Readonly<Record<string, string>> = {
  ...{ '+': '-', '-': '+', '&': '|', '|': '&', '^': '|', '//': '/' },
};
const EXTREMES: Readonly<Record<string, string>> = { min: 'max', max: 'min' };
const LOOPS = ['for_statement', 'while_statement'];
const INPUT_AND_OUTPUT = /^(print|input|sys\.|exit|os\.write)/;
const RESETTING = /\.(clear|cache_clear)\s*\(/;

export const PYTHON_OPERATORS: readonly MutationOperator[] = [
  createBinaryMutationOperator('arithmetic', 'binary_operator', ARITHMETIC, () => 'text'),
  createBinaryMutationOperator('and for or', 'boolean_operator', LOGICAL, () => 'text'),
  {
    name: 'relational',
    nodes: ['comparison_operator'],
    *changes(node) {
      // Of a chain such as a < b < c, each comparison is a change of its own.
      for (const operator of node.children) {
        const other = RELATIONAL_ALTERNATIVES[operator?.text ?? ''];
        if (other !== undefined && operator?.isNamed === false)
          yield replaceText(node, nodeTextWith(node, operator, other));
      }
    },
  },
  {
    name: 'dropped condition',
    nodes: ['boolean_operator'],
    *changes(node) {
      for (const side of ['left', 'right']) yield replaceText(node, node.childForFieldName(side)!.text);
    },
  },
  {
    name: 'dropped negation',
    nodes: ['not_operator', 'unary_operator'],
    *changes(node) {
      const argument = node.childForFieldName('argument')!;
      if (argument.type !== 'integer') yield replaceText(node, `(${argument.text})`);
    },
  },
  {
    name: 'dropped operand',
    nodes: ['binary_operator'],
    *changes(node) {
      if (['//', '%'].includes(node.childForFieldName('operator')!.text))
        yield replaceText(node, node.childForFieldName('left')!.text);
    },
  },
  {
    name: 'off by one',
    nodes: ['integer'],
    *changes(node) {
      const value = wholeNumberOf(node);
      if (value === null) return;
      for (const other of offByOneValues(value)) yield replaceText(node, String(other));
    },
  },
  {
    name: 'off by one',
    nodes: ['call'],
    *changes(node) {
      const args = node.childForFieldName('arguments')!;
      if (node.childForFieldName('function')!.text !== 'range' || args.type !== 'argument_list') return;
      const end = args.namedChild(args.namedChildCount === 1 ? 0 : 1);
      if (end === null || end.type === 'integer') return;
      for (const step of ['- 1', '+ 1']) yield replaceText(end, `(${end.text}) ${step}`);
    },
  },
  {
    name: 'lower limit',
    nodes: ['integer'],
    *changes(node) {
      const lower = reducedLimit(wholeNumberOf(node) ?? 0n);
      if (lower !== null) yield replaceText(node, String(lower));
    },
  },
  {
    name: 'true for false',
    nodes: ['true', 'false'],
    *changes(node) {
      yield replaceText(node, node.type === 'true' ? 'False' : 'True');
    },
  },
  {
    name: 'min for max',
    nodes: ['call'],
    *changes(node) {
      const called = node.childForFieldName('function')!;
      const other = EXTREMES[called.text];
      if (other !== undefined) yield replaceText(called, other);
    },
  },
  {
    name: 'dropped branch',
    nodes: ['if_statement', 'elif_clause'],
    *changes(node) {
      const condition = node.childForFieldName('condition')!;
      yield replaceText(condition, 'False');
      if (node.childForFieldName('alternative') !== null) yield replaceText(condition, 'True');
    },
  },
  {
    name: 'dropped branch',
    nodes: ['conditional_expression'],
    *changes(node) {
      const condition = node.namedChild(1)!;
      for (const value of ['False', 'True']) yield replaceText(condition, value);
    },
  },
  {
    name: 'dropped memo',
    isAboutTime: true,
    nodes: ['decorator'],
    *changes(node) {
      if (/^@(functools\.)?(lru_cache|cache)\b/.test(node.text)) yield replaceText(node, '');
    },
  },
  {
    name: 'dropped statement',
    nodes: ['expression_statement'],
    *changes(node) {
      if (canDrop(node) && !isReset(node)) yield replaceText(node, 'pass');
    },
  },
  {
    name: 'dropped initialisation',
    nodes: ['expression_statement'],
    *changes(node) {
      if (canDrop(node) && isReset(node)) yield replaceText(node, 'pass');
    },
  },
  {
    name: 'dropped jump',
    nodes: ['break_statement', 'continue_statement'],
    *changes(node) {
      yield replaceText(node, 'pass');
    },
  },
  {
    name: 'early break',
    nodes: LOOPS,
    *changes(node) {
      const body = node.childForFieldName('body')!;
      yield breakAfter(body, body.namedChild(body.namedChildCount - 1)!);
    },
  },
  {
    name: 'first instead of best',
    nodes: ['if_statement'],
    *changes(node) {
      const loop = nearestAncestor(node, [...LOOPS, 'function_definition', 'lambda']);
      const branch = node.childForFieldName('consequence')!;
      const last = branch.namedChild(branch.namedChildCount - 1);
      if (loop === null || !LOOPS.includes(loop.type) || last?.type !== 'expression_statement') return;
      if (isAssignment(last.namedChild(0))) yield breakAfter(branch, last);
    },
  },
];

function replaceText(node: Node, text: string): SourceChange {
  return replaceNode(node, text, 'text');
}

/** Adds a `break` after the last statement of a block. */
function breakAfter(block: Node, last: Node): SourceChange {
  const isOnLineOfHead = block.startPosition.row === parentNodeOf(block)?.startPosition.row;
  const text = isOnLineOfHead ? '; break' : `\n${' '.repeat(block.startPosition.column)}break`;
  return { from: last.endIndex, to: last.endIndex, text, form: 'text' };
}

function wholeNumberOf({ text }: Node): bigint | null {
  const digits = text.replaceAll('_', '');
  return /^(0x[0-9a-f]+|\d+)$/i.test(digits) ? BigInt(digits) : null;
}

function canDrop(statement: Node): boolean {
  const expression = statement.namedChild(0);
  if (expression === null || INPUT_AND_OUTPUT.test(expression.text)) return false;
  return isAssignment(expression) || expression.type === 'call';
}

function isAssignment(node: Node | null): boolean {
  return node?.type === 'assignment' || node?.type === 'augmented_assignment';
}

/** Whether a statement sets a variable to what it was at the beginning. */
function isReset(statement: Node): boolean {
  const expression = statement.namedChild(0)!;
  if (expression.type !== 'assignment') return RESETTING.test(expression.text);
  const value = expression.childForFieldName('right');
  return value !== null && ['integer', 'true', 'false', 'none', 'list', 'dictionary'].includes(value.type);
}
