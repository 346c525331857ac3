/** Loading modules of users: what they define, what their authors did wrong, and which files they consist of. */
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ProblemDescription } from '../../src/problems/modules/definition.js';
import {
  type DescribeModuleOptions,
  type DescribeModuleRequest,
  describeModule,
  lendDescribingThread,
} from '../../src/problems/modules/describe-module.js';
import { identifyModule, localFilesOf } from '../../src/problems/modules/module-identity.js';
import { isGrammarPath, isModulePath, localPathOf } from '../../src/problems/modules/module-path.js';
import { ROOT } from '../cli/boardmill.js';
import { folderForEachTest } from '../support/temporary-folder.js';

const BUILD = pathToFileURL(join(ROOT, 'build/'));
const workerFile = new URL('workers/describe-module.js', BUILD);

/** What defineProblem describes, as far as loading a module is concerned, and a module that exports it. */
const SUMS = { name: 'sums', layout: {}, answer: {} };
const EXPORT = `export default { description: ${JSON.stringify(SUMS)} };\n`;

/** The code of sums.mjs, or the codes of several files by their names. The first one is the module. */
type Files = string | Readonly<Record<string, string>>;

const folder = folderForEachTest();

/** Writes the files, and returns the path of the first one. */
function write(files: Files): string {
  const codes = typeof files === 'string' ? { 'sums.mjs': files } : files;
  for (const [name, code] of Object.entries(codes)) folder.write(name, code);
  return folder.at(Object.keys(codes)[0]);
}

/** Writes a module and describes it. */
async function describeFiles(files: Files, options: Partial<DescribeModuleOptions> = {}) {
  return (await describeModule(write(files), { workerFile, ...options })).description;
}

/** Writes a wrong module and returns the message to its author, in which DIR stands for the folder of the test. */
async function mistakeIn(files: Files, options: Partial<DescribeModuleOptions> = {}): Promise<string> {
  const error = await describeFiles(files, options).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'BoardmillError', kind: 'usage' });
  expect(error.message).not.toContain('\n');
  return error.message.replaceAll(folder.path, 'DIR');
}

describe('a module that defines a problem', () => {
  test.each<[what: string, files: Files, description: object]>([
    ['is described', EXPORT, SUMS],
    ['may leave timers behind', `setInterval(() => {}, 1000);${EXPORT}`, SUMS],
    [
      'finds boardmill, although its folder has no node_modules',
      {
        'sums.mjs': `
          import { formats } from './lib/helper.mjs';
          import * as boardmill from 'boardmill';
          if (boardmill.formats !== formats) throw new Error('two copies');
          export default { description: { name: formats.digits, layout: {}, answer: {} } };`,
        'lib/helper.mjs': "export { formats } from 'boardmill';",
      },
      { ...SUMS, name: '0123456789' },
    ],
    [
      'finds this boardmill, although another one is installed beside it',
      {
        'sums.mjs': `import 'boardmill';${EXPORT}`,
        'node_modules/boardmill/package.json': '{ "main": "index.js" }',
        'node_modules/boardmill/index.js': "throw new Error('the other boardmill');",
      },
      SUMS,
    ],
    [
      'may be CommonJS, and may import other packages',
      {
        'sums.cjs': `
          const { formats } = require('boardmill');
          module.exports = { description: { name: require('other'), layout: [formats.digits], answer: {} } };`,
        'node_modules/other/index.js': "module.exports = 'from-other';",
      },
      { name: 'from-other', layout: ['0123456789'], answer: {} },
    ],
  ])('%s', async (_, files, description) => {
    expect(await describeFiles(files)).toEqual(description);
  });

  test('prints on standard error, because standard output carries only answers', () => {
    const module = new URL('src/problems/modules/describe-module.js', BUILD).href;
    write({
      'main.mjs': `import { describeModule } from '${module}'; await describeModule('./sums.mjs');`,
      'sums.mjs': `console.log('loud'); console.error('clear');${EXPORT}`,
    });
    const options = { cwd: folder.path, encoding: 'utf8' } as const;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['main.mjs'], options);
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
    expect(stderr.split('\n').sort()).toEqual(['', 'clear', 'loud']);
  });
});

/** A module whose call of `defineProblem` has this input. */
const defining = (input: string) => `import { defineProblem, formats } from 'boardmill';
const { counted, int, ints, list, either } = formats;
export default defineProblem({ name: 'sums', input: ${input}
});`;
// Node keeps ten frames of a stack trace. The lists make sure that boardmill's own frames are more than these.
const DEEP =
  "list(1, { b: list(1, { c: list(1, { d: list(1, { e: either('f', { A: { g: ints('m') } }) }) }) }) })";

describe("an author's mistake", () => {
  test.each<[what: string, files: Files, reported: string]>([
    [
      'no default export',
      'export const a = 1;',
      'DIR/sums.mjs has no default export; export default defineProblem({...})',
    ],
    [
      'another default export',
      'export default () => {};',
      'DIR/sums.mjs exports something else than a problem as its default; export default defineProblem({...})',
    ],
    ['a throw', "\n  throw new Error('boom');", 'DIR/sums.mjs:2:9: boom'],
    [
      'a throw in a function',
      'f();\nfunction f() { null.x; }',
      "DIR/sums.mjs:2:21: TypeError: Cannot read properties of null (reading 'x')",
    ],
    [
      'a throw in CommonJS',
      { 'sums.cjs': "'use strict';\nnull.x;" },
      "DIR/sums.cjs:2:6: TypeError: Cannot read properties of null (reading 'x')",
    ],
    ['a thrown text', "throw 'boom';", 'DIR/sums.mjs: it threw boom'],
    [
      'a thrown object whose properties throw',
      'throw { toString() { throw 1; } };',
      'DIR/sums.mjs: it threw something that is not an error',
    ],
    [
      'an error without a stack',
      "Error.stackTraceLimit = 0;\nthrow new Error('a\\nb');",
      'DIR/sums.mjs: a b',
    ],
    [
      'an error with a long message',
      "throw new Error('a' + ' '.repeat(1e6) + 'b'.repeat(1e6));",
      'DIR/sums.mjs:1:7: a...',
    ],
    [
      'an error in a callback',
      'setTimeout(() => { null.x; });\nawait new Promise(() => {});',
      "DIR/sums.mjs:1:25: TypeError: Cannot read properties of null (reading 'x')",
    ],
    ['a syntax error', 'const a = 1;\nlet b = = 2;', "DIR/sums.mjs:2:9: SyntaxError: Unexpected token '='"],
    [
      'a syntax error in a helper file',
      { 'sums.mjs': `import './lib/helper.mjs';${EXPORT}`, 'lib/helper.mjs': 'export const a = ;' },
      "DIR/lib/helper.mjs:1:18: SyntaxError: Unexpected token ';'",
    ],
    [
      'a missing file',
      "import './nope.mjs';",
      "DIR/sums.mjs:1:9: Cannot find module 'DIR/nope.mjs' imported from DIR/sums.mjs",
    ],
    [
      'a missing package',
      "\nimport 'no-such';",
      "DIR/sums.mjs:2:9: Cannot find package 'no-such' imported from DIR/sums.mjs",
    ],
    [
      'a name that boardmill does not export',
      "import { nope } from 'boardmill';",
      "DIR/sums.mjs:1:10: SyntaxError: The requested module 'boardmill' does not provide an export named 'nope'",
    ],
    ['process.exit', 'process.exit(3);', 'DIR/sums.mjs called process.exit(3) while it was loading'],
    [
      'an await that never ends',
      'await new Promise(() => {});',
      'DIR/sums.mjs did not load: its top-level await never ends',
    ],
    [
      'a description that is not plain data',
      EXPORT.replace('"layout":{}', '"layout":{ f() {} }'),
      'DIR/sums.mjs: the formats of the problem are not plain data',
    ],
    [
      'a wrong format, where `defineProblem` is called,',
      defining(`counted({ a: ${DEEP} })`),
      'DIR/sums.mjs:3:16: problem sums: input.a.b.c.d.e["A"].g: its count is "m", but no int "m" is read before it',
    ],
    [
      'a wrong field, where its builder is called,',
      defining("counted({\n  a: int('2*')\n})"),
      'DIR/sums.mjs:4:6: problem sums: input.a: the expression "2*", column 3: expected a number, a name or "(", got the end',
    ],
    [
      'a wrong field of a helper file',
      {
        'sums.mjs': `import { n } from './lib/helper.mjs';${defining('counted({ n })')}`,
        'lib/helper.mjs': "import { formats } from 'boardmill';\nexport const n = formats.int({});",
      },
      'DIR/lib/helper.mjs:2:26: problem sums: input.n: expected a bound (a number or an expression such as "2*n"), got an object',
    ],
  ])('%s is reported', async (_, files, reported) => {
    expect(await mistakeIn(files)).toBe(reported);
  });

  /** More seconds than any machine needs, so that only memory decides. */
  const LONG = 1000;

  test.each<[what: string, code: string, limits: Partial<DescribeModuleOptions>, reported: RegExp]>([
    ['hangs', 'for (;;);', { seconds: 0.5 }, /^DIR\/sums\.mjs did not load within 0\.5 s$/],
    [
      'fills its heap',
      'const a = []; for (;;) a.push([1, 2]);',
      { heapMegabytes: 32, seconds: LONG },
      /^DIR\/sums\.mjs needs more than 32 MB of memory to load$/,
    ],
    [
      'fills the memory outside its heap',
      'const a = []; for (;;) a.push(Buffer.alloc(1e6, 1));',
      { processMegabytes: 200, seconds: LONG },
      /^DIR\/sums\.mjs needs more than 200 MB of memory to load$/,
    ],
    [
      'prints without end',
      "const write = process.stdout.write; for (;;) write.call(process.stdout, '');",
      { seconds: 0.5 },
      /^DIR\/sums\.mjs (did not load within 0\.5 s|needs more than \d+ MB of memory to load)$/,
    ],
  ])('a module that %s is stopped', async (_, code, limits, reported) => {
    expect(await mistakeIn(code, limits)).toMatch(reported);
  });
});

describe('a lent thread', () => {
  const OTHERS = { name: 'others', layout: {}, answer: {} } as unknown as ProblemDescription;

  test('describes the next module in place of a thread of its own, and only that one', async () => {
    const requests: DescribeModuleRequest[] = [];
    lendDescribingThread(async (request) => {
      requests.push(request);
      return { description: OTHERS, filesRead: [] };
    });
    await expect(describeModule('./nope.mjs')).rejects.toMatchObject({ kind: 'file' });
    expect(requests).toEqual([]);
    expect(await describeFiles(EXPORT)).toBe(OTHERS);
    const path = folder.at('sums.mjs');
    expect(requests).toEqual([{ url: pathToFileURL(path).href, shownAs: path }]);
    expect(await describeFiles(EXPORT)).toEqual(SUMS);
  });

  test('tells what the author has done wrong', async () => {
    lendDescribingThread(async () => ({ mistake: 'it is wrong' }));
    expect(await mistakeIn(EXPORT)).toBe('it is wrong');
  });

  test.each([
    ['has failed', () => Promise.reject(new Error('it has ended'))],
    ['does not reply', () => new Promise<never>(() => {})],
  ])('that %s is replaced', async (_, thread) => {
    lendDescribingThread(thread);
    expect(await describeFiles(EXPORT)).toEqual(SUMS);
    lendDescribingThread(thread);
    expect(await mistakeIn('process.exit(3);')).toContain('called process.exit(3) while it was loading');
  });
});

describe('a module in TypeScript', () => {
  const stripsTypes = (process.features as { typescript?: unknown }).typescript !== undefined;
  const files = { 'sums.ts': `const a: number = 1;${EXPORT}` };

  test.runIf(stripsTypes)('is loaded by a Node that can', async () => {
    expect(await describeFiles(files)).toEqual(SUMS);
  });

  test.skipIf(stripsTypes)('is refused by a Node that cannot load it', async () => {
    expect(await mistakeIn(files)).toBe(
      'DIR/sums.ts: this Node cannot load TypeScript; use Node 22.18 or later, or compile the module to JavaScript',
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

test('the files that a module reads while it is loaded are known, however it names them', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'required.cjs', 'later', 'written']) folder.write(name, '1');
  const path = write(`
    import * as fs from 'node:fs';
    import { readFileSync as read, openSync, createReadStream } from 'node:fs';
    import { readFile } from 'node:fs/promises';
    import { createRequire } from 'node:module';
    const at = (letter) => new URL(String.fromCharCode(letter), import.meta.url);
    read(at(97));
    await readFile(at(98));
    fs.closeSync(openSync(at(99), 'r'));
    for await (const piece of createReadStream(at(100)));
    createRequire(import.meta.url)('./required' + '.cjs');
    fs.writeFileSync(new URL(['writ', 'ten'].join(''), import.meta.url), '2');
    const later = () => read(new URL(['la', 'ter'].join(''), import.meta.url));
    ${EXPORT}`);
  const { filesRead } = await describeModule(path, { workerFile });
  const { digests } = await identifyModule(path, null, filesRead);
  expect(new Set(digests.keys())).toEqual(new Set(['sums.mjs', 'a', 'b', 'c', 'd', 'required.cjs']));
});

describe('the identity of a module', () => {
  const filesOf = async (path: string) => new Set((await identifyModule(path, null)).digests.keys());

  test('follows every kind of import with a literal', async () => {
    const followed = {
      'static.mjs': "import a from './static.mjs';",
      'side-effect.mjs': "import './side-effect.mjs';",
      'reexport.mjs': "export * from './reexport.mjs';",
      'data.json': "import data from './data.json' with { type: 'json' };",
      'dynamic.mjs': "const b = () => import('./dynamic.mjs');",
      'template.mjs': 'const c = import(`./template.mjs`);',
      'required.js': "const e = require('./required');",
      'made-require.js': "const d = createRequire(import.meta.url)('./made-require');",
      'with space.mjs': "import './with%20space.mjs?query#hash';",
    };
    const notFollowed = {
      'comment.mjs': "// import './comment.mjs';",
      'text.mjs': 'const text = "import \'./text.mjs\'";',
      'name.mjs': "import('./' + name + '.mjs');",
    };
    const missing = "import './missing.mjs'; import 'package'; import 'node:fs';";
    for (const file of Object.keys({ ...followed, ...notFollowed })) folder.write(file, '');
    const path = write([...Object.values({ ...followed, ...notFollowed }), missing].join('\n'));
    expect(await filesOf(path)).toEqual(new Set(['sums.mjs', ...Object.keys(followed)]));
  });

  test.each<[what: string, files: Record<string, string>, found: string[]]>([
    [
      'the imports of imported files, around cycles, out of the folder, and not into packages',
      {
        'sums.mjs': "import './lib/a.mjs'; import '../outside.mjs';",
        '../outside.mjs': '',
        'lib/a.mjs': "import '../b.mjs'; import './deep/c.mjs'; import '../node_modules/d/d.mjs';",
        'b.mjs': "import './sums.mjs';",
        'lib/deep/c.mjs': "import '../../../outside.mjs';",
        'lib/unused.mjs': '',
        'node_modules/d/d.mjs': '',
      },
      ['sums.mjs', '../outside.mjs', 'lib/a.mjs', 'b.mjs', 'lib/deep/c.mjs'],
    ],
    [
      'require, which adds endings and knows folders',
      {
        'sums.cjs': "require('./a'); require('./b'); require('./lib'); require('./.././x/../y')",
        'a.js': "module.exports = require('./data')",
        'data.json': '{}',
        'b/index.js': '',
        'lib/package.json': '{ "main": "main.js" }',
        'lib/main.js': '',
      },
      ['sums.cjs', 'a.js', 'data.json', 'b/index.js', 'lib/main.js'],
    ],
    [
      'imports in TypeScript, but not those of types',
      {
        'sums.ts':
          "import type { T } from './types.ts'; import { a } from './a.ts'; const x: import('./b.ts').B = <T>a;",
        'types.ts': '',
        'a.ts': "enum E { A = 1 }\nexport const a = (x: number): x is 3 => x! === 3; import './c.ts'",
        'c.ts': '',
      },
      ['sums.ts', 'a.ts', 'c.ts'],
    ],
    [
      'what is named from the place of a module, but nothing that is named in it',
      {
        'sums.mjs': [
          "new URL('./a.txt', import.meta.url); new URL('lib', import.meta.url); import './lib/b.mjs';",
          'new globalThis /* the global one */ . URL(\n(`d.txt`), // a table\n import . meta . url , );',
          "import.meta.resolve('./e.txt'); import.meta.dirname + '/f.txt'; join(__dirname, 'lib/g.txt');",
          "new URL('./not-from-here.txt', base); import.meta.dirname + name + '/no.txt';",
        ].join('\n'),
        'a.txt': "import './lib/unused.mjs';",
        'lib/b.mjs': 'readFileSync( new URL(\n"../c.wasm" , import.meta.url));',
        'lib/unused.mjs': '',
        'c.wasm': '',
        ...Object.fromEntries(
          ['d', 'e', 'f', 'lib/g', 'no', 'not-from-here'].map((name) => [`${name}.txt`, '']),
        ),
      },
      [...['sums.mjs', 'lib/b.mjs', 'a.txt', 'c.wasm', 'd.txt', 'e.txt', 'f.txt', 'lib/g.txt']],
    ],
    [
      'what is required through another name than `require`, or imported by the name of the own package',
      {
        'sums.mjs': [
          "const load = createRequire(import.meta.url); load('./a'); require(require.resolve('./b.cjs'));",
          "let $get = require ; $get( /* c */ './c.cjs'); import 'own/d'; import './e.cjs'; your.load('./no.cjs');",
          "require('fs'); import 'boardmill'; import 'other';",
        ].join('\n'),
        'package.json': '{ "name": "own", "exports": { "./d": "./d.mjs" } }',
        'e.cjs': 'const again = require\nagain("./f.cjs"); again(`./data.json`)',
        ...Object.fromEntries(
          ['a.js', 'b.cjs', 'c.cjs', 'd.mjs', 'f.cjs', 'data.json', 'no.cjs', 'fs'].map((name) => [name, '']),
        ),
        'node_modules/other/index.js': '',
      },
      ['sums.mjs', 'd.mjs', 'e.cjs', 'a.js', 'b.cjs', 'c.cjs', 'f.cjs', 'data.json'],
    ],
    [
      'paths of several parts below the folder of a module, whatever the code calls that folder',
      {
        'sums.mjs': [
          "join(import.meta.dirname, 'lib', 'a.txt'); readFileSync(__dirname + '/' + 'b.txt', 'utf8');",
          "import.meta.dirname + ('/c.txt'); const $here = dirname(fileURLToPath(import.meta.url));",
          `path.join($here, \`d.txt\`); \`\${$here}/lib/e.txt\`; \`\${ import.meta.dirname }/f.txt\`;`,
          "let place = path.dirname(url.fileURLToPath(import.meta.url)); place + '/g.txt'; my.place + '/no.txt';",
          "join(places, 'no.txt'); join(import.meta.dirname, name, 'no.txt');",
          "new URL('./lib/' + 'h.txt', import.meta.url); const home = import.meta.url; new URL('i.txt', home);",
          "import.meta.resolve('./' + ('j' + '.txt')); join(dirname(__filename), 'k.txt'); new URL('no.txt', other)",
          "join(dirname(import.meta.filename), 'l.txt');",
        ].join('\n'),
        ...Object.fromEntries(
          'lib/a b c d lib/e f g lib/h i k l no'.split(' ').map((name) => [`${name}.txt`, '']),
        ),
      },
      'sums.mjs lib/a.txt b.txt c.txt d.txt lib/e.txt f.txt g.txt lib/h.txt i.txt k.txt l.txt'.split(' '),
    ],
    [
      'imports in a file with a syntax error',
      { 'sums.mjs': "import './a.mjs'; } } ` ${", 'a.mjs': '' },
      ['sums.mjs', 'a.mjs'],
    ],
  ])('follows %s', async (_, files, found) => {
    folder.enter('module');
    expect(await filesOf(write(files))).toEqual(new Set(found));
  });

  test('counts a link inside the folder as a file of the folder', async () => {
    folder.write('outside/a.mjs', 'one');
    folder.write('module/sums.mjs', "import './a.mjs';");
    symlinkSync(folder.at('outside/a.mjs'), folder.at('module/a.mjs'));
    expect(await filesOf(folder.at('module/sums.mjs'))).toEqual(new Set(['a.mjs', 'sums.mjs']));
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
    expect(first.digests.get('sums.mjs')).toMatch(/^[0-9a-f]{32}$/);
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
    const path = write(`} import${' '.repeat(20_000)};`.repeat(3));
    const begin = performance.now();
    expect(await filesOf(path)).toEqual(new Set(['sums.mjs']));
    expect(performance.now() - begin).toBeLessThan(2000);
  });

  // Ways to take comments for one comment, or for several, double with each of them.
  test('is found in code with many comments behind each other', async () => {
    const path = write(`const here = import.meta.dirname\n${'/* a comment */\n'.repeat(60)}f(here)\n`);
    expect(await filesOf(path)).toEqual(new Set(['sums.mjs']));
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

  test.each([
    ['./a b.mjs', './a b.mjs'],
    ['file:///a%20b.mjs', '/a b.mjs'],
    ['file:a/b.mjs', join(process.cwd(), 'a/b.mjs')],
  ])('leads to a path: %s', (text, path) => {
    expect(localPathOf(text)).toBe(path);
  });

  test.each([
    ['https://example.org/sums.mjs', 'nothing is fetched; give the path of a file on this machine'],
    [
      'file://example.org/sums.mjs',
      'expected the file: URL of a file on this machine, such as file:///home/me/sums.mjs',
    ],
  ])('is never fetched: %s', (text, reported) => {
    expect(() => localPathOf(text)).toThrow(`${text}: ${reported}`);
  });
});
