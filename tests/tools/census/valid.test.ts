/** Tests of the cases of a census that `valid` of a module refuses. */
import { expect, test } from 'vitest';
import type { ValidityRequest } from '../../../src/engine/author-messages.js';
import {
  type CensusSlice,
  decodeCensusMessage,
  encodeCensusMessage,
} from '../../../src/engine/census-slice.js';
import { allocateSharedProgress } from '../../../src/engine/messages.js';
import { PLAIN_SETTINGS } from '../../../src/engine/output-settings.js';
import { formats } from '../../../src/formats/language/formats.js';
import { defineProblem } from '../../../src/problems/modules/define-problem.js';
import { createModuleProblem } from '../../../src/problems/modules/module-problem.js';
import { ModuleSolver } from '../../../src/problems/modules/module-solver.js';
import { createCensusWorker } from '../../../workers/jobs/census.js';

const definition = defineProblem({
  name: 'digits',
  input: formats.single({ n: formats.int(0, 9) }),
  valid: () => true,
  solve: ({ n }) => n,
});
const origin = { url: 'file:///digits.mjs', typed: './digits.mjs' };
const withoutSolver = createModuleProblem(definition.description, origin);
const createPortable = () => new ModuleSolver(definition, withoutSolver.answerFormat);
const problem = { ...withoutSolver, solvers: { createPortable } };

test('`valid` is asked about all cases of a slice at once', async () => {
  const asked: string[][] = [];
  const askValid = async ({ cases }: ValidityRequest) => {
    asked.push(cases.map((bytes) => new TextDecoder().decode(bytes)));
    return cases.map((_, index) => (index % 2 === 0 ? '' : null));
  };
  const worker = createCensusWorker(problem, 'portable', askValid);
  const slice: CensusSlice = { rows: null, cols: null, set: null, number: 0, candidates: { from: 2, to: 8 } };
  const bytes = encodeCensusMessage(slice);
  const { output } = await worker.solve({
    bytes,
    starts: Uint32Array.of(0, bytes.length),
    head: { number: 0, bytes: null },
    progress: allocateSharedProgress(),
    settings: PLAIN_SETTINGS,
    firstCase: 1,
    origin: null,
    isSolvedOneByOne: true,
  });
  expect(asked).toEqual([['2\n', '3\n', '4\n', '5\n', '6\n', '7\n']]);
  expect(decodeCensusMessage(output)).toMatchObject({ cases: 3 });
});
