/** The import rules of ARCHITECTURE.md, checked by dependency-cruiser: a lower layer never imports a higher one. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** The libraries whose code the package contains. They are development dependencies, because no user installs them. */
const BUNDLED_LIBRARIES = [
  '@noble/hashes',
  'cli-progress',
  'd3-format',
  'd3-scale',
  'es-module-lexer',
  'fastest-levenshtein',
  'js-yaml',
  'open',
  'p-limit',
  'piscina',
  'preact',
  'pure-rand',
  'shell-quote',
  'valibot',
  'xxhash-wasm',
  'yargs',
];

/** The libraries that only the queue to other machines uses. Users who want it install them beside boardmill. */
const OPTIONAL_LIBRARIES = ['bullmq', 'ioredis'];

module.exports = {
  forbidden: [
    rule(
      'no-cycles',
      'Files must not import each other in a cycle, because then there is no order in which to read them.',
      {},
      { circular: true },
    ),
    rule(
      'no-orphans',
      'Every file must be imported by another file, because a file that no file imports is dead code.',
      // The bundler puts the files in src/browser in place of others. Piscina finds import-worker.cjs by its path.
      {
        orphan: true,
        pathNot: ['\\.d\\.ts$', '^workers/kernels/', '^workers/import-worker\\.cjs$', '^src/browser/'],
      },
      {},
    ),
    rule(
      'core-imports-only-core',
      'Files in core may import only core, Node and libraries.',
      { path: '^src/core/' },
      { pathNot: '^src/core/', dependencyTypesNot: ['core', 'npm-dev'] },
    ),
    rule(
      'formats-import-only-core',
      'Formats may import only core. They know no problem.',
      { path: '^src/formats/' },
      { pathNot: ['^src/core/', '^src/formats/'], dependencyTypesNot: ['core', 'npm-dev'] },
    ),
    rule(
      'problems-import-only-formats',
      'A problem may import core, formats, the files directly in src/problems, and its own folder, but no other problem.',
      { path: '^src/problems/([^/]+)/' },
      {
        pathNot: [
          '^src/core/',
          '^src/formats/',
          '^src/problems/(?!registry)[^/]+\\.ts$',
          '^src/problems/$1/',
        ],
        dependencyTypesNot: ['core', 'npm-dev'],
      },
    ),
    rule(
      'only-the-registry-imports-problems',
      // A page must not contain the registry, which imports all formats and kernels. It needs games only.
      'Only the registry, the page and the text of explanations may import a problem. All other code gets it as an argument.',
      {
        path: '^(src|workers)/',
        pathNot: ['^src/problems/registry\\.ts$', '^src/page/', '^src/explain/', '^src/problems/[^/]+/'],
      },
      { path: '^src/problems/[^/]+/' },
    ),
    rule(
      'drawing-imports-only-types-of-problems',
      'Drawings may import core, and from problems only what an explanation is. So a page can contain them without a solver.',
      { path: '^src/drawing/' },
      { pathNot: ['^src/drawing/', '^src/core/', '^src/problems/explanation\\.ts$'] },
    ),
    rule(
      'explain-imports-only-games',
      'The text of explanations may import core, what an explanation and a game are, and the games of the problems.',
      { path: '^src/explain/' },
      {
        pathNot: [
          '^src/explain/',
          '^src/core/',
          '^src/problems/(explanation|game)\\.ts$',
          '^src/problems/[^/]+/(game|letters)\\.ts$',
        ],
      },
    ),
    rule(
      'page-imports-only-games',
      'The page may import core, drawings and preact, and from problems games and what a board is: it runs in browsers.',
      { path: '^src/page/' },
      {
        path: '^(src|workers)/',
        pathNot: [
          '^src/page/',
          '^src/core/',
          '^src/drawing/',
          '^src/formats/boards/board\\.ts$',
          '^src/problems/(game|explanation)\\.ts$',
          '^src/problems/[^/]+/(game|replay|letters|solve)\\.ts$',
        ],
      },
    ),
    rule(
      'only-the-bundle-contains-the-page',
      'No code for Node may import the page. The file of a page contains the script that the build makes from it.',
      { path: '^(src|workers)/', pathNot: '^src/page/' },
      { path: '^src/page/' },
    ),
    rule(
      'page-file-imports-only-drawing',
      'The code that writes pages may import core and drawings. It knows no problem.',
      { path: '^src/page-file/' },
      { path: '^(src|workers)/', pathNot: ['^src/page-file/', '^src/core/', '^src/drawing/'] },
    ),
    rule(
      'pipeline-imports-no-engine-folder',
      'The pipeline (the files directly in src/engine, and relay) must not import output, exec, cluster or tools, which are built on it.',
      { path: '^src/engine/([^/]+\\.ts$|relay/)' },
      { path: '^src/engine/[^/]+/', pathNot: '^src/engine/relay/' },
    ),
    rule(
      'engine-folders-import-no-other-folder',
      'The folders output, exec, cluster and tools may import the pipeline, but not each other.',
      { path: '^src/engine/([^/]+)/' },
      { path: '^src/engine/[^/]+/', pathNot: ['^src/engine/$1/', '^src/engine/relay/'] },
    ),
    rule(
      'only-the-pool-imports-piscina',
      'Only the pool and the workers may import Piscina, because loading it takes time.',
      { path: '^(src|workers)/', pathNot: ['^src/engine/local-pool\\.ts$', '^workers/'] },
      { path: 'node_modules/piscina' },
    ),
    rule(
      'only-the-cluster-imports-its-libraries',
      'Only the queue to other machines may import BullMQ and ioredis, which the package does not contain.',
      { path: '^(src|workers)/', pathNot: '^src/engine/cluster/' },
      { path: OPTIONAL_LIBRARIES.map((name) => `node_modules/${name}/`) },
    ),
    rule(
      'engine-imports-no-problem',
      'The engine may import core, formats and the Problem interface. It gets the problem to solve as an argument.',
      { path: '^src/engine/' },
      {
        path: '^(src|workers)/',
        pathNot: ['^src/engine/', '^src/core/', '^src/formats/', '^src/problems/(?!registry)[^/]+\\.ts$'],
      },
    ),
    rule(
      'contest-package-imports-no-problem',
      'The code for problem packages may import core, formats, the engine and the Problem interface.',
      { path: '^src/contest-package/' },
      {
        path: '^(src|workers)/',
        pathNot: [
          '^src/contest-package/',
          '^src/core/',
          '^src/formats/',
          '^src/engine/',
          '^src/problems/(?!registry)[^/]+\\.ts$',
        ],
      },
    ),
    rule(
      'only-the-cli-imports-contest-package',
      'Only the command line may import the code for problem packages, which starts programs and writes to caches.',
      { path: '^(src|workers)/', pathNot: ['^src/contest-package/', '^src/cli/'] },
      { path: '^src/contest-package/' },
    ),
    rule(
      'verify-shares-no-code',
      'The checker of explanations may import only the errors of core. Sharing code with what makes explanations would hide mistakes.',
      { path: '^src/verify/' },
      { pathNot: ['^src/verify/', '^src/core/errors\\.ts$'] },
    ),
    rule(
      'only-the-cli-imports-verify',
      'Only the command line may import the checker of explanations.',
      { path: '^(src|workers)/', pathNot: ['^src/verify/', '^src/cli/'] },
      { path: '^src/verify/' },
    ),
    rule(
      'workers-import-no-engine-stage',
      'Workers may import core, problems, explanations and drawings, the engine files that describe messages between threads, and the part of the relay that scans stretches, but no other stage of the engine.',
      { path: '^workers/' },
      {
        path: '^src/',
        pathNot: [
          '^src/core/',
          '^src/formats/',
          '^src/problems/',
          '^src/explain/',
          '^src/drawing/',
          '^src/engine/(messages|author-messages|output-settings|chunk-result|chunk-survey|limits)\\.ts$',
          '^src/engine/scan\\.ts$',
          '^src/engine/relay/(baton|pipe-messages|stretch-[a-z]+)\\.ts$',
        ],
      },
    ),
    rule(
      'nothing-imports-the-cli',
      'No other code may import the command line, because it is the highest layer.',
      { pathNot: '^src/cli/' },
      { path: '^src/cli/' },
    ),
    rule(
      'nothing-imports-the-library',
      'Only the two index files and the command line may import the functions of the library.',
      {
        path: '^(src|workers)/',
        pathNot: ['^src/index\\.ts$', '^src/browser/', '^src/cli/', '^src/library/'],
      },
      { path: '^src/library/' },
    ),
    rule(
      'nothing-imports-the-browser-files',
      'The files in src/browser are for the bundle for browsers only.',
      { path: '^(src|workers)/', pathNot: '^src/browser/' },
      { path: '^src/browser/' },
    ),
    rule(
      'workers-are-not-imported',
      'Code in src must not import workers. It starts them as threads.',
      { path: '^src/' },
      { path: '^workers/' },
    ),
    rule(
      'only-known-libraries',
      'Published code may import only these libraries. The build puts their code and their licences into the package, except for the optional ones.',
      { path: '^(src|workers)/' },
      {
        path: 'node_modules/',
        pathNot: [...BUNDLED_LIBRARIES, ...OPTIONAL_LIBRARIES].map(
          (name) => `node_modules/(@types/)?${name}/`,
        ),
      },
    ),
    rule(
      'no-unknown-libraries',
      'Published code may import only what package.json names.',
      { path: '^(src|workers)/' },
      {
        path: '^(?!boardmill:kernels$)',
        // dependency-cruiser takes an optional peer dependency for one that package.json does not name.
        pathNot: OPTIONAL_LIBRARIES.map((name) => `node_modules/${name}/`),
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'],
      },
    ),
  ],
  options: {
    doNotFollow: { path: ['node_modules'] },
    exclude: { path: '^workers/kernels/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
