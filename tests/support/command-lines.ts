/** Finds command lines of boardmill in texts, and checks that boardmill understands them, without running them. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'shell-quote';
import yargs from 'yargs';
import type * as Mistakes from '../../src/cli/arguments/mistakes.js';
import type * as SyntaxModule from '../../src/cli/arguments/syntax.js';
import type * as Yargs from '../../src/cli/arguments/yargs.js';
import { COMMANDS, commandName } from '../../src/cli/command-list.js';
import { ROOT } from '../cli/boardmill.js';

/** The build knows its version, which the help shows; the sources do not. */
const load = (path: string) => import(pathToFileURL(join(ROOT, 'build/src/cli', path)).href);
const { assertOptionsUsable } = (await load('arguments/mistakes.js')) as typeof Mistakes;
const { optionsOfCommand } = (await load('arguments/syntax.js')) as typeof SyntaxModule;
const { describeProgramToYargs, describeSyntaxToYargs } = (await load('arguments/yargs.js')) as typeof Yargs;

const NAMES = COMMANDS.map(({ usage }) => commandName(usage)).join('|');

/** A command of boardmill: all up to the end of the line, or to what ends a command in a shell, a comment or inline code. */
const COMMAND = new RegExp(`(?<![-/\\w])boardmill(?::\\S+)? (?=(?:${NAMES})\\b)([^\\n|&;)\`]*)`, 'g');

/** Returns the arguments of each command of boardmill in a text, such as a page or a script. Variables keep their names. */
export function commandsIn(text: string): string[][] {
  const joined = text.replace(/ *\\\n(?:#)? */g, ' ');
  return [...joined.matchAll(COMMAND)].map(([, line]) => wordsOf(line));
}

/** Returns the words of a command, without redirections and without what follows a quote that ends before its beginning. */
function wordsOf(line: string): string[] {
  const isInQuotes = (line.match(/'/g)?.length ?? 0) % 2 === 1;
  const command = isInQuotes ? line.slice(0, line.lastIndexOf("'")) : line;
  const tokens = parse(command.replace(/ \d?>.*/, ''), (name) => `$${name}`);
  return tokens.flatMap((token) => {
    if (typeof token === 'string') return [token];
    return 'pattern' in token ? [token.pattern] : [];
  });
}

/** Returns what is wrong with the arguments of boardmill; null if boardmill would run the command. */
export async function findMistake(args: readonly string[]): Promise<string | null> {
  const entry = COMMANDS.find(({ usage }) => commandName(usage) === args[0]);
  if (entry === undefined) return `there is no command ${args[0]}`;
  const { syntax } = await entry.load();
  if (args.includes('--help')) return null;
  try {
    assertOptionsUsable({ usage: entry.usage, args, options: optionsOfCommand(syntax) });
    const usage = entry.usage.replace(commandName(entry.usage), '$0');
    await describeProgramToYargs(yargs())
      .command(
        usage,
        entry.description,
        (parser) => describeSyntaxToYargs(parser, syntax),
        () => {},
      )
      .parseAsync(args.slice(1));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
