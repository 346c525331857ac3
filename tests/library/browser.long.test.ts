/** The library for browsers, `boardmill/browser`: it gives the answers and errors of the library for Node. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../cli/boardmill.js';
import { HAS_BROWSER, IN_BROWSER, openContext } from '../support/browser.js';
import { linesOf, randomCase, STYLES } from '../support/inputs.js';
import { Random } from '../support/random.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

const CODE = readFileSync(join(ROOT, 'dist/src/library/browser/index.js'), 'utf8');
const library: typeof import('../../src/index.js') = createRequire(import.meta.url)(
  join(ROOT, 'dist/src/index.js'),
);

/** What the test does with the library of Node and with that of the browser. */
type Library = Pick<typeof library, 'solveOne' | 'formats' | 'defineProblem'>;

/** A case of a problem, as its text. */
type Vector = readonly [problem: string, text: string];

const SIZES = [1, 2, 3, 5, 8, 10];

/** Random boards of all problems, of every size: those that an SIMD kernel solves, and those past the contest's limits. */
function boardVectors(): Vector[] {
  const random = new Random(20261122);
  return STYLES.flatMap((style) =>
    SIZES.flatMap((rows) =>
      SIZES.map((cols): Vector => {
        const size = style.name === 'river-pawn' ? [Math.max(rows, 3), Math.max(cols, 2)] : [rows, cols];
        const board = randomCase(style, size[0], size[1], random);
        const lines = linesOf({ ...style, preamble: [], terminated: false }, [board]);
        return [style.name, lines.map((line) => line.join(' ')).join('\n')];
      }),
    ),
  );
}

const BAD_VECTORS: readonly Vector[] = [
  ['bacterial-tactics', '2 2\n..\n.x'],
  ['darkraft', '2 2\nLR\nL'],
  ['link-and-pop', '1 2\nUA'],
  ['river-pawn', '3 3\n.X.\n...\nO.O'],
  ['no-such-problem', '1 1\n.'],
];

/** Solves each vector, and returns the answers and the errors as JSON has them. Runs in Node and in the browser. */
async function solveVectors(
  { solveOne }: Pick<Library, 'solveOne'>,
  vectors: readonly Vector[],
): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const [problem, text] of vectors) {
    try {
      results.push(await solveOne(problem, text));
    } catch (error) {
      const { message, kind, line, column, expected, got } = error as Record<string, unknown>;
      results.push({ message, kind, line, column, expected, got });
    }
  }
  return results;
}

/** Solves cases of a problem with every kind of text and number in it. Runs in Node and in the browser. */
async function solveOwnProblem({ solveOne, formats, defineProblem }: Library): Promise<unknown> {
  const { counted, int, ints, bigint, word, words, line, grid, list, either } = formats;
  const problem = defineProblem({
    name: 'everything',
    input: counted(
      {
        n: int(1, 10),
        a: ints('n'),
        big: bigint(),
        name: word(),
        others: words('n'),
        title: line(),
        board: grid('n', 'n', '.#'),
        events: list('n', either('kind', { add: { x: int() }, é: { text: word() } })),
      },
      { head: { unit: int() } },
    ),
    solve: (fields, head) =>
      JSON.stringify({ ...fields, ...head }, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)),
  });
  const text =
    '2\n3 4\n-123456789012345678901234567890\nÅngström-和\nlonger-than-twelve-é b\n  a line, also é\n.#\n##\nadd 5\né 漢字\n';
  const bad = await solveOne(problem, text.replace('#\n##', '#\n#'), { head: '7 1' }).catch(String);
  return [await solveOne(problem, text, { head: '7 1' }), bad];
}

describe.runIf(HAS_BROWSER)(`in ${IN_BROWSER}`, () => {
  let server: Server;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      const isLibrary = url === '/boardmill.js';
      response.setHeader('content-type', isLibrary ? 'text/javascript' : 'text/html');
      response.end(isLibrary ? CODE : '<!doctype html><title>boardmill</title>');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    context = await openContext();
    page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });

  afterAll(async () => {
    await context?.close();
    server.close();
  });

  /** Calls a function in the page, with the library and an argument. */
  function inPage(
    call: (library: never, argument: never) => Promise<unknown>,
    argument: unknown,
  ): Promise<unknown> {
    const script = `import('/boardmill.js').then((library) => (${call})(library, ${JSON.stringify(argument)}))`;
    return page.evaluate(script);
  }

  test('it answers the boards of all problems as Node does', async () => {
    const vectors = boardVectors();
    const inBrowser = await inPage(solveVectors, vectors);
    expect(inBrowser).toEqual(plain(await solveVectors(library, vectors)));
    expect(vectors.length).toBe(STYLES.length * SIZES.length ** 2);
  });

  test('it reports invalid cases as Node does', async () => {
    const inBrowser = await inPage(solveVectors, BAD_VECTORS);
    expect(inBrowser).toEqual(plain(await solveVectors(library, BAD_VECTORS)));
    expect((inBrowser as { kind: string }[]).map(({ kind }) => kind)).toEqual([
      ...BAD_VECTORS.slice(1).map(() => 'input'),
      'usage',
    ]);
  });

  test('it reads the cases of a problem of your own as Node does', async () => {
    const inBrowser = await inPage(solveOwnProblem, null);
    expect(inBrowser).toEqual(plain(await solveOwnProblem(library)));
    expect(String(inBrowser)).toContain('"unit":7');
  });
});

/** Returns a value as it arrives from the page. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
