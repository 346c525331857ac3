/** Every command works on every kind of problem with every layout of an input: the pairs that any-problem.test.ts leaves out. */
import { allowSlowTests } from '../support/slow-tests.js';
import { testCommands } from './any-problem-subjects.js';

allowSlowTests();
testCommands([1, 2, 3]);
