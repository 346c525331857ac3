/** What the small process that starts external programs runs; see engine/program-host.ts. */
import { BoardmillError } from '../src/core/errors.js';
import { Program, type RunReply, type RunRequest } from '../src/engine/program.js';

const program = new Program(process.argv.slice(2));

process.on('message', async ({ id, input, limits }: RunRequest) => {
  process.send?.(await answer(id, () => program.run(input, limits)));
});
// However boardmill has ended, its programs end with it.
process.on('disconnect', () => process.exit());

async function answer(id: number, run: () => ReturnType<Program['run']>): Promise<RunReply> {
  try {
    return { id, outcome: await run() };
  } catch (error) {
    if (error instanceof BoardmillError) return { id, refusal: { kind: error.kind, message: error.message } };
    throw error;
  }
}
