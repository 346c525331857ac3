/** What an operator is: it finds the nodes of a syntax tree that it can change, and says how. */
import type { Node, Tree } from 'web-tree-sitter';
import type { MutantForm, SourceChange } from './mutant.js';

export interface MutationOperator {
  /** The name in reports. */
  readonly name: string;
  /** The types of the nodes that the operator looks at. */
  readonly nodes: readonly string[];
  /** Whether the changes make a program slower, and keep its answers. Such mutants count apart. */
  readonly isAboutTime?: boolean;
  /** Yields the changes of a node. */
  changes(node: Node): Iterable<SourceChange>;
}

/** What other operators of comparisons a programmer may have meant. */
export const RELATIONAL_ALTERNATIVES: Readonly<Record<string, string>> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==' },
};

/** Makes an operator that writes another operator between two operands. `formAt` returns the form of such a change. */
export function createBinaryMutationOperator(
  name: string,
  type: string,
  others: Readonly<Record<string, string>>,
  formAt: (node: Node) => MutantForm,
): MutationOperator {
  return {
    name,
    nodes: [type],
    *changes(node) {
      const operator = node.childForFieldName('operator')!;
      const other = others[operator.text];
      if (other !== undefined) yield replaceNode(node, nodeTextWith(node, operator, other), formAt(node));
    },
  };
}

/** Replaces a node. */
export function replaceNode(node: Node, text: string, form: MutantForm): SourceChange {
  return { from: node.startIndex, to: node.endIndex, text, form };
}

/** The text of a node with another text in place of one of its descendants. */
export function nodeTextWith(node: Node, part: Node, text: string): string {
  const [from, to] = [part.startIndex - node.startIndex, part.endIndex - node.startIndex];
  return node.text.slice(0, from) + text + node.text.slice(to);
}

/** Returns the nearest node around a node that has one of these types; null if there is none. */
export function nearestAncestor(node: Node, types: readonly string[]): Node | null {
  for (let around = parentNodeOf(node); around !== null; around = parentNodeOf(around))
    if (types.includes(around.type)) return around;
  return null;
}

/** The parents of the nodes of each tree, by the ids of the nodes. */
const parents = new WeakMap<Tree, Map<number, Node>>();

/** Remembers the parent of a node. */
export function setParent(node: Node, parent: Node): void {
  const known = parents.get(node.tree) ?? new Map<number, Node>();
  parents.set(node.tree, known.set(node.id, parent));
}

/** Returns the parent of a node. By itself, tree-sitter walks to a parent from the root, which takes long in a deep tree. */
export function parentNodeOf(node: Node): Node | null {
  return parents.get(node.tree)?.get(node.id) ?? node.parent;
}

/** Yields a node and all nodes below it. */
export function* nodesOfSubtree(node: Node): Generator<Node> {
  yield node;
  for (const child of node.namedChildren) if (child !== null) yield* nodesOfSubtree(child);
}

/** Returns the numbers beside a whole number, which a programmer may have meant. */
export function offByOneValues(value: bigint): bigint[] {
  return value === 0n ? [1n] : [value + 1n, value - 1n];
}

/** The smallest number that counts as a limit, and by what a limit that is too small is divided. */
const LEAST_LIMIT = 1000n;
const LIMIT_DIVISOR = 10n;

/** Returns a limit that is too small in place of a large number; null if the number is not large. */
export function reducedLimit(value: bigint): bigint | null {
  return value >= LEAST_LIMIT ? value / LIMIT_DIVISOR : null;
}
