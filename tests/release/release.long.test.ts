/** Tests of scripts/release.mjs, in a repository of their own that contains what the package needs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  assertLicencesAllowed,
  makeSbom,
  readBundledLibraries,
  release,
  releaseChangelog,
} from '../../scripts/release.mjs';
import { ROOT } from '../cli/boardmill.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

allowSlowTests();

const VERSION = '98.7.6';
const DATE = '2031-02-03';
const COPIED = [
  'package.json',
  'package-lock.json',
  'CHANGELOG.md',
  'README.md',
  'LICENSE',
  '.gitignore',
  'dist',
];
const NOTES = '- A new option.\n\n# A line that begins with a hash';

const folder = temporaryFolder();
const template = join(folder, 'template');
let root = '';
let count = 0;

function git(...args: string[]): string {
  const identity = [
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@example.org',
    '-c',
    'commit.gpgSign=false',
  ];
  return execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8' }).trim();
}

beforeAll(() => {
  root = template;
  mkdirSync(join(root, 'scripts'), { recursive: true });
  for (const name of COPIED) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  cpSync(join(ROOT, 'scripts/release.mjs'), join(root, 'scripts/release.mjs'));
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  writeFileSync(join(root, 'CHANGELOG.md'), changelog.replace(/^(?=## )/m, `## Unreleased\n\n${NOTES}\n\n`));
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.org');
  git('config', 'tag.gpgSign', 'false');
  git('config', 'commit.gpgSign', 'false');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
});

beforeEach(() => {
  root = join(folder, `${++count}`);
  cpSync(template, root, { recursive: true });
});

const readText = (path: string) => readFileSync(join(root, path), 'utf8');
const readJson = (path: string) => JSON.parse(readText(path));
const make = (build = () => {}) => release({ root, version: VERSION, date: DATE, build });

/** Everything that a release may change: the commit, the tree, the tags and the folder of the results. */
function stateOf(): unknown {
  return [
    git('rev-parse', 'HEAD'),
    git('status', '--porcelain'),
    git('tag'),
    existsSync(join(root, 'release')),
  ];
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

describe('a release', () => {
  test('has a commit that changes only the version and the date, and an annotated tag with the notes', async () => {
    const builds: string[] = [];
    await make(() => void builds.push(readJson('package.json').version));
    expect(builds).toEqual([VERSION]);
    expect(git('log', '-1', '--format=%s')).toBe(`Release ${VERSION}`);
    expect(git('show', '--numstat', '--format=').split('\n').sort()).toEqual([
      '1\t1\tCHANGELOG.md',
      '1\t1\tpackage.json',
      '2\t2\tpackage-lock.json',
    ]);
    expect(readText('CHANGELOG.md')).toContain(`\n## ${VERSION} (${DATE})\n\n${NOTES}\n`);
    expect(git('cat-file', '-t', `v${VERSION}`)).toBe('tag');
    expect(git('tag', '--list', '--format=%(contents)', `v${VERSION}`)).toBe(
      `boardmill ${VERSION}\n\n${NOTES}`,
    );
    expect(git('status', '--porcelain')).toBe('');
  });

  test('has a tarball, an SBOM and checksums that fit each other', async () => {
    const [tarball, sbomFile, sums] = await make();
    expect(readdirSync(dirname(sums)).sort()).toEqual(
      [tarball, sbomFile, sums].map((path) => basename(path)).sort(),
    );
    const expectedSums = [tarball, sbomFile].map((path) => `${hashOf(path)}  ${basename(path)}\n`);
    expect(readFileSync(sums, 'utf8')).toBe(expectedSums.join(''));
    const packed = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' });
    expect(JSON.parse(packed).version).toBe(VERSION);
    const names = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n');
    expect(names).toEqual(
      expect.arrayContaining(['package/dist/boardmill.1', 'package/dist/LICENCES.txt', 'package/LICENSE']),
    );
    const sbom = JSON.parse(readFileSync(sbomFile, 'utf8'));
    expect(sbom.metadata.component).toMatchObject({
      purl: `pkg:npm/boardmill@${VERSION}`,
      hashes: [{ alg: 'SHA-256', content: hashOf(tarball) }],
    });
  });

  test('has an SBOM that names every library in the package once, with its licence and its hash', async () => {
    const [, sbomFile] = await make();
    const sbom = JSON.parse(readFileSync(sbomFile, 'utf8'));
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
    expect(sbom.serialNumber).toMatch(
      /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
    const bundled: { name: string; version: string }[] = readBundledLibraries(readText('dist/LICENCES.txt'));
    const purls = bundled.map(({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`);
    const listed = sbom.components.map(({ purl }: { purl: string }) => purl);
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toEqual(expect.arrayContaining(purls));
    expect(listed).toContainEqual(expect.stringMatching(/^pkg:npm\/piscina@/));
    for (const { name, licenses, hashes } of sbom.components) {
      expect(licenses[0].license?.id ?? licenses[0].expression, name).toBeTruthy();
      expect(hashes, name).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[\da-f]{128}$/) }]);
    }
    expect(sbom.dependencies[0].dependsOn).toEqual(listed);
  });

  test('changes nothing if a step fails', async () => {
    const before = stateOf();
    const failure = new Error('the build fails');
    await expect(make(() => Promise.reject(failure))).rejects.toBe(failure);
    expect(stateOf()).toEqual(before);
    const licences = `${readText('dist/LICENCES.txt')}\n${'-'.repeat(80)}\n\nnew-library 1.0.0 (GPL-3.0)\n\ntext\n`;
    writeFileSync(join(root, 'dist/LICENCES.txt'), licences);
    await expect(make()).rejects.toThrow('new-library 1.0.0: GPL-3.0');
    expect(stateOf()).toEqual(before);
  });

  test.each([
    {
      state: 'a changed file',
      change: () => appendFileSync(join(root, 'README.md'), 'x'),
      message: 'not clean',
    },
    {
      state: 'another branch',
      change: () => git('checkout', '--quiet', '-b', 'other'),
      message: 'this is other',
    },
    { state: 'a tag of this version', change: () => git('tag', `v${VERSION}`), message: 'exists already' },
    {
      state: 'a changelog without a section for the version',
      change: () => {
        writeFileSync(join(root, 'CHANGELOG.md'), '# Changelog\n\n## 0.1.0\n\nold\n');
        git('commit', '--quiet', '--all', '--message', 'Change');
      },
      message: 'has no section',
    },
  ])('is refused with $state', async ({ change, message }) => {
    change();
    const before = stateOf();
    await expect(make()).rejects.toThrow(message);
    expect(stateOf()).toEqual(before);
  });
});

test('--dry-run prints the notes and changes nothing, and a mistake is one line', () => {
  const before = stateOf();
  const start = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/release.mjs', ...args], { cwd: root, encoding: 'utf8' });
  const { status, stdout, stderr } = start(VERSION, '--dry-run');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(NOTES);
  expect(start('next')).toMatchObject({
    status: 1,
    stderr: 'release: expected a version such as 1.2.3, got next\n',
  });
  expect(stateOf()).toEqual(before);
});

describe('releaseChangelog', () => {
  test('prefers the section of the version, and leaves the other sections', () => {
    const text = '# Changelog\n\n## Unreleased\n\nlater\n\n## 1.2.3 (unreleased)\n\nnow\n\n## 1.2.2\n\nold\n';
    expect(releaseChangelog(text, '1.2.3', DATE)).toEqual({
      text: text.replace('1.2.3 (unreleased)', `1.2.3 (${DATE})`),
      notes: 'now',
    });
  });

  test('refuses an empty section', () => {
    expect(() => releaseChangelog('# Changelog\n\n## Unreleased\n\n## 1.0.0\n', '1.2.3', DATE)).toThrow(
      'is empty',
    );
  });
});

test('a library may have several licences if one of them is allowed', () => {
  const library = { name: 'a', version: '1.0.0', integrity: null };
  assertLicencesAllowed([{ ...library, licence: '(MIT OR GPL-3.0)' }]);
  expect(() => assertLicencesAllowed([{ ...library, licence: 'MIT AND GPL-3.0' }])).toThrow(
    'MIT AND GPL-3.0',
  );
  expect(() => assertLicencesAllowed([{ ...library, licence: 'unknown' }])).toThrow('unknown');
});

test('the same package gives the same SBOM', () => {
  const manifest = { name: 'a', version: '1.0.0', description: 'b', license: 'MIT' };
  const libraries = [{ name: '@c/d', version: '2.0.0', licence: 'MIT OR ISC', integrity: null }];
  const sbom = makeSbom(manifest, libraries, DATE, 'a'.repeat(64));
  expect(makeSbom(manifest, libraries, DATE, 'a'.repeat(64))).toEqual(sbom);
  expect(sbom.components).toEqual([
    {
      type: 'library',
      'bom-ref': 'pkg:npm/%40c/d@2.0.0',
      name: '@c/d',
      version: '2.0.0',
      licenses: [{ expression: 'MIT OR ISC' }],
      purl: 'pkg:npm/%40c/d@2.0.0',
    },
  ]);
});
