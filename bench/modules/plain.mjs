/**
 * What a user would write without boardmill: reads all of standard input, and solves it in one thread. `node plain.mjs NAME`
 * solves the problem of rivals/NAME.mjs.
 */
import { readFileSync } from 'node:fs';

const { solve, hasHead } = await import(`./rivals/${process.argv[2]}.mjs`);
const text = readFileSync(0, 'utf8');
process.stdout.write(solve(hasHead ? text.slice(text.indexOf('\n') + 1) : text));
