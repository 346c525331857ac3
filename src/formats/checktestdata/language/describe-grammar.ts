/** Describes in words what a grammar says about an input: where its cases are, and which integers a case has. */
import type { GrammarDivision } from '../cases/cases.js';
import { GrammarCaseMeasure, textOfExpression } from '../cases/measure.js';

/** Returns a description of one or more lines, without a line end after the last one. */
export function describeGrammar(division: GrammarDivision): string {
  const { grammar, body } = division;
  const { numbers } = new GrammarCaseMeasure(body);
  const width = Math.max(0, ...numbers.map(({ name }) => name.length));
  const lines = numbers.map(
    ({ name, min, max }) => `  ${name.padEnd(width)}  an integer${describeBounds(min, max)}`,
  );
  return [
    `The grammar ${grammar.fileName} describes the input.`,
    ...describeCases(division),
    ...(lines.length === 0 ? [] : ['Integers of a test case:', ...lines]),
  ].join('\n');
}

function describeCases({ grammar, loop, caseCount, ending }: GrammarDivision): string[] {
  if (loop === null) return ['The whole input is one test case.'];
  const cases = `The test cases are the iterations of the loop at ${grammar.fileName}:${loop.at.line}:${loop.at.column}`;
  if (caseCount !== null) {
    const bounds = describeBounds(textOfExpression(caseCount.min), textOfExpression(caseCount.max));
    return [`${cases}.`, `Their number ${caseCount.variable!.name} is an integer${bounds}.`];
  }
  return [`${cases}${ENDINGS[ending]}.`];
}

const ENDINGS: Record<GrammarDivision['ending'], string> = {
  counted: '',
  single: '',
  'until-end': ', until its condition is false',
  'until-terminator': ', until what it has read makes its condition false',
};

/** Describes the bounds of an integer. A bound is null if it cannot be shown in one line. */
function describeBounds(min: string | null, max: string | null): string {
  return min === null || max === null ? '' : ` from ${min} to ${max}`;
}
