/** Hosts in this process, whose dispatchers are given by the test. */

import { createResult } from '../../../src/engine/chunk-result.js';
import type { Dispatcher } from '../../../src/engine/dispatcher.js';
import type { ChunkResult, ChunkTask } from '../../../src/engine/messages.js';
import { Host, type Verdict } from '../../../src/engine/queue/host.js';
import type { HostEvent } from '../../../src/engine/queue/host-log.js';
import type { Needs } from '../../../src/engine/queue/needs.js';
import { parseRedisUrl } from '../../../src/engine/queue/redis.js';
import { dispatcherOf } from '../../support/dispatchers.js';

/** Returns the dispatcher with which a host meets needs; null if it refuses them. */
type Meet = (needs: Needs) => { readonly solve: Dispatcher['solve'] } | null;

export class FakeHosts {
  /** What all hosts have logged. */
  readonly events: HostEvent[] = [];
  readonly #url: string;
  readonly #stop = new AbortController();
  readonly #hosts: { readonly host: Host; readonly served: Promise<void> }[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  start(meet: Meet, jobs = 1): Promise<Host> {
    return this.startWith(async (needs) => {
      const dispatcher = meet(needs);
      if (dispatcher === null) return { refusal: 'the test refuses it' };
      return { open: async () => dispatcherOf(dispatcher.solve) };
    }, jobs);
  }

  async startWith(judge: (needs: Needs) => Promise<Verdict>, jobs = 1): Promise<Host> {
    const { signal } = this.#stop;
    const log = (event: HostEvent) => void this.events.push(event);
    const options = { address: parseRedisUrl(this.#url)!, jobs, judge, log, version: '9.9.9' };
    const host = await Host.open(options, signal);
    this.#hosts.push({ host, served: host.serve(signal) });
    return host;
  }

  async close(): Promise<void> {
    this.#stop.abort('SIGTERM');
    for (const { host, served } of this.#hosts) {
      await served;
      await host.close();
    }
  }
}

/** A result that answers all cases of a chunk. */
export function resultOf({ starts }: ChunkTask): ChunkResult {
  const answeredCases = starts.length - 1;
  const span = { lines: 0, bytesAfterLastLineEnd: 0 };
  return createResult({ span, answeredCases, output: new Uint8Array(answeredCases), solver: 'portable' });
}
