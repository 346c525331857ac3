/** Finds the mutants of a source with web-tree-sitter and the grammar of its language, which the user installs. */
import { createRequire } from 'node:module';
import type { Node, Parser, Tree } from 'web-tree-sitter';
import { BoardmillError } from '../../../core/errors.js';
import { type Mutant, readableText, type SourceChange } from './mutant.js';
import type { MutatedLanguage } from './mutated-languages.js';
import { type MutationOperator, nearestAncestor, setParent } from './operator.js';

const require = createRequire(import.meta.url);

/** Parses sources of one language. */
export class MutantFinder {
  readonly #parser: Parser;
  readonly #operators: ReadonlyMap<string, readonly MutationOperator[]>;

  /** Loads the grammar. Fails with kind `usage` if a package is missing. */
  static async open(language: MutatedLanguage): Promise<MutantFinder> {
    const { Parser, Language } = await loadTreeSitter();
    const parser = new Parser();
    parser.setLanguage(await Language.load(pathOfGrammar(language)));
    return new MutantFinder(parser, language.operators);
  }

  private constructor(parser: Parser, operators: readonly MutationOperator[]) {
    this.#parser = parser;
    this.#operators = byNode(operators);
  }

  /** Returns the mutants of a source, from its begin to its end. Fails with kind `usage` if it is nested too deeply. */
  find(source: string, name = 'the program'): Mutant[] {
    const tree = this.#parser.parse(source)!;
    try {
      return this.#findIn(tree, source, name);
    } finally {
      tree.delete();
    }
  }

  #findIn(tree: Tree, source: string, name: string): Mutant[] {
    const found: Omit<Mutant, 'number'>[] = [];
    const known = new Set<string>();
    for (const node of codeNodes(tree.rootNode, name)) {
      for (const operator of this.#operators.get(node.type) ?? []) {
        for (const change of operator.changes(node)) {
          const key = `${change.from} ${change.to} ${change.text}`;
          if (known.has(key) || isSame(source, change)) continue;
          known.add(key);
          found.push(placed(source, change, operator, conditionalPartOf(node)));
        }
      }
    }
    return found
      .toSorted((a, b) => a.from - b.from || a.to - b.to)
      .map((each, i) => ({ ...each, number: i + 1 }));
  }
}

async function loadTreeSitter(): Promise<typeof import('web-tree-sitter')> {
  let library: typeof import('web-tree-sitter');
  try {
    library = await import('web-tree-sitter');
  } catch (error) {
    throw missingPackage('web-tree-sitter', error);
  }
  await library.Parser.init();
  return library;
}

function pathOfGrammar({ grammar }: MutatedLanguage): string {
  try {
    return require.resolve(`${grammar}/${grammar}.wasm`);
  } catch (error) {
    throw missingPackage(grammar, error);
  }
}

function missingPackage(name: string, cause: unknown): BoardmillError {
  const message = `to read programs, grade needs the package ${name}; install it beside boardmill: npm install ${name}`;
  return new BoardmillError('usage', message, { cause });
}

function byNode(operators: readonly MutationOperator[]): Map<string, MutationOperator[]> {
  const map = new Map<string, MutationOperator[]>();
  for (const operator of operators)
    for (const type of operator.nodes) map.set(type, [...(map.get(type) ?? []), operator]);
  return map;
}

/** Largest depth of a syntax tree. Operators look at what is around each node, which takes long in a deeper one. */
const MAX_DEPTH = 1000;

/** The nodes of a program in C or C++ that the preprocessor leaves out under a condition. */
const CONDITIONAL_PARTS = ['if', 'ifdef', 'else', 'elif', 'elifdef'].map((name) => `preproc_${name}`);

/** Yields the nodes that have been understood. What the parser cannot read is left as it is, and so is the 1 of `#if 1`. */
function* codeNodes(root: Node, name: string): Generator<Node> {
  const waiting = [{ node: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next;
    if (depth > MAX_DEPTH)
      throw new BoardmillError(
        'usage',
        `${name} is nested too deeply: its syntax tree has more than ${MAX_DEPTH} levels`,
      );
    if (!node.isError && !node.isMissing) yield node;
    const condition = CONDITIONAL_PARTS.includes(node.type) ? node.childForFieldName('condition') : null;
    for (const child of node.namedChildren.toReversed()) {
      if (child === null || child.id === condition?.id) continue;
      setParent(child, node);
      waiting.push({ node: child, depth: depth + 1 });
    }
  }
}

function isSame(source: string, { from, to, text }: SourceChange): boolean {
  return source.slice(from, to) === text;
}

function conditionalPartOf(node: Node): number | null {
  return nearestAncestor(node, CONDITIONAL_PARTS)?.startIndex ?? null;
}

function placed(
  source: string,
  change: SourceChange,
  { name, isAboutTime = false }: MutationOperator,
  conditionalPart: number | null,
): Omit<Mutant, 'number'> {
  const before = source.slice(0, change.from);
  const lineStart = before.lastIndexOf('\n') + 1;
  return {
    ...change,
    operator: name,
    isAboutTime,
    conditionalPart,
    original: source.slice(change.from, change.to),
    line: before.split('\n').length,
    column: [...readableText(source.slice(lineStart, change.from))].length + 1,
  };
}
