/** The layer rule of ARCHITECTURE.md: imports go downward only. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule('no-cycles', 'A cycle has no order to read it in.', {}, { circular: true }),
    rule(
      'no-orphans',
      'A file nobody imports is dead.',
      { orphan: true, pathNot: ['\\.d\\.ts$', '^workers/kernels/'] },
      {},
    ),
    rule(
      'core-knows-nothing',
      'core imports only itself, Node and libraries.',
      { path: '^src/core/' },
      { pathNot: '^src/core/', dependencyTypesNot: ['core', 'npm'] },
    ),
    rule(
      'problems-know-core',
      'A problem imports core, the interface and its own folder, never another problem.',
      { path: '^src/problems/([^/]+)/' },
      {
        pathNot: ['^src/core/', '^src/problems/(?!registry)[^/]+\\.ts$', '^src/problems/$1/'],
        dependencyTypesNot: ['core', 'npm'],
      },
    ),
    rule(
      'only-the-registry-names-problems',
      'Everyone else is handed a problem.',
      { path: '^(src|workers)/', pathNot: ['^src/problems/registry\\.ts$', '^src/problems/[^/]+/'] },
      { path: '^src/problems/[^/]+/' },
    ),
    rule(
      'pipeline-stands-alone',
      'The pipeline imports no folder of the engine: outputs, programs and tools are built on it.',
      { path: '^src/engine/[^/]+\\.ts$' },
      { path: '^src/engine/[^/]+/' },
    ),
    rule(
      'engine-folders-stand-alone',
      'output, exec and tools import the pipeline and never each other.',
      { path: '^src/engine/([^/]+)/' },
      { path: '^src/engine/[^/]+/', pathNot: '^src/engine/$1/' },
    ),
    rule(
      'only-the-pool-loads-piscina',
      'Loading Piscina takes time, and only the pool and its threads need it.',
      { path: '^(src|workers)/', pathNot: ['^src/engine/local-pool\\.ts$', '^workers/'] },
      { path: 'node_modules/piscina' },
    ),
    rule(
      'engine-knows-no-problem',
      'The engine imports core and the Problem interface; a concrete problem is passed in.',
      { path: '^src/engine/' },
      {
        path: '^(src|workers)/',
        pathNot: ['^src/engine/', '^src/core/', '^src/problems/(?!registry)[^/]+\\.ts$'],
      },
    ),
    rule(
      'workers-know-messages',
      'Workers import problems and what crosses threads, no stage of the engine.',
      { path: '^workers/' },
      {
        path: '^src/',
        pathNot: [
          '^src/core/',
          '^src/problems/',
          '^src/engine/(messages|output-settings|chunk-result|limits)\\.ts$',
        ],
      },
    ),
    rule(
      'nothing-imports-the-cli',
      'The command line is the top.',
      { pathNot: '^src/cli/' },
      { path: '^src/cli/' },
    ),
    rule(
      'workers-start-as-threads',
      'They are started, not imported.',
      { path: '^src/' },
      { path: '^workers/' },
    ),
    rule(
      'no-dev-dependencies',
      "They are not there at the user's.",
      { path: '^(src|workers)/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown'] },
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
