/** The inputs that a program behind `--generator` prints. What is wrong with them is the fault of the generator. */

import { formatCommandLine } from '../../core/command-line.js';
import { BoardmillError } from '../../core/errors.js';
import { Seed } from '../../core/random.js';
import { InputGenerator } from '../../engine/exec/generator.js';
import type { AuthorFunctionPool } from '../cases/author-pool.js';
import type { GeneratedRoundInput } from '../cases/batches.js';
import { assertInputValid, type CasesOfInput, readCases } from '../cases/read-cases.js';
import type { StressPlan } from './plan.js';

/** Opens the generator of a plan; null if boardmill draws the inputs. */
export async function openInputGenerator(plan: StressPlan): Promise<InputGenerator | null> {
  const { generator, jobs, timeoutSeconds } = plan;
  return generator && InputGenerator.open({ argv: generator, jobs, timeoutSeconds });
}

/** Lets the generator print the input of a round. Fails with kind `worker` if the generator fails or the input is bad. */
export async function generateRoundInput(
  plan: StressPlan,
  generator: InputGenerator,
  author: AuthorFunctionPool,
  round: number,
): Promise<GeneratedRoundInput> {
  const seed = seedOfRound(plan.seed, round);
  const command = formatCommandLine(generator.argvFor(seed));
  try {
    return { ...(await readInput(plan, await generator.run(seed), author, `<${command}>`)), command };
  } catch (error) {
    if (!(error instanceof BoardmillError) || !['input', 'worker'].includes(error.kind)) throw error;
    const words = formatCommandLine(plan.problem.words);
    const repeat = error.kind === 'input' ? `${command} | boardmill validate ${words}` : command;
    const message = `${error.message}; this is the generator's fault, repeat with: ${repeat}`;
    throw new BoardmillError('worker', message, { cause: error });
  }
}

/** The seed that the generator gets. Programs in all languages can read a number of 31 bits. */
function seedOfRound(seed: string, round: number): number {
  return new Seed(`${seed}/generator`).random(round).word() >>> 1;
}

async function readInput(
  { problem }: StressPlan,
  bytes: Uint8Array,
  author: AuthorFunctionPool,
  name: string,
): Promise<CasesOfInput> {
  const findInvalid = problem.author?.hasValid
    ? (...args: Parameters<AuthorFunctionPool['findInvalid']>) => author.findInvalid(...args)
    : undefined;
  await assertInputValid(name, bytes, problem, findInvalid);
  const read = await readCases(name, bytes, problem);
  if (read.cases.length === 0) throw new BoardmillError('worker', `${name}: printed an input without cases`);
  return read;
}
