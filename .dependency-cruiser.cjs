/** The import rules of ARCHITECTURE.md, checked by dependency-cruiser: a lower room never imports a higher one. */
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

/** The libraries that only the queue to other machines uses, and those that only `grade` does. Who wants them installs them. */
const QUEUE_LIBRARIES = ['bullmq', 'ioredis'];
const OPTIONAL_LIBRARIES = [...QUEUE_LIBRARIES, 'web-tree-sitter'];

/** The rooms of src/, the lowest first, each with the rooms that its files may import. */
const ROOMS = {
  core: [],
  formats: ['core'],
  problems: ['core', 'formats'],
  games: ['core', 'formats', 'problems'],
  catalog: ['core', 'formats', 'problems', 'games'],
  engine: ['core', 'formats', 'problems'],
  tools: ['core', 'formats', 'problems', 'engine'],
  explain: ['core', 'formats', 'problems', 'games'],
  verify: ['core'],
  library: ['core', 'formats', 'problems', 'catalog', 'engine'],
  cli: ['core', 'formats', 'problems', 'games', 'catalog', 'engine', 'tools', 'explain', 'verify', 'library'],
};

const roomRules = Object.entries(ROOMS).map(([room, lower]) =>
  rule(
    `${room}-imports-only-lower-rooms`,
    `Files in src/${room} may import only ${[room, ...lower].join(', ')}, Node and libraries.`,
    { path: `^src/${room}/` },
    { path: '^(src|workers)/', pathNot: [room, ...lower].map((each) => `^src/${each}/`) },
  ),
);

/** The folders of the engine that cut an input and solve its chunks. The other folders are built on them. */
const PIPELINE = '^src/engine/([^/]+\\.ts$|input/|cut/|parallel-scan/)';

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
      // The bundler puts the files in library/browser in place of others. Piscina finds import-worker.cjs by its path.
      {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$',
          '^workers/kernels/',
          '^workers/import-worker\\.cjs$',
          '^src/library/browser/',
        ],
      },
      {},
    ),
    ...roomRules,
    rule(
      'a-game-imports-no-other-game',
      'A game may import its own folder and what all games share.',
      { path: '^src/games/([^/]+)/' },
      { path: '^src/games/', pathNot: ['^src/games/$1/', '^src/games/shared/'] },
    ),
    rule(
      'only-explanations-see-into-games',
      'The catalog opens games. Explanations may import their games, letters, limits and stories. All other code gets a problem as an argument.',
      { path: '^(src|workers)/', pathNot: ['^src/games/', '^src/catalog/', '^src/explain/'] },
      { path: '^src/games/', pathNot: '^src/games/shared/' },
    ),
    rule(
      'text-imports-only-stories',
      'The text of explanations may import only the narrations of the games.',
      { path: '^src/explain/text/' },
      { path: '^src/games/', pathNot: ['^src/games/shared/narration/', '^src/games/[^/]+/narration\\.ts$'] },
    ),
    rule(
      'drawing-imports-only-types-of-problems',
      'Drawings may import core, and from problems only what an explanation is. So a page can contain them without a solver.',
      { path: '^src/explain/drawing/' },
      { pathNot: ['^src/explain/drawing/', '^src/core/', '^src/problems/explanation\\.ts$'] },
    ),
    rule(
      'page-imports-only-games',
      'The page may import core, drawings and preact, and from problems games and what a board is: it runs in browsers.',
      { path: '^src/explain/page/' },
      {
        path: '^(src|workers)/',
        pathNot: [
          '^src/explain/(page|drawing)/',
          '^src/core/',
          '^src/formats/boards/board\\.ts$',
          '^src/problems/(game|explanation)\\.ts$',
          '^src/games/[^/]+/(game|replay|letters|solve)\\.ts$',
        ],
      },
    ),
    rule(
      'state-of-the-page-needs-no-document',
      'The boards, the engine and the state of the page must not import what the page shows, so that tests need no browser.',
      { path: '^src/explain/page/(boards|engine|state)/' },
      { path: ['^src/explain/page/view/', 'node_modules/preact'] },
    ),
    rule(
      'engine-of-the-page-knows-no-state',
      'The engine runs in a worker. It may import only the boards and the games of the page.',
      { path: '^src/explain/page/(boards|engine)/' },
      { path: '^src/explain/page/state/' },
    ),
    rule(
      'only-the-bundle-contains-the-page',
      'No code for Node may import the page. The file of a page contains the script that the build makes from it.',
      { path: '^(src|workers)/', pathNot: '^src/explain/page/' },
      { path: '^src/explain/page/' },
    ),
    rule(
      'page-file-imports-only-drawing',
      'The code that writes pages may import core and drawings. It knows no problem.',
      { path: '^src/explain/page-file/' },
      { path: '^(src|workers)/', pathNot: ['^src/explain/(page-file|drawing)/', '^src/core/'] },
    ),
    rule(
      'pipeline-imports-no-other-engine-folder',
      'The pipeline must not import output, exec or queue, which are built on it.',
      { path: PIPELINE },
      { path: '^src/engine/', pathNot: PIPELINE },
    ),
    rule(
      'engine-folders-import-no-other-folder',
      'The folders output, exec and queue may import the pipeline, but not each other.',
      { path: '^src/engine/([^/]+)/' },
      { path: '^src/engine/', pathNot: ['^src/engine/$1/', PIPELINE] },
    ),
    rule(
      'only-the-pool-imports-piscina',
      'Only the pool and the workers may import Piscina, because loading it takes time.',
      { path: '^(src|workers)/', pathNot: ['^src/engine/local-pool\\.ts$', '^workers/'] },
      { path: 'node_modules/piscina' },
    ),
    rule(
      'only-the-queue-imports-its-libraries',
      'Only the queue to other machines may import BullMQ and ioredis, which the package does not contain.',
      { path: '^(src|workers)/', pathNot: '^src/engine/queue/' },
      { path: QUEUE_LIBRARIES.map((name) => `node_modules/${name}/`) },
    ),
    rule(
      'verify-shares-no-code',
      'The checker of explanations may import only the errors of core. Sharing code with what makes explanations would hide mistakes.',
      { path: '^src/verify/' },
      { pathNot: ['^src/verify/', '^src/core/errors\\.ts$'] },
    ),
    rule(
      'workers-import-no-engine-stage',
      'Workers may import core, problems, explanations and drawings, the engine files that describe messages between threads, the scanner, and the part of the parallel scan that runs in workers, but no other stage of the engine.',
      { path: '^workers/' },
      {
        path: '^src/',
        pathNot: [
          '^src/(core|formats|problems|catalog|games/shared)/',
          '^src/explain/(text|drawing)/',
          '^src/engine/(messages|author-messages|output-settings|chunk-result|(answer|chunk)-statistics|census-slice|limits)\\.ts$',
          '^src/engine/cut/scan\\.ts$',
          '^src/engine/parallel-scan/(handoff|pipe-messages|range-[a-z]+)\\.ts$',
        ],
      },
    ),
    rule(
      'browser-files-stay-in-browsers',
      'The files in src/library/browser are for the bundle for browsers only.',
      { path: '^(src|workers)/', pathNot: '^src/library/browser/' },
      { path: '^src/library/browser/' },
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
