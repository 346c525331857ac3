/** Bounds on what is under way at a time: how many items, and how much they weigh together. */
export interface OverlapBounds<Item> {
  readonly count: number;
  readonly weight: number;
  weightOf(item: Item): number;
}

/**
 * Works on the items, begun in their order, as many at a time as the bounds allow and always one. Throws the
 * first failure, when all that was begun is over; no more is begun then.
 */
export async function overlap<Item>(
  items: Iterable<Item>,
  bounds: OverlapBounds<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const open = new Set<Promise<void>>();
  let weight = 0;
  const begin = (item: Item, itemWeight: number) => {
    weight += itemWeight;
    const over = work(item).finally(() => {
      weight -= itemWeight;
      open.delete(over);
    });
    open.add(over);
  };
  try {
    for (const item of items) {
      const itemWeight = Math.min(bounds.weightOf(item), bounds.weight);
      while (open.size > 0 && (open.size >= bounds.count || weight + itemWeight > bounds.weight)) {
        await Promise.race(open);
      }
      begin(item, itemWeight);
    }
    await Promise.all(open);
  } finally {
    await Promise.allSettled(open);
  }
}
