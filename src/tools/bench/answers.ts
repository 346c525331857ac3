/** Compares the outputs of programs token by token, as the checkers of programming contests do. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { findTokenEnd, isWhitespace, LF } from '../../core/bytes.js';

/**
 * Returns the SHA-256 of a file's tokens, each followed by a line feed. Whitespace in the file does not change the digest.
 */
export async function digestAnswers(path: string): Promise<string> {
  const hash = createHash('sha256');
  let isInsideToken = false;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    const compacted = Buffer.allocUnsafe(piece.length + 1);
    let length = 0;
    for (const byte of piece) {
      if (!isWhitespace(byte)) compacted[length++] = byte;
      else if (isInsideToken) compacted[length++] = LF;
      isInsideToken = !isWhitespace(byte);
    }
    hash.update(compacted.subarray(0, length));
  }
  if (isInsideToken) hash.update(Uint8Array.of(LF));
  return hash.digest('hex');
}

/** The first token that differs between two outputs. */
export interface OutputTokenDifference {
  /** Number of the first token that differs, counted from 1. */
  readonly token: number;
  /** The expected token. Null if the expected output ends before this token. */
  readonly expected: string | null;
  /** The token in the compared output. Null if the compared output ends before this token. */
  readonly got: string | null;
}

/** Finds the first token that differs between two output files. Returns null if all tokens are equal. */
export async function findFirstTokenDifference(
  expectedPath: string,
  gotPath: string,
): Promise<OutputTokenDifference | null> {
  const expectedTokens = tokensOf(expectedPath);
  const gotTokens = tokensOf(gotPath);
  try {
    for (let token = 1; ; token++) {
      const [one, other] = await Promise.all([expectedTokens.next(), gotTokens.next()]);
      if (one.done && other.done) return null;
      if (one.value === other.value) continue;
      return { token, expected: one.value ?? null, got: other.value ?? null };
    }
  } finally {
    await Promise.all([expectedTokens.return(undefined), gotTokens.return(undefined)]);
  }
}

async function* tokensOf(path: string): AsyncGenerator<string, undefined> {
  let token = '';
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let index = 0; index < piece.length; ) {
      const end = findTokenEnd(piece, index, piece.length);
      token += piece.toString('latin1', index, end);
      if (end < piece.length && token !== '') {
        yield token;
        token = '';
      }
      index = end + 1;
    }
  }
  if (token !== '') yield token;
  return undefined;
}
