/** The first stage: opens an input and streams its bytes. */
import {
  closeSync,
  createReadStream,
  fstatSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { BoardmillError, systemReason } from '../../core/errors.js';
import { fileError } from '../../core/files/files.js';
import { openFifo, openKnownRegularFile, openRegularHandle } from '../../core/files/regular-files.js';
import { MAX_BYTES_PER_READ } from '../limits.js';
import {
  assertCompressionSupported,
  type Compression,
  compressionOf,
  decompressPieces,
} from './decompress.js';
import { PipeReader } from './pipe.js';
import { type AllocateReadMemory, piecesUntilStopped, Source, type SourceParts } from './source.js';

/** Smallest size of the buffer into which a file is read that is not small. A smaller file is small. */
const MIN_READ_BYTES = 1 << 16;

const STDIN_NAME = '<stdin>';

/**
 * Opens an input; `-` is standard input. Fails with kind `file` if the input cannot be opened. After `stop` is aborted, reading
 * the next piece throws an Interrupted.
 */
export async function openSource(path: string, { stop }: { stop?: AbortSignal } = {}): Promise<Source> {
  const parts = await openParts(path, ANY_KIND);
  return new Source(
    stop === undefined ? parts : { ...parts, pieces: piecesUntilStopped(parts.pieces, stop) },
  );
}

/**
 * Opens a file that no user has named, such as the answers that boardmill looks for beside an input. Fails with kind `file` if
 * the path does not lead to a regular file: a stranger may have put a FIFO or a link to a device there.
 */
export async function openRegularSource(path: string): Promise<Source> {
  return new Source(await fileSource(path, { fifo: false, device: false }));
}

/**
 * Opens the answers that the user has named; `-` is standard input. Fails with kind `file` if the file cannot be opened, or is
 * a device such as /dev/zero.
 */
export async function openAnswers(path: string): Promise<Source> {
  return new Source(await openParts(path, { fifo: true, device: false }));
}

async function openParts(path: string, allowed: AllowedKinds): Promise<SourceParts> {
  return path === '-' ? stdinSource() : fileSource(path, allowed);
}

function stdinSource(): SourceParts {
  const stat = fstatSync(0);
  if (stat.isDirectory()) throw new BoardmillError('file', `cannot open ${STDIN_NAME}: it is a directory`);
  if (stat.isFIFO()) return pipeSource(STDIN_NAME, 0);
  const isShared = stat.isFile() && stat.size > MIN_READ_BYTES && isAtStart(0);
  return {
    name: STDIN_NAME,
    size: null,
    pieces: withReadErrors(process.stdin, STDIN_NAME),
    // The descriptor of standard input is never closed, so nobody needs to hold it open.
    ...(isShared ? { file: { descriptor: 0, bytes: stat.size, hold: () => () => {} } } : {}),
    close: async () => void process.stdin.destroy(),
  };
}

/**
 * Whether the next byte that is read from an open file is the first byte of the file. Only Linux reports this; on other systems
 * the result is false.
 */
function isAtStart(descriptor: number): boolean {
  try {
    return /^pos:\s*0$/m.test(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'));
  } catch {
    return false;
  }
}

/** The kinds of files, besides regular ones, that may be opened. */
interface AllowedKinds {
  readonly fifo: boolean;
  readonly device: boolean;
}

const ANY_KIND: AllowedKinds = { fifo: true, device: true };

/**
 * Fails with kind `file` if the input with this path cannot be opened. A FIFO or a device is not opened, because that would
 * wait until another process writes to it, or have side effects.
 */
export function assertReadable(path: string): void {
  if (assertUsable(path, ANY_KIND).isFile()) closeSync(openKnownRegularFile(path).descriptor);
}

async function fileSource(path: string, allowed: AllowedKinds): Promise<SourceParts> {
  const stat = assertUsable(path, allowed);
  const compression = compressionOf(path);
  const source = await openKind(path, stat);
  return compression === null ? source : decompressedSource(source, compression);
}

/** Fails with kind `file` if the path leads to a file that boardmill cannot read. Returns the stats of the file. */
function assertUsable(path: string, allowed: AllowedKinds): Stats {
  const stat = statOf(path);
  assertAllowed(path, stat, allowed);
  const compression = compressionOf(path);
  if (compression !== null) assertCompressionSupported(compression, path);
  return stat;
}

async function openKind(path: string, stat: Stats): Promise<SourceParts> {
  if (stat.isFile()) return regularSource(path, stat.size);
  return stat.isFIFO() ? pipeSource(path, await openFifo(path)) : streamSource(path);
}

function statOf(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw fileError('open', path, error);
  }
}

function assertAllowed(path: string, stat: Stats, { fifo, device }: AllowedKinds): void {
  if (stat.isDirectory()) throw new BoardmillError('file', `cannot open ${path}: it is a directory`);
  const isAllowed = stat.isFile() || (stat.isFIFO() ? fifo : device);
  if (!isAllowed) throw new BoardmillError('file', `cannot open ${path}: it is not a regular file`);
}

async function regularSource(path: string, size: number): Promise<SourceParts> {
  const isSmall = size > 0 && size <= MIN_READ_BYTES;
  const file = await (isSmall ? openSmallFile(path) : openLargeFile(path));
  let closing: Promise<void> | null = null;
  const holds = new Holds(() => file.close());
  const close = () => {
    closing ??= holds.release();
    return closing;
  };
  // Some special files contain more bytes than their size says, but then it is 0.
  const bufferBytes = isSmall ? size : Math.min(MAX_BYTES_PER_READ, Math.max(size, MIN_READ_BYTES));
  let space = reusedBuffer();
  const pieces = readPieces(path, file, () => space(bufferBytes), {
    isClosed: () => closing !== null,
    close,
  });
  const readInto = (given: AllocateReadMemory) => {
    space = given;
  };
  const shared = { descriptor: file.descriptor, bytes: size, hold: () => holds.take() };
  return {
    name: path,
    size,
    pieces,
    readInto,
    ...(isSmall ? {} : { file: shared }),
    close,
  };
}

/** Counts the users of an open file, and closes the file when the last of them has released it. */
class Holds {
  readonly #close: () => void | Promise<void>;
  /** The count begins at 1, for the source itself. */
  #count = 1;

  constructor(close: () => void | Promise<void>) {
    this.#close = close;
  }

  take(): () => void {
    this.#count++;
    return () => void this.release();
  }

  /** Ends one use of the file, and closes the file if that was the last one. */
  async release(): Promise<void> {
    if (--this.#count === 0) await this.#close();
  }
}

/** An open regular file. */
interface OpenFile {
  readonly descriptor: number;
  /** Fills the buffer with the next bytes. Returns their number, which is 0 at the end of the file. */
  read(buffer: Uint8Array): number | Promise<number>;
  close(): void | Promise<void>;
}

/**
 * Opens a small file, which is read on this thread: handing the read to a thread of Node would take longer than the read
 * itself.
 */
function openSmallFile(path: string): OpenFile {
  const { descriptor } = openKnownRegularFile(path);
  return {
    descriptor,
    read: (buffer) => readSync(descriptor, buffer),
    close: () => closeSync(descriptor),
  };
}

/** Opens a large file, which threads of Node read. */
async function openLargeFile(path: string): Promise<OpenFile> {
  const handle = await openRegularHandle(path);
  return {
    descriptor: handle.fd,
    read: async (buffer) => (await handle.read(buffer)).bytesRead,
    close: () => handle.close(),
  };
}

/**
 * Returns a function that gives out the same buffer for each piece. A Node stream would allocate a new buffer for each piece,
 * and collecting that garbage would take processor time from the workers.
 */
function reusedBuffer(): AllocateReadMemory {
  let buffer: Uint8Array | null = null;
  return (length) => {
    buffer ??= new Uint8Array(length);
    return buffer;
  };
}

/** Yields the bytes of an open file, and closes it at its end. Fails with kind `io` if it cannot be read, or was closed. */
async function* readPieces(
  path: string,
  file: OpenFile,
  nextBuffer: () => Uint8Array,
  { isClosed, close }: { isClosed(): boolean; close(): Promise<void> },
): AsyncGenerator<Uint8Array> {
  try {
    while (!isClosed()) {
      const buffer = nextBuffer();
      const bytesRead = await file.read(buffer);
      // The file was closed during the read. Another file may have got the same descriptor meanwhile, so these bytes may come
      // from that other file.
      if (isClosed()) break;
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
    throw new Error('it was closed');
  } catch (error) {
    throw readError(path, error);
  } finally {
    await close();
  }
}

/**
 * Returns a source with the decompressed bytes of a compressed source. The decompressed size is not known before the
 * end.
 */
function decompressedSource(source: SourceParts, compression: Compression): SourceParts {
  const { name, close } = source;
  return { name, size: null, pieces: decompressPieces(source.pieces, compression, name), close };
}

/** A source that reads from a pipe, whose size is not known. */
function pipeSource(name: string, descriptor: number): SourceParts {
  const pipe = new PipeReader(descriptor);
  const close = async () => pipe.close();
  return { name, size: null, pieces: withReadErrors(pipe.pieces(), name), pipe, close };
}

/** A source that reads from a device, whose size is not known. */
async function streamSource(path: string): Promise<SourceParts> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw fileError('open', path, error);
  });
  const stream = createReadStream(path, { fd: handle, highWaterMark: MAX_BYTES_PER_READ, autoClose: true });
  return {
    name: path,
    size: null,
    pieces: withReadErrors(stream, path),
    close: async () => void stream.destroy(),
  };
}

/** Yields the given pieces, and if a read fails, throws an error of kind `io` that names the input. */
async function* withReadErrors(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw readError(name, error);
  }
}

function readError(name: string, error: unknown): BoardmillError {
  return new BoardmillError('io', `cannot read ${name}: ${systemReason(error)}`, { cause: error });
}
