/**
 * Finds the places of a source that can be mutated, and what each becomes there.
 *
 * Not mutated are types, imports, names of properties, and the messages of exceptions: texts of several words inside
 * `throw new ...(...)` or `new ...Error(...)`. To kill a mutant of a message, a test would have to repeat its wording, and such
 * tests only make it harder to write a better one. The conditions around a message are mutated, and so are texts of one word
 * beside it, which are kinds.
 */
import ts from 'typescript';
import { replacementsOf, replacementsOfCondition } from './operators.mjs';

/** Names of classes whose arguments are messages, also if they are not thrown where they are made. */
const EXCEPTION = /(Error|Failure|Mistake)$/;

/**
 * @typedef {object} Mutant
 * @property {string} id `FILE:LINE:COLUMN:OPERATOR`, with a number after it if the place has several of them
 * @property {string} file
 * @property {number} line from 1
 * @property {string} operator
 * @property {string} from the text in the source
 * @property {string} to the text that takes its place
 * @property {number} start where the text begins, in UTF-16 units
 * @property {number} end
 * @property {boolean} isBlock whether the place is all statements of a block
 */

/**
 * Returns all mutants of a source, in the order of their places.
 * @param {string} file the path that the mutants are named by
 * @param {string} text
 * @returns {Mutant[]}
 */
export function mutantsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const places = [];
  visit(source, places);
  const distinct = new Map(places.map((place) => [`${place.start} ${place.end} ${place.to}`, place]));
  const sorted = [...distinct.values()].sort((a, b) => a.start - b.start || b.end - a.end);
  return named(file, source, sorted);
}

function named(file, source, places) {
  const uses = new Map();
  return places.map((place) => {
    const { line, character } = source.getLineAndCharacterOfPosition(place.start);
    const name = `${file}:${line + 1}:${character + 1}:${place.operator}`;
    const use = (uses.get(name) ?? 0) + 1;
    uses.set(name, use);
    const from = source.text.slice(place.start, place.end);
    return { id: use === 1 ? name : `${name}.${use}`, file, line: line + 1, from, ...place };
  });
}

function visit(node, places) {
  if (isNotMutated(node)) return;
  if (ts.isBlock(node) || ts.isCaseOrDefaultClause(node)) addBlock(node, places);
  else if (isExpressionInPlace(node)) addExpression(node, places);
  ts.forEachChild(node, (child) => visit(child, places));
}

function isNotMutated(node) {
  return (
    ts.isTypeNode(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    isLoadedPath(node) ||
    (isText(node) && /\s/.test(node.getText()) && isInException(node))
  );
}

/** Whether a text is a path that the bundler reads: `import(text)` or `new URL(text, import.meta.url)`. */
function isLoadedPath(node) {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword) return true;
  return ts.isNewExpression(parent) && parent.expression.getText() === 'URL';
}

function isText(node) {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function isInException(node) {
  for (let outer = node.parent; outer !== undefined; outer = outer.parent) {
    if (ts.isThrowStatement(outer)) return true;
    if (ts.isNewExpression(outer) && EXCEPTION.test(outer.expression.getText())) return true;
    if (ts.isFunctionLike(outer) || ts.isBlock(outer)) return false;
  }
  return false;
}

/** Whether a node stands where any other expression could stand, too. */
function isExpressionInPlace(node) {
  const { parent } = node;
  if (!ts.isExpression(node) || parent === undefined) return false;
  if (parent.name === node || parent.propertyName === node) return false;
  if (ts.isJsxAttribute(parent) || ts.isTaggedTemplateExpression(parent) || ts.isDeleteExpression(parent))
    return false;
  if (ts.isExpressionStatement(parent) && ts.isStringLiteral(node)) return false;
  return !isAssigned(node);
}

/** Whether a literal is a pattern that is assigned to, as in `[a, b] = [b, a]`. */
function isAssigned(node) {
  if (!ts.isArrayLiteralExpression(node) && !ts.isObjectLiteralExpression(node)) return false;
  const { parent } = node;
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return parent.left === node;
  if (ts.isForOfStatement(parent)) return parent.initializer === node;
  const outer = ts.isPropertyAssignment(parent) || ts.isSpreadElement(parent) ? parent.parent : parent;
  return isAssigned(outer);
}

function addExpression(node, places) {
  const found = replacementsOf(node);
  if (isCondition(node)) found.push(...replacementsOfCondition(node.parent));
  if (ts.isArrowFunction(node.parent) && node.parent.body === node && node.getText() !== 'undefined')
    found.push({ operator: 'arrow', to: 'undefined' });
  if (node.questionDotToken !== undefined) found.push(withoutQuestion(node));
  for (const { operator, to } of found) places.push(placeOf(node, operator, to));
}

function isCondition(node) {
  const { parent } = node;
  if (ts.isForStatement(parent) || ts.isConditionalExpression(parent)) return parent.condition === node;
  const isTested = ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent);
  return isTested && parent.expression === node;
}

/** `a?.b` becomes `a.b`, `a?.[b]` becomes `a[b]`, and `a?.(b)` becomes `a(b)`. */
function withoutQuestion(node) {
  const text = node.getText();
  const at = node.questionDotToken.getStart() - node.getStart();
  const dot = ts.isPropertyAccessExpression(node) ? '.' : '';
  return { operator: 'optional-chaining', to: text.slice(0, at) + dot + text.slice(at + '?.'.length) };
}

/**
 * Returns the place of a replacement. A part of an optional chain cannot be replaced alone: `(a?.b).c` is not `a?.b.c`, because
 * the parentheses end what `?.` leaves out. So the whole chain takes the place of its part.
 */
function placeOf(node, operator, to) {
  let chain = node;
  while (isObjectOfChain(chain)) chain = chain.parent;
  const [start, end] = [chain.getStart(), chain.getEnd()];
  const { text } = node.getSourceFile();
  const whole = text.slice(start, node.getStart()) + to + text.slice(node.getEnd(), end);
  return { operator, to: whole, start, end, isBlock: false };
}

function isObjectOfChain(node) {
  return ts.isOptionalChain(node.parent) && node.parent.expression === node;
}

/** All statements of a block, or of a case of a `switch`, are left out. */
function addBlock(node, places) {
  const { statements } = node;
  if (statements.length === 0 || isBodyOfDerived(node)) return;
  // The other cases of the switch see what a case declares.
  if (ts.isCaseOrDefaultClause(node) && statements.some(ts.isVariableStatement)) return;
  const [start, end] = [statements[0].getStart(), statements.at(-1).getEnd()];
  places.push({ operator: 'block', to: '', start, end, isBlock: true });
}

/** Whether a block is the body of the constructor of a derived class. It must call `super`. */
function isBodyOfDerived({ parent }) {
  return ts.isConstructorDeclaration(parent) && (parent.parent.heritageClauses ?? []).length > 0;
}
