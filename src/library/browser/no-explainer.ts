/** Replaces the explainer of each problem in browsers, because the library for browsers cannot explain answers. */
import type { Explainer } from '../../problems/explanation.js';

export const explainer: Explainer = {
  explain() {
    throw new Error('boardmill/browser explains no answers');
  },
};
