/** Every command works on every kind of problem, and on every layout of an input: see any-problem-subjects.ts. */
import { testCommands } from './any-problem-subjects.js';

testCommands([0]);
