/** Solves an input in the process of the tests, which takes a hundredth of the time that a run of the program takes. */
import { loadProblem } from '../../src/catalog/registry.js';
import { solveInput } from '../../src/engine/run.js';
import { RunTally } from '../../src/engine/tally.js';
import { InProcess } from '../support/in-process.js';
import { MemorySink, runOptions, sourceOf } from '../support/running.js';
import { linesOf } from './invalid-inputs.js';

interface HowToSolve {
  /** The name of the input in messages. */
  readonly name: string;
  /** What `--on-error` says. */
  readonly policy: 'stop' | 'mark';
}

/** Returns the lines of answers, and the messages about what is wrong with the input. */
export async function solveHere(problemName: string, input: Uint8Array, { name, policy }: HowToSolve) {
  const problem = await loadProblem(problemName);
  const source = sourceOf(new Uint8Array(input), undefined, { name });
  const sink = new MemorySink();
  const messages: string[] = [];
  const options = runOptions({ problem, onError: policy, warn: (message) => messages.push(message) });
  await solveInput(source, sink, new InProcess(problem), options, new RunTally()).catch((error: Error) =>
    messages.push(error.message),
  );
  return { answers: linesOf(sink.text), messages };
}
