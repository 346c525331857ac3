/**
 * Joins the answers to several inputs in one output, in the order of the inputs. The inputs may be solved at the same time:
 * each has a sink of its own, whose writes wait until the answers to all inputs before it are written.
 */
import { encodeUtf8 } from '../../core/bytes.js';
import { BoardmillError, pluralize } from '../../core/errors.js';
import { printerFor } from '../../problems/output-formats.js';
import { hashInputs, joinSizesAndDigests } from '../input/hash-inputs.js';
import type { ChunkSettings } from '../output-settings.js';
import { type InputsBefore, NO_INPUTS_BEFORE, RUN_START, type RunPosition } from '../position.js';
import type { RunOutcome } from '../run-outcome.js';
import type { Sink } from '../sink.js';

const NO_BYTES = new Uint8Array();

export class TableSink {
  readonly #sink: Sink;
  /** The first row of the table; empty if the output has none, or has it already. */
  #heading: string;
  #before: InputsBefore;
  /** The position in the next input from which its run continues; null if that run starts at its beginning. */
  #resumePosition: RunPosition | null;
  /** Resolves when the answers to all inputs that were begun are written. Rejects with the first failure of one of them. */
  #lastTurn: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | null = null;

  /** `sink` is the output, which the caller finishes or abandons. */
  constructor(sink: Sink, settings: ChunkSettings) {
    this.#sink = sink;
    const { before = NO_INPUTS_BEFORE, ...position } = sink.resumePosition ?? RUN_START;
    this.#before = before;
    this.#resumePosition = sink.resumePosition ? position : null;
    const hasRows = before.cases + position.scan.cases > 0;
    this.#heading = hasRows ? '' : (printerFor(settings).heading?.(settings.columns) ?? '');
  }

  /** The inputs whose answers are all written. */
  get before(): InputsBefore {
    return this.#before;
  }

  /** Returns the sink of the next input. Called for the inputs in their order. Fails if an input before it has failed. */
  openNextSink(): Sink {
    if (this.#failure !== null) throw this.#failure.error;
    const turn = this.#lastTurn;
    let endTurn = () => {};
    let fail: (error: unknown) => void = () => {};
    this.#lastTurn = new Promise((resolve, reject) => {
      endTurn = resolve;
      fail = reject;
    });
    // Nobody may wait for the turn after the last input.
    this.#lastTurn.catch(() => {});
    const { keepsPositions, run } = this.#sink;
    const resumePosition = this.#resumePosition;
    this.#resumePosition = null;
    return {
      ...(keepsPositions === undefined ? {} : { keepsPositions }),
      ...(run === undefined ? {} : { run }),
      resumePosition,
      write: async (bytes, position) => {
        await turn;
        await this.#write(bytes, position);
      },
      finish: async (outcome) => {
        try {
          await turn;
          await this.#endInput(outcome!);
          endTurn();
        } catch (error) {
          // Nobody abandons a sink that could not be finished.
          fail(error);
          throw error;
        }
      },
      abandon: async (reason) => {
        this.#failure ??= { error: reason };
        turn.then(() => fail(reason), fail);
        return false;
      },
    };
  }

  async #write(bytes: Uint8Array, position: RunPosition | null): Promise<void> {
    const rows = bytes.length > 0 && this.#heading !== '' ? this.#withHeading(bytes) : bytes;
    await this.#sink.write(rows, position && { ...position, before: this.#before });
  }

  #withHeading(rows: Uint8Array): Uint8Array {
    const heading = encodeUtf8(this.#heading);
    this.#heading = '';
    return Buffer.concat([heading, rows]);
  }

  async #endInput({ cases, failedCases, end }: RunOutcome): Promise<void> {
    const { before } = this;
    this.#before = {
      inputs: before.inputs + 1,
      cases: before.cases + cases,
      failedCases: before.failedCases + failedCases,
      ...joinSizesAndDigests(before, end.input!),
    };
    await this.#write(NO_BYTES, RUN_START);
  }

  /** Called after the last input. A table without rows still gets its heading. Returns the outcome of all inputs. */
  async finish(): Promise<RunOutcome> {
    if (this.#heading !== '') await this.#sink.write(this.#withHeading(NO_BYTES), null);
    const { cases, failedCases, bytes, digest } = this.#before;
    return { cases, failedCases, end: { shard: null, input: { bytes, digest } } };
  }
}

/**
 * Fails with kind `file` if one of the inputs that the interrupted run has answered wholly was changed since. `path` is the
 * output. After `stop` is aborted, it throws an Interrupted.
 */
export async function assertSameInputs(
  path: string,
  inputs: readonly string[],
  before: InputsBefore,
  stop: AbortSignal,
): Promise<void> {
  const answered = inputs.slice(0, before.inputs);
  const { digest } = await hashInputs(answered, stop);
  if (digest === before.digest) return;
  const which =
    answered.length === 1
      ? answered[0]
      : `one of the first ${pluralize(answered.length, 'input')}, ${answered[0]} to ${answered.at(-1)},`;
  throw new BoardmillError(
    'file',
    `${which} does not match the checkpoint of ${path}: it was changed after it had been answered; --force starts over`,
  );
}
