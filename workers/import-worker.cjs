/**
 * The file that Piscina loads in each worker thread. It loads the file that the pool names with import(), and calls its functions.
 * Piscina itself would load that file with require(); if a thread is ended while require() loads an ES module, Node 20 aborts the
 * whole process. It is no TypeScript file, so that it also works beside the sources.
 */
const { parentPort, threadId } = require('node:worker_threads');

const [, , file] = process.argv;

/** A call has the name of an exported function, and its argument `task`. Calls wait until the file is `ready`, if it says so. */
module.exports = import(file).then(async (functions) => {
  await functions.ready;
  // The pool ends no thread before this message: see LocalPool.
  parentPort.postMessage({ loadedThread: threadId });
  return ({ name, task }) => functions[name](task);
});
