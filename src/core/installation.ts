/**
 * The folder of the compiled code that is running: `dist/` in the package, `build/` for the tools of this repository. Both
 * have the same layout. Files that are found by their path (threads, kernels, completion scripts) are found from here.
 *
 * The build puts every bundled file that contains this module two folders below `dist/`, as this one is below `build/`.
 */
export const INSTALLATION_FOLDER = new URL('../../', import.meta.url);
