/**
 * The mutation operators: what each kind of expression or block is replaced with. They are those of Stryker
 * (https://stryker-mutator.io/docs/mutation-testing-elements/supported-mutators), with a few more methods. An operator returns
 * replacements of a node: the text that takes the node's place, and the operator's name.
 */
import ts from 'typescript';

const { SyntaxKind } = ts;

/** What takes the place of an operator between two operands, by the operator. */
const BINARY = {
  arithmetic: { '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['*'] },
  bits: { '&': ['|'], '|': ['&'], '^': ['&'], '<<': ['>>'], '>>': ['<<'], '>>>': ['<<'] },
  equality: {
    '<': ['<=', '>='],
    '<=': ['<', '>'],
    '>': ['>=', '<='],
    '>=': ['>', '<'],
    '===': ['!=='],
    '!==': ['==='],
    '==': ['!='],
    '!=': ['=='],
  },
  logical: { '&&': ['||'], '||': ['&&'], '??': ['&&'] },
  assignment: {
    '+=': ['-='],
    '-=': ['+='],
    '*=': ['/='],
    '/=': ['*='],
    '%=': ['*='],
    '&=': ['|='],
    '|=': ['&='],
    '<<=': ['>>='],
    '>>=': ['<<='],
    '>>>=': ['<<='],
    '&&=': ['||='],
    '||=': ['&&='],
    '??=': ['&&='],
  },
};

/** Operators whose value is a truth value, or nearly always used as one. */
const TRUTH = new Set(['<', '<=', '>', '>=', '===', '!==', '==', '!=', '&&', '||']);

/** The method that takes the place of another one. */
const METHODS = {
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toUpperCase: 'toLowerCase',
  toLowerCase: 'toUpperCase',
  trimStart: 'trimEnd',
  trimEnd: 'trimStart',
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
};

/** Methods whose call is left out: `text.trim()` becomes `text`. */
const LEFT_OUT = new Set([
  'charAt',
  'filter',
  'reverse',
  'slice',
  'sort',
  'subarray',
  'substring',
  'toReversed',
  'toSorted',
  'trim',
]);

/** The text that takes the place of an empty one. */
const SOME_TEXT = "'mutant'";

/**
 * Returns what a node is replaced with: `operator` and `to`, the new text. Strings that are part of an error's message are not
 * the business of this file: see places.mjs.
 * @param {ts.Node} node
 * @returns {{ operator: string, to: string }[]}
 */
export function replacementsOf(node) {
  if (ts.isBinaryExpression(node)) return binary(node);
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return unary(node);
  if (ts.isCallExpression(node)) return method(node);
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return one('string', node.text === '' ? SOME_TEXT : "''");
  if (ts.isTemplateExpression(node)) return one('string', "''");
  if (ts.isArrayLiteralExpression(node))
    return one('array', node.elements.length === 0 ? `[${SOME_TEXT}]` : '[]');
  if (ts.isObjectLiteralExpression(node)) return node.properties.length === 0 ? [] : one('object', '{}');
  if (ts.isRegularExpressionLiteral(node)) return anchors(node);
  if (node.kind === SyntaxKind.TrueKeyword) return one('boolean', 'false');
  if (node.kind === SyntaxKind.FalseKeyword) return one('boolean', 'true');
  return [];
}

/** Returns what a condition is replaced with. The condition of a loop does not become true: the loop would not end. */
export function replacementsOfCondition(parent) {
  const isLoop = ts.isForStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent);
  return (isLoop ? ['false'] : ['true', 'false']).map((to) => ({ operator: 'conditional', to }));
}

function binary(node) {
  const operator = node.operatorToken.getText();
  const [left, right] = [node.left.getText(), node.right.getText()];
  const isAssignment = operator in BINARY.assignment;
  const found = Object.entries(BINARY).flatMap(([name, table]) =>
    (table[operator] ?? []).map((other) => ({
      operator: name,
      to: isAssignment ? `${left} ${other} ${right}` : `(${left}) ${other} (${right})`,
    })),
  );
  if (operator.startsWith('+') && joinsTexts(node)) return [];
  const truths = TRUTH.has(operator) ? ['true', 'false'] : [];
  return [...found, ...truths.map((to) => ({ operator: 'conditional', to }))];
}

/** Whether a `+` joins texts, as far as its operands show. A difference of texts would be found at once. */
function joinsTexts({ left, right }) {
  return [left, right].some(
    (operand) =>
      ts.isStringLiteralLike(operand) ||
      ts.isTemplateExpression(operand) ||
      (ts.isBinaryExpression(operand) && joinsTexts(operand)),
  );
}

function unary(node) {
  const operand = node.operand.getText();
  const other = { '++': '--', '--': '++' }[ts.tokenToString(node.operator)];
  if (other !== undefined)
    return one('update', ts.isPrefixUnaryExpression(node) ? other + operand : operand + other);
  if (node.operator === SyntaxKind.ExclamationToken) return one('negation', `(${operand})`);
  if (node.operator === SyntaxKind.MinusToken) return one('unary', `+(${operand})`);
  if (node.operator === SyntaxKind.PlusToken) return one('unary', `-(${operand})`);
  return one('unary', `(${operand})`);
}

function method(node) {
  const callee = node.expression;
  if (!ts.isPropertyAccessExpression(callee)) return [];
  const name = callee.name.text;
  if (LEFT_OUT.has(name)) return one('method', callee.expression.getText());
  if (!Object.hasOwn(METHODS, name)) return [];
  const before = node.getSourceFile().text.slice(node.getStart(), callee.name.getStart());
  return one('method', before + METHODS[name] + node.getText().slice(before.length + name.length));
}

/** A regular expression without its first or its last anchor. */
function anchors(node) {
  const [, pattern, flags] = /^\/(.*)\/(\w*)$/s.exec(node.text);
  const shorter = [];
  if (pattern.length > 1 && pattern.startsWith('^')) shorter.push(pattern.slice(1));
  if (/[^\\]\$$/.test(pattern)) shorter.push(pattern.slice(0, -1));
  return shorter.map((text) => ({ operator: 'regex', to: `/${text}/${flags}` }));
}

function one(operator, to) {
  return [{ operator, to }];
}
