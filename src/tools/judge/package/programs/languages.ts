/** The languages in which the programs of a package may be written, as a table. */

/**
 * A command that builds or runs a program. `tools` are the names of programs that can do it, of which the first that is
 * installed is used. In `words`, `{files}` stands for the sources in the language, `{main}` for the main source, `{binary}` for
 * the executable, `{folder}` for the folder with all of them, `{mainClass}` for the class with the main method, and
 * `{memory}` and `{stack}` for the limits in MiB.
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
  /** The command that builds a program; null if the sources are run as they are. */
  readonly build: ToolCommand | null;
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
const PYTHON_PATH = ['-c', 'import sys; print(sys.executable)'];

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
    build: null,
    run: { tools: ['python2', 'python2.7', 'pypy', 'pypy2'], words: ['{main}'] },
    findInterpreter: PYTHON_PATH,
    hasSystemLimit: true,
    memoryFailure: PYTHON_MEMORY_FAILURE,
  },
  {
    code: 'python3',
    endings: ['.py', '.py3'],
    build: null,
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
      words: [
        '-Dfile.encoding=UTF-8',
        '-XX:+UseSerialGC',
        '-XX:+ExitOnOutOfMemoryError',
        '-Xss{stack}m',
        '-Xmx{memory}m',
        '-cp',
        '{folder}',
        '{mainClass}',
      ],
    },
    hasSystemLimit: false,
    // With the option ExitOnOutOfMemoryError, the Java runtime exits with this code.
    memoryFailure: /exited with code 3\b/,
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
    code: 'bash',
    endings: ['.sh', '.bash'],
    build: null,
    run: { tools: ['bash', 'sh'], words: ['{main}'] },
    hasSystemLimit: true,
    memoryFailure: NATIVE_MEMORY_FAILURE,
  },
];

/** A program that is run as it is: an executable file without an ending of a language. */
export const EXECUTABLE_FILE: Language = {
  code: 'executable',
  endings: [],
  build: null,
  run: { tools: [], words: ['{main}'] },
  hasSystemLimit: true,
  memoryFailure: NATIVE_MEMORY_FAILURE,
};

/** A folder with a script `build`, a script `run`, or both. The first makes the program, and the second is the program. */
export const BUILD_AND_RUN_SCRIPTS: Language = { ...EXECUTABLE_FILE, code: 'scripts' };
