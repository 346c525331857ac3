/**
 * The bounds of the engine: on memory, on time, on numbers of cases, workers and files, and on how much is reported.
 * Other code relies on relations between these bounds, which are asserted at the end of this file.
 *
 * The following bounds are defined in other files, because they belong to parts that the engine does not know:
 * - the sizes of boards: `supportedLimits` and `constraints` of each problem, in its solve.ts;
 * - the bounds of one case (`InputFormat.maxCaseBytes`) and one answer (`AnswerFormat.maxAnswerBytes`): in formats/;
 * - the widths of lines and messages: next to the code that prints them, in cli/ and bench/. Constants that tune a
 *   method and bound nothing (such as how fast the size of chunks adapts) are next to the method.
 */
import { assertRelation } from '../core/assert.js';
import { MAX_BOARD_ANSWER_BYTES } from '../formats/answer-format.js';

const KIB = 1024;
const MIB = 1024 * KIB;

// Reading and chunks

/** Bytes that one read from an input returns at most. */
export const READ_BYTES = MIB;
/** The least that the buffer of a read has room for, however small the file is. */
export const MIN_READ_BYTES = 1 << 16;

/**
 * Number of bytes of a case above which the scanner waits until twice as many have arrived, before it tries again to find
 * the end of the case.
 */
export const MIN_RESCAN_BYTES = 64 * KIB;

/** Size of the blocks in which an input is hashed. */
export const HASH_BLOCK_BYTES = 64 * KIB;

// Shards

/** Largest number of shards into which `--shard` divides an input. */
export const MAX_SHARDS = 1_000_000;

/** Size at which the scanner drops the cases that it has found before a shard. */
export const PASSED_OVER_BYTES = 64 * KIB;

/** Largest size of a file that is read as the record of a shard, as a checkpoint or as an entry of the ledger. */
export const MAX_RECORD_BYTES = 64 * MIB;

// Compressed inputs

/** Compressed bytes that a decoder gets at a time. If the data is damaged, the text of this many bytes is lost. */
export const DECODER_WRITE_BYTES = 4 * KIB;

/** Size of the pieces in which a compressed input is decompressed. */
export const DECOMPRESSED_PIECE_BYTES = 64 * KIB;

/** Expected ratio of the decompressed size of an input to its compressed size. */
export const EXPECTED_DECOMPRESSION_FACTOR = 16;

/**
 * Size of the first adaptive chunks. It is small, so that the first times are measured soon and small inputs use all
 * workers.
 */
export const FIRST_CHUNK_BYTES = 512;

/** Largest size of an adaptive chunk, however cheap its cases are. */
export const MAX_ADAPTIVE_CHUNK_BYTES = MIB;

/**
 * Number of chunks of a queue into which an input is cut at least, even if its program could read all cases at a time, so that
 * several worker processes have something to do.
 */
export const MIN_CHUNKS_OF_PROGRAM = 8;

/** Largest size that `--chunk` accepts. */
export const MAX_CHUNK_OPTION_BYTES = 256 * MIB;

/**
 * Time that solving an adaptive chunk should take, in milliseconds. This time is long compared with dispatching a
 * chunk, which takes 0.1 ms, or some milliseconds when all processors are busy. It is short compared with a run.
 */
export const CHUNK_TARGET_MS = 80;

/** Smallest block of shared memory for the bytes of a chunk. */
export const MIN_CHUNK_BUFFER_BYTES = 4 * KIB;

/**
 * Bytes of the input after the last case of a chunk that are sent with the chunk, so that a message can show the
 * token that follows the case.
 */
export const LOOKAHEAD_BYTES = 32;

/**
 * Size of the chunks at which a run on a regular file or a pipe goes over to ranges, which workers scan themselves. Before
 * that, the coordinator scans: it learns what cases cost, and expensive cases need smaller chunks.
 */
export const MIN_RANGE_BYTES = 256 * KIB;

/**
 * Time that solving a range should take, in milliseconds, and its largest size. A range costs the coordinator as much as a
 * chunk, up to 1 ms, and its bytes cost it nothing. So larger ranges leave it more time for other workers.
 */
export const RANGE_TARGET_MS = 160;
export const MAX_RANGE_BYTES = 8 * MIB;

/** Bytes behind a range that are read with it, because its last case ends in them. */
export const RANGE_READ_AHEAD_BYTES = 4 * KIB;

/** Bytes behind a range that are read at most to find the end of a case at the end of a speculative scan. */
export const MAX_SPECULATED_BYTES = 64 * KIB;

/** Bytes that one read from a pipe returns at most. A pipe of Linux holds as many, unless somebody has changed that. */
export const PIPE_READ_BYTES = 64 * KIB;

/** If the cases of a format may be larger, the coordinator scans its pipes. */
export const MAX_PIPED_CASE_BYTES = MIB;

/**
 * Size of the segments of memory into which a thread reads a pipe, and the number of segments that it may fill before the
 * ranges in them are given out.
 */
export const PIPE_SEGMENT_BYTES = 4 * MIB;
export const PIPE_SEGMENTS_AHEAD = 2;

/**
 * Bytes of a pipe that are kept until the thread takes over. The scanner has not used more of them than the largest case of
 * such a format and one piece, and hashes continue from the start of a block.
 */
export const PIPE_KEPT_BYTES = 2 * MIB;

/**
 * Bytes before a range of a pipe that a worker copies with it, because its first case, and the block of that case, begin there.
 */
export const PIPE_READ_BACK_BYTES = 128 * KIB;

/**
 * Milliseconds after which the thread that reads a pipe reports bytes that do not fill a segment. So the answers, or an error,
 * soon follow the input of a slow program.
 */
export const PIPE_REPORT_MS = 50;

/** Number of wrong speculations in a row after which a worker speculates no more in an input. */
export const MAX_WRONG_SPECULATIONS = 4;

/** Number of cases in a batch: a worker parses them first, and then solves them together. */
export const BATCH_CASES = 512;

/**
 * The scanner fills a large chunk up to a multiple of this number of cases, so that no lane of a kernel stays
 * empty.
 */
export const KERNEL_LANES = 16;

/**
 * Smallest number of cases in a chunk that the scanner fills up for the lanes of a kernel. If smaller chunks were
 * filled up, the workers would share the work less evenly.
 */
export const MIN_CASES_FOR_LANES = 48;

// Workers

/**
 * Largest number of workers that boardmill starts. Workers only compute, so more than a few workers per processor
 * have nothing to do. Small machines may start some more, so that users can try what large machines do.
 */
export function maxJobs(processors: number): number {
  return Math.max(64, 4 * processors);
}

/** Returns the number of workers above which boardmill warns the user that `--jobs` is too large. */
export function jobsToWarnAbove(processors: number): number {
  return Math.max(16, 4 * processors);
}

/**
 * Number of chunks that are given out per worker: one chunk that the worker solves, and one that waits, so that the
 * worker is never idle.
 */
export const CHUNKS_PER_WORKER = 2;

/**
 * An input of at least this many bytes per worker thread justifies starting the thread, which takes 50 ms. The pool
 * uses this bound before the cost of the cases is known.
 */
export const BYTES_PER_THREAD = 256 * KIB;

/** Number of times within one `--timeout` that the pool checks what the workers are doing. */
export const PROGRESS_CHECKS_PER_TIMEOUT = 16;

/**
 * Number of times that a worker is started again if it died before it began its chunk. This number applies even with
 * `--retries 0`.
 */
export const WORKER_START_RETRIES = 2;

/** Number of times that a chunk is tried again after its worker failed, unless `--retries` says otherwise. */
export const DEFAULT_RETRIES = 1;

/**
 * Number of times that `stress` retries a chunk after one of boardmill's own workers died. Such a death says
 * nothing about the program that `stress` tests.
 */
export const TRUSTED_SOLVER_RETRIES = 2;

// Answers

/**
 * Bytes of finished answers that may wait for the answers of an earlier chunk. Above this, no further chunk is
 * given out.
 */
export const MAX_WAITING_BYTES = 48 * MIB;

/**
 * Estimated memory of the objects around a finished chunk (RESULT_OBJECT_BYTES), and of one fault in the chunk
 * (FAULT_OBJECT_BYTES).
 */
export const RESULT_OBJECT_BYTES = KIB;
export const FAULT_OBJECT_BYTES = 512;

/**
 * Milliseconds between two checkpoints, and so the most work that a killed run loses. More frequent checkpoints would
 * slow a run down, because each checkpoint syncs files to the disk.
 */
export const CHECKPOINT_INTERVAL_MS = 1000;

/**
 * Milliseconds after the first signal in which commands that run solvers and programs may finish what has begun. Then they
 * give it up, because a solver may never return.
 */
export const GIVE_UP_MS = 4000;

/**
 * Milliseconds after the first signal in which a run may end after it has given up cases: to answer the cases before them
 * again, which may take a loaded machine some time, and to write. Then the process ends as by a second signal.
 */
export const SIGNAL_GRACE_MS = 10_000;

/**
 * Number of files per worker that are solved at the same time. This is enough to keep the workers busy with small
 * files.
 */
export const OPEN_FILES_PER_WORKER = 4;

/** Largest total size of the input files that are solved at the same time. A file that is larger is solved alone. */
export const MAX_BYTES_OF_OPEN_FILES = 64 * MIB;

// Worker processes and Redis (--queue)

/**
 * Time that solving a chunk of a queue should take, in milliseconds. A chunk costs a few milliseconds on its way through Redis,
 * however small it is.
 */
export const QUEUED_CHUNK_TARGET_MS = 500;

/** Largest size of a chunk of a queue, however cheap its cases are, unless `--chunk` asks for more. */
export const MAX_QUEUED_CHUNK_BYTES = 4 * MIB;

/**
 * Number of chunks that a run may have in Redis for each worker: one that the worker solves, one that its worker process has
 * fetched, and one that waits. If there are few workers, it may have MIN_QUEUED_CHUNKS.
 */
export const QUEUED_CHUNKS_PER_WORKER = 3;
export const MIN_QUEUED_CHUNKS = 16;

/**
 * Bytes of chunks that a run has in Redis at most, unless a single chunk is larger. The answers to these chunks come on top:
 * each is deleted as soon as the run has read it.
 */
export const MAX_BYTES_IN_REDIS = 64 * MIB;

/** Largest frame that is read from Redis, and its size after inflating it. Redis keeps values of at most 512 MiB. */
export const MAX_FRAME_BYTES = 2 * MAX_CHUNK_OPTION_BYTES;

/** Length of the path of an input in a chunk, in characters. Linux has no longer paths. */
export const MAX_PATH_CHARS = 4096;

/** A shorter frame is not deflated. */
export const MIN_DEFLATED_BYTES = KIB;

/** Bytes of the header of a chunk's frame. It has no more than settings, names of columns and two paths. */
export const MAX_CHUNK_HEADER_BYTES = 64 * KIB;

/** Bytes that the header of the answers to a chunk may have for each of its cases: what is wrong with the case, as text. */
export const MAX_FAULT_BYTES = 16 * KIB;

/** Bytes of the reason why a job failed that a run reads, and characters of it that it keeps. */
export const MAX_REASON_BYTES = MIB;
export const MAX_REASON_CHARS = 4096;

/** Characters of the reason why a worker process refuses a run. */
export const MAX_REFUSAL_CHARS = 500;

/** Bytes of what a run says that it needs, and of what a worker process says about itself: verdicts on MAX_KNOWN_RUNS runs. */
export const MAX_NEEDS_BYTES = 64 * KIB;
export const MAX_WORKER_PROCESS_STATUS_BYTES = 512 * KIB;

/** Runs and worker processes that are looked at, and the total size of what worker processes say that is read at a time. */
export const MAX_LISTED_RUNS = 256;
export const MAX_LISTED_WORKER_PROCESSES = 4096;
export const MAX_BYTES_OF_WORKER_PROCESSES = 16 * MIB;

/** Worker processes that get no more chunks of a run. If there are more, something else is wrong, and the run ends. */
export const MAX_EXCLUDED = 100;

/**
 * Milliseconds after which a run says that a chunk has been with a worker process for so long. It says so again after twice the
 * time.
 */
export const LONG_CHUNK_NOTE_MS = 30_000;

/** Bytes of the id of a worker process, which is a UUID, and of its name. */
export const MAX_WORKER_PROCESS_ID_BYTES = 36;
export const MAX_WORKER_PROCESS_NAME_BYTES = 300;

/** Number of runs that a worker process solves for at the same time. Each has worker threads and connections of its own. */
export const MAX_RUNS_OF_WORKER_PROCESS = 16;

/** Number of runs of which a worker process remembers whether it solves for them. */
export const MAX_KNOWN_RUNS = 100;

/** Largest number of worker threads that a run believes a worker process, and all worker processes together, to have. */
export const MAX_WORKERS_OF_WORKER_PROCESS = 4096;
export const MAX_WORKERS_OF_RUN = 16_384;

/**
 * Bytes of chunks that a worker process has in memory at the same time, unless a single chunk is larger: for all its runs
 * together, and at least for each worker thread. They are counted twice, once for the chunks that come through Redis, with what
 * they are unpacked from, and once for those that are read from shared inputs.
 */
export const MAX_BYTES_OF_WORKER_PROCESS = 512 * MIB;
export const MAX_BYTES_PER_WORKER = 16 * MIB;

/** Bytes of answers that a run unpacks at the same time, unless those to a single chunk are more. */
export const MAX_BYTES_OF_ANSWERS = 256 * MIB;

/**
 * Bytes of chunks that a run of a queue gives out before answers to some of them are there. Redis has MAX_BYTES_IN_REDIS of
 * them at a time, but packed, and hardly anything of a shared input.
 */
export const MAX_BYTES_GIVEN_OUT = 1024 * MIB;

/** Shortest and longest time limit that timers can measure, in seconds, the longest rounded down. */
export const MIN_TIMEOUT_SECONDS = 0.001;
export const MAX_TIMEOUT_SECONDS = 2_000_000;

/** The largest limit of memory that can be chosen, in bytes: more than any machine has. */
export const MAX_MEMORY_LIMIT_BYTES = 2 ** 50;

/** How long Redis may be away before a run fails, in milliseconds. */
export const REDIS_PATIENCE_MS = 60_000;

/** Milliseconds without an answer after which a connection to Redis counts as lost. BullMQ asks for answers within 10 s. */
export const REDIS_SILENCE_MS = 30_000;

/** Milliseconds between two attempts to connect to Redis, at most. */
export const REDIS_RECONNECT_MS = 1000;

/** Milliseconds that Redis has to confirm the end of a connection. */
export const REDIS_DISCONNECT_MS = 250;

/** Seconds after which Redis deletes the bytes of a chunk, and answers, unless a run still waits for them. */
export const CHUNK_SECONDS = 600;
export const ANSWER_SECONDS = 3600;

/** Seconds for which a run or a worker process counts as present after it has last said so. */
export const PRESENCE_SECONDS = 30;

/** Seconds after which Redis deletes what BullMQ keeps for a queue, unless a run or a worker process still uses the queue. */
export const QUEUE_SECONDS = 86_400;

/** Milliseconds between two times that a run or a worker process says that it is present. */
export const PRESENCE_INTERVAL_MS = 10_000;

/** Milliseconds between two times that a worker process looks for new runs, or a run looks for worker processes. */
export const LOOK_INTERVAL_MS = 250;

/** Milliseconds between two times that a run asks Redis about a chunk whose end it may have missed. */
export const REPEATED_LOOK_MS = 5000;

/**
 * Milliseconds that a run waits for a worker process that can solve it, while all worker processes that there are refuse to.
 */
export const REFUSAL_PATIENCE_MS = 3000;

/**
 * Milliseconds after which a worker process looks again at its files for a run that it has refused, and that is still there.
 */
export const REFUSAL_REPEAT_MS = 1000;

/** Seconds that a run waits for its first worker process, if it may not say that it waits (`-q`). */
export const QUIET_WAIT_SECONDS = 60;

/** Milliseconds after which a run without any worker process says so. */
export const NO_WORKER_PROCESS_NOTE_MS = 3000;

/**
 * A worker process that has not renewed its lock on a chunk for LOCK_MS has lost it: another worker process gets the chunk, at
 * most twice LOCK_CHECK_MS later (BullMQ skips a check that comes a little too early). If more than MAX_LOST_WORKER_PROCESSES
 * worker processes have lost the same chunk, the chunk fails.
 */
export const LOCK_MS = 10_000;
export const LOCK_CHECK_MS = 2000;
export const MAX_LOST_WORKER_PROCESSES = 3;

/**
 * Milliseconds for which a worker process keeps a chunk for which it has no slot, before it puts the chunk back for other
 * worker processes, and milliseconds for which it then takes no other in its place. BullMQ renews the lock of a chunk later
 * than that.
 */
export const SLOT_PATIENCE_MS = 1000;
export const REST_MS = 1000;

/** Number of failed jobs and of events that BullMQ keeps for a queue. Successful jobs are not kept. */
export const MAX_KEPT_FAILED_JOBS = 100;
export const MAX_KEPT_EVENTS = 1000;

/** Number of times that a run sends a chunk again whose answers it could not read. */
export const MAX_LOST_ANSWERS = 5;

/**
 * Milliseconds within which a worker process ends after SIGTERM: chunks that it has not solved by then go to other worker
 * processes.
 */
export const DRAIN_MS = 25_000;

/**
 * Milliseconds in which a run or a worker process takes its leave of Redis at most. What it leaves behind, Redis deletes later.
 */
export const ORDERLY_END_MS = 3000;

/** Milliseconds between two reports of a worker process on what it does. */
export const HEALTH_INTERVAL_MS = 60_000;

/**
 * Milliseconds between two attempts to write to a Redis server whose memory is full, or whose connection has ended meanwhile.
 */
export const REDIS_RETRY_MS = 500;

// Programs behind --exec

/**
 * A program that plays a board game may print EXEC_OUTPUT_BYTES, and EXEC_OUTPUT_PER_INPUT_BYTE more for each byte of its
 * input. Correct answers are always shorter: the smallest case has 6 bytes (`1 1` and a cell), and its answer has at most
 * 30 bytes. For any other problem, the bound is the largest answer and EXEC_OUTPUT_PER_INPUT_BYTE for each byte.
 */
export const EXEC_OUTPUT_PER_INPUT_BYTE = 8;
export const EXEC_OUTPUT_BYTES = 64 * KIB;

/**
 * boardmill keeps the last EXEC_STDERR_BYTES of a program's standard error, and shows EXEC_STDERR_CHARS of its
 * last line.
 */
export const EXEC_STDERR_BYTES = 4 * KIB;
export const EXEC_STDERR_CHARS = 200;

/** Milliseconds in which a first sandbox must start, to show that sandboxes work on this machine. */
export const SANDBOX_PROBE_MS = 20_000;
/** Bytes that each folder in which a program of a sandbox can write may hold. They are in memory. */
export const SANDBOX_FOLDER_BYTES = 512 * MIB;

/** Bytes of a program's standard error that boardmill reads at a time: as many as a pipe of Linux can contain. */
export const EXEC_STDERR_PIPE_BYTES = 64 * KIB;

/**
 * Milliseconds between two checks of a running program. Between two checks, the program may print more than its
 * bound.
 */
export const EXEC_CHECK_INTERVAL_MS = 50;

/**
 * A program that is measured is checked EXEC_CHECKS_PER_TIMEOUT times before its time is up, but not more often than every
 * MEASURED_CHECK_INTERVAL_MS, and as often as that if its memory is limited.
 */
export const EXEC_CHECKS_PER_TIMEOUT = 50;
export const MEASURED_CHECK_INTERVAL_MS = 4;

/**
 * Seconds that a run of a checker, and the `equal`, `valid` or `generate` of a module, may take for a case, unless
 * `--timeout` says another time.
 */
export const JUDGING_SECONDS = 10;

/** Characters at the end of a checker's standard error among which boardmill looks for its last line. */
export const CHECKER_STDERR_CHARS = 4096;

// Tools

/** Smallest number of cases that a suite has of each kind, in one or more files. */
export const MIN_SUITE_CASES = 10;
/** Number of cases in a test of a suite, if the contest allows more or does not say. */
export const DEFAULT_SUITE_CASES = 100;
/** Size at which a test of a suite gets no further cases. */
export const SUITE_FILE_BYTES = 16 * MIB;
/** Most inputs that `generate --dir` writes: a folder with more files is of no use, and their names are made beforehand. */
export const MAX_GENERATED_FILES = 100_000;
/** Bytes that `generate` collects before it writes them. */
export const GENERATED_PIECE_BYTES = 16 * KIB;

/** After this time no further case is drawn for the piece, so that signals are noticed. */
export const GENERATED_PIECE_MS = 200;

/** Seconds that `stress` spends on shrinking a counterexample. */
export const SHRINK_SECONDS = 60;

/** Bytes that a program behind `--generator` may print. */
export const MAX_PRINTED_INPUT_BYTES = 32 * MIB;

/**
 * Files with cases that were saved before which `stress` tries again, and the largest size of such a file. The first files in
 * the order of their names count.
 */
export const MAX_REGRESSION_FILES = 100;
export const MAX_REGRESSION_FILE_BYTES = 4 * MIB;

/** Bytes of a program's output that `stress` saves next to the smallest case. */
export const MAX_SAVED_OUTPUT_BYTES = MIB;

/** Bytes of the shortest case: `1 1` and a row of one cell, each with a line end. */
export const MIN_CASE_BYTES = 6;

/** Assumed upper bound for the number of cases of an input, if neither its size nor its head limits the number. */
export const MAX_CASES_OF_UNKNOWN_SIZE = 1e9;

/** Bytes at the start of an input that boardmill keeps, to find out whether the input belongs to another problem. */
export const INPUT_BEGINNING_BYTES = 64 * KIB;

// Files of programs (--also-compare)

/** Files and folders below a folder of `--also-compare`. boardmill looks at all of them after each chunk. */
export const MAX_COMPARED_FILES = 10_000;

/** Bytes of all files that one `--also-compare` names. To hash a GiB takes some seconds. */
export const MAX_COMPARED_BYTES = 1024 * MIB;

// Statistics of inputs (stats)

/**
 * Number of different cases that `stats` remembers, to count equal ones. Their hashes take up to 32 MiB. Beyond this number,
 * `stats` finds only those cases that are equal to one of the remembered ones.
 */
export const MAX_REMEMBERED_CASES = 3_000_000;

/**
 * `stats` counts this many different answers, or sizes, one by one, and all other ones together. The texts of these answers may
 * have MAX_COUNTED_CHARS characters in total, and each of them MAX_COUNTED_ANSWER_CHARS.
 */
export const MAX_COUNTED_KEYS = 1 << 16;
export const MAX_COUNTED_CHARS = 16 * MIB;
export const MAX_COUNTED_ANSWER_CHARS = 64 * KIB;

/** Number of different answers, or sizes, that the JSON of `stats` lists. It counts all other ones together. */
export const MAX_LISTED_KEYS = 1000;

// Explanations

/**
 * Number of rectangles or positions that a proof of `explain` lists at most. A proof of this size is a line of 30 to 60 MB.
 * The largest boards of bacterial-tactics and darkraft have fewer rectangles.
 */
export const MAX_PROOF_ENTRIES = 2_000_000;

// Reports

/** Largest number of bytes that `check` shows of an answer that differs. */
export const MAX_SHOWN_BYTES = 16 * KIB;

/** Number of slowest cases that `--stats` lists. */
export const STATS_SLOWEST_CASES = 5;

/** Number of slowest cases that `bench` lists. */
export const BENCH_SLOWEST_CASES = 10;

/**
 * Number of marked cases that are reported one by one under `--on-error mark`. Further marked cases are only counted.
 */
export const MAX_REPORTED_FAULTS = 20;

/**
 * Number of errors of one layout rule that `validate` reports one by one. Further errors of the rule are only
 * counted.
 */
export const MAX_REPORTED_LAYOUT_FINDINGS = 10;

assertRelation(FIRST_CHUNK_BYTES <= MAX_ADAPTIVE_CHUNK_BYTES, 'FIRST_CHUNK_BYTES <= MAX_CHUNK_BYTES');
assertRelation(MAX_ADAPTIVE_CHUNK_BYTES <= MAX_WAITING_BYTES, 'MAX_CHUNK_BYTES <= MAX_WAITING_BYTES');
assertRelation(READ_BYTES <= MAX_BOARD_ANSWER_BYTES, 'READ_BYTES <= MAX_BOARD_ANSWER_BYTES');
assertRelation(
  MAX_PIPED_CASE_BYTES + PIPE_READ_BYTES + HASH_BLOCK_BYTES <= PIPE_KEPT_BYTES,
  'MAX_PIPED_CASE_BYTES + PIPE_READ_BYTES + HASH_BLOCK_BYTES <= PIPE_KEPT_BYTES',
);
assertRelation(MAX_PIPED_CASE_BYTES <= PIPE_SEGMENT_BYTES, 'MAX_PIPED_CASE_BYTES <= PIPE_SEGMENT_BYTES');
assertRelation(PIPE_SEGMENT_BYTES % HASH_BLOCK_BYTES === 0, 'PIPE_SEGMENT_BYTES % HASH_BLOCK_BYTES === 0');
assertRelation(BATCH_CASES % KERNEL_LANES === 0, 'BATCH_CASES % KERNEL_LANES === 0');
