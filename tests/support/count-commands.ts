/** Counts what Redis does, so that tests can hold the cost of something to a number that no machine changes. */
import type { Redis } from 'ioredis';

export interface CommandCounts {
  /** Number of commands that Redis has executed, with those inside scripts. */
  readonly executed: number;
  /** Number of commands that clients have sent. */
  readonly sent: number;
}

/** Matches the keys of the signs of life of runs and worker processes, whose number depends on the time. */
const PRESENCE_KEY = /^boardmill:(needs|workers)\b/;

/** Counts the commands that Redis executes while the work is done, except those about signs of life. */
export async function countCommands(client: Redis, work: () => Promise<void>): Promise<CommandCounts> {
  const monitor = await client.monitor();
  const end = `end of the work ${Math.random()}`;
  const seen = { executed: 0, sent: 0 };
  const hasEnded = new Promise<void>((resolve) => {
    monitor.on('monitor', (_time: string, args: string[], source: string) => {
      if (args.includes(end)) resolve();
      if (args.some((word) => PRESENCE_KEY.test(word))) return;
      seen.executed++;
      if (source !== 'lua') seen.sent++;
    });
  });
  try {
    await work();
    await client.echo(end);
    await hasEnded;
    return seen;
  } finally {
    monitor.disconnect();
  }
}
