/** SHA-256 of texts and files, in hexadecimal. boardmill uses it to recognise files, programs and checkpoints. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';

/** Up to this size, a file is read at once: a stream would take longer to open than the file to read. */
const MAX_SMALL_FILE_BYTES = 1 << 16;

export function newDigest(): Hash {
  return createHash('sha256');
}

export function digestOfText(text: string): string {
  return newDigest().update(text).digest('hex');
}

/** Returns the SHA-256 digest of a file, or null if the file cannot be read. */
export async function digestOfFile(path: string): Promise<string | null> {
  const hash = newDigest();
  try {
    const stats = statSync(path);
    if (stats.isFile() && stats.size <= MAX_SMALL_FILE_BYTES)
      return hash.update(readFileSync(path)).digest('hex');
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
    return hash.digest('hex');
  } catch {
    return null;
  }
}
