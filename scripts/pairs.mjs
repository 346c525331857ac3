/**
 * `npm run pairs`: writes docs/pairs.md, which says what works with what: every option of every command with every kind of
 * problem, each tried on a small example. If an option is ignored, it says so instead, with exit code 1. `npm run pairs -- stats`
 * tries one command, and writes its section alone.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COMMAND_NAMES, ignoredOptions, MissingExample, sectionOf, tryCommand } from './pairs/pairs.mjs';

const PAGE = fileURLToPath(new URL('../docs/pairs.md', import.meta.url));

const HEAD = `# What works with what

Each command takes problems of four kinds: a board game, a module, a grammar whose input is one case, and a grammar with
\`--multitest\`. The tables say which options work with which kind, and what boardmill answers if one does not. \`judge --package\` takes
problem packages, of two versions of their format. \`npm run pairs\` makes this page: it tries every option on a small example.
`;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !COMMAND_NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`pairs: ${unknown[0]} is not one of ${COMMAND_NAMES.join(', ')}`);
  process.exit(2);
}
const before = readFileSync(PAGE, 'utf8')
  .split(/\n(?=## )/)
  .slice(1);
const sections = [];
const ignored = [];
for (const command of COMMAND_NAMES) {
  if (wanted.length > 0 && !wanted.includes(command)) {
    sections.push(before.find((section) => section.startsWith(`## ${command}\n`)));
    continue;
  }
  console.error(`${command} ...`);
  const tried = await tryCommand(command).catch((error) => {
    if (!(error instanceof MissingExample)) throw error;
    console.error(`pairs: ${error.message}`);
    process.exit(1);
  });
  sections.push(sectionOf(tried));
  ignored.push(...ignoredOptions(tried));
}
if (ignored.length > 0) {
  console.error(`these options changed nothing, so docs/pairs.md is not written:\n  ${ignored.join('\n  ')}`);
  process.exitCode = 1;
} else writeFileSync(PAGE, [HEAD, ...sections].join('\n'));
