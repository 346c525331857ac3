/**
 * What may happen around an input, story by story: it is delivered in some way, solved twice, repaired, cut into shards, or
 * its run is disturbed. Each story plays in a folder of its own and compares what boardmill does with what the model says.
 *
 * To add a story, write a file with what its scenarios draw and how they are played (`defineStory` of story.ts), and list it.
 */
import { again } from './again.js';
import { census } from './census.js';
import { delivery } from './delivery.js';
import { folder } from './folder.js';
import { full } from './full.js';
import { grade } from './grade.js';
import { history } from './history.js';
import { library } from './library.js';
import { program } from './program.js';
import { repair } from './repair.js';
import { shards } from './shards.js';
import { stop } from './stop.js';
import type { Story } from './story.js';
import { table } from './table.js';
import { unread } from './unread.js';

export const STORIES: readonly Story[] = [
  delivery,
  library,
  again,
  repair,
  folder,
  history,
  table,
  program,
  shards,
  census,
  grade,
  stop,
  full,
  unread,
];
