/**
 * The keys that problem.yaml and the files of groups and tests may have in the package formats, and the words that some of them
 * may have as values. Whatever else stands there is probably a typing error, so boardmill warns of it.
 */
import { closestName } from '../../../../core/closest-name.js';
import type { YamlMap } from './yaml.js';

/**
 * Which names a package may use: those of the format `legacy`, those of later formats (2025-09), or in drafts, which came
 * between the two, those of both.
 */
export type PackageFormat = 'legacy' | 'draft' | 'later';

/** Returns the format that a `problem_format_version` names. */
export function packageFormatOf(version: string): PackageFormat {
  if (version.startsWith('legacy')) return 'legacy';
  return version.startsWith('2023-07') || version.endsWith('draft') ? 'draft' : 'later';
}

/** What messages say of names that only other formats have. Other judges of the format do not know these names, either. */
export const OTHER_FORMAT_MESSAGE = 'belongs to another package format, and is ignored';

const COMMON_KEYS = [
  ...[
    'problem_format_version',
    'type',
    'name',
    'uuid',
    'source',
    'license',
    'rights_owner',
    'limits',
    'keywords',
  ],
];
const COMMON_LIMITS = [
  ...['memory', 'output', 'code', 'compilation_time', 'compilation_memory', 'validation_time'],
  ...['validation_memory', 'validation_output', 'validation_passes', 'time_limit', 'time_resolution'],
  'time_multipliers',
];

/** Keys by their place in a file: at the top, or in the map at a key. */
type KeysByPlace = Readonly<Record<string, readonly string[]>>;

const LEGACY_KEYS = {
  '': [...COMMON_KEYS, 'author', 'source_url', 'validation', 'validator_flags', 'grading'],
  limits: [...COMMON_LIMITS, 'time_multiplier', 'time_safety_margin'],
  grading: ['objective', 'show_test_data_groups', 'accept_score', 'reject_score', 'range', 'on_reject'],
};
const LATER_KEYS = {
  '': [
    ...COMMON_KEYS,
    ...['version', 'credits', 'embargo_until', 'languages', 'allow_file_writing', 'constants'],
  ],
  limits: COMMON_LIMITS,
  credits: ['authors', 'contributors', 'testers', 'translators', 'packagers', 'acknowledgements'],
};

/** The keys of problem.yaml. */
const KNOWN_KEYS: Readonly<Record<PackageFormat, KeysByPlace>> = {
  legacy: LEGACY_KEYS,
  draft: {
    ...LEGACY_KEYS,
    ...LATER_KEYS,
    '': [...LEGACY_KEYS[''], ...LATER_KEYS['']],
    limits: LEGACY_KEYS.limits,
  },
  later: LATER_KEYS,
};

const LEGACY_GROUP_KEYS = [
  ...['input_validator_flags', 'output_validator_flags', 'on_reject', 'grading', 'grader_flags'],
  ...['accept_score', 'reject_score', 'range'],
];
const LATER_GROUP_KEYS = [
  ...['args', 'input_validator_args', 'output_validator_args', 'input_visualizer_args'],
  ...['output_visualizer_args', 'static_validation', 'static_validation_score', 'scoring', 'max_score'],
  ...['score_aggregation', 'require_pass', 'full_feedback', 'hint', 'description'],
];

/** The keys of the files of groups and tests. */
const GROUP_KEYS: Readonly<Record<PackageFormat, readonly string[]>> = {
  legacy: LEGACY_GROUP_KEYS,
  draft: [...LEGACY_GROUP_KEYS, ...LATER_GROUP_KEYS],
  later: LATER_GROUP_KEYS,
};

const LICENSES = ['unknown', 'public domain', 'cc0', 'cc by', 'cc by-sa', 'educational', 'permission'];
const VERSIONS = ['legacy', 'legacy-icpc', '2023-07', '2023-07-draft', '2025-09', '2025-09-draft', 'draft'];
const TYPES = ['pass-fail', 'scoring', 'interactive', 'multi-pass', 'submit-answer'];

/** The values that a key at the top may have. Of the keys in the second list, each word is a value. */
const KNOWN_TEXTS: Readonly<Record<string, readonly string[]>> = {
  license: LICENSES,
  problem_format_version: VERSIONS,
  allow_file_writing: ['true', 'false'],
};
const KNOWN_WORDS: Readonly<Record<string, readonly string[]>> = {
  type: TYPES,
  validation: ['default', 'custom', 'score', 'interactive'],
};

/**
 * Returns what problem.yaml says in its package format, and its limits. Warns of all else, and of values that no format has.
 */
export function knownSettings(
  yaml: YamlMap,
  format: PackageFormat,
  warn: (message: string) => void,
): { readonly top: YamlMap; readonly limits: YamlMap } {
  const known = (place: string, map: YamlMap) => {
    const begin = `problem.yaml: unknown key "${place === '' ? '' : `${place}: `}`;
    return knownPart(begin, map, KNOWN_KEYS[format][place], KNOWN_KEYS.draft[place], warn);
  };
  const top = known('', yaml);
  const limits = known('limits', top.map('limits'));
  for (const place of ['grading', 'credits']) if (top.hasMap(place)) known(place, top.map(place));
  for (const [key, values] of Object.entries(KNOWN_TEXTS))
    warnOfValue(top, key, wordsAt(top, key), values, warn);
  for (const [key, values] of Object.entries(KNOWN_WORDS))
    warnOfValue(top, key, top.words(key) ?? [], values, warn);
  return { top, limits };
}

/** Returns what the file of a group or a test says in its package format. Warns of all else. */
export function knownGroupSettings(
  file: string,
  yaml: YamlMap,
  format: PackageFormat,
  warn: (message: string) => void,
): YamlMap {
  return knownPart(`${file}: unknown key "`, yaml, GROUP_KEYS[format], GROUP_KEYS.draft, warn);
}

/** Returns the part of a map with these keys. Warns of other keys, of which `all` has those of any format. */
function knownPart(
  begin: string,
  yaml: YamlMap,
  names: readonly string[],
  all: readonly string[],
  warn: (message: string) => void,
): YamlMap {
  for (const key of yaml.keys.filter((each) => !names.includes(each)))
    warn(
      `${begin}${key}"${all.includes(key) ? `, which ${OTHER_FORMAT_MESSAGE}` : spellingHint(key, names)}`,
    );
  return yaml.only(names);
}

function wordsAt(yaml: YamlMap, key: string): string[] {
  const text = yaml.text(key);
  return text === null ? [] : [text];
}

function warnOfValue(
  yaml: YamlMap,
  key: string,
  words: readonly string[],
  known: readonly string[],
  warn: (message: string) => void,
): void {
  if (!yaml.has(key)) return;
  for (const word of words.filter((each) => !known.includes(each)))
    warn(`problem.yaml: unknown value "${word}" of ${key}${spellingHint(word, known)}`);
}

/** Returns the end of a message about a word that may be a misspelt name. */
export function spellingHint(word: string, known: readonly string[]): string {
  const nearest = closestName(word, known);
  return nearest === null ? '' : `; did you mean ${nearest}?`;
}
