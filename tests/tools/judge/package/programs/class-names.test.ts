/** The names that boardmill finds in Java sources, without which a right submission would not compile or not start. */
import { describe, expect, test } from 'vitest';
import {
  mainClassOf,
  sourceNamedAfterClass,
} from '../../../../../src/tools/judge/package/programs/class-names.js';

const sourceOf = (text: string, name = 'a.java') => ({ name, bytes: Buffer.from(text), isExecutable: false });

const MAIN = 'public static void main(String[] args) {}';

describe('the only source of a program gets the name of its public class', () => {
  test.each([
    ['public class Solver {}', 'Solver.java'],
    ['import java.util.*;\n\npublic final class Solver {}', 'Solver.java'],
    ['class Helper {}\n  public abstract class Solver {}', 'Solver.java'],
    ['public enum Solver { A }', 'Solver.java'],
    ['public record Solver(int a) {}', 'Solver.java'],
    ['public interface Solver {}', 'Solver.java'],
    ['class Solver {}', 'a.java'],
    ['// public class Other {}\nclass Solver {}', 'a.java'],
  ])('%j: %s', (text, name) => {
    const source = sourceOf(text);
    expect(sourceNamedAfterClass(source)).toEqual({ ...source, name });
  });
});

describe('the main class', () => {
  test.each<[string, string, string[]]>([
    ['is the one with a main method', 'B', ['class A {}', `class B { ${MAIN} }`]],
    ['has its package in its name', 'org.x.B', [`package org.x;\nclass B { ${MAIN} }`]],
    ['is not one in a comment', 'B', [`// class C { ${MAIN} }\nclass B { /* class D { */ ${MAIN} }`]],
    ['is the public one of a file', 'B', [`class A { }\npublic class B { ${MAIN} }\nclass C { }`]],
    ['is the one around the method', 'B', [`class A { int a; }\nclass B { ${MAIN} }\nclass C { }`]],
    ['is not a class inside it', 'B', [`class B { static class In { int a; } ${MAIN} }`]],
    ['is Main if that has a main method, too', 'Main', [`class A { ${MAIN} }`, `class Main { ${MAIN} }`]],
    ['may be Main in a package', 'x.Main', [`class A { ${MAIN} }`, `package x; class Main { ${MAIN} }`]],
    ['is not a class whose name ends in Main', 'A', [`class A { ${MAIN} }`, `class MyMain { ${MAIN} }`]],
    ['is the first of several', 'A', [`class A { ${MAIN} }`, `class B { ${MAIN} }`]],
    [
      'may have its modifiers in another order',
      'B',
      [`class B { static public void main (String... a) {} }`],
    ],
    ['may be an enum', 'B', [`enum B { ; ${MAIN} }`]],
    ['is Main if no class has a main method', 'Main', ['class A { void main() {} }', 'class B {}']],
  ])('%s: %s', (_what, name, texts) => {
    expect(
      mainClassOf(
        texts.map((text) => sourceOf(text)),
        'java',
      ),
    ).toBe(name);
  });
});
