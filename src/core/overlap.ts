/** Bounds on the number and on the total weight of the items that are processed at the same time. */
export interface ConcurrencyBounds<Item> {
  readonly maxCount: number;
  readonly maxWeight: number;
  weightOf(item: Item): number;
}

/**
 * Processes the items concurrently. The items are started in order, as many at the same time as the bounds allow, but
 * always at least one. After a failure, no more items are started, and the failure is thrown when all started items
 * have ended.
 */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  bounds: ConcurrencyBounds<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const allRunning = new Set<Promise<void>>();
  let weight = 0;
  const begin = (item: Item, itemWeight: number) => {
    weight += itemWeight;
    const running = work(item).finally(() => {
      weight -= itemWeight;
      allRunning.delete(running);
    });
    allRunning.add(running);
  };
  try {
    for (const item of items) {
      const itemWeight = Math.min(bounds.weightOf(item), bounds.maxWeight);
      while (
        allRunning.size > 0 &&
        (allRunning.size >= bounds.maxCount || weight + itemWeight > bounds.maxWeight)
      ) {
        await Promise.race(allRunning);
      }
      begin(item, itemWeight);
    }
    await Promise.all(allRunning);
  } finally {
    await Promise.allSettled(allRunning);
  }
}

/**
 * Work on one thing at a time that its callers share. A call that comes while the work on its thing goes on waits, and then all
 * that wait are served by one run of the work, which gets what each of them brings, in the order of the calls.
 */
export class CoalescedWork<Item = void> {
  /** What will be worked on next, by the name of the thing. */
  readonly #waiting = new Map<string, { readonly items: Item[]; readonly done: Promise<void> }>();
  /** The last run that was requested for each thing, until it has ended. */
  readonly #last = new Map<string, Promise<void>>();
  readonly #work: (name: string, items: readonly Item[]) => Promise<void>;

  constructor(work: (name: string, items: readonly Item[]) => Promise<void>) {
    this.#work = work;
  }

  /** Returns when a run of the work has ended that began after this call, and fails as that run does. */
  run(name: string, item: Item): Promise<void> {
    const waiting = this.#waiting.get(name);
    if (waiting !== undefined) {
      waiting.items.push(item);
      return waiting.done;
    }
    const items = [item];
    const done = (this.#last.get(name) ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        this.#waiting.delete(name);
        return this.#work(name, items);
      })
      .finally(() => {
        if (this.#last.get(name) === done) this.#last.delete(name);
      });
    this.#waiting.set(name, { items, done });
    this.#last.set(name, done);
    return done;
  }
}
