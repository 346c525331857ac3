/**
 * The keys that problem.yaml and the files of groups and tests may have in the package formats, and the words that some of them
 * may have as values. Whatever else stands there is probably a typing error, so boardmill warns of it.
 */
import { closestName } from '../../../../core/closest-name.js';
import type { YamlMap } from './yaml.js';

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

/** The keys by their place in problem.yaml: at the top, or in the map at a key. */
const KNOWN_KEYS: Readonly<Record<'legacy' | 'later', Readonly<Record<string, readonly string[]>>>> = {
  legacy: {
    '': [...COMMON_KEYS, 'author', 'source_url', 'validation', 'validator_flags', 'grading'],
    limits: [...COMMON_LIMITS, 'time_multiplier', 'time_safety_margin'],
    grading: ['objective', 'show_test_data_groups', 'accept_score', 'reject_score', 'range', 'on_reject'],
  },
  later: {
    '': [
      ...[
        ...COMMON_KEYS,
        'version',
        'credits',
        'embargo_until',
        'languages',
        'allow_file_writing',
        'constants',
      ],
    ],
    limits: COMMON_LIMITS,
    credits: [...['authors', 'contributors', 'testers', 'translators', 'packagers', 'acknowledgements']],
  },
};

/** The keys of the files of groups and tests, in any package format. */
const GROUP_KEYS = [
  ...[
    'args',
    'input_validator_args',
    'output_validator_args',
    'input_validator_flags',
    'output_validator_flags',
  ],
  ...[
    'input_visualizer_args',
    'output_visualizer_args',
    'static_validation',
    'static_validation_score',
    'scoring',
  ],
  ...[
    'max_score',
    'score_aggregation',
    'require_pass',
    'full_feedback',
    'hint',
    'description',
    'on_reject',
    'grading',
  ],
  ...['grader_flags', 'accept_score', 'reject_score', 'range'],
];

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

/** Warns of keys and values of problem.yaml that no package format has. */
export function warnOfUnknown(yaml: YamlMap, isLegacy: boolean, warn: (message: string) => void): void {
  const known = KNOWN_KEYS[isLegacy ? 'legacy' : 'later'];
  for (const [place, names] of Object.entries(known)) {
    if (place !== '' && !yaml.hasMap(place)) continue;
    const map = place === '' ? yaml : yaml.map(place);
    warnOfKeys(`problem.yaml: unknown key "${place === '' ? '' : `${place}: `}`, map, names, warn);
  }
  for (const [key, values] of Object.entries(KNOWN_TEXTS))
    warnOfValue(yaml, key, wordsAt(yaml, key), values, warn);
  for (const [key, values] of Object.entries(KNOWN_WORDS))
    warnOfValue(yaml, key, yaml.words(key) ?? [], values, warn);
}

/** Warns of keys in the file of a group or a test that no package format has. */
export function warnOfUnknownInGroup(file: string, yaml: YamlMap, warn: (message: string) => void): void {
  warnOfKeys(`${file}: unknown key "`, yaml, GROUP_KEYS, warn);
}

function warnOfKeys(
  begin: string,
  { keys }: YamlMap,
  names: readonly string[],
  warn: (message: string) => void,
): void {
  for (const key of keys.filter((each) => !names.includes(each)))
    warn(`${begin}${key}"${correction(key, names)}`);
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
    warn(`problem.yaml: unknown value "${word}" of ${key}${correction(word, known)}`);
}

function correction(word: string, known: readonly string[]): string {
  const nearest = closestName(word, known);
  return nearest === null ? '' : `; did you mean ${nearest}?`;
}
