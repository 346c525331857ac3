/** `boardmill problems`: lists the problems that boardmill can solve. */
import type { Argv } from 'yargs';
import { PROBLEMS } from '../../problems/registry.js';
import type { ArgumentsOf } from '../command.js';
import { EXIT_CODE } from '../exit.js';

export function options(parser: Argv) {
  return parser.option('json', {
    type: 'boolean',
    default: false,
    describe: 'print JSON, with the limits of the contest and of boardmill',
  });
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  process.stdout.write(args.json ? await formatJson() : formatTable());
  return EXIT_CODE.ok;
}

async function formatJson(): Promise<string> {
  const list = await Promise.all(
    PROBLEMS.map(async ({ name, aliases, title, source, load }) => {
      const { contestLimits: contest, supportedLimits } = (await load()).problem;
      return { name, aliases, title, source, contest, limits: supportedLimits };
    }),
  );
  return `${JSON.stringify(list, null, 2)}\n`;
}

function formatTable(): string {
  const width = Math.max(...PROBLEMS.map(({ name }) => name.length));
  const lines = PROBLEMS.map(
    ({ name, aliases, title, source }) =>
      `${name.padEnd(width)}  ${title} (${source}); aliases: ${aliases.join(', ')}`,
  );
  return `${lines.join('\n')}\n`;
}
