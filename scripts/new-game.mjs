/**
 * Makes a small game that works: `npm run new-game NAME`. Its files are in new-game/, with the name in place of {{name}}. You then
 * replace its rules, file by file, while the quick tests stay green. "Add a game" in CONTRIBUTING.md says how to go on.
 *
 * It makes a folder in src/games/, a folder in data/ and two files in tests/, and adds a row to each of the two lists of games,
 * src/catalog/registry.ts and README.md.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEMPLATES = fileURLToPath(new URL('new-game/', import.meta.url));
const REGISTRY = 'src/catalog/registry.ts';
/** The profiles of the generated inputs whose hashes are test data, and the seed of these inputs. */
const HASHED_PROFILES = ['tiny', 'random', 'contest-max', 'hard'];
const HASHED_SEED = '7';

try {
  newGame(process.argv[2]);
} catch (error) {
  console.error(`new-game: ${error.message}`);
  process.exitCode = 1;
}

/** @param {string | undefined} name */
function newGame(name) {
  const places = placesOf(checkedName(name));
  for (const path of Object.values(places)) {
    if (existsSync(join(ROOT, path))) throw new Error(`${path} exists already`);
  }
  writeSources(name, places);
  addToRegistry(name);
  addToReadme(name);
  // How long the name is decides where lines break.
  run('node_modules/@biomejs/biome/bin/biome', 'check', '--write', ...Object.values(places), REGISTRY);
  run('scripts/build.mjs');
  writeSamples(name, places.data);
  writeHashes(name, places.fixture);
  console.log(`made ${Object.values(places).join(', ')}, and a row in ${REGISTRY} and in README.md`);
  console.log('now: npm run test:quick, then "Add a game" in CONTRIBUTING.md');
}

/** A name becomes part of file names and of command lines. */
function checkedName(name) {
  if (name === undefined || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new Error(`expected a name in kebab case, as in \`npm run new-game four-in-a-row\`, got ${name}`);
  if (read(REGISTRY).includes(`'${name}'`)) throw new Error(`${REGISTRY} has the name ${name} already`);
  return name;
}

function placesOf(name) {
  return {
    game: `src/games/${name}`,
    data: `data/${name}`,
    oracle: `tests/oracles/${name}.ts`,
    fixture: `tests/fixtures/problems/${name}.mjs`,
  };
}

function writeSources(name, { game, data, oracle, fixture }) {
  for (const template of readdirSync(join(TEMPLATES, 'src')))
    write(`${game}/${basename(template, '.txt')}`, filled(`src/${template}`, name));
  cpSync(join(TEMPLATES, 'data'), join(ROOT, data), { recursive: true });
  write(oracle, filled('tests/oracle.ts.txt', name));
  write(fixture, filled('tests/fixture.mjs.txt', name));
}

function addToRegistry(name) {
  const entry = filled('registry-entry.ts.txt', name);
  replaceOnce(REGISTRY, /^(export const PROBLEMS: [\s\S]*?\n)(\];\n)/m, (_, list, end) => list + entry + end);
}

/** Adds a row to the end of the table of built-in games. */
function addToReadme(name) {
  const page = `https://github.com/boardmill/boardmill/blob/main/src/games/${name}/README.md`;
  const row = `| [\`${name}\`](${page}) | | ${titleOf(name)} |\n`;
  replaceOnce('README.md', /^(## Built-in games\n\n(?:\|.*\n)+)/m, (_, table) => table + row);
}

/** Generates the samples that are not in the statement, and has boardmill solve them. */
function writeSamples(name, folder) {
  for (const profile of ['tiny', 'random']) {
    const input = boardmill('generate', name, '--cases', '100', '--seed', '1', '--profile', profile);
    write(`${folder}/sample/${profile}.in`, input);
    write(`${folder}/sample/${profile}.ans`, boardmill('solve', name, `${folder}/sample/${profile}.in`));
  }
}

function writeHashes(name, fixture) {
  for (const profile of HASHED_PROFILES) {
    const [, cases] = new RegExp(`'?${profile}'?: \\{ cases: (\\d+)`).exec(read(fixture));
    const input = boardmill('generate', name, '--cases', cases, '--seed', HASHED_SEED, '--profile', profile);
    const sha256 = createHash('sha256').update(input, 'latin1').digest('hex').slice(0, 16);
    replaceOnce(fixture, `{{sha256 of ${profile}}}`, () => sha256);
  }
}

function filled(template, name) {
  return readFileSync(join(TEMPLATES, template), 'utf8')
    .replaceAll('{{name}}', name)
    .replaceAll('{{title}}', titleOf(name));
}

function titleOf(name) {
  return name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
}

function replaceOnce(path, pattern, replacement) {
  const before = read(path);
  const after = before.replace(pattern, replacement);
  if (after === before)
    throw new Error(`${path} has no place for the game: new-game.mjs looks for ${pattern}`);
  write(path, after);
}

function read(path) {
  return readFileSync(join(ROOT, path), 'utf8');
}

function write(path, text) {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true });
  writeFileSync(join(ROOT, path), text);
}

function boardmill(...args) {
  const main = join(ROOT, 'dist/src/cli/main.js');
  return execFileSync(process.execPath, [main, ...args], { cwd: ROOT, encoding: 'latin1' });
}

function run(script, ...args) {
  execFileSync(process.execPath, [join(ROOT, script), ...args], { cwd: ROOT, stdio: 'inherit' });
}
