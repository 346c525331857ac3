/** Loading modules of users: what they define, what their authors did wrong, and which files they consist of. */
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type DescribeOptions, describeModule } from '../../src/problems/modules/describe-module.js';
import { identifyModule, localFilesOf } from '../../src/problems/modules/module-identity.js';
import { isGrammarPath, isModulePath, localPathOf } from '../../src/problems/modules/module-path.js';
import { ROOT } from '../cli/boardmill.js';
import { folderForEachTest } from '../support/temporary-folder.js';

const BUILD = pathToFileURL(join(ROOT, 'build/'));
const workerFile = new URL('workers/describe-module.js', BUILD);

/** What defineProblem returns, as far as loading a module is concerned. */
const PROBLEM = "{ description: { name: 'sums', layout: {}, answer: {} } }";
const EXPORT = `export default ${PROBLEM};\n`;

const folder = folderForEachTest();

/** Writes a module and describes it. */
async function describeCode(code: string, options: Partial<DescribeOptions> = {}, file = 'sums.mjs') {
  folder.write(file, code);
  return describeModule(folder.at(file), { workerFile, ...options });
}

/** Writes a wrong module and returns the message to its author, in which DIR stands for the folder of the test. */
async function mistakeIn(code: string, options: Partial<DescribeOptions> = {}, file = 'sums.mjs') {
  const error = await describeCode(code, options, file).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'BoardmillError', kind: 'usage' });
  expect(error.message).not.toContain('\n');
  return error.message.replaceAll(folder.path, 'DIR');
}

describe('a module that defines a problem', () => {
  test('is described', async () => {
    const { description } = await describeCode(EXPORT);
    expect(description).toEqual({ name: 'sums', layout: {}, answer: {} });
  });

  test('finds boardmill, although its folder has no node_modules', async () => {
    folder.write('lib/helper.mjs', "export { formats } from 'boardmill';");
    const code = `
      import { formats } from './lib/helper.mjs';
      import * as boardmill from 'boardmill';
      if (boardmill.formats !== formats) throw new Error('two copies');
      export default { description: { name: formats.digits, layout: {}, answer: {} } };`;
    const { description } = await describeCode(code);
    expect(description.name).toBe('0123456789');
  });

  test('finds this boardmill, although another one is installed beside it', async () => {
    folder.write('node_modules/boardmill/package.json', '{ "main": "index.js" }');
    folder.write('node_modules/boardmill/index.js', "throw new Error('the other boardmill');");
    await describeCode(`import 'boardmill';${EXPORT}`);
  });

  test('may be CommonJS, and may import other packages', async () => {
    folder.write('node_modules/other/index.js', "module.exports = 'from-other';");
    const code = `
      const { formats } = require('boardmill');
      module.exports = { description: { name: require('other'), layout: [formats.digits], answer: {} } };`;
    const { description } = await describeCode(code, {}, 'sums.cjs');
    expect(description).toMatchObject({ name: 'from-other', layout: ['0123456789'] });
  });

  test('may leave timers behind', async () => {
    await describeCode(`setInterval(() => {}, 1000);${EXPORT}`);
  });

  test('prints on standard error, because standard output carries only answers', () => {
    folder.write('sums.mjs', `console.log('loud'); console.error('clear');${EXPORT}`);
    const module = new URL('src/problems/modules/describe-module.js', BUILD).href;
    folder.write(
      'main.mjs',
      `import { describeModule } from '${module}'; await describeModule('./sums.mjs');`,
    );
    const options = { cwd: folder.path, encoding: 'utf8' } as const;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['main.mjs'], options);
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
    expect(stderr.split('\n').sort()).toEqual(['', 'clear', 'loud']);
  });
});

describe("an author's mistake", () => {
  test.each([
    [
      'no default export',
      'export const a = 1;',
      ' has no default export; export default defineProblem({...})',
    ],
    [
      'another default export',
      'export default () => {};',
      ' exports something else than a problem as its default; export default defineProblem({...})',
    ],
    ['a throw', "\n  throw new Error('boom');", ':2:9: boom'],
    [
      'a throw in a function',
      'f();\nfunction f() { null.x; }',
      ":2:21: TypeError: Cannot read properties of null (reading 'x')",
    ],
    ['a thrown text', "throw 'boom';", ': it threw boom'],
    [
      'a thrown object whose properties throw',
      'throw { toString() { throw 1; } };',
      ': it threw something that is not an error',
    ],
    ['an error without a stack', "Error.stackTraceLimit = 0;\nthrow new Error('a\\nb');", ': a b'],
    ['a syntax error', 'const a = 1;\nlet b = = 2;', ":2:9: SyntaxError: Unexpected token '='"],
    [
      'a missing file',
      "import './nope.mjs';",
      ":1:9: Cannot find module 'DIR/nope.mjs' imported from DIR/sums.mjs",
    ],
    [
      'a missing package',
      "\nimport 'no-such';",
      ":2:9: Cannot find package 'no-such' imported from DIR/sums.mjs",
    ],
    [
      'a name that boardmill does not export',
      "import { nope } from 'boardmill';",
      ":1:10: SyntaxError: The requested module 'boardmill' does not provide an export named 'nope'",
    ],
    ['process.exit', 'process.exit(3);', ' called process.exit(3) while it was loading'],
    [
      'an await that never ends',
      'await new Promise(() => {});',
      ' did not load: its top-level await never ends',
    ],
    [
      'an error in a callback',
      'setTimeout(() => { null.x; });\nawait new Promise(() => {});',
      ":1:25: TypeError: Cannot read properties of null (reading 'x')",
    ],
    [
      'a description that is not a data',
      EXPORT.replace('layout: {}', 'layout: { f() {} }'),
      ': the formats of the problem are not plain data',
    ],
  ])('%s is reported', async (_, code, message) => {
    expect(await mistakeIn(code)).toBe(`DIR/sums.mjs${message}`);
  });

  test('in a definition is reported where `defineProblem` is called, or the builder that found it', async () => {
    const define = (input: string) =>
      `import { defineProblem, formats } from 'boardmill';
const { counted, int, ints, list, either } = formats;
export default defineProblem({ name: 'sums', input: ${input}
});`;
    // Node keeps ten frames of a stack trace. The lists make sure that boardmill's own frames are more than these.
    const deep =
      "list(1, { b: list(1, { c: list(1, { d: list(1, { e: either('f', { A: { g: ints('m') } }) }) }) }) })";
    expect(await mistakeIn(define(`counted({ a: ${deep} })`))).toMatch(
      /^DIR\/sums\.mjs:3:16: problem sums: input\.a\.b\.c\.d\.e\["A"\]\.g: its count is "m", but /,
    );
    expect(await mistakeIn(define("counted({\n  a: int('2*')\n})"))).toMatch(
      /^DIR\/sums\.mjs:4:6: problem sums: input\.a: the expression "2\*", column 3: /,
    );
    folder.write('lib/helper.mjs', "import { formats } from 'boardmill';\nexport const n = formats.int({});");
    expect(await mistakeIn(`import { n } from './lib/helper.mjs';${define('counted({ n })')}`)).toMatch(
      /^DIR\/lib\/helper\.mjs:2:26: problem sums: input\.n: expected a bound /,
    );
  });

  test('with a long message is reported in short', async () => {
    const message = await mistakeIn("throw new Error('a' + ' '.repeat(1e6) + 'b'.repeat(1e6));");
    expect(message).toBe('DIR/sums.mjs:1:7: a...');
  });

  test('in a helper file is reported there', async () => {
    folder.write('lib/helper.mjs', 'export const a = ;');
    expect(await mistakeIn(`import './lib/helper.mjs';${EXPORT}`)).toBe(
      "DIR/lib/helper.mjs:1:18: SyntaxError: Unexpected token ';'",
    );
  });

  test('in CommonJS is reported with its place', async () => {
    const message = await mistakeIn("'use strict';\nnull.x;", {}, 'sums.cjs');
    expect(message).toBe("DIR/sums.cjs:2:6: TypeError: Cannot read properties of null (reading 'x')");
  });

  test('a module that hangs is stopped', async () => {
    expect(await mistakeIn('for (;;);', { seconds: 0.5 })).toBe('DIR/sums.mjs did not load within 0.5 s');
  });

  /** More seconds than any machine needs, so that only memory decides. */
  const LONG = 1000;

  test('a module that fills its heap is stopped', async () => {
    expect(
      await mistakeIn('const a = []; for (;;) a.push([1, 2]);', { heapMegabytes: 32, seconds: LONG }),
    ).toBe('DIR/sums.mjs needs more than 32 MB of memory to load');
  });

  test('a module that fills the memory outside its heap is stopped', async () => {
    const code = 'const a = []; for (;;) a.push(Buffer.alloc(1e6, 1));';
    expect(await mistakeIn(code, { processMegabytes: 200, seconds: LONG })).toBe(
      'DIR/sums.mjs needs more than 200 MB of memory to load',
    );
  });

  test('a module that prints without end is stopped', async () => {
    const code = "const write = process.stdout.write; for (;;) write.call(process.stdout, '');";
    expect(await mistakeIn(code, { seconds: 0.5 })).toMatch(/did not load within 0.5 s|needs more than/);
  });

  const stripsTypes = (process.features as { typescript?: unknown }).typescript !== undefined;

  test.runIf(stripsTypes)('a TypeScript module is loaded by a Node that can', async () => {
    const { description } = await describeCode(`const a: number = 1;${EXPORT}`, {}, 'sums.ts');
    expect(description.name).toBe('sums');
  });

  test.skipIf(stripsTypes)('a TypeScript module is refused by a Node that cannot load it', async () => {
    expect(await mistakeIn(EXPORT, {}, 'sums.ts')).toMatch(
      /^DIR\/sums.ts: this Node cannot load TypeScript; /,
    );
  });
});

describe('a module that cannot be opened', () => {
  test('does not exist', async () => {
    await expect(describeModule('./nope.mjs')).rejects.toMatchObject({
      kind: 'file',
      message: 'cannot open ./nope.mjs: no such file or directory',
    });
  });

  test('is a folder', async () => {
    folder.write('sums.mjs/file', '');
    await expect(describeModule(folder.at('sums.mjs'))).rejects.toMatchObject({ kind: 'file' });
  });
});

describe('the identity of a module', () => {
  const names = async (file = 'sums.mjs') =>
    [...(await identifyModule(folder.at(file), null)).digests.keys()].sort();

  /** Writes the files, and returns the names of those that belong to sums.mjs. */
  const namesOf = (files: Record<string, string>, file?: string) => {
    for (const [name, code] of Object.entries(files)) folder.write(name, code);
    return names(file);
  };

  test('follows every kind of import with a literal', async () => {
    const imports = [
      "import a from './static.mjs';",
      "import './side-effect.mjs';",
      "export * from './reexport.mjs';",
      "import data from './data.json' with { type: 'json' };",
      "const b = () => import('./dynamic.mjs');",
      'const c = import(`./template.mjs`);',
      "const d = createRequire(import.meta.url)('./not-called-require');",
      "const e = require('./required');",
      "import './with%20space.mjs?query#hash';",
      "// import './comment.mjs';",
      'const text = "import \'./text.mjs\'";',
      "import('./' + name + '.mjs');",
      "import './missing.mjs';",
      "import 'package'; import 'node:fs';",
    ];
    const found = ['static', 'side-effect', 'reexport', 'dynamic', 'template', 'with space'];
    const files = Object.fromEntries([...found, 'comment', 'text'].map((name) => [`${name}.mjs`, '']));
    const others = { 'required.js': '', 'data.json': '{}', 'sums.mjs': imports.join('\n') };
    const expected = [...found.map((name) => `${name}.mjs`), 'data.json', 'required.js', 'sums.mjs'];
    expect(await namesOf({ ...files, ...others })).toEqual(expected.sort());
  });

  test('follows the imports of imported files, around cycles, and not out of the folder', async () => {
    const files = {
      '../outside.mjs': '',
      'sums.mjs': "import './lib/a.mjs'; import '../outside.mjs';",
      'lib/a.mjs': "import '../b.mjs'; import './deep/c.mjs'; import '../node_modules/d/d.mjs';",
      'b.mjs': "import './sums.mjs';",
      'lib/deep/c.mjs': "import '../../../outside.mjs';",
      'lib/unused.mjs': '',
      'node_modules/d/d.mjs': '',
    };
    folder.enter('module');
    expect(await namesOf(files)).toEqual(['b.mjs', 'lib/a.mjs', 'lib/deep/c.mjs', 'sums.mjs']);
  });

  test('follows require, which adds endings and knows folders', async () => {
    const files = {
      'sums.cjs': "require('./a'); require('./b'); require('./lib'); require('./.././x/../y')",
      'a.js': "module.exports = require('./data')",
      'data.json': '{}',
      'b/index.js': '',
      'lib/package.json': '{ "main": "main.js" }',
      'lib/main.js': '',
    };
    expect(await namesOf(files, 'sums.cjs')).toEqual([
      'a.js',
      'b/index.js',
      'data.json',
      'lib/main.js',
      'sums.cjs',
    ]);
  });

  test('follows imports in TypeScript, but not those of types', async () => {
    const files = {
      'sums.ts':
        "import type { T } from './types.ts'; import { a } from './a.ts'; const x: import('./b.ts').B = <T>a;",
      'types.ts': '',
      'a.ts': "enum E { A = 1 }\nexport const a = (x: number): x is 3 => x! === 3; import './c.ts'",
      'c.ts': '',
    };
    expect(await namesOf(files, 'sums.ts')).toEqual(['a.ts', 'c.ts', 'sums.ts']);
  });

  test('follows imports in a file with a syntax error', async () => {
    expect(await namesOf({ 'sums.mjs': "import './a.mjs'; } } ` ${", 'a.mjs': '' })).toEqual([
      'a.mjs',
      'sums.mjs',
    ]);
  });

  test('counts a link inside the folder as a file of the folder', async () => {
    folder.write('outside/a.mjs', 'one');
    folder.write('module/sums.mjs', "import './a.mjs';");
    symlinkSync(folder.at('outside/a.mjs'), folder.at('module/a.mjs'));
    expect(await names('module/sums.mjs')).toEqual(['a.mjs', 'sums.mjs']);
  });

  test('changes with a helper file, and not with the folder', async () => {
    const identify = async (dir: string, helper: string) => {
      folder.write(`${dir}/sums.mjs`, "import './lib/helper.mjs';");
      folder.write(`${dir}/lib/helper.mjs`, helper);
      return identifyModule(folder.at(`${dir}/sums.mjs`), null);
    };
    const first = await identify('one', 'export const a = 1;');
    expect(await identify('two', 'export const a = 1;')).toEqual(first);
    expect(await identify('two', 'export const a = 2;')).not.toEqual(first);
    expect(first.digests.get('sums.mjs')).toMatch(/^[0-9a-f]{16}$/);
  });

  test('is the version if the author states one', async () => {
    folder.write('sums.mjs', EXPORT);
    expect(await identifyModule(folder.at('sums.mjs'), '1.2')).toEqual({
      version: '1.2',
      digests: new Map(),
    });
  });

  test('has a bounded number of files', async () => {
    for (let i = 0; i < 9; i++) folder.write(`f${i}.mjs`, `import './f${i + 1}.mjs';`);
    await expect(localFilesOf(folder.at('f0.mjs'), 8)).rejects.toMatchObject({ kind: 'usage' });
    expect(await localFilesOf(folder.at('f0.mjs'), 9)).toHaveLength(9);
  });

  test('is found in time that does not grow with the square of the whitespace', async () => {
    folder.write('sums.mjs', `} import${' '.repeat(20_000)};`.repeat(3));
    const begin = performance.now();
    expect(await names()).toEqual(['sums.mjs']);
    expect(performance.now() - begin).toBeLessThan(2000);
  });
});

describe('what a user types', () => {
  test.each([
    ['./sums.mjs', 'a module'],
    ['sums.js', 'a module'],
    ['/a/sums.cjs', 'a module'],
    ['sums.ts', 'a module'],
    ['sums.mts', 'a module'],
    ['file:///a/sums', 'a module'],
    ['https://example.org/sums.mjs', 'a module'],
    ['https://example.org/sums.ctd', 'a module'],
    ['./sums.ctd', 'a grammar'],
    ['file:///a/sums.ctd', 'a grammar'],
    ['darkraft', 'neither'],
    ['river-pawn', 'neither'],
    ['sums.txt', 'neither'],
    ['mjs', 'neither'],
  ])('%s means %s', (text, kind) => {
    expect([isModulePath(text), isGrammarPath(text)]).toEqual([kind === 'a module', kind === 'a grammar']);
  });

  test('leads to a path', () => {
    expect(localPathOf('./a b.mjs')).toBe('./a b.mjs');
    expect(localPathOf('file:///a%20b.mjs')).toBe('/a b.mjs');
    expect(localPathOf('file:a/b.mjs')).toBe(join(process.cwd(), 'a/b.mjs'));
  });

  test('is never fetched', () => {
    expect(() => localPathOf('https://example.org/sums.mjs')).toThrow('nothing is fetched');
    expect(() => localPathOf('file://example.org/sums.mjs')).toThrow(
      'expected the file: URL of a file on this machine',
    );
  });
});
