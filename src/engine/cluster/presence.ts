/** Who is there: runs write what they need into Redis, and hosts write which of these needs they meet. */
import * as v from 'valibot';
import { parseJson } from '../../core/json.js';
import { MAX_NEEDS_CHARS, PRESENCE_SECONDS } from '../limits.js';
import { HOSTS_KEY, hostKey, keepQueue, NEEDS_KEY, needsKey } from './keys.js';
import { idOfNeeds, type Needs, printNeeds } from './needs.js';
import type { RedisLink } from './redis.js';

const HostSchema = v.object({
  /** A random text. In containers, two processes may have the same number on machines of the same name. */
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(36)),
  /** The host as messages name it: the name of the machine, the number of the process, and the beginning of its id. */
  name: v.pipe(v.string(), v.maxLength(300)),
  /** Number of worker threads. */
  jobs: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** For the id of each needs that the host has seen: null if it meets them, and otherwise why it does not. */
  verdicts: v.record(v.string(), v.nullable(v.string())),
});

/** What a host says about itself. */
export type HostStatus = v.InferOutput<typeof HostSchema>;

/** Says that a run with these needs is there. */
export async function announceRun(link: RedisLink, needs: Needs): Promise<void> {
  const id = idOfNeeds(needs);
  await link.writeTogether((transaction) =>
    transaction
      .sadd(NEEDS_KEY, id)
      .expire(NEEDS_KEY, PRESENCE_SECONDS)
      .set(needsKey(id), printNeeds(needs), 'EX', PRESENCE_SECONDS),
  );
  await keepQueue(link, id);
}

/** Returns the ids of the needs of all runs that are there, each with the text of its needs. */
export async function listNeeds({ client }: RedisLink): Promise<Map<string, string>> {
  return readMembers(client, NEEDS_KEY, needsKey);
}

/** Says that a host is there. */
export async function announceHost(link: RedisLink, status: HostStatus): Promise<void> {
  await link.writeTogether((transaction) =>
    transaction
      .sadd(HOSTS_KEY, status.id)
      .expire(HOSTS_KEY, PRESENCE_SECONDS)
      .set(hostKey(status.id), JSON.stringify(status), 'EX', PRESENCE_SECONDS),
  );
}

/** Says that a host has ended. */
export async function removeHost(link: RedisLink, id: string): Promise<void> {
  await link.writeTogether((transaction) => transaction.srem(HOSTS_KEY, id).del(hostKey(id)));
}

export async function listHosts({ client }: RedisLink): Promise<HostStatus[]> {
  const texts = await readMembers(client, HOSTS_KEY, hostKey);
  return [...texts.values()].flatMap((text) => {
    const read = v.safeParse(HostSchema, parseJson(text));
    return read.success ? [read.output] : [];
  });
}

/** Returns the text of each member of a set. Members whose text is gone are removed from the set. */
async function readMembers(
  client: RedisLink['client'],
  set: string,
  keyOf: (member: string) => string,
): Promise<Map<string, string>> {
  const members = await client.smembers(set);
  if (members.length === 0) return new Map();
  const texts = await client.mget(members.map(keyOf));
  const gone = members.filter((_, index) => texts[index] === null);
  if (gone.length > 0) await client.srem(set, ...gone);
  return new Map(
    members.flatMap((member, index) => {
      const text = texts[index];
      return text === null || text.length > MAX_NEEDS_CHARS ? [] : [[member, text] as const];
    }),
  );
}
