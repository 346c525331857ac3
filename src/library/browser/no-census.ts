/** Replaces the fast census of bacterial-tactics in browsers, because the library for browsers counts no boards. */
export const BacterialCensus = {
  open(): never {
    throw new Error('boardmill/browser counts no boards');
  },
};
