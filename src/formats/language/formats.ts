/** `formats`: the functions that describe layouts, fields and answers, in one object. */
import {
  bigint,
  bigints,
  digits,
  either,
  grid,
  int,
  ints,
  line,
  lines,
  list,
  lower,
  many,
  number,
  numbers,
  safeInts,
  table,
  until,
  upper,
  word,
  words,
} from './fields.js';
import { counted, labelled, single, untilEnd, untilTerminator } from './layouts.js';

/**
 * All functions that describe inputs and answers. Take the ones you need: `const { counted, int } = formats`.
 * docs/your-own-problem.md shows each function in use.
 *
 * @namespace
 */
export const formats = {
  counted,
  untilEnd,
  untilTerminator,
  single,
  int,
  bigint,
  number,
  word,
  line,
  ints,
  safeInts,
  numbers,
  bigints,
  words,
  lines,
  grid,
  table,
  list,
  either,
  until,
  many,
  lower,
  upper,
  digits,
  labelled,
} as const;
