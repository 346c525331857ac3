/** Calls the functions of a user's module apart from `solve`: `equal`, `valid` and `generate`. */
import { workerData } from 'piscina';
import { ByteWriter, decodeText } from '../src/core/bytes.js';
import type {
  EqualReply,
  EqualRequest,
  GenerateCasesResult,
  GenerateCasesTask,
  ValidityReply,
  ValidityRequest,
} from '../src/engine/author-messages.js';
import { GENERATED_PIECE_BYTES } from '../src/engine/limits.js';
import { publishProgress, type WatchedTask } from '../src/engine/messages.js';
import type { WorkerSettings } from '../src/engine/output-settings.js';
import type { AnswerScope } from '../src/formats/answer-format.js';
import { parsePrintedAnswer } from '../src/formats/answers/read-back.js';
import type { RecordValue } from '../src/formats/language/tree.js';
import { ModuleCaseGenerator } from '../src/problems/generated-cases.js';
import { type LoadedModule, loadModule } from '../src/problems/modules/load-module.js';
import { callModulePredicate } from '../src/problems/modules/module-verdict.js';

/** The user's module, which this worker thread loads once. */
let loading: Promise<LoadedModule> | null = null;

function load(): Promise<LoadedModule> {
  const { problem } = workerData as WorkerSettings;
  if (problem.kind !== 'module') throw new Error(`a ${problem.kind} has no functions of an author`);
  loading ??= loadModule(problem);
  return loading;
}

/** Asks `equal` whether two answers to a case are equally right. */
export async function callEqual(task: WatchedTask<EqualRequest>): Promise<EqualReply> {
  const { definition, problem } = await load();
  const scope = readCase(problem, task.head.bytes, task.caseBytes);
  const [expected, got] = [task.expected, task.got].map((bytes) =>
    parsePrintedAnswer(problem.answerFormat, decodeText(bytes), task.caseNumber, scope),
  );
  if (expected === null) throw new Error('the expected answer cannot be read');
  if (got === null) return 'it is malformed';
  const { equal, description } = definition;
  publishProgress(task.progress, 0, 1);
  return callModulePredicate('equal', description.name, () =>
    equal!(expected.value, got.value, scope.value, scope.head as RecordValue),
  );
}

/** Asks `valid` about each case. */
export async function callValid({
  head,
  cases,
  progress,
}: WatchedTask<ValidityRequest>): Promise<ValidityReply> {
  const { definition, problem } = await load();
  return cases.map((bytes, index) => {
    const { value, head: headValue } = readCase(problem, head.bytes, bytes);
    const { valid, description } = definition;
    publishProgress(progress, index, 1);
    return callModulePredicate('valid', description.name, () => valid!(value, headValue as RecordValue));
  });
}

/** Draws random cases, with the author's `generate` or from the bounds of the fields, and draws invalid ones again. */
export async function callGenerate({
  request,
  from,
  count,
  progress,
}: WatchedTask<GenerateCasesTask>): Promise<GenerateCasesResult> {
  const { definition, problem } = await load();
  const source = new ModuleCaseGenerator(definition, problem, request);
  const out = new ByteWriter(2 * GENERATED_PIECE_BYTES);
  const starts = [0];
  for (let index = from; index < from + count && out.length < GENERATED_PIECE_BYTES; index++) {
    publishProgress(progress, index - from, 1);
    out.append(source.caseAt(index));
    starts.push(out.length);
  }
  return { head: source.head, bytes: out.take(), starts: Uint32Array.from(starts) };
}

type ModuleProblem = LoadedModule['problem'];

function readCase(
  { inputFormat }: ModuleProblem,
  head: Uint8Array | null,
  bytes: Uint8Array,
): AnswerScope<RecordValue> {
  const parser = inputFormat.createParser();
  parser.useHead(head);
  const value = parser.parse(bytes, 0, bytes.length, null);
  if (value === null) throw new Error('a case that was read before cannot be read again');
  return { value, head: parser.headValue };
}
