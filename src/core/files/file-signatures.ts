/** Recognises files that are not text by their first bytes, so that a message can say what they are. */

interface Signature {
  readonly firstBytes: readonly number[];
  readonly description: string;
}

const SIGNATURES: readonly Signature[] = [
  {
    firstBytes: [0x1f, 0x8b],
    description: 'gzip data (unpack it first, as with zcat, or name the file .gz)',
  },
  { firstBytes: [0x28, 0xb5, 0x2f, 0xfd], description: 'zstd data (unpack it first, as with zstdcat)' },
  { firstBytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], description: 'xz data (unpack it first, as with xzcat)' },
  { firstBytes: [0x42, 0x5a, 0x68], description: 'bzip2 data (unpack it first, as with bzcat)' },
  { firstBytes: [0x50, 0x4b, 0x03, 0x04], description: 'a zip archive (unpack it first, as with unzip -p)' },
  { firstBytes: [0xff, 0xfe], description: 'UTF-16 text (convert it first, as with iconv -f UTF-16)' },
  { firstBytes: [0xfe, 0xff], description: 'UTF-16 text (convert it first, as with iconv -f UTF-16)' },
];

/** Length of the longest signature in bytes. */
export const SIGNATURE_BYTES = Math.max(...SIGNATURES.map(({ firstBytes }) => firstBytes.length));

/** Describes the file that begins with these bytes if it is certainly not text; null otherwise. */
export function describeNonText(bytes: Uint8Array): string | null {
  const signature = SIGNATURES.find(({ firstBytes }) => firstBytes.every((byte, i) => bytes[i] === byte));
  return signature?.description ?? null;
}
