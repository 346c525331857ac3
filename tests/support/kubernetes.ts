/** Checks manifests of Kubernetes against the types of the package kubernetes-types, with the compiler of TypeScript. */
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../cli/boardmill.js';

export interface NamedManifest {
  /** Begins the messages about the manifest. */
  readonly name: string;
  readonly manifest: { readonly apiVersion: string; readonly kind: string };
}

/** The compiler finds the types from here. The file does not exist. */
const SOURCE = join(ROOT, 'tests/support/manifests.ts');

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  types: [],
  lib: ['lib.es2022.d.ts'],
  skipLibCheck: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/**
 * Returns what is wrong with the manifests: fields that do not exist, fields that are missing, values of a wrong type. The
 * compiler checks a constant for each manifest, so it also refuses fields that the type does not have.
 */
export function findTypeErrors(manifests: readonly NamedManifest[]): string[] {
  const lines = manifests.map(({ manifest }) => constantOf(manifest));
  const program = ts.createProgram([SOURCE], OPTIONS, hostOf(lines.join('\n')));
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => describe(diagnostic, manifests));
}

/** Returns a line of TypeScript. The export makes the names of a line its own. */
function constantOf(manifest: NamedManifest['manifest']): string {
  const { apiVersion, kind } = manifest;
  const group = apiVersion.includes('/') ? apiVersion.replace(/\.k8s\.io\//, '/') : `core/${apiVersion}`;
  return `{ const manifest: import('kubernetes-types/${group}').${kind} = ${JSON.stringify(manifest)}; void manifest; }`;
}

/** Returns a worker process of the compiler that has one more file. */
function hostOf(text: string): ts.CompilerHost {
  const workerProcess = ts.createCompilerHost(OPTIONS);
  const { getSourceFile } = workerProcess;
  workerProcess.getSourceFile = (path, ...others) =>
    path === SOURCE
      ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022)
      : getSourceFile.call(workerProcess, path, ...others);
  return workerProcess;
}

function describe({ file, start, messageText }: ts.Diagnostic, manifests: readonly NamedManifest[]): string {
  const message = ts.flattenDiagnosticMessageText(messageText, ' ');
  if (file === undefined || start === undefined) return message;
  return `${manifests[file.getLineAndCharacterOfPosition(start).line].name}: ${message}`;
}
