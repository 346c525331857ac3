/** The operators for C and C++. Both grammars have the same names for what they share. */
import type { Node } from 'web-tree-sitter';
import type { MutantForm } from './mutant.js';
import {
  createBinaryMutationOperator,
  type MutationOperator,
  nearestAncestor,
  nodesOfSubtree,
  nodeTextWith,
  offByOneValues,
  parentNodeOf,
  RELATIONAL_ALTERNATIVES,
  reducedLimit,
  replaceNode,
} from './operator.js';

/** What other operators a programmer may have meant. */
const LOGICAL: Readonly<Record<string, string>> = { '&&': '||', '||': '&&', and: 'or', or: 'and' };
const ARITHMETIC: Readonly<Record<string, string>> = { '+': '-', '-': '+', '&': '|', '|': '&', '^': '|' };
const EXTREMES: Readonly<Record<string, string>> = {
  ...{ min: 'max', max: 'min', 'std::min': 'std::max', 'std::max': 'std::min' },
  ...{ min_element: 'max_element', max_element: 'min_element' },
  ...{ lower_bound: 'upper_bound', upper_bound: 'lower_bound' },
};
const NARROWER: Readonly<Record<string, string>> = {
  ...{ 'long long': 'int', 'unsigned long long': 'unsigned', int64_t: 'int32_t', uint64_t: 'uint32_t' },
  ...{ long: 'int', __int128: 'long long', size_t: 'int', double: 'float', 'long double': 'float' },
};
const LOOPS = ['for_statement', 'while_statement', 'do_statement', 'for_range_loop'];
/** Statements that begin like this read or print. A program without them fails on every test. */
const INPUT_AND_OUTPUT =
  /^(std::)?(cin|cout|cerr|ios|printf|fprintf|scanf|fscanf|puts|putchar|fputs|fwrite|fread|getline|fgets|getchar|freopen|ios_base|exit|assert)\b/;
const RESETTING = /(^|[.>:])(memset|fill|fill_n|clear|assign|reset|iota)\s*\(/;

export const C_OPERATORS: readonly MutationOperator[] = [
  createBinaryMutationOperator('relational', 'binary_expression', RELATIONAL_ALTERNATIVES, formAt),
  createBinaryMutationOperator('and for or', 'binary_expression', LOGICAL, formAt),
  createBinaryMutationOperator('arithmetic', 'binary_expression', ARITHMETIC, formAt),
  {
    name: 'dropped condition',
    nodes: ['binary_expression'],
    *changes(node) {
      if (!(operatorOf(node) in LOGICAL)) return;
      for (const side of ['left', 'right'])
        yield replaceNode(node, node.childForFieldName(side)!.text, formAt(node));
    },
  },
  {
    name: 'dropped operand',
    nodes: ['binary_expression'],
    *changes(node) {
      if (['/', '%'].includes(operatorOf(node)))
        yield replaceNode(node, node.childForFieldName('left')!.text, formAt(node));
    },
  },
  {
    name: 'dropped negation',
    nodes: ['unary_expression'],
    *changes(node) {
      if (
        ['!', '-', 'not'].includes(operatorOf(node)) &&
        node.childForFieldName('argument')!.type !== 'number_literal'
      )
        yield replaceNode(node, node.childForFieldName('argument')!.text, formAt(node));
    },
  },
  {
    name: 'off by one',
    nodes: ['number_literal'],
    *changes(node) {
      const value = wholeNumberOf(node);
      if (value === null || isArraySize(node)) return;
      for (const other of offByOneValues(value))
        yield replaceNode(node, literalLike(node, other), formAt(node));
    },
  },
  {
    name: 'lower limit',
    nodes: ['number_literal'],
    *changes(node) {
      const lower = reducedLimit(wholeNumberOf(node) ?? 0n);
      if (lower !== null) yield replaceNode(node, literalLike(node, lower), formAt(node));
    },
  },
  {
    name: 'array bound',
    nodes: ['array_declarator'],
    *changes(node) {
      const size = node.childForFieldName('size');
      if (size !== null) yield replaceNode(size, `(${size.text}) / 2`, 'text');
    },
  },
  {
    name: 'true for false',
    nodes: ['true', 'false'],
    *changes(node) {
      yield replaceNode(node, node.type === 'true' ? 'false' : 'true', formAt(node));
    },
  },
  {
    name: 'min for max',
    nodes: ['call_expression'],
    *changes(node) {
      const called = node.childForFieldName('function')!;
      const other = EXTREMES[called.text];
      if (other !== undefined) yield replaceNode(node, nodeTextWith(node, called, other), formAt(node));
    },
  },
  {
    name: 'linear search',
    isAboutTime: true,
    nodes: ['call_expression'],
    *changes(node) {
      const called = node.childForFieldName('function')!.text;
      const args = node.childForFieldName('arguments')!.namedChildren;
      if (!/^(std::)?lower_bound$/.test(called) || args.length !== 3) return;
      const [from, to, value] = args.map((each) => each!.text);
      const test = `[&](const auto &boardmill_each) { return !(boardmill_each < ${value}); }`;
      yield replaceNode(node, `std::find_if(${from}, ${to}, ${test})`, formAt(node));
    },
  },
  {
    name: 'dropped branch',
    nodes: ['if_statement'],
    *changes(node) {
      const condition = conditionOf(node);
      if (condition === null || isMemo(node)) return;
      yield replaceNode(condition, '0', formAt(condition));
      if (node.childForFieldName('alternative') !== null)
        yield replaceNode(condition, '1', formAt(condition));
    },
  },
  {
    name: 'dropped branch',
    nodes: ['conditional_expression'],
    *changes(node) {
      const condition = node.childForFieldName('condition')!;
      for (const value of ['0', '1']) yield replaceNode(condition, value, formAt(condition));
    },
  },
  {
    name: 'dropped memo',
    isAboutTime: true,
    nodes: ['if_statement'],
    *changes(node) {
      const condition = conditionOf(node);
      if (condition !== null && isMemo(node)) yield replaceNode(condition, '0', formAt(condition));
    },
  },
  {
    name: 'dropped statement',
    nodes: ['expression_statement'],
    *changes(node) {
      if (canDrop(node) && !isReset(node)) yield replaceNode(node, ';', 'statement');
    },
  },
  {
    name: 'dropped initialisation',
    nodes: ['expression_statement'],
    *changes(node) {
      if (canDrop(node) && isReset(node)) yield replaceNode(node, ';', 'statement');
    },
  },
  {
    name: 'kept between test cases',
    nodes: ['declaration'],
    *changes(node) {
      if (isLocalState(node)) yield replaceNode(node, `static ${node.text}`, 'text');
    },
  },
  {
    name: 'dropped jump',
    nodes: ['break_statement', 'continue_statement'],
    *changes(node) {
      const isOfSwitch = nearestAncestor(node, [...LOOPS, 'switch_statement'])?.type === 'switch_statement';
      if (!isOfSwitch || node.type === 'continue_statement') yield replaceNode(node, ';', 'statement');
    },
  },
  {
    name: 'early break',
    nodes: LOOPS,
    *changes(node) {
      const body = node.childForFieldName('body')!;
      if (body.type !== 'compound_statement') return;
      const end = body.endIndex - 1;
      yield { from: end, to: end, text: 'break;', form: 'statement' };
    },
  },
  {
    name: 'first instead of best',
    nodes: ['if_statement'],
    *changes(node) {
      const loop = nearestAncestor(node, [
        ...LOOPS,
        'switch_statement',
        'function_definition',
        'lambda_expression',
      ]);
      if (loop === null || !LOOPS.includes(loop.type)) return;
      const last = lastAssignmentIn(node.childForFieldName('consequence')!);
      if (last !== null) yield replaceNode(last, `{ ${last.text} break; }`, 'statement');
    },
  },
  {
    name: 'narrower number',
    nodes: ['primitive_type', 'sized_type_specifier', 'type_identifier'],
    *changes(node) {
      const narrower = NARROWER[node.text];
      if (narrower !== undefined) yield replaceNode(node, narrower, 'text');
    },
  },
  {
    name: 'narrower number',
    nodes: ['preproc_def'],
    *changes(node) {
      const value = node.childForFieldName('value');
      const narrower = NARROWER[value?.text.trim() ?? ''];
      if (narrower !== undefined) yield replaceNode(value!, narrower, 'text');
    },
  },
];

function operatorOf(node: Node): string {
  return node.childForFieldName('operator')?.text ?? '';
}

/** Where an expression must be known when the program is built, so that it cannot be chosen when the program runs. */
const CONSTANT_PLACES = [
  ...['array_declarator', 'template_argument_list', 'case_statement', 'enumerator', 'bitfield_clause'],
  ...[
    'static_assert_declaration',
    'field_declaration',
    'preproc_if',
    'preproc_elif',
    'attribute_declaration',
  ],
  ...['optional_parameter_declaration', 'template_declaration'],
];

/** Returns the form of a changed expression at the place of this node. */
function formAt(node: Node): MutantForm {
  let [each, parent] = [node, parentNodeOf(node)];
  for (; parent !== null; [each, parent] = [parent, parentNodeOf(parent)]) {
    // Only the value of a case label must be constant, and not the statements after the label.
    if (parent.type === 'case_statement' && parent.childForFieldName('value')?.id !== each.id) continue;
    if (CONSTANT_PLACES.includes(parent.type) && !isCode(each)) return 'text';
    if (parent.type === 'declaration' && isConstant(parent)) return 'text';
  }
  return 'expression';
}

function isCode({ type }: Node): boolean {
  return type === 'compound_statement' || type === 'function_definition';
}

/** Whether a declaration must or may be used where a constant is needed: it is outside of functions, or says `const`. */
function isConstant(declaration: Node): boolean {
  const isOutside = nearestAncestor(declaration, ['function_definition', 'lambda_expression']) === null;
  return isOutside || /^\s*(static\s+)?(const|constexpr)\b/.test(declaration.text);
}

/** Returns the value of a whole number; null if the number is a fraction, or written in another way than in digits. */
function wholeNumberOf({ text }: Node): bigint | null {
  const [digits] = /^(0x[0-9a-f]+|\d+)(?=[ul]*$)/i.exec(text.replaceAll("'", '')) ?? [];
  return digits === undefined ? null : BigInt(/^0\d/.test(digits) ? `0o${digits}` : digits);
}

/** Writes a number with the suffix of another one, such as `LL`. */
function literalLike({ text }: Node, value: bigint): string {
  const [suffix = ''] = /(?<=[\da-f])[ul]*$/i.exec(text) ?? [];
  return `${value}${suffix}`;
}

/** Whether a number is the size of an array, which has an operator of its own. */
function isArraySize(node: Node): boolean {
  const array = nearestAncestor(node, ['array_declarator', 'declaration', 'subscript_expression']);
  return array?.type === 'array_declarator';
}

/** Returns the condition of an `if`; null if the condition declares a variable. */
function conditionOf(node: Node): Node | null {
  const around = node.childForFieldName('condition');
  if (around === null) return null;
  const condition =
    around.type === 'condition_clause' ? around.childForFieldName('value') : around.namedChild(0);
  return condition === null || condition.type === 'declaration' ? null : condition;
}

/** Whether an `if` returns a value that its condition looks at, as that of a memo. */
function isMemo(node: Node): boolean {
  const consequence = node.childForFieldName('consequence')!;
  const statement = consequence.type === 'compound_statement' ? consequence.namedChild(0) : consequence;
  if (statement?.type !== 'return_statement') return false;
  const value = statement.namedChild(0);
  const condition = conditionOf(node)?.text ?? '';
  const isLookedUp =
    value !== null && ['subscript_expression', 'identifier', 'field_expression'].includes(value.type);
  return isLookedUp && condition.includes(value.text) && value.text.length > 1;
}

function canDrop(statement: Node): boolean {
  const expression = statement.namedChild(0);
  if (expression === null || INPUT_AND_OUTPUT.test(expression.text)) return false;
  return ['assignment_expression', 'update_expression', 'call_expression', 'comma_expression'].includes(
    expression.type,
  );
}

/** Whether a statement sets variables to what they were at the beginning. */
function isReset(statement: Node): boolean {
  const expression = statement.namedChild(0)!;
  if (expression.type !== 'assignment_expression') return RESETTING.test(expression.text);
  const value = expression.childForFieldName('right')!;
  return (
    operatorOf(expression) === '=' &&
    ['number_literal', 'true', 'false', 'initializer_list'].includes(value.type)
  );
}

/** Whether a declaration in a function begins with the same value each time. */
function isLocalState(declaration: Node): boolean {
  const { text } = declaration;
  if (
    parentNodeOf(declaration)?.type !== 'compound_statement' ||
    /^\s*(static|const|constexpr|auto|extern)\b/.test(text)
  )
    return false;
  const declarator = declaration.childForFieldName('declarator');
  if (declarator === null || /[&*]/.test(text.split(/[=({]/)[0])) return false;
  if (declarator.type === 'init_declarator') {
    const value = declarator.childForFieldName('value')!;
    return ['number_literal', 'true', 'false', 'initializer_list', 'char_literal'].includes(value.type);
  }
  return declaration.childForFieldName('type')?.type === 'template_type';
}

/** Returns the last statement in a branch if it assigns; null if not. */
function lastAssignmentIn(branch: Node): Node | null {
  const last = branch.type === 'compound_statement' ? branch.namedChild(branch.namedChildCount - 1) : branch;
  if (last?.type !== 'expression_statement') return null;
  return [...nodesOfSubtree(last)].some(({ type }) => type === 'assignment_expression') ? last : null;
}
