/** Finds names in Java sources: a public class must lie in a file of its name, and the `java` command needs the main class. */
import type { SourceFile } from './program-source.js';

const PUBLIC_CLASS =
  /^[ \t]*public\s+(?:(?:final|abstract|strictfp)\s+)*(?:class|enum|record|interface)\s+(\w+)/m;
const ANY_CLASS = /\b(?:class|enum|record|interface)\s+(\w+)/;
const MAIN_METHOD = /\bstatic\s+(?:(?:public|final|synchronized)\s+)*void\s+main\s*\(/;
const PACKAGE = /^[ \t]*package[ \t]+([\w.]+)/m;

/** Returns the only source of a Java program under the name of its public class, which may not be its file name. */
export function namedAfterClass(file: SourceFile): SourceFile {
  const name = PUBLIC_CLASS.exec(file.bytes.toString('latin1'))?.[1];
  return name === undefined ? file : { ...file, name: `${name}.java` };
}

/** Returns the full name of the class with a main method. Of several, `Main` is preferred, then the first by file. */
export function mainClassOf(sources: readonly SourceFile[]): string {
  const texts = sources.map(({ bytes }) => withoutComments(bytes.toString('latin1')));
  const withMain = texts.filter((text) => MAIN_METHOD.test(text));
  const names = withMain.map(fullName);
  return names.find((name) => /(^|\.)Main$/.test(name)) ?? names[0] ?? 'Main';
}

function fullName(text: string): string {
  const beforeMain = text.slice(0, text.search(MAIN_METHOD));
  const name = PUBLIC_CLASS.exec(text)?.[1] ?? lastTopClass(beforeMain);
  const folder = PACKAGE.exec(text)?.[1];
  return folder === undefined ? name : `${folder}.${name}`;
}

/** Returns the name of the last class in the text that is not inside another class. */
function lastTopClass(text: string): string {
  let depth = 0;
  let name = 'Main';
  for (const [part] of text.matchAll(/[{}]|\b(?:class|enum|record|interface)\s+\w+/g)) {
    if (part === '{') depth++;
    else if (part === '}') depth--;
    else if (depth === 0) name = ANY_CLASS.exec(part)?.[1] ?? name;
  }
  return name;
}

function withoutComments(text: string): string {
  return text.replace(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
}
