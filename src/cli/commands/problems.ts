/** `boardmill problems`: what can be solved. */
import type { Argv } from 'yargs';
import { PROBLEMS } from '../../problems/registry.js';
import type { ArgumentsOf } from '../command.js';
import { EXIT } from '../exit.js';

export function options(words: Argv) {
  return words.option('json', { type: 'boolean', default: false, describe: 'as JSON, with the limits' });
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  process.stdout.write(args.json ? await asJson() : asTable());
  return EXIT.ok;
}

async function asJson(): Promise<string> {
  const list = await Promise.all(
    PROBLEMS.map(async ({ name, aliases, title, source, load }) => {
      const { contestLimits: contest, limits } = (await load()).problem;
      return { name, aliases, title, source, contest, limits };
    }),
  );
  return `${JSON.stringify(list, null, 2)}\n`;
}

function asTable(): string {
  const width = Math.max(...PROBLEMS.map(({ name }) => name.length));
  const lines = PROBLEMS.map(
    ({ name, aliases, title, source }) =>
      `${name.padEnd(width)}  ${title} (${source}); also ${aliases.join(', ')}`,
  );
  return `${lines.join('\n')}\n`;
}
