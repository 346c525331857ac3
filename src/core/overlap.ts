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
