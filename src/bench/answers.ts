/** Compares outputs of programs token by token, as checkers do. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { isBlank, LF, tokenEnd } from '../core/bytes.js';

/** SHA-256 of the tokens, a line each: how they are set apart in the file does not matter. */
export async function digestAnswers(path: string): Promise<string> {
  const hash = createHash('sha256');
  let open = false;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    const squeezed = Buffer.allocUnsafe(piece.length + 1);
    let length = 0;
    for (const byte of piece) {
      if (!isBlank(byte)) squeezed[length++] = byte;
      else if (open) squeezed[length++] = LF;
      open = !isBlank(byte);
    }
    hash.update(squeezed.subarray(0, length));
  }
  if (open) hash.update(Uint8Array.of(LF));
  return hash.digest('hex');
}

export interface TokenDifference {
  /** Counts from 1. */
  readonly token: number;
  /** Null: there is none. */
  readonly expected: string | null;
  readonly got: string | null;
}

/** The first token in which two outputs differ; null if there is none. */
export async function firstDifference(expected: string, got: string): Promise<TokenDifference | null> {
  const wanted = tokensOf(expected);
  const given = tokensOf(got);
  try {
    for (let token = 1; ; token++) {
      const [one, other] = await Promise.all([wanted.next(), given.next()]);
      if (one.done && other.done) return null;
      if (one.value === other.value) continue;
      return { token, expected: one.value ?? null, got: other.value ?? null };
    }
  } finally {
    await Promise.all([wanted.return(undefined), given.return(undefined)]);
  }
}

async function* tokensOf(path: string): AsyncGenerator<string, undefined> {
  let open = '';
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let at = 0; at < piece.length; ) {
      const end = tokenEnd(piece, at, piece.length);
      open += piece.toString('latin1', at, end);
      if (end < piece.length && open !== '') {
        yield open;
        open = '';
      }
      at = end + 1;
    }
  }
  if (open !== '') yield open;
  return undefined;
}
