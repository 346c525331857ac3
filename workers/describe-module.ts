/** The code of the thread that loads a user's module once, for the coordinator. */
import { parentPort } from 'node:worker_threads';
import { BoardmillError } from '../src/core/errors.js';
import type { DescribeReply, DescribeRequest } from '../src/problems/modules/describe-module.js';
import { importDefinition, loadBoardmill } from '../src/problems/modules/module-loader.js';

async function describe({ url, shownAs }: DescribeRequest): Promise<DescribeReply> {
  try {
    const { description } = await importDefinition(url, shownAs);
    return { description: structuredClone(description) };
  } catch (error) {
    if (error instanceof BoardmillError) return { mistake: error.message };
    return { mistake: `${shownAs}: the formats of the problem are not plain data` };
  }
}

/** Waits until the coordinator has got everything that the module printed. */
async function flushOutput(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise((resolve) => stream.write('', resolve));
  }
}

function post(reply: DescribeReply): void {
  parentPort?.postMessage(reply);
}

// The thread may start before it is known which module it describes. What any module needs is loaded while the thread waits.
const isReady = loadBoardmill();

parentPort!.once('message', (request: DescribeRequest) => {
  isReady
    .then(() => describe(request))
    .then(async (reply) => {
      await flushOutput();
      post(reply);
    });
  // If the thread has nothing left to do before the module is loaded, the module waits for something that cannot happen. If the
  // module was loaded, the coordinator already has its reply, and ignores this one.
  process.on('beforeExit', () =>
    post({ mistake: `${request.shownAs} did not load: its top-level await never ends` }),
  );
});
