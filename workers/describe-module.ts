/** The code of the thread that loads a user's module once, for the coordinator. */
import { parentPort } from 'node:worker_threads';
import type { DescribeModuleReply, DescribeModuleRequest } from '../src/problems/modules/describe-module.js';
import { loadModuleDescription } from '../src/problems/modules/load-description.js';
import { loadBoardmill } from '../src/problems/modules/module-loader.js';

function post(reply: DescribeModuleReply): void {
  parentPort?.postMessage(reply);
}

// The thread may start before it is known which module it describes. What any module needs is loaded while the thread waits. An
// error of loading comes again, and is reported, when the module is loaded.
const isReady = loadBoardmill().catch(() => undefined);

parentPort!.once('message', (request: DescribeModuleRequest) => {
  isReady.then(() => loadModuleDescription(request)).then(post);
  // If the thread has nothing left to do before the module is loaded, the module waits for something that cannot happen. If the
  // module was loaded, the coordinator already has its reply, and ignores this one.
  process.on('beforeExit', () =>
    post({ mistake: `${request.shownAs} did not load: its top-level await never ends` }),
  );
});
