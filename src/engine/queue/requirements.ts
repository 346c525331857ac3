/**
 * What a run needs from a worker process: the version of boardmill, the problem, the program, and the settings of the solver. A
 * coordinator writes the requirements of its run into Redis. Each worker process compares them with what its operator lets it
 * run. No code is sent through Redis.
 */
import * as v from 'valibot';
import { digestOfText } from '../../core/digest.js';
import { parseJsonOrNull } from '../../core/json.js';
import { isGrammarOfAnswers } from '../../problems/grammar-use.js';
import { MAX_MEMORY_LIMIT_BYTES, MAX_TIMEOUT_SECONDS, MIN_TIMEOUT_SECONDS } from '../limits.js';
import { MAX_REQUIREMENTS_BYTES } from './limits.js';

const SCHEMA = 'boardmill/needs/1';

const PositiveInteger = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const Timeout = v.pipe(v.number(), v.minValue(MIN_TIMEOUT_SECONDS), v.maxValue(MAX_TIMEOUT_SECONDS));

/** A word of the command line of a program: a file is compared by its content, any other word as it is. */
const ProgramWord = v.union([v.object({ text: v.string() }), v.object({ digest: v.string() })]);

/** The text of `--answers`. The path of a grammar is refused, because the worker process would read that file. */
const AnswersText = v.pipe(
  v.string(),
  v.check((text) => !isGrammarOfAnswers(text)),
);

const ProblemRequirements = v.variant('kind', [
  v.object({ kind: v.literal('built-in'), name: v.string() }),
  v.object({
    kind: v.literal('module'),
    name: v.string(),
    /** What identifies the module: the content of its files, or its version. Each key is a phrase that messages use. */
    identity: v.record(v.string(), v.string()),
  }),
  v.object({
    kind: v.literal('grammar'),
    name: v.string(),
    digest: v.string(),
    multitest: v.boolean(),
    casesLoop: v.nullable(PositiveInteger),
    /** How outputs are cut into answers: a text such as `line`, or the digest of the grammar of an answer. */
    answers: v.union([v.object({ text: AnswersText }), v.object({ digest: v.string() })]),
  }),
]);

const RequirementsSchema = v.object({
  schema: v.literal(SCHEMA),
  version: v.string(),
  problem: ProblemRequirements,
  solver: v.picklist(['auto', 'simd', 'portable']),
  timeoutSeconds: v.nullable(Timeout),
  /** Whether worker processes read the bytes of the input themselves, from storage that all machines see. */
  isInputShared: v.boolean(),
  /** The program that solves; null if boardmill itself solves. */
  program: v.nullable(
    v.object({
      words: v.array(ProgramWord),
      /** The digest of each file or folder that `--also-compare` names, in the order of the command line. */
      compared: v.array(v.string()),
      casesPerRun: PositiveInteger,
      memoryBytes: v.nullable(v.pipe(PositiveInteger, v.maxValue(MAX_MEMORY_LIMIT_BYTES))),
      /** Whether the program may run only in a sandbox. */
      isSandboxed: v.boolean(),
    }),
  ),
});

export type RunRequirements = Omit<v.InferOutput<typeof RequirementsSchema>, 'schema'>;
export type ProgramWord = v.InferOutput<typeof ProgramWord>;
export type ProgramRequirements = NonNullable<RunRequirements['program']>;
export type ProblemRequirements = v.InferOutput<typeof ProblemRequirements>;

/** The part of the requirements that every version of boardmill can read. */
const AnyVersion = v.object({ version: v.pipe(v.string(), v.maxLength(50)) });

export function printRequirements(requirements: RunRequirements): string {
  return JSON.stringify({ schema: SCHEMA, ...requirements });
}

/** Returns a short id, which is the same for two runs if and only if they have the same requirements. */
export function idOfRequirements(requirements: RunRequirements): string {
  return idOfText(printRequirements(requirements));
}

/** Matches the id of requirements. */
export const REQUIREMENTS_ID_PATTERN = /^[0-9a-f]{16}$/;
export const REQUIREMENTS_ID_CHARS = 16;

function idOfText(text: string): string {
  return digestOfText(text).slice(0, REQUIREMENTS_ID_CHARS);
}

/** The result of reading requirements: the requirements of a run, or the reason why this worker process cannot read them. */
type ReadRequirements = { readonly requirements: RunRequirements } | { readonly unreadable: string };

/** Reads requirements that another process has written under this id. `ownVersion` is the version of this boardmill. */
export function readRequirements(id: string, text: string, ownVersion: string): ReadRequirements {
  const value = text.length > MAX_REQUIREMENTS_BYTES || idOfText(text) !== id ? null : parseJsonOrNull(text);
  const any = v.safeParse(AnyVersion, value);
  if (!any.success) return { unreadable: 'what the run needs is not written as boardmill writes it' };
  const { version } = any.output;
  if (version !== ownVersion)
    return {
      unreadable: `the worker process has boardmill ${ownVersion}, and the run needs boardmill ${version}`,
    };
  const read = v.safeParse(RequirementsSchema, value);
  if (!read.success) return { unreadable: 'what the run needs is not written as boardmill writes it' };
  const { schema: _, ...requirements } = read.output;
  return { requirements };
}
