/**
 * What a user would write with Piscina: cuts standard input after whole cases, and two threads solve the pieces in order.
 * `node piscina.mjs NAME` solves the problem of rivals/NAME.mjs.
 */
import { fileURLToPath } from 'node:url';
import Piscina from 'piscina';

const PIECE_BYTES = 1 << 20;
const THREADS = 2;

const rival = new URL(`rivals/${process.argv[2]}.mjs`, import.meta.url);
const { wholeCases, hasHead } = await import(rival.href);
const pool = new Piscina({ filename: fileURLToPath(rival), minThreads: THREADS, maxThreads: THREADS });
const answers = [];
let isAfterHead = !hasHead;
let rest = '';
for await (const chunk of process.stdin.setEncoding('utf8')) {
  rest += chunk;
  if (!isAfterHead) {
    const headEnd = rest.indexOf('\n') + 1;
    if (headEnd === 0) continue;
    rest = rest.slice(headEnd);
    isAfterHead = true;
  }
  if (rest.length < PIECE_BYTES) continue;
  const end = wholeCases(rest);
  answers.push(pool.run(rest.slice(0, end), { name: 'solve' }));
  rest = rest.slice(end);
}
answers.push(pool.run(rest, { name: 'solve' }));
for (const answer of answers) process.stdout.write(await answer);
await pool.destroy();
