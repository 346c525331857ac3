/** The code of the thread in which Node before 22.15 resolves the imports of a user's module. */
export { initialize, resolve } from '../src/problems/modules/resolve-hook.js';
