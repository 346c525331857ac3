/** Loads a user's module for its description. Loading runs the code of the author, so only other threads use this file. */
import { BoardmillError } from '../../core/errors.js';
import type { DescribeModuleReply, DescribeModuleRequest } from './describe-module.js';
import { withFilesRead } from './files-read.js';
import { importDefinition } from './module-loader.js';

/**
 * Returns the description of the problem, or the author's mistake, when the coordinator has got all that the module printed.
 */
export async function loadModuleDescription(request: DescribeModuleRequest): Promise<DescribeModuleReply> {
  const reply = await describe(request);
  for (const stream of [process.stdout, process.stderr])
    await new Promise<unknown>((resolve) => stream.write('', resolve));
  return reply;
}

async function describe({ url, shownAs }: DescribeModuleRequest): Promise<DescribeModuleReply> {
  try {
    const { result, filesRead } = await withFilesRead(() => importDefinition(url, shownAs));
    return { description: structuredClone(result.description), filesRead };
  } catch (error) {
    if (error instanceof BoardmillError)
      return error.kind === 'worker' ? { lack: error.message } : { mistake: error.message };
    return { mistake: `${shownAs}: the formats of the problem are not plain data` };
  }
}
