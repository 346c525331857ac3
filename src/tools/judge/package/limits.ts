/** The bounds of this folder: on the files of a package, on builds, and on runs whose time limit is not known. */
import { MIB } from '../../../core/bytes.js';

/** Largest size of a YAML file, of `.timelimit` and of domjudge-problem.ini that boardmill reads. */
export const MAX_SETTINGS_FILE_BYTES = MIB;

/**
 * Largest number of words at a key of a YAML file, and the size that each word stays below. They may be arguments of programs,
 * and Linux starts no program with longer ones.
 */
export const MAX_YAML_WORDS = 10_000;
export const MAX_YAML_WORD_BYTES = 128 * 1024;

/** Largest size of an `.ans` file that the default validator reads. */
export const MAX_ANSWER_FILE_BYTES = 512 * MIB;

/** How deep folders of test data or of sources may be nested. Links could otherwise make a loop. */
export const MAX_FOLDER_DEPTH = 12;

/** Largest number of data files, and of submissions, that a package may have. */
export const MAX_DATA_FILES = 20_000;
export const MAX_SUBMISSIONS = 2_000;

/** Largest number of keys in submissions.yaml, and in the maps at these keys. */
export const MAX_SUBMISSION_KEYS = 1_000;

/**
 * Largest number of combinations that the braces of all patterns in submissions.yaml may have. Each combination is compared
 * with each submission.
 */
export const MAX_GLOB_COMBINATIONS = 10_000;

/** Largest number of files of one program, and their largest total size. */
export const MAX_SOURCE_FILES = 1_000;
export const MAX_PROGRAM_BYTES = 64 * MIB;

/**
 * Largest total size of what a build may leave, largest number of files and folders, and how deep folders may be nested. All of
 * it is read before each run, and a sparse file of terabytes takes a build no time.
 */
export const MAX_BUILT_BYTES = 512 * MIB;
export const MAX_BUILT_FILES = 10_000;
export const MAX_BUILT_FOLDER_DEPTH = 64;

/** Largest number of builds that the cache keeps. boardmill removes those that were not used for the longest time. */
export const MAX_CACHED_BUILDS = 256;

/** Largest size of a compiler's messages that boardmill keeps, and largest length of a reason that it shows. */
export const MAX_COMPILER_MESSAGE_BYTES = MIB;
export const MAX_REASON_CHARACTERS = 300;

/** Largest size of a validator's judgemessage.txt that boardmill reads. */
export const MAX_JUDGE_MESSAGE_BYTES = 64 * 1024;

/** Largest number of bytes that a validator may print. The package formats give this output no meaning. */
export const MAX_VALIDATOR_OUTPUT_BYTES = MIB;

/** Seconds after which a run is stopped whose time limit is still to be derived from it. */
export const TIMEOUT_SECONDS_WITHOUT_LIMIT = 60;

/** Largest number of cases into which a data file is cut. Each case is a run of its own. */
export const MAX_CUT_CASES = 10_000;

/** The limits of the package formats that apply if problem.yaml does not state them. */
export const DEFAULT_LIMITS = {
  memoryMib: 2048,
  outputMib: 8,
  codeKib: 128,
  compilationSeconds: 60,
  validationSeconds: 60,
  validationMemoryMib: 2048,
  timeResolution: 1,
} as const;

/** Part of the memory limit, and largest number of bytes, that a program's stack may have. */
export const STACK_PART_OF_MEMORY = 1 / 4;
export const MAX_STACK_BYTES = 256 * MIB;
