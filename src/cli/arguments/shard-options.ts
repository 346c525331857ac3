/** The option with which `solve` solves only a shard of its input. */
import { fileKindOf } from '../../core/files/files.js';
import { formatCount } from '../../core/format-count.js';
import { MAX_SHARDS, type Shard } from '../../engine/input/shard.js';
import * as row from './rows.js';
import { usageError } from './usage-error.js';
import { assertGiven } from './values.js';

/** The row of `--shard`. */
export const SHARD_OPTION = row.valueOption(
  parseShard,
  'solve only the I-th of N shards of the input, given as I/N, such as 3/8; merge joins the outputs of all shards',
  { value: 'I/N' },
);

function parseShard(text: string, option: string): Shard {
  const match = /^(\d{1,7})\/(\d{1,7})$/.exec(assertGiven(text, option, 'a shard such as 3/8'));
  const [number, count] = match === null ? [0, 0] : [Number(match[1]), Number(match[2])];
  if (number >= 1 && number <= count && count <= MAX_SHARDS) return { number, count };
  const most = formatCount(MAX_SHARDS);
  throw usageError(
    `${option} needs I/N, such as 3/8 for the third of eight shards, with I from 1 to N and N at most ${most}, got "${text}"`,
  );
}

/** Fails with kind `usage` if shards cannot be read from this input, or a shard's answers cannot be written to this output. */
export async function assertShardFilesRegular(input: string, output: string): Promise<void> {
  if (input === '-' || (await fileKindOf(input, 'open')) === 'special')
    throw usageError(
      '--shard needs a file as its input, because standard input and pipes can be read only once',
    );
  if (output === '-' || (await fileKindOf(output, 'create')) === 'special')
    throw usageError('--shard needs --output FILE: a record of the shard is written beside the file');
}
