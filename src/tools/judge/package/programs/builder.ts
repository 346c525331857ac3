/**
 * Builds the programs of a package. Builds are kept in the user's cache folder (XDG_CACHE_HOME) or in a folder of the caller,
 * named by the hash of the sources and of what builds them: command, compiler and environment. Nothing is written into the
 * package.
 */
import { chmodSync, existsSync, readdirSync, renameSync, statSync, utimesSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { createDigest } from '../../../../core/digest.js';
import { BoardmillError } from '../../../../core/errors.js';
import {
  errorOfFailedWrite,
  fileStampOf,
  makeFolders,
  makeTemporaryFolder,
  statOrNull,
  writeInternalFile,
} from '../../../../core/files/files.js';
import { resolvesInto } from '../../../../core/files/identity.js';
import { makePrivateFolder } from '../../../../core/files/private-folder.js';
import { fullDiskError, isDiskFull } from '../../../../engine/exec/full-disk.js';
import { findExecutable } from '../../../../engine/exec/program.js';
import { filesNeededToStart } from '../../../../engine/exec/sandbox.js';
import {
  removeProgramFolder,
  removeProgramFolderInBackground,
} from '../../../../engine/exec/sandbox-folder.js';
import { interpreterNamedIn, MAX_FIRST_LINE_BYTES } from '../../../../engine/exec/script-interpreter.js';
import {
  MAX_CACHED_BUILDS,
  MAX_COMPILER_MESSAGE_BYTES,
  MAX_PROGRAM_BYTES,
  MAX_REASON_CHARACTERS,
} from '../limits.js';
import type { ConstantsBudget, PackageConstants } from '../read/constants.js';
import { hasBuildDigest, programFolderOf, readBuildDigest, writeBuildDigest } from './build-digest.js';
import { mainClassOf, sourceNamedAfterClass } from './class-names.js';
import type { CommandRunner } from './command-runner.js';
import { type Language, SCRIPT_FOLDER_LANGUAGE, type ToolCommand } from './languages.js';
import {
  directlyRunFilesOf,
  mainSourceOf,
  type ProgramSource,
  programmingLanguageOf,
  readFilesBelow,
  type SourceFile,
  sourcesIn,
  withEndingOfLanguage,
} from './program-source.js';
import { ToolFinder } from './tools.js';

/** A program that can be run. */
export interface BuiltProgram {
  readonly kind: 'built';
  readonly language: Language;
  /** The command that runs the program, with the placeholders `{memory}` and `{stack}` for the limits. */
  readonly words: readonly string[];
  /** The folder with the program, and the digest of all files in that folder. */
  readonly folder: string;
  readonly digest: string;
}

/** A program that cannot be run: its compiler or interpreter is missing, or boardmill does not know its language. */
interface SkippedProgram {
  readonly kind: 'skipped';
  readonly reason: string;
}

/** A program that does not compile. */
interface BrokenProgram {
  readonly kind: 'broken';
  readonly reason: string;
}

export type BuildResult = BuiltProgram | SkippedProgram | BrokenProgram;

interface Compiler {
  readonly path: string;
  /** The files that it reads in a sandbox. */
  readonly readable: readonly string[];
}

interface BuilderOptions {
  /** The folder of the package. */
  readonly folder: string;
  readonly compilationSeconds: number;
  /** The folder for builds; missing: the user's cache folder, from which the builds that were not used for long are removed. */
  readonly buildsFolder?: string;
  readonly constants: PackageConstants;
  /** Runs the compilers. */
  readonly commands: CommandRunner;
  /** Gets notes for the user. */
  readonly warn: (message: string) => void;
}

/** Matches the failure of a shell that has not found a command, or of a wrapper script that has not found its tool. */
const NOT_FOUND = /exited with code 127\b/;
/** The beginning of the name of a build that is not finished, and milliseconds after which its boardmill must have died. */
const UNFINISHED = 'unfinished-';
const ABANDONED_MS = 24 * 60 * 60 * 1000;
const BINARY_NAME = 'boardmill-program';
/** Shells and runs of continuous integration often have temporary folders of their own, which change no build. */
const TEMPORARY_FOLDER_VARIABLE = 'TMPDIR';

/** Runs a command in a folder. Its messages go to standard output, because boardmill keeps only the end of standard error. */
const BUILD_SCRIPT = 'cd "$1" && shift && exec "$@" 2>&1';

export class ProgramBuilder {
  readonly #options: BuilderOptions;
  readonly #buildsFolder: string;
  readonly #tools: ToolFinder;

  constructor(options: BuilderOptions) {
    this.#options = options;
    this.#tools = new ToolFinder(options.commands);
    this.#buildsFolder = options.buildsFolder ?? this.#openBuildsCache();
  }

  /** Returns the path of the cache folder with all builds, after old ones were removed. It is made if it does not exist. */
  #openBuildsCache(): string {
    const { XDG_CACHE_HOME: named = '' } = process.env;
    // The specification of XDG_CACHE_HOME says that a relative path counts as none.
    const cache = isAbsolute(named) ? named : join(homedir(), '.cache');
    const folder = makePrivateFolder(cache, ['boardmill', 'builds']);
    for (const build of oldBuildsIn(folder)) this.#warnUnless(removeProgramFolder(build), build);
    return folder;
  }

  async #remove(build: string): Promise<void> {
    this.#warnUnless(await removeProgramFolderInBackground(build), build);
  }

  #warnUnless(isRemoved: boolean, build: string): void {
    if (!isRemoved) this.#options.warn(`cannot remove all files of the build ${build}`);
  }

  /**
   * Builds a program, or takes its build from the cache. With `hasIncludes`, the files in the package's `include/` are added.
   */
  async build(source: ProgramSource, { hasIncludes = false } = {}): Promise<BuildResult> {
    const language = programmingLanguageOf(source);
    if (language === null) return { kind: 'skipped', reason: describeUnknown(source) };
    const interpreter = await this.#findInterpreter(language);
    if (interpreter === null) return missingTool(language.run);
    const missing = await findMissingInterpreter(directlyRunFilesOf(source, language));
    if (missing !== null) return missing;
    const prepared = this.#prepare(withEndingOfLanguage(source, language), language, hasIncludes);
    const key = digestOf(prepared, language, await this.#describeSurroundings(language));
    const plan = new BuildPlan(prepared, language, join(this.#buildsFolder, key));
    const { build, folder } = plan;
    if (await this.#isCached(plan, source.name)) touch(build);
    else {
      const failure = await this.#make(plan);
      if (failure !== null) return failure;
    }
    const digest = readBuildDigest(build) ?? '';
    return { kind: 'built', language, words: plan.runWords(interpreter), folder, digest };
  }

  /** Returns what else a build depends on: the compiler, and what the compiler or script finds around it. */
  async #describeSurroundings({ build }: Language): Promise<unknown[]> {
    const { environment, isSandboxed } = this.#options.commands;
    const compiler = build === null ? null : await this.#findCompiler(build);
    const stamp = compiler === null ? null : await fileStampOf(compiler.path);
    const variables = Object.entries(environment).filter(([name]) => name !== TEMPORARY_FOLDER_VARIABLE);
    return [variables.sort(), isSandboxed, compiler, stamp];
  }

  /** Returns the compiler of a command, and what it reads in a sandbox; null if none is installed. */
  async #findCompiler(command: ToolCommand): Promise<Compiler | null> {
    const tool = await this.#tools.find(command, undefined);
    if (tool === null) return null;
    const home = await this.#tools.findHome(tool, command.findHome);
    if (home !== null) return { path: join(home, 'bin', basename(tool)), readable: [home] };
    return { path: tool, readable: await filesNeededToStart(tool) };
  }

  /** Whether the cache has the build, and unchanged. A build that was changed after it was made is removed. */
  async #isCached({ build, folder, madeFile }: BuildPlan, name: string): Promise<boolean> {
    if (!existsSync(build)) return false;
    const recorded = readBuildDigest(build);
    if (existsSync(join(folder, madeFile)) && recorded !== null && (await hasBuildDigest(folder, recorded)))
      return true;
    if (recorded !== null)
      this.#options.warn(
        `${name}: its build in ${folder} was changed since it was made, so it is built again`,
      );
    await this.#remove(build);
    return false;
  }

  /** Returns the path of the language's interpreter: '' if the language needs none, null if the interpreter is missing. */
  async #findInterpreter({ run, findInterpreter }: Language): Promise<string | null> {
    return run === null || run.tools.length === 0 ? '' : this.#tools.find(run, findInterpreter);
  }

  /** Returns a program's sources with the package's included files and constants, under the names that its language demands. */
  #prepare(source: ProgramSource, language: Language, hasIncludes: boolean): ProgramSource {
    const isSingleJava = language.code === 'java' && source.files.length === 1;
    const files = isSingleJava ? source.files.map(sourceNamedAfterClass) : source.files;
    const included = hasIncludes ? this.#includedFiles(language) : [];
    const names = new Set(included.map(({ name }) => name));
    const all = [...files.filter(({ name }) => !names.has(name)), ...included];
    const room = { bytes: MAX_PROGRAM_BYTES };
    return { ...source, files: all.map((file) => this.#withConstants(file, room)) };
  }

  #includedFiles(language: Language): SourceFile[] {
    const folders = ['default', language.code].map((name) =>
      readFilesBelow(join(this.#options.folder, 'include', name)),
    );
    return [...new Map(folders.flat().map((file) => [file.name, file])).values()];
  }

  /** Replaces the constants in a source file. */
  #withConstants(file: SourceFile, room: ConstantsBudget): SourceFile {
    const { constants } = this.#options;
    if (!constants.mayOccurIn(file.bytes)) return file;
    // Each byte becomes one character and back, so that bytes that are not UTF-8 stay what they are.
    const replaced = constants.replaceIn(file.bytes.toString('latin1'), file.name, room);
    return { ...file, bytes: Buffer.from(replaced, 'latin1') };
  }

  /** Makes the build in a new folder, which then gets its name in one step. Returns why it failed, or null. */
  async #make(plan: BuildPlan): Promise<SkippedProgram | BrokenProgram | null> {
    const build = makeTemporaryFolder(join(this.#buildsFolder, UNFINISHED));
    const folder = programFolderOf(build);
    try {
      writeFiles(folder, plan.program.files);
      const failure = await this.#compile(plan, folder);
      if (failure !== null) return failure;
      const reason = await writeBuildDigest(build);
      if (reason !== null) return { kind: 'broken', reason };
      publish(build, plan);
      return null;
    } finally {
      await this.#remove(build);
    }
  }

  async #compile(plan: BuildPlan, folder: string): Promise<SkippedProgram | BrokenProgram | null> {
    const { language } = plan;
    if (language === SCRIPT_FOLDER_LANGUAGE) return this.#runScript(plan, folder);
    if (language.build === null) return null;
    const compiler = await this.#findCompiler(language.build);
    if (compiler === null) return missingTool(language.build);
    const { path, readable } = compiler;
    const failure = await this.#runTool([path, ...plan.buildWords(folder)], folder, readable);
    if (failure === null) return this.#expectMade(plan, folder);
    return NOT_FOUND.test(failure) ? missingTool(language.build) : { kind: 'broken', reason: failure };
  }

  /** Runs the script `build` of a folder, if there is one. */
  async #runScript(plan: BuildPlan, folder: string): Promise<BrokenProgram | null> {
    const hasScript = plan.program.files.some(({ name }) => name === 'build');
    const failure = hasScript ? await this.#runTool(['./build'], folder, []) : null;
    return failure === null ? this.#expectMade(plan, folder) : { kind: 'broken', reason: failure };
  }

  #expectMade({ madeFile }: BuildPlan, folder: string): BrokenProgram | null {
    const path = join(folder, madeFile);
    if (statOrNull(path) === null) return { kind: 'broken', reason: `the build made no ${madeFile}` };
    const isFileOfBuild = resolvesInto(folder, path) && statOrNull(path)?.isFile();
    return isFileOfBuild ? null : { kind: 'broken', reason: `${madeFile} is no file of the build` };
  }

  /** Runs a compiler, which can read these files in a sandbox. Returns the compiler's first error message, or null. */
  async #runTool(
    argv: readonly string[],
    folder: string,
    readable: readonly string[],
  ): Promise<string | null> {
    const { commands, compilationSeconds } = this.#options;
    const limits = { timeoutMs: compilationSeconds * 1000, outputBytes: MAX_COMPILER_MESSAGE_BYTES };
    const { stdout, failure } = await commands.run(['sh', '-c', BUILD_SCRIPT, 'sh', folder, ...argv], {
      limits,
      files: { readable, writable: [folder] },
    });
    // A compiler that cannot write says nothing about the program.
    if (failure !== null && isDiskFull(folder)) throw fullDiskError(folder);
    return failure === null ? null : `${failure.reason}${firstError(Buffer.from(stdout).toString(), folder)}`;
  }
}

/** How a program is built and run in its folder in the cache. */
class BuildPlan {
  readonly program: ProgramSource;
  readonly language: Language;
  /** The folder of the build in the cache, and the folder in it with the program. */
  readonly build: string;
  readonly folder: string;

  constructor(program: ProgramSource, language: Language, build: string) {
    this.program = program;
    this.language = language;
    this.build = build;
    this.folder = programFolderOf(build);
  }

  /** The file whose existence shows that the build is finished. */
  get madeFile(): string {
    const { build, makes = '{binary}' } = this.language;
    if (build === null || makes === '{main}') return mainSourceOf(this.program, this.language);
    if (makes === '{classFile}') return `${this.#mainClass.replaceAll('.', '/')}.class`;
    return makes.replace('{binary}', BINARY_NAME);
  }

  get #mainClass(): string {
    const { entryPoint } = this.program.hints;
    const sources = sourcesIn(this.program, this.language);
    return entryPoint?.replace(/\.(java|scala)$/, '') ?? mainClassOf(sources, this.language.code);
  }

  buildWords(folder: string): string[] {
    return this.#fillIn(this.language.build?.words ?? [], folder);
  }

  runWords(interpreter: string): string[] {
    const words = this.#fillIn(this.language.run?.words ?? ['{binary}'], this.folder);
    return interpreter === '' ? words : [interpreter, ...words];
  }

  #fillIn(words: readonly string[], folder: string): string[] {
    const names = sourcesIn(this.program, this.language).map(({ name }) => join(folder, name));
    return words.flatMap((word) => (word === '{files}' ? names : [this.#fillInWord(word, folder)]));
  }

  #fillInWord(word: string, folder: string): string {
    // A path that is filled in is not read again, because a folder may be called `{main}`.
    return word.replace(/\{(binary|main|folder|mainClass)\}/, (_, name: string) => {
      if (name === 'binary') return join(folder, BINARY_NAME);
      if (name === 'main') return join(folder, mainSourceOf(this.program, this.language));
      return name === 'folder' ? folder : this.#mainClass;
    });
  }
}

/** Fails with kind `worker` if a program was changed after it was built. A submission could do that to another one. */
export async function assertProgramUnchanged({ folder, digest }: BuiltProgram): Promise<void> {
  if (await hasBuildDigest(folder, digest)) return;
  throw new BoardmillError(
    'worker',
    `the program in ${folder} was changed after it was built, perhaps by a submission; judge with --sandbox`,
  );
}

/** Returns the builds that were not used for the longest time, if there are too many, and those that were never finished. */
function oldBuildsIn(folder: string): string[] {
  const builds = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return { name, path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  const isAbandoned = ({ name, time }: { name: string; time: number }) =>
    name.startsWith(UNFINISHED) && time < Date.now() - ABANDONED_MS;
  const kept = builds.filter((build) => !isAbandoned(build));
  const old = kept.sort((one, other) => other.time - one.time).slice(MAX_CACHED_BUILDS);
  return [...builds.filter(isAbandoned), ...old].map(({ path }) => path);
}

function touch(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}

function digestOf(
  { files, hints }: ProgramSource,
  { code, build }: Language,
  surroundings: readonly unknown[],
): string {
  const hash = createDigest();
  hash.update(JSON.stringify([code, build, hints, process.arch, ...surroundings]));
  for (const { name, bytes, isExecutable } of files)
    hash.update(JSON.stringify([name, bytes.length, isExecutable])).update(bytes);
  return hash.digest('hex');
}

function writeFiles(folder: string, files: readonly SourceFile[]): void {
  makeFolders(folder);
  for (const { name, bytes, isExecutable } of files) {
    const path = join(folder, name);
    makeFolders(dirname(path));
    writeInternalFile(path, bytes);
    if (isExecutable) chmodSync(path, 0o755);
  }
}

/** Renames a finished build to its name in the cache. If another process was faster, its build is used. */
function publish(build: string, plan: BuildPlan): void {
  try {
    if (!existsSync(join(plan.folder, plan.madeFile))) removeProgramFolder(plan.build);
    renameSync(build, plan.build);
  } catch (error) {
    if (!existsSync(join(plan.folder, plan.madeFile))) throw errorOfFailedWrite(plan.build, error);
  }
}

/** Returns why one of these scripts cannot be run: the interpreter that its first line names is missing. Null if all can be. */
async function findMissingInterpreter(files: readonly SourceFile[]): Promise<SkippedProgram | null> {
  for (const { name, bytes } of files) {
    const [firstLine] = bytes.toString('latin1', 0, MAX_FIRST_LINE_BYTES).split('\n');
    const interpreter = interpreterNamedIn(firstLine);
    if (interpreter === null || (await isInstalled(interpreter))) continue;
    return { kind: 'skipped', reason: `${name} needs ${interpreter}, which is not installed` };
  }
  return null;
}

function isInstalled(interpreter: string): Promise<boolean> {
  return findExecutable([interpreter]).then(
    () => true,
    () => false,
  );
}

function missingTool(command: ToolCommand | null): SkippedProgram {
  return { kind: 'skipped', reason: `there is no ${command?.tools[0] ?? 'tool'} that works` };
}

function describeUnknown({ files, name, hints }: ProgramSource): string {
  if (hints.language !== null)
    return `boardmill knows no language ${hints.language}, which submissions.yaml states`;
  if (files.length === 0) return 'it has no files';
  const endings = [...new Set(files.map((file) => /\.[^./]+$/.exec(file.name)?.[0] ?? ''))];
  if (endings.every((ending) => ending === '')) return `${name} is not executable`;
  return `boardmill knows no language with the ending ${endings.filter((ending) => ending !== '').join(' or ')}`;
}

/** Returns the first line of a compiler's messages that has an error, without the path of the build's folder. */
function firstError(messages: string, folder: string): string {
  const lines = messages
    .replaceAll(`${folder}/`, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const line = lines.find((each) => /error/i.test(each)) ?? lines[0];
  return line === undefined ? '' : `: ${line.trim().slice(0, MAX_REASON_CHARACTERS)}`;
}
