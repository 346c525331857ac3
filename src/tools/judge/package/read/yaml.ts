/** Reads the YAML files of a package. The values are data from strangers, so every access to a value checks its type. */
import { FAILSAFE_SCHEMA, load, YAMLException } from 'js-yaml';
import { BoardmillError } from '../../../../core/errors.js';
import { readSmallFileIfThere } from '../../../../core/files/regular-files.js';
import { isDecimalNumber } from '../../../../formats/answers/compare-answers.js';
import { MAX_SETTINGS_FILE_BYTES, MAX_YAML_WORD_BYTES, MAX_YAML_WORDS } from '../limits.js';

/** Scalars that mean "no value". */
const EMPTY_SCALARS = ['', '~', 'null'];

/**
 * A map in a YAML file. All scalars are texts, as written in the file: `1e-6`, an argument of a validator, must not become
 * another text, and `no` must not become `false`.
 */
export class YamlMap {
  /** The file and the keys that lead to this map, as messages name them. */
  readonly #place: string;
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(place: string, values: ReadonlyMap<string, unknown>) {
    this.#place = place;
    this.#values = values;
  }

  get keys(): string[] {
    return [...this.#values.keys()];
  }

  /** Returns the part of the map with these keys. */
  only(keys: readonly string[]): YamlMap {
    return new YamlMap(this.#place, new Map([...this.#values].filter(([key]) => keys.includes(key))));
  }

  /** Whether the map has the key, and the value is not empty. */
  has(key: string): boolean {
    const value = this.#values.get(key);
    return value !== undefined && !(typeof value === 'string' && EMPTY_SCALARS.includes(value));
  }

  /** Whether the map has the key. An empty value takes the place of one that would be inherited. */
  states(key: string): boolean {
    return this.#values.has(key);
  }

  /** Whether the value of the key is a map. */
  hasMap(key: string): boolean {
    return isObject(this.#values.get(key));
  }

  text(key: string): string | null {
    if (!this.has(key)) return null;
    const value = this.#values.get(key);
    return typeof value === 'string' ? value : this.fail(key, 'a text');
  }

  /**
   * Returns the words of a text, or the texts of a sequence, at a key; null if the key has no value. Quotes keep whitespace in
   * a word.
   */
  words(key: string): string[] | null {
    if (!this.has(key)) return null;
    const value = this.#values.get(key);
    const words = typeof value === 'string' ? splitWords(value) : value;
    if (!Array.isArray(words) || !words.every((word) => typeof word === 'string'))
      return this.fail(key, 'a text or a sequence of texts');
    if (words.length > MAX_YAML_WORDS || !words.every(canBeArgument))
      return this.fail(
        key,
        `at most ${MAX_YAML_WORDS} words of less than ${MAX_YAML_WORD_BYTES} bytes, without NUL, as arguments are`,
      );
    return words;
  }

  /** Returns the value of a key as a number above 0, or `fallback` if the key has no value. */
  positive<Fallback>(key: string, fallback: Fallback): number | Fallback {
    return this.has(key) ? parsePositive(this.text(key) ?? '', `${this.#place}: ${key}`) : fallback;
  }

  /** Returns the map at the key, which is empty if the key has no value. */
  map(key: string): YamlMap {
    const value = this.has(key) ? this.#values.get(key) : {};
    if (!isObject(value)) return this.fail(key, 'a map');
    return new YamlMap(`${this.#place}: ${key}`, new Map(Object.entries(value)));
  }

  /** Throws the error that the value of a key is not what was expected. */
  fail(key: string, expected: string): never {
    const value = this.#values.get(key);
    throw badValue(`${this.#place}: ${key}`, expected, describeValue(value));
  }
}

/**
 * Returns the map in a YAML file, or null if there is no such file. Fails with kind `input` if the file has anything else.
 * `rewrite` changes the text of the file before it is read.
 */
export function readYamlFile(path: string, rewrite = (text: string) => text): YamlMap | null {
  const written = readTextOfSettings(path);
  if (written === null) return null;
  const text = rewrite(written);
  const value = text.trim() === '' ? {} : parseYaml(path, text);
  if (!isObject(value)) throw badValue(path, 'a map', describeValue(value));
  return new YamlMap(path, new Map(Object.entries(value)));
}

/** Whether a program can get the word as an argument. */
function canBeArgument(word: string): boolean {
  return !word.includes('\0') && Buffer.byteLength(word) < MAX_YAML_WORD_BYTES;
}

/** Splits a text at whitespace, except in quotes. A quote without a partner is an ordinary character. */
function splitWords(text: string): string[] {
  const words = text.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, one, other) => one ?? other));
}

/** Returns the text of a small file, or null if there is no such file. */
export function readTextOfSettings(path: string): string | null {
  const bytes = readSmallFileIfThere(path, MAX_SETTINGS_FILE_BYTES, 'input');
  return bytes?.toString().replace(/^\uFEFF/, '') ?? null;
}

/** Parses a text as a number above 0. `place` names the text in an error message. */
export function parsePositive(text: string, place: string): number {
  const value = isDecimalNumber(text) ? Number(text) : Number.NaN;
  if (!(value > 0 && Number.isFinite(value))) throw badValue(place, 'a number above 0', shortened(text));
  return value;
}

function parseYaml(path: string, text: string): unknown {
  try {
    return load(text, { schema: FAILSAFE_SCHEMA });
  } catch (error) {
    if (isEmptyDocument(text)) return {};
    const mark = error instanceof YAMLException ? error.mark : undefined;
    const reason = error instanceof YAMLException ? error.reason : String(error);
    const location = mark === undefined ? '' : `:${mark.line + 1}:${mark.column + 1}`;
    throw new BoardmillError('input', `${path}${location}: ${reason}`, { cause: error });
  }
}

/** Whether the text has only comments and markers of documents. The YAML library refuses such a text. */
function isEmptyDocument(text: string): boolean {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.every((line) => ['', '---', '...'].includes(line) || line.startsWith('#'));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Describes a value in a message: a text as it is, and anything else by its kind. */
function describeValue(value: unknown): string {
  if (typeof value === 'string') return shortened(value);
  if (!Array.isArray(value)) return 'a map';
  return value.every((each) => typeof each === 'string')
    ? shortened(`[${value.join(', ')}]`)
    : 'a sequence of maps or sequences';
}

const MAX_SHOWN_CHARACTERS = 60;

function shortened(text: string): string {
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}...` : text;
}

function badValue(place: string, expected: string, got: string): BoardmillError {
  return new BoardmillError('input', `${place}: expected ${expected}, got ${got}`);
}
