/** Returns a source of C++, Java or a language like them with a blank in place of each comment. */
export function withoutComments(text: string): string {
  return text.replace(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
}
