/** What Kubernetes and Docker Compose say about the files with which boardmill is deployed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { ROOT } from '../cli/boardmill.js';
import { findTypeErrors } from '../support/kubernetes.js';

const MANIFESTS = join(ROOT, 'deploy/kubernetes');

/** What dclint returns for a file. Its own types cannot be found from a module. */
interface LintResult {
  readonly messages: readonly { readonly type: 'error' | 'warning'; readonly message: string }[];
}

const manifests = readdirSync(MANIFESTS).flatMap((name) => {
  const all = loadAll(readFileSync(join(MANIFESTS, name), 'utf8')) as {
    apiVersion: string;
    kind: string;
    spec: object;
  }[];
  return all.map((manifest) => ({ name: `${name}: ${manifest.kind}`, manifest }));
});

test('Kubernetes has all fields of the manifests, with values of their types', () => {
  expect(manifests.length).toBe(7);
  const [{ manifest }] = manifests;
  const misspelt = { ...manifest, specs: manifest.spec };
  const untyped = { apiVersion: 'batch/v1', kind: 'Job', spec: { completions: '3', template: {} } };
  const wrong = [
    { name: 'misspelt', manifest: misspelt },
    { name: 'untyped', manifest: untyped },
  ];
  expect(findTypeErrors([...manifests, ...wrong])).toEqual([
    expect.stringMatching(/^misspelt: .*"specs"' does not exist/),
    expect.stringMatching(/^untyped: .*'string' is not assignable/),
  ]);
});

test('the Compose file is valid', () => {
  const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
  const results: LintResult[] = linter.lintFiles([join(ROOT, 'deploy/compose.yaml')], false);
  const errors = results.flatMap(({ messages }) => messages.filter(({ type }) => type === 'error'));
  expect({ files: results.length, errors }).toEqual({ files: 1, errors: [] });
});
