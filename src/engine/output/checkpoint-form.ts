/** The form of a checkpoint. Only a run that finds a checkpoint loads this code. */
import * as v from 'valibot';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const position = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const digest = v.nullable(v.string());
const boundary = { offset: count, digest, cases: count };
const output = { bytes: count, digest: v.string() };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const CHECKPOINT = v.strictObject({
  terms: v.record(v.string(), v.string()),
  runId: v.pipe(v.string(), v.regex(UUID)),
  input: v.nullable(v.strictObject({ bytes: count, mtimeMs: v.number() })),
  position: v.strictObject({
    scan: v.strictObject({
      ...boundary,
      promised: v.nullable(count),
      head: v.nullable(v.string()),
      searching: v.picklist(['no', 'blank', 'token', 'end']),
      next: v.string(),
      shardStart: v.exactOptional(v.strictObject(boundary)),
    }),
    failedCases: count,
    before: v.exactOptional(
      v.strictObject({ inputs: count, cases: count, failedCases: count, bytes: count, digest }),
    ),
    line: position,
    column: position,
  }),
  hasFailed: v.exactOptional(v.literal(true)),
  outputBytes: count,
  outputDigest: v.string(),
  whole: v.exactOptional(v.strictObject(output)),
});

/** Whether a value is a checkpoint whose numbers do not contradict each other. */
export function isPossibleCheckpoint(value: unknown): boolean {
  if (!v.is(CHECKPOINT, value)) return false;
  const { scan, failedCases } = value.position;
  return failedCases <= scan.cases && scan.cases <= (scan.promised ?? Number.POSITIVE_INFINITY);
}
