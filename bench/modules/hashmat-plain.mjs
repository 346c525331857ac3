/** What a user would write without boardmill: reads all of standard input, and solves line by line in one thread. */
import { readFileSync } from 'node:fs';

const lines = readFileSync(0, 'utf8').split('\n');
let text = '';
for (const line of lines) {
  if (line === '') continue;
  const [a, b] = line.split(' ').map(Number);
  text += `${Math.abs(a - b)}\n`;
  if (text.length > 1 << 16) {
    process.stdout.write(text);
    text = '';
  }
}
process.stdout.write(text);
