/** Returns the answers to whole cases: one line each. */
export function solve(text) {
  let answers = '';
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [a, b] = line.split(' ').map(Number);
    answers += `${Math.abs(a - b)}\n`;
  }
  return answers;
}

/** Returns the index after the last whole case in the text. */
export function wholeCases(text) {
  return text.lastIndexOf('\n') + 1;
}

export const hasHead = false;
