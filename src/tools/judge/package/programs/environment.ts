/**
 * The environment variables that the programs of a problem package get: those that compilers and interpreters need to work,
 * and those that the user names (`--env`). Tokens and passwords of the user are not among them.
 */

/** Names of the environment variables that programs get. A name that ends in `*` stands for all names with that beginning. */
const ALLOWED_VARIABLES: readonly string[] = [
  'PATH',
  'HOME',
  'LANG',
  'LANGUAGE',
  'LC_*',
  'TZ',
  'TMPDIR',
  // Variables that say where compilers and linkers find headers and libraries that are not in the system's own folders.
  'CPATH',
  'C_INCLUDE_PATH',
  'CPLUS_INCLUDE_PATH',
  'LIBRARY_PATH',
  'LD_LIBRARY_PATH',
  // Variables that say where the runtimes of the languages are, and where compilers keep what they have compiled.
  'PYENV_ROOT',
  'PYENV_VERSION',
  'JAVA_HOME',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'RUSTUP_TOOLCHAIN',
  'GOROOT',
  'GOPATH',
  'GOCACHE',
  'XDG_CACHE_HOME',
];

/** Without this variable, Python would write compiled files beside the sources, in a build that must not change. */
const OWN_VARIABLES = { PYTHONDONTWRITEBYTECODE: '1' };

/** Returns the environment of the programs of a package. `added` has the names of variables from `--env`. */
export function packageEnvironment(added: readonly string[]): NodeJS.ProcessEnv {
  const isAllowed = (name: string) =>
    added.includes(name) || ALLOWED_VARIABLES.some((allowed) => fits(name, allowed));
  const inherited = Object.entries(process.env).filter(([name]) => isAllowed(name));
  return { ...OWN_VARIABLES, ...Object.fromEntries(inherited) };
}

function fits(name: string, allowed: string): boolean {
  return allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed;
}
