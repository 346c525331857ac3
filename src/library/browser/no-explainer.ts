/** Takes the place of the explainer of each problem. The library for browsers solves, and does not explain. */
import type { Explainer } from '../../problems/explanation.js';

export const explainer: Explainer = {
  explain() {
    throw new Error('boardmill/browser explains no answers');
  },
};
