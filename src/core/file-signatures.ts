/** Files that are no text at all, known by how they begin, so that a message can say what they are. */

interface Signature {
  readonly begins: readonly number[];
  readonly what: string;
}

const SIGNATURES: readonly Signature[] = [
  { begins: [0x1f, 0x8b], what: 'gzip data (unpack it first, as with zcat)' },
  { begins: [0x28, 0xb5, 0x2f, 0xfd], what: 'zstd data (unpack it first, as with zstdcat)' },
  { begins: [0xfd, 0x37, 0x7a, 0x58, 0x5a], what: 'xz data (unpack it first, as with xzcat)' },
  { begins: [0x42, 0x5a, 0x68], what: 'bzip2 data (unpack it first, as with bzcat)' },
  { begins: [0x50, 0x4b, 0x03, 0x04], what: 'a zip archive (unpack it first, as with unzip -p)' },
  { begins: [0xff, 0xfe], what: 'UTF-16 text (convert it first, as with iconv -f UTF-16)' },
  { begins: [0xfe, 0xff], what: 'UTF-16 text (convert it first, as with iconv -f UTF-16)' },
];

/** No sign is longer. */
export const SIGNATURE_BYTES = Math.max(...SIGNATURES.map(({ begins }) => begins.length));

/** What the file that begins with these bytes is, if it is certainly no text; null otherwise. */
export function describeNonText(bytes: Uint8Array): string | null {
  const found = SIGNATURES.find(({ begins }) => begins.every((byte, i) => bytes[i] === byte));
  return found?.what ?? null;
}
