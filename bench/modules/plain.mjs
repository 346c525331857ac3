/**
 * What a user would write without boardmill: reads all of standard input, and solves it piece by piece in one thread.
 * `node plain.mjs NAME` solves the problem of rivals/NAME.mjs.
 */
import { readFileSync } from 'node:fs';

const PIECE_LENGTH = 1 << 20;

const { solve, wholeCases, hasHead } = await import(`./rivals/${process.argv[2]}.mjs`);
const text = readFileSync(0, 'utf8');
for (let at = hasHead ? text.indexOf('\n') + 1 : 0; at < text.length; ) {
  const piece = text.slice(at, at + PIECE_LENGTH);
  const end = wholeCases(piece);
  process.stdout.write(solve(piece.slice(0, end)));
  at += end;
}
