/**
 * Makes a version: `npm run release -- 0.4.0 [--dry-run]`. The script dates the section of CHANGELOG.md, sets the version,
 * builds and packs the package, checks the licences of the libraries in it, writes a list of these libraries (an SBOM in
 * the format CycloneDX) and checksums into release/, commits, and makes an annotated tag. It pushes and publishes
 * nothing: at the end it prints the commands for that. With `--dry-run` it only checks, and changes nothing.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const BRANCH = 'main';
/** The files that a release changes. */
const VERSION_FILES = ['CHANGELOG.md', 'package.json', 'package-lock.json'];
const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** Licences under which a library may be part of the package. All of them only ask for their text to be shipped. */
const ALLOWED_LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
]);

/** A release that cannot be made. The message says what to do. */
export class ReleaseError extends Error {}

/**
 * Makes the version in the repository `root`. `build` builds dist/. If a step fails, the changed files get their old
 * content back. Returns the paths of the files in release/.
 */
export async function release({ root, version, date, build }) {
  assertReady(root, version);
  const changelog = releaseChangelog(read(root, 'CHANGELOG.md'), version, date);
  const old = VERSION_FILES.map((name) => [name, read(root, name)]);
  try {
    writeVersion(root, version, changelog.text);
    await build();
    const files = writeArtifacts(root, version, date);
    commitAndTag(root, version, changelog.notes);
    return files;
  } catch (error) {
    for (const [name, text] of old) writeFileSync(join(root, name), text);
    git(root, 'reset', '--quiet');
    throw error;
  }
}

/** Checks everything that can be checked without changing a file. Returns what the release would say. */
export function rehearse({ root, version, date }) {
  assertReady(root, version);
  const { notes } = releaseChangelog(read(root, 'CHANGELOG.md'), version, date);
  if (existsSync(join(root, 'dist', 'LICENCES.txt'))) assertLicencesAllowed(readLibraries(root));
  return notes;
}

/** Fails if the version is not a version, or if the repository is not in the state from which releases are made. */
export function assertReady(root, version) {
  if (!VERSION.test(version)) throw new ReleaseError(`expected a version such as 1.2.3, got ${version}`);
  const branch = git(root, 'rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== BRANCH) throw new ReleaseError(`releases are made on ${BRANCH}, but this is ${branch}`);
  const changes = git(root, 'status', '--porcelain');
  if (changes !== '') throw new ReleaseError(`the tree is not clean; commit or remove:\n${changes}`);
  if (git(root, 'tag', '--list', `v${version}`) !== '')
    throw new ReleaseError(`the tag v${version} exists already`);
}

/**
 * Gives the section of the version its date. The section's heading is `## Unreleased` or `## 1.2.3 (unreleased)`. Returns
 * the new text of the changelog, and the text of the section.
 */
export function releaseChangelog(text, version, date) {
  const sections = text.split(/^(?=## )/m);
  const headings = [`## ${version} (unreleased)`, '## Unreleased'];
  const heading = headings.find((each) => sections.some((section) => headingOf(section) === each));
  if (heading === undefined)
    throw new ReleaseError(`CHANGELOG.md has no section "${headings.join('" or "')}"`);
  const index = sections.findIndex((section) => headingOf(section) === heading);
  const notes = sections[index].slice(heading.length).trim();
  if (notes === '') throw new ReleaseError(`the section "${heading}" of CHANGELOG.md is empty`);
  const dated = `## ${version} (${date})${sections[index].slice(heading.length)}`;
  return { text: sections.with(index, dated).join(''), notes };
}

function headingOf(section) {
  return section.split('\n', 1)[0].trim();
}

function writeVersion(root, version, changelog) {
  writeFileSync(join(root, 'CHANGELOG.md'), changelog);
  writeJson(join(root, 'package.json'), { ...JSON.parse(read(root, 'package.json')), version });
  const lock = JSON.parse(read(root, 'package-lock.json'));
  lock.version = version;
  lock.packages[''].version = version;
  writeJson(join(root, 'package-lock.json'), lock);
}

/** Writes the tarball, the SBOM and the checksums into release/. Returns their paths. */
function writeArtifacts(root, version, date) {
  const libraries = readLibraries(root);
  assertLicencesAllowed(libraries);
  const folder = join(root, 'release');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const tarball = join(folder, pack(root, folder));
  const sbom = join(folder, `boardmill-${version}.cdx.json`);
  writeJson(sbom, makeSbom(JSON.parse(read(root, 'package.json')), libraries, date, hashOf(tarball)));
  const sums = join(folder, 'SHA256SUMS');
  writeFileSync(sums, [tarball, sbom].map((path) => `${hashOf(path)}  ${basename(path)}\n`).join(''));
  return [tarball, sbom, sums];
}

/** Packs what is built, and returns the name of the tarball. */
function pack(root, folder) {
  const options = [
    '--ignore-scripts',
    '--offline',
    '--json',
    '--loglevel=error',
    '--pack-destination',
    folder,
  ];
  return findTarball(JSON.parse(run(root, 'npm', 'pack', ...options)));
}

/** Newer versions of npm print an object instead of a list. */
function findTarball(report) {
  const [{ filename }] = Array.isArray(report) ? report : Object.values(report);
  return filename;
}

/**
 * Returns the libraries that users of the package get: those in the bundle, which dist/LICENCES.txt lists, and those that
 * npm installs with the package. Each has a name, a version, a licence, and the hash of its tarball if it is known.
 */
export function readLibraries(root) {
  const locked = readLockedPackages(root);
  const bundled = readBundledLibraries(read(root, 'dist/LICENCES.txt'));
  const installed = locked.filter(({ isInstalled }) => isInstalled);
  const libraries = new Map([...bundled, ...installed].map((each) => [`${each.name}@${each.version}`, each]));
  return [...libraries.values()]
    .map(({ name, version, licence }) => {
      const { integrity = null } =
        locked.find((each) => each.name === name && each.version === version) ?? {};
      return { name, version, licence, integrity };
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Returns the packages in package-lock.json. The installed ones are those that npm installs with boardmill. */
function readLockedPackages(root) {
  return Object.entries(JSON.parse(read(root, 'package-lock.json')).packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, license, integrity, dev = false, devOptional = false }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license ?? 'unknown',
      integrity,
      isInstalled: !dev && !devOptional,
    }));
}

/** Parses the list that the bundler writes: parts between lines of hyphens, each of which begins with the library. */
export function readBundledLibraries(text) {
  const [, ...parts] = text.split(/^-{80}$/m);
  if (parts.length === 0) throw new ReleaseError('dist/LICENCES.txt lists no libraries; build first');
  return parts.map((part) => {
    const [line] = part.trim().split('\n');
    const [, name, version, licence] = /^(\S+) (\d\S*) \((.+)\)$/.exec(line) ?? [];
    if (name === undefined) throw new ReleaseError(`dist/LICENCES.txt: expected a library, got ${line}`);
    return { name, version, licence };
  });
}

/** Fails if the licence of a library is not in the list of allowed licences. */
export function assertLicencesAllowed(libraries) {
  const others = libraries.filter(({ licence }) => !isAllowed(licence));
  if (others.length === 0) return;
  const list = others.map(({ name, version, licence }) => `${name} ${version}: ${licence}`).join('\n');
  throw new ReleaseError(`these licences are not in the list of allowed licences:\n${list}`);
}

/** Whether the licence, or one of several that the user may choose from, is allowed. */
function isAllowed(licence) {
  const choices = licence.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return choices.some((choice) => ALLOWED_LICENCES.has(choice));
}

/**
 * Makes the SBOM (software bill of materials): the package, with the hash of its tarball, and the libraries in it. The
 * format is CycloneDX 1.5, https://cyclonedx.org/docs/1.5/json/. The same package gives the same SBOM.
 */
export function makeSbom({ name, version, description, license }, libraries, date, tarballHash) {
  const root = {
    type: 'application',
    'bom-ref': purlOf(name, version),
    name,
    version,
    description,
    licenses: licensesOf(license),
    purl: purlOf(name, version),
    hashes: [{ alg: 'SHA-256', content: tarballHash }],
  };
  const components = libraries.map(componentOf);
  const references = components.map((component) => component['bom-ref']);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(tarballHash)}`,
    version: 1,
    metadata: { timestamp: `${date}T00:00:00Z`, component: root },
    components,
    dependencies: [
      { ref: root['bom-ref'], dependsOn: references },
      ...references.map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}

function componentOf({ name, version, licence, integrity }) {
  return {
    type: 'library',
    'bom-ref': purlOf(name, version),
    name,
    version,
    licenses: licensesOf(licence),
    purl: purlOf(name, version),
    ...(integrity === null ? {} : { hashes: [hashOfIntegrity(integrity)] }),
  };
}

/** Returns the licence in the form of CycloneDX, which distinguishes a licence from several to choose from. */
function licensesOf(licence) {
  return licence.includes(' ') ? [{ expression: licence }] : [{ license: { id: licence } }];
}

/** Returns the URL by which lists of vulnerabilities name the package. */
function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** Returns the hash of package-lock.json, `sha512-` and base64, in the form of CycloneDX. */
function hashOfIntegrity(integrity) {
  const [algorithm, content] = integrity.split(' ')[0].split(/-(.*)/s);
  return {
    alg: `SHA-${algorithm.slice('sha'.length)}`,
    content: Buffer.from(content, 'base64').toString('hex'),
  };
}

/** Makes a UUID of the version 8, whose bits may come from any hash. */
function uuidOf(hash) {
  const variant = '89ab'[Number.parseInt(hash[16], 16) % 4];
  const digits = `${hash.slice(0, 12)}8${hash.slice(13, 16)}${variant}${hash.slice(17, 32)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function commitAndTag(root, version, notes) {
  git(root, 'add', ...VERSION_FILES);
  git(root, 'commit', '--quiet', '--message', `Release ${version}`);
  // By default, git would remove lines that begin with "#" from the message.
  const message = `boardmill ${version}\n\n${notes}`;
  git(root, 'tag', '--annotate', '--cleanup=verbatim', `v${version}`, '--message', message);
}

function read(root, path) {
  return readFileSync(join(root, path), 'utf8');
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

function hashOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function git(root, ...args) {
  return run(root, 'git', ...args).trim();
}

function run(root, program, ...args) {
  return execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The commands that publish the version. A person runs them, after a look at release/. */
export function publishingCommands(version) {
  return [`git push origin ${BRANCH} v${version}`, `npm publish release/boardmill-${version}.tgz`];
}

async function main() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const date = new Date().toISOString().slice(0, 10);
  const [version = '', ...options] = process.argv.slice(2);
  if (options.some((option) => option !== '--dry-run'))
    throw new ReleaseError('usage: npm run release -- 1.2.3 [--dry-run]');
  if (options.includes('--dry-run')) {
    console.log(`${version} could be released. Its notes would be:\n\n${rehearse({ root, version, date })}`);
    return;
  }
  const build = () => run(root, process.execPath, 'scripts/build.mjs');
  const files = await release({ root, version, date, build });
  console.log(`made ${files.join('\n     ')}\n\nTo publish:\n  ${publishingCommands(version).join('\n  ')}`);
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    console.error(`release: ${error.message}`);
    process.exitCode = 1;
  }
}
