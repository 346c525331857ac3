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

/** The first bytes of programs: ELF, scripts with `#!`, Mach-O, and PE. Text inputs may begin with some of these bytes. */
const PROGRAM_SIGNATURES: readonly (readonly number[])[] = [
  [0x7f, 0x45, 0x4c, 0x46],
  [0x23, 0x21],
  [0xfe, 0xed, 0xfa, 0xce],
  [0xfe, 0xed, 0xfa, 0xcf],
  [0xce, 0xfa, 0xed, 0xfe],
  [0xcf, 0xfa, 0xed, 0xfe],
  [0xca, 0xfe, 0xba, 0xbe],
  [0x4d, 0x5a],
];

/** Length of the longest signature in bytes. */
export const MAX_SIGNATURE_BYTES = Math.max(...SIGNATURES.map(({ firstBytes }) => firstBytes.length));

/** Describes the file that begins with these bytes if it is certainly not text; null otherwise. */
export function describeNonText(bytes: Uint8Array): string | null {
  const signature = SIGNATURES.find(({ firstBytes }) => beginsWith(bytes, firstBytes));
  return signature?.description ?? null;
}

/** Whether an executable file that begins with these bytes is a program. */
export function isProgram(bytes: Uint8Array): boolean {
  return PROGRAM_SIGNATURES.some((firstBytes) => beginsWith(bytes, firstBytes));
}

function beginsWith(bytes: Uint8Array, firstBytes: readonly number[]): boolean {
  return firstBytes.every((byte, i) => bytes[i] === byte);
}
