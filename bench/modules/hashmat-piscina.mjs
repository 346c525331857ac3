/** What a user would write with Piscina: cuts standard input at line ends, and two threads solve the pieces in order. */
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import Piscina from 'piscina';

const PIECE_BYTES = 1 << 20;
const THREADS = 2;

export default function solve(lines) {
  let text = '';
  for (const line of lines.split('\n')) {
    if (line === '') continue;
    const [a, b] = line.split(' ').map(Number);
    text += `${Math.abs(a - b)}\n`;
  }
  return text;
}

if (isMainThread) {
  const pool = new Piscina({
    filename: fileURLToPath(import.meta.url),
    minThreads: THREADS,
    maxThreads: THREADS,
  });
  const answers = [];
  let rest = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    rest += chunk;
    if (rest.length < PIECE_BYTES) continue;
    const end = rest.lastIndexOf('\n') + 1;
    answers.push(pool.run(rest.slice(0, end)));
    rest = rest.slice(end);
  }
  answers.push(pool.run(rest));
  for (const answer of answers) process.stdout.write(await answer);
  await pool.destroy();
}
