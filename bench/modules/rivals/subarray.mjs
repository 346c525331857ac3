/** Returns the answers to whole cases: a line with a count and a line of integers each. */
export function solve(text) {
  const lines = text.split('\n');
  let answers = '';
  for (let at = 0; at + 1 < lines.length; at += 2) {
    let best = Number.NEGATIVE_INFINITY;
    let ending = 0;
    for (const value of lines[at + 1].split(' ').map(Number)) {
      ending = Math.max(ending, 0) + value;
      best = Math.max(best, ending);
    }
    answers += `${best}\n`;
  }
  return answers;
}

/** Returns the index after the last whole case in the text. */
export function wholeCases(text) {
  let whole = 0;
  for (let end = nextLine(text, 0); end > 0; end = nextLine(text, whole)) {
    const next = nextLine(text, end);
    if (next === 0) break;
    whole = next;
  }
  return whole;
}

function nextLine(text, from) {
  return text.indexOf('\n', from) + 1;
}

export const hasHead = true;
