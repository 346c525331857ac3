/**
 * Finds names in the sources of Java and Scala: a public class of Java must lie in a file of its name, and to run a program,
 * the name of its main class is needed.
 */
import { withoutComments } from './comments.js';
import type { SourceFile } from './program-source.js';

const PUBLIC_CLASS =
  /^[ \t]*public\s+(?:(?:final|abstract|strictfp)\s+)*(?:class|enum|record|interface)\s+(\w+)/m;
const ANY_CLASS = /\b(?:class|enum|record|interface)\s+(\w+)/;
const MAIN_METHOD = /\bstatic\s+(?:(?:public|final|synchronized)\s+)*void\s+main\s*\(/;
const PACKAGE = /^[ \t]*package[ \t]+([\w.]+)/m;

/** Returns the only source of a Java program under the name of its public class, which may not be its file name. */
export function sourceNamedAfterClass(file: SourceFile): SourceFile {
  const name = PUBLIC_CLASS.exec(file.bytes.toString('latin1'))?.[1];
  return name === undefined ? file : { ...file, name: `${name}.java` };
}

/** The object of a Scala program that is run: `@main def name`, `object Name extends App`, or one with a method `main`. */
const SCALA_MAINS = [
  /@main\s+def\s+(\w+)/,
  /\bobject\s+(\w+)\s+extends\s+(?:[\w\s]*\bwith\s+)?App\b/,
  /\bobject\s+(\w+)(?:(?!\bobject\b)[^{:])*[{:](?:(?!\bobject\b)[\s\S])*?\bdef\s+main\s*\(/,
];

/** Returns the full name of the class with a main method. Of several, `Main` is preferred, then the first by file. */
export function mainClassOf(sources: readonly SourceFile[], language: string): string {
  const texts = sources.map(({ bytes }) => withoutComments(bytes.toString('latin1')));
  const names =
    language === 'scala'
      ? texts.flatMap(scalaMains)
      : texts.filter((text) => MAIN_METHOD.test(text)).map(fullName);
  return names.find((name) => /(^|\.)Main$/.test(name)) ?? names[0] ?? 'Main';
}

function scalaMains(text: string): string[] {
  const folder = PACKAGE.exec(text)?.[1];
  const names = SCALA_MAINS.map((pattern) => pattern.exec(text)?.[1]).filter((name) => name !== undefined);
  return names.map((name) => (folder === undefined ? name : `${folder}.${name}`));
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
