/** The languages in which the programs of a package may be written, as a table. */

/**
 * A command that builds or runs a program. `tools` are the names of programs that can do it, of which the first that is
 * installed is used; the words of a command without tools begin with the program. In `words`, `{files}` stands for the sources
 * in the language, `{main}` for the main source, `{binary}` for the executable, `{folder}` for the folder with all of them,
 * `{mainClass}` for the class with the main method, and `{memory}` and `{stack}` for the limits in MiB.
 */
export interface ToolCommand {
  readonly tools: readonly string[];
  readonly words: readonly string[];
  /**
   * The command by which a tool prints the folder of its installation, with the tool in `bin`. The tool that is found first may
   * be a version manager's, which runs another one.
   */
  readonly findHome?: readonly string[];
}

export interface Language {
  /** The code of the language in the package formats, which is also the name of its folder in `include/`. */
  readonly code: string;
  /** The endings of the names of source files. */
  readonly endings: readonly string[];
  /** What the first line of a source must match to be in this language, if other languages have the same ending. */
  readonly firstLine?: RegExp;
  /** The name of the file that is the main one, whatever others are called. */
  readonly mainFile?: string;
  /** The command that builds a program; null if the sources are run as they are. */
  readonly build: ToolCommand | null;
  /**
   * The file that the build makes (default: `{binary}`), or `{classFile}`, that of the main class; `{main}` if it only
   * checks.
   */
  readonly makes?: string;
  /** The command that runs a program; null if the executable `{binary}` is run. */
  readonly run: ToolCommand | null;
  /**
   * The command by which a tool prints the path of the interpreter. A tool may be a small script that looks for the
   * interpreter; the time of that script must not count.
   */
  readonly findInterpreter?: readonly string[];
  /**
   * Whether the operating system limits the memory of the program (`ulimit -v`). The runtimes of Java and JavaScript reserve
   * far more address space than they use, so they get an option with the limit instead.
   */
  readonly hasSystemLimit: boolean;
  /** Matches the description of a failure whose cause is that memory ran out. */
  readonly memoryFailure: RegExp;
}

const NATIVE_MEMORY_FAILURE = /bad_alloc|out of memory|memory allocation of \d+ bytes failed/i;
const PYTHON_MEMORY_FAILURE = /MemoryError/;
/** With the option ExitOnOutOfMemoryError, the Java runtime exits with this code. */
const JAVA_MEMORY_FAILURE = /exited with code 3\b/;
const PYTHON2 = ['python2', 'python2.7', 'pypy', 'pypy2'];
/** Finds mistakes of syntax before the program is run, and leaves no file. */
const PYTHON_CHECK: Omit<ToolCommand, 'tools'> = {
  words: ['-c', 'import sys; [compile(open(f, "rb").read(), f, "exec") for f in sys.argv[1:]]', '{files}'],
  findHome: ['-c', 'import sys; print(getattr(sys, "base_prefix", sys.prefix))'],
};
const PYTHON_PATH = ['-c', 'import sys; print(sys.executable)'];

const JAVA_OPTIONS = [
  ...['-Dfile.encoding=UTF-8', '-XX:+UseSerialGC', '-XX:+ExitOnOutOfMemoryError'],
  ...['-Xss{stack}m', '-Xmx{memory}m'],
];

/** The languages that boardmill knows. If a program has equally many sources in two languages, the earlier row decides. */
export const LANGUAGES: readonly Language[] = [
  {
    code: 'cpp',
    endings: ['.cc', '.cpp', '.cxx', '.c++', '.C'],
    build: {
      tools: ['g++', 'c++', 'clang++'],
      words: ['-O2', '-std=gnu++20', '-w', '-I.', '-o', '{binary}', '{files}', '-lpthread'],
    },
    run: null,
    hasSystemLimit: true,
    memoryFailure: NATIVE_MEMORY_FAILURE,
  },
  {
    code: 'c',
    endings: ['.c'],
    build: {
      tools: ['gcc', 'cc', 'clang'],
      words: ['-O2', '-std=gnu17', '-w', '-I.', '-o', '{binary}', '{files}', '-lm'],
    },
    run: null,
    hasSystemLimit: true,
    memoryFailure: NATIVE_MEMORY_FAILURE,
  },
  {
    code: 'python2',
    endings: ['.py2', '.py'],
    firstLine: /^#!.*python2/,
    build: { tools: PYTHON2, ...PYTHON_CHECK },
    makes: '{main}',
    run: { tools: PYTHON2, words: ['{main}'] },
    findInterpreter: PYTHON_PATH,
    hasSystemLimit: true,
    memoryFailure: PYTHON_MEMORY_FAILURE,
  },
  {
    code: 'pypy3',
    endings: ['.py'],
    firstLine: /^#!.*pypy3/,
    mainFile: '__main__.py',
    build: { tools: ['pypy3'], ...PYTHON_CHECK },
    makes: '{main}',
    run: { tools: ['pypy3'], words: ['{main}'] },
    findInterpreter: PYTHON_PATH,
    hasSystemLimit: true,
    memoryFailure: PYTHON_MEMORY_FAILURE,
  },
  {
    code: 'python3',
    endings: ['.py', '.py3'],
    mainFile: '__main__.py',
    build: { tools: ['python3', 'pypy3'], ...PYTHON_CHECK },
    makes: '{main}',
    run: { tools: ['python3', 'pypy3'], words: ['{main}'] },
    findInterpreter: PYTHON_PATH,
    hasSystemLimit: true,
    memoryFailure: PYTHON_MEMORY_FAILURE,
  },
  {
    code: 'java',
    endings: ['.java'],
    build: {
      tools: ['javac'],
      words: ['-nowarn', '-encoding', 'UTF-8', '-sourcepath', '{folder}', '-d', '{folder}', '{files}'],
    },
    run: {
      tools: ['java'],
      words: [...JAVA_OPTIONS, '-cp', '{folder}', '{mainClass}'],
    },
    makes: '{classFile}',
    hasSystemLimit: false,
    memoryFailure: JAVA_MEMORY_FAILURE,
  },
  {
    code: 'javascript',
    endings: ['.js', '.mjs', '.cjs'],
    build: null,
    run: { tools: ['node', 'nodejs'], words: ['--max-old-space-size={memory}', '{main}'] },
    hasSystemLimit: false,
    // Node aborts when its heap is full, and hardly ever for another reason.
    memoryFailure: /SIGABRT/,
  },
  {
    code: 'rust',
    endings: ['.rs'],
    build: {
      tools: ['rustc'],
      words: ['-O', '--edition', '2021', '--crate-name', 'program', '-o', '{binary}', '{main}'],
      findHome: ['--print', 'sysroot'],
    },
    run: null,
    hasSystemLimit: true,
    // A panic of a Rust program ends it with an exit code. Only full memory and a full stack abort the program.
    memoryFailure: /SIGABRT(?!.*stack overflow)/,
  },
  {
    code: 'go',
    endings: ['.go'],
    build: { tools: ['go'], words: ['build', '-o', '{binary}', '{files}'], findHome: ['env', 'GOROOT'] },
    run: null,
    hasSystemLimit: true,
    memoryFailure: NATIVE_MEMORY_FAILURE,
  },
  {
    code: 'kotlin',
    endings: ['.kt'],
    // A jar names its main class, which otherwise follows from file names, packages and annotations.
    build: { tools: ['kotlinc'], words: ['{files}', '-include-runtime', '-nowarn', '-d', '{binary}.jar'] },
    makes: '{binary}.jar',
    run: {
      tools: ['java'],
      words: [...JAVA_OPTIONS, '-jar', '{binary}.jar'],
    },
    hasSystemLimit: false,
    memoryFailure: JAVA_MEMORY_FAILURE,
  },
  {
    code: 'scala',
    endings: ['.scala'],
    build: { tools: ['scalac'], words: ['-encoding', 'UTF-8', '-nowarn', '-d', '{folder}', '{files}'] },
    makes: '{classFile}',
    run: {
      tools: ['scala'],
      words: [...JAVA_OPTIONS.map((option) => `-J${option}`), '-cp', '{folder}', '{mainClass}'],
    },
    hasSystemLimit: false,
    memoryFailure: JAVA_MEMORY_FAILURE,
  },
  {
    code: 'csharp',
    endings: ['.cs'],
    build: {
      tools: ['mcs'],
      words: ['-optimize+', '-nologo', '-warn:0', '-r:System.Numerics', '-out:{binary}.exe', '{files}'],
    },
    makes: '{binary}.exe',
    run: { tools: ['mono'], words: ['{binary}.exe'] },
    hasSystemLimit: true,
    memoryFailure: /OutOfMemoryException/,
  },
  {
    code: 'haskell',
    endings: ['.hs'],
    build: {
      tools: ['ghc'],
      words: ['-O2', '-w', '-v0', '-rtsopts', '-outputdir', '{folder}', '-o', '{binary}', '{files}'],
    },
    // The runtime reserves far more address space than it uses.
    run: { tools: [], words: ['{binary}', '+RTS', '-M{memory}m', '-K{stack}m', '-RTS'] },
    hasSystemLimit: false,
    memoryFailure: /exited with code 251\b|heap overflow/i,
  },
  {
    code: 'ocaml',
    endings: ['.ml'],
    // The folders of the two libraries exist since OCaml 5. Earlier compilers pass over them, and find the libraries elsewhere.
    build: {
      tools: ['ocamlopt'],
      words: ['-w', '-a', '-I', '+unix', '-I', '+str', 'unix.cmxa', 'str.cmxa', '-o', '{binary}', '{files}'],
    },
    run: null,
    hasSystemLimit: true,
    memoryFailure: /Out_of_memory|out of memory/i,
  },
  {
    code: 'pascal',
    endings: ['.pas'],
    build: { tools: ['fpc'], words: ['-O2', '-Sh', '-v0', '-o{binary}', '{main}'] },
    run: null,
    hasSystemLimit: true,
    // 203 is the run-time error of a heap that is full.
    memoryFailure: /exited with code 203\b/,
  },
  {
    code: 'perl',
    endings: ['.pl', '.pm'],
    firstLine: /^#!.*perl/,
    build: null,
    run: { tools: ['perl'], words: ['{main}'] },
    hasSystemLimit: true,
    memoryFailure: /out of memory/i,
  },
  {
    code: 'prolog',
    endings: ['.pl'],
    build: {
      tools: ['swipl'],
      words: ['-O', '-q', '-g', 'main', '-t', 'halt', '-o', '{binary}', '-c', '{files}'],
    },
    run: null,
    hasSystemLimit: true,
    memoryFailure: /resource error|not enough (?:memory|resources)/i,
  },
  {
    code: 'lisp',
    endings: ['.lisp', '.cl'],
    build: null,
    run: {
      tools: ['sbcl'],
      words: [
        '--noinform',
        '--dynamic-space-size',
        '{memory}',
        '--control-stack-size',
        '{stack}',
        '--script',
        '{main}',
      ],
    },
    hasSystemLimit: false,
    memoryFailure: /heap exhausted/i,
  },
  {
    code: 'ruby',
    endings: ['.rb'],
    build: null,
    run: { tools: ['ruby'], words: ['{main}'] },
    hasSystemLimit: true,
    memoryFailure: /NoMemoryError/,
  },
  {
    code: 'php',
    endings: ['.php'],
    build: null,
    run: {
      tools: ['php'],
      words: [
        '-n',
        '-d',
        'display_errors=stderr',
        '-d',
        'html_errors=0',
        '-d',
        'memory_limit={memory}M',
        '{main}',
      ],
    },
    hasSystemLimit: true,
    memoryFailure: /Allowed memory size|out of memory/i,
  },
  {
    code: 'julia',
    endings: ['.jl'],
    build: null,
    run: { tools: ['julia'], words: ['--startup-file=no', '--heap-size-hint={memory}M', '{main}'] },
    // The compiler in the runtime reserves far more address space than it uses.
    hasSystemLimit: false,
    memoryFailure: /OutOfMemoryError/,
  },
  {
    code: 'bash',
    endings: ['.sh', '.bash'],
    build: null,
    run: { tools: ['bash', 'sh'], words: ['{main}'] },
    hasSystemLimit: true,
    memoryFailure: NATIVE_MEMORY_FAILURE,
  },
];

/** A program that is run as it is: an executable file without an ending of a language. */
export const EXECUTABLE_LANGUAGE: Language = {
  code: 'executable',
  endings: [],
  build: null,
  run: { tools: [], words: ['{main}'] },
  hasSystemLimit: true,
  memoryFailure: NATIVE_MEMORY_FAILURE,
};

/** A folder with a script `build`, a script `run`, or both. The first makes the program, and the second is the program. */
export const SCRIPT_FOLDER_LANGUAGE: Language = { ...EXECUTABLE_LANGUAGE, code: 'scripts' };
