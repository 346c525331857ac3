/**
 * Writes the chunks of a job as one frame, and reads such frames. The frame of a job with one chunk is the frame of that chunk;
 * the frame of a job with several chunks has their frames as its parts.
 */
import * as v from 'valibot';
import { createDigest } from '../../core/digest.js';
import { BadChunkError, idOfChunk, type ReceivedChunk, readChunkFrame } from './chunk-frame.js';
import { createQueueFrame, type QueueFrame, readQueueFrame } from './frame.js';
import { MAX_CHUNK_HEADER_BYTES, MAX_CHUNKS_PER_JOB } from './limits.js';

const SCHEMA = 'boardmill/job/1';

/** The header of the frame of a job with several chunks. */
const Header = v.object({ schema: v.literal(SCHEMA) });

export function createJobFrame(chunks: readonly QueueFrame[]): QueueFrame {
  return chunks.length === 1 ? chunks[0] : createQueueFrame({ schema: SCHEMA }, chunks);
}

/** Returns the id of a job, which is a digest of the ids of its chunks, or the id of its only chunk. */
export function idOfQueueJob(chunkIds: readonly string[]): string {
  if (chunkIds.length === 1) return chunkIds[0];
  return createDigest().update(chunkIds.join()).digest('hex').slice(0, chunkIds[0].length);
}

/** A chunk of a job that a worker process has received, with its id. */
export interface ChunkOfJob extends ReceivedChunk {
  readonly id: string;
}

/**
 * Reads the chunks of the job with this id from a frame that another process has written. `requirementsId` is the id of the
 * run's requirements. Returns null if the frame is that of another job. Throws BadChunkError if the frame is not that of a job.
 */
export function readJobFrame(frame: QueueFrame, id: string, requirementsId: string): ChunkOfJob[] | null {
  const frames = framesOfChunks(frame);
  const ids = frames.map((each) => idOfChunk(requirementsId, each));
  if (idOfQueueJob(ids) !== id) return null;
  return frames.map((each, index) => ({ ...readChunkFrame(each), id: ids[index] }));
}

function framesOfChunks(frame: QueueFrame): readonly QueueFrame[] {
  const content = readQueueFrame(frame, MAX_CHUNK_HEADER_BYTES);
  if (content === null || !v.is(Header, content.header)) return [frame];
  const { parts } = content;
  if (parts.length < 2 || parts.length > MAX_CHUNKS_PER_JOB)
    throw new BadChunkError('the job is not written as boardmill writes it');
  return parts;
}
