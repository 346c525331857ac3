/** Makes dist/, the code that the package contains, from the compiled files in build/. */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import ts from 'typescript';

/** The files that Node or another program starts with, by their path below build/ and dist/. */
const ENTRIES = [
  'src/cli/main.js',
  'src/index.js',
  'workers/run-job.js',
  'workers/read-pipe.js',
  'workers/describe-module.js',
  'workers/resolve-hook.js',
];

/** What src/cli/main.ts imports before it knows the command. Nothing else may be in a file with these. */
const IMPORTED_BY_MAIN = [
  'src/core/version.js',
  'src/core/files/standard-output.js',
  'src/cli/arguments/queue-variable.js',
];

/**
 * Files that are loaded together become one file of the bundle, because each file costs time to find and read. A group is
 * a name, and the files that it contains with all that they import. A file belongs to the first group that contains it.
 * @type {[string, (path: string) => boolean][]}
 */
const GROUPS = [
  ['version', (path) => IMPORTED_BY_MAIN.includes(path)],
  ['definition', (path) => path === 'src/index.js'],
  ['pool', (path) => path === 'src/cli/early-threads.js'],
  ['solving', (path) => path === 'workers/run-job.js' || /^src\/games\/[^/]+\/index\.js$/.test(path)],
  ['start', (path) => path === 'src/cli/start.js'],
  ['solve', (path) => path === 'src/cli/commands/solve.js'],
];

/** Files that stay on their own: those that something starts with, and each problem, of which a run loads one. */
const UNGROUPED = /^(src\/index|src\/cli\/main|src\/games\/(?!shared)[^/]+\/.*|workers\/.*)\.js$/;

/** Libraries that stay on their own, because not every run that loads a group needs them. */
const UNGROUPED_LIBRARIES = ['piscina', 'yargs', 'cli-progress'];

/** Libraries that the package does not contain: who uses them installs them. */
const OPTIONAL_LIBRARIES = ['bullmq', 'ioredis', 'web-tree-sitter'];

/** The code of Piscina's threads. Piscina finds it beside its own code. */
const PISCINA_WORKER = 'node_modules/piscina/dist/worker.js';

/** What keeps its name: classes, because stack traces show the names of the classes of errors. */
const NAMED = { class: true, function: false };

/** How bundled code is written: with short names, without whitespace and comments, so that it is read faster. */
const OUTPUT_STYLE = {
  format: /** @type {const} */ ('esm'),
  minify: {
    compress: { keepNames: NAMED },
    mangle: { keepNames: NAMED },
    codegen: { removeWhitespace: true },
  },
  comments: false,
};

/** Joins the compiled files and their libraries into the few files of `distFolder`. */
export async function bundle(root, compiledFolder, distFolder) {
  rmSync(distFolder, { recursive: true, force: true });
  const output = [
    ...(await bundleForNode(root, compiledFolder, distFolder)),
    ...(await bundleForBrowsers(root, compiledFolder, distFolder)),
    ...(await bundlePage(root, compiledFolder)),
  ];
  chmodSync(join(distFolder, 'src/cli/main.js'), 0o755);
  copyOtherFiles(compiledFolder, distFolder);
  copyTypes(compiledFolder, distFolder);
  writeLicences(root, distFolder, output);
}

async function bundleForNode(root, compiledFolder, distFolder) {
  const input = Object.fromEntries(
    ENTRIES.map((path) => [path.replace(/\.js$/, ''), join(compiledFolder, path)]),
  );
  const bundler = await rolldown({
    cwd: root,
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    input: { ...input, 'src/shared/worker': join(root, PISCINA_WORKER) },
    // Piscina loads this library only if an option asks for it, and boardmill does not.
    external: ['@napi-rs/nice', ...OPTIONAL_LIBRARIES],
    transform: { define: { __dirname: 'import.meta.dirname' } },
    plugins: [lateValues(), shortManifest()],
    // Files that only some runs load may share a file of the bundle. Then `import()` of one still loads that file late.
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await bundler.write({
    ...OUTPUT_STYLE,
    dir: distFolder,
    // Bundled files lie two folders below dist/: see src/core/installation.ts.
    chunkFileNames: 'src/shared/[name].js',
    codeSplitting: { includeDependenciesRecursively: false, groups: groupsIn(compiledFolder) },
  });
  await bundler.close();
  for (const file of output)
    if (file.type === 'chunk') writeFileSync(join(distFolder, file.fileName), breakLines(file.code));
  return output;
}

/** Begins a line with each statement, because Node prints the line of an error that nobody catches. */
function breakLines(code) {
  const { statements } = ts.createSourceFile('', code, ts.ScriptTarget.Latest);
  return statements.map((statement) => code.slice(statement.pos, statement.end).trimStart()).join('\n');
}

/**
 * What the library `string-width` makes when it is loaded, although only a help text measures texts: each with its name, its
 * code, and the method that is called. To make a segmenter takes 11 ms, and even to read this regular expression takes 19 ms.
 * Each is a tenth of a short run.
 */
const LATE_VALUES = [
  { name: 'segmenter', code: 'new Intl.Segmenter()', method: 'segment' },
  { name: 'rgiEmojiRegex', code: '/^\\p{RGI_Emoji}$/v', method: 'test' },
];

/** Returns the part of the bundler that lets these values be made when they are first used. */
function lateValues() {
  const found = new Set();
  return {
    name: 'late-values',
    transform(code, id) {
      if (!id.includes('/string-width/')) return null;
      const values = LATE_VALUES.filter((value) => code.includes(declaration(value)));
      for (const { name } of values) found.add(name);
      return values.reduce((text, value) => text.replace(declaration(value), late(value)), code);
    },
    buildEnd(error) {
      const missing = LATE_VALUES.find(({ name }) => !found.has(name));
      if (!error && missing) throw new Error(`string-width no longer declares ${missing.name} as it did`);
    },
  };
}

function declaration({ name, code }) {
  return `const ${name} = ${code};`;
}

/** Returns code that declares the value of such a name as an object with only that method, which makes the value. */
function late({ name, code, method }) {
  const [, pattern, flags] = /^\/(.*)\/(\w*)$/.exec(code) ?? [];
  const made = pattern === undefined ? code : `new RegExp(${JSON.stringify(pattern)}, '${flags}')`;
  return `let made_${name}; const ${name} = { ${method}: (text) => (made_${name} ??= ${made}).${method}(text) };`;
}

/** Returns the part of the bundler that leaves only the version of Piscina's package.json: Piscina reads nothing else. */
function shortManifest() {
  return {
    name: 'short-manifest',
    load(id) {
      if (!id.endsWith('/piscina/package.json')) return null;
      const { version } = JSON.parse(readFileSync(id, 'utf8'));
      return JSON.stringify({ version });
    },
  };
}

/** Files that use Node, each with the file below src/library/browser/ that takes its place in browsers. */
const BROWSER_FILES = {
  'src/core/latin1.js': 'latin1.js',
  'src/core/sha256.js': 'sha256.js',
  'src/games/shared/load-kernel.js': 'load-kernel.js',
};

/** Files that the library for browsers does not need, each with a small file below src/library/browser/ that takes its place. @type {[RegExp, string][]} */
const LEFT_OUT_OF_BROWSERS = [
  [/^src\/games\/[^/]+\/explain\.js$/, 'no-explainer.js'],
  [/^src\/games\/[^/]+\/census\.js$/, 'no-census.js'],
];

/** Makes the one file of the library for browsers. */
async function bundleForBrowsers(root, compiledFolder, distFolder) {
  const bundler = await rolldown({
    cwd: root,
    platform: 'browser',
    input: join(compiledFolder, 'src/library/browser/index.js'),
    plugins: [browserFiles(compiledFolder)],
  });
  const { output } = await bundler.write({
    ...OUTPUT_STYLE,
    file: join(distFolder, 'src/library/browser/index.js'),
    codeSplitting: false,
  });
  await bundler.close();
  return output;
}

/** The module that contains all kernels, which only the bundle for browsers has. */
const KERNELS_MODULE = 'boardmill:kernels';

/** Returns the part of the bundler that finds the files for browsers, and writes the module with the kernels. */
function browserFiles(compiledFolder, extension = '.js') {
  return {
    name: 'browser-files',
    resolveId(imported, importer) {
      if (imported === KERNELS_MODULE) return imported;
      if (imported.startsWith('node:'))
        throw new Error(`${importer} imports ${imported}, which browsers lack`);
      if (importer === undefined || !imported.startsWith('.')) return null;
      const path = relative(compiledFolder, join(dirname(importer), imported));
      const replacement =
        BROWSER_FILES[path] ?? LEFT_OUT_OF_BROWSERS.find(([pattern]) => pattern.test(path))?.[1];
      if (replacement === undefined) return null;
      return join(compiledFolder, 'src/library/browser', replacement.replace(/\.js$/, extension));
    },
    load: (id) => (id === KERNELS_MODULE ? kernelsModule(join(compiledFolder, 'workers/kernels')) : null),
  };
}

/** Returns the code of a module with all kernels in base64. Their relaxed forms are left out: they only save time. */
function kernelsModule(folder) {
  const files = readdirSync(folder).filter((name) => /^[^.]+\.wasm$/.test(name));
  const kernels = files.map((name) => [
    name.replace('.wasm', ''),
    readFileSync(join(folder, name), 'base64'),
  ]);
  return `export default ${JSON.stringify(Object.fromEntries(kernels))};`;
}

/**
 * Makes the script of the pages on which boards are played, and copies its style sheet. Unlike the other bundles, it is made
 * from the sources, and is a part of the compiled files: the tools of this repository write such pages, too.
 */
export async function bundlePage(root, compiledFolder) {
  const bundler = await rolldown({
    cwd: root,
    platform: 'browser',
    input: join(root, 'src/explain/page/main.tsx'),
    resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [browserFiles(root, '.ts')],
  });
  const { output } = await bundler.write({
    ...OUTPUT_STYLE,
    format: 'iife',
    file: join(compiledFolder, 'src/explain/page/page.js'),
    codeSplitting: false,
  });
  await bundler.close();
  const styles = readFileSync(join(root, 'src/explain/page/page.css'), 'utf8');
  writeFileSync(join(compiledFolder, 'src/explain/page/page.css'), minifyStyles(styles));
  return output;
}

/** Removes comments and whitespace from a style sheet that has neither in texts. */
function minifyStyles(styles) {
  return styles
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1');
}

/** Returns the groups of the compiled files, in the form that the bundler expects. */
function groupsIn(compiledFolder) {
  const files = readdirSync(compiledFolder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.js'),
  );
  return GROUPS.map(([name, isStart]) => {
    const { paths, libraries } = staticImportsOf(compiledFolder, files.filter(isStart));
    const ids = new Set(
      paths.filter((path) => !UNGROUPED.test(path)).map((path) => join(compiledFolder, path)),
    );
    const folders = libraries
      .filter((library) => !UNGROUPED_LIBRARIES.includes(library))
      .map((library) => `/node_modules/${library}/`);
    return { name, test: (id) => ids.has(id) || folders.some((folder) => id.includes(folder)) };
  });
}

/**
 * Returns the files, all compiled files that they import and that these import, and the libraries that these files import.
 * An `import()` does not count.
 */
function staticImportsOf(compiledFolder, files) {
  const paths = new Set(files);
  const libraries = new Set();
  // A loop over a set also visits the elements that are added during the loop.
  for (const path of paths) {
    const code = readFileSync(join(compiledFolder, path), 'utf8');
    for (const [, imported] of code.matchAll(/^(?:import|export) [^;]*? from '([^']+)';/gm)) {
      if (imported.startsWith('.')) paths.add(join(dirname(path), imported));
      else if (!imported.startsWith('node:'))
        libraries.add(imported.split('/', imported.startsWith('@') ? 2 : 1).join('/'));
    }
  }
  return { paths: [...paths], libraries: [...libraries] };
}

/** Copies what the code finds by its path: the script and the styles of pages, kernels, and completion scripts. */
function copyOtherFiles(compiledFolder, distFolder) {
  cpSync(join(compiledFolder, 'src/explain/page'), join(distFolder, 'src/explain/page'), { recursive: true });
  for (const folder of ['workers', 'workers/kernels', 'src/cli/completion']) {
    for (const file of readdirSync(join(compiledFolder, folder), { withFileTypes: true })) {
      if (file.isDirectory() || /\.(js|ts|map)$/.test(file.name)) continue;
      cpSync(join(compiledFolder, folder, file.name), join(distFolder, folder, file.name));
    }
  }
}

/** Copies the types of the library: of its two indexes, and of all files that these import. */
function copyTypes(compiledFolder, distFolder) {
  const paths = new Set(['src/index.d.ts', 'src/library/browser/index.d.ts']);
  for (const path of paths) {
    const text = readFileSync(join(compiledFolder, path), 'utf8');
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (fileName.startsWith('.')) paths.add(join(dirname(path), fileName.replace(/\.js$/, '.d.ts')));
    }
    mkdirSync(dirname(join(distFolder, path)), { recursive: true });
    writeFileSync(join(distFolder, path), typesToShip(path, text));
  }
}

/** The types that users see, by their paths. Editors show their comments. */
const PUBLIC_TYPES =
  /^src\/(index|library\/(browser\/)?[^/]+|formats\/([^/]+|language\/[^/]+)|problems\/modules\/define-problem|core\/errors)\.d\.ts$/;

/** Returns the text of a file of types without what only this repository needs. */
function typesToShip(path, text) {
  const withoutMap = text.replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
  return PUBLIC_TYPES.test(path) ? withoutMap : withoutMap.replace(/^ *\/\*\*.*?\*\/\n/gms, '');
}

/** Writes the licence of every library that the bundle contains. */
function writeLicences(root, distFolder, output) {
  const modules = output.flatMap((chunk) => Object.keys(chunk.modules ?? {}));
  const packages = new Set(modules.map(packageFolderOf).filter((folder) => folder !== null));
  const parts = [...packages].sort().map((folder) => describeLicence(root, folder));
  const title = 'The files in this folder contain code of these libraries.';
  writeFileSync(join(distFolder, 'LICENCES.txt'), [title, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`));
}

/** Returns the folder of the package that a file belongs to, or null for a file of boardmill. */
function packageFolderOf(path) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? null;
}

function describeLicence(root, folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${relative(root, folder)} has no licence file`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
