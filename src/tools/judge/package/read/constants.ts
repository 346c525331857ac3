/** The constants of problem.yaml, which replace `{{name}}` in programs and in the settings of groups. */
import { BoardmillError } from '../../../../core/errors.js';
import { MAX_PROGRAM_BYTES } from '../limits.js';
import type { YamlMap } from './yaml.js';

/** How many bytes constants may still add to the files of a program. */
export interface ConstantsBudget {
  bytes: number;
}

/** Matches `{{name}}` and `{{name.variant}}`. */
const SEQUENCE = /\{\{([a-zA-Z_]\w*(?:\.[^{}\s.]+)?)\}\}/g;

export class PackageConstants {
  /** The texts by `name`, `name.value` and `name.variant`. */
  readonly #texts: ReadonlyMap<string, string>;

  /** Reads the constants in problem.yaml: texts and numbers, or maps from `value` and the names of variants to them. */
  static in(yaml: YamlMap): PackageConstants {
    const constants = yaml.map('constants');
    return new PackageConstants(constants.keys.flatMap((name) => textsOf(constants, name)));
  }

  constructor(texts: readonly (readonly [name: string, text: string])[]) {
    this.#texts = new Map(texts);
  }

  /** Whether a text may have something to replace. */
  mayOccurIn(bytes: Buffer): boolean {
    return this.#texts.size > 0 && bytes.includes('{{');
  }

  /** Replaces the constants in a text. Names that are not constants stay. Fails with kind `input` if the room is too small. */
  replaceIn(text: string, file: string, room: ConstantsBudget = { bytes: MAX_PROGRAM_BYTES }): string {
    return text.replace(SEQUENCE, (whole, name: string) => {
      const constant = this.#texts.get(name) ?? whole;
      room.bytes -= constant.length;
      if (room.bytes < 0) throw tooLong(file);
      return constant;
    });
  }
}

function textsOf(constants: YamlMap, name: string): [string, string][] {
  if (!constants.hasMap(name)) {
    const text = constants.text(name) ?? '';
    return [
      [name, text],
      [`${name}.value`, text],
    ];
  }
  const variants = constants.map(name);
  if (!variants.has('value')) return constants.fail(name, 'a value, or a map with the key "value"');
  return [
    [name, variants.text('value') ?? ''],
    ...variants.keys.map((key): [string, string] => [`${name}.${key}`, variants.text(key) ?? '']),
  ];
}

function tooLong(file: string): BoardmillError {
  const what = `the constants of the package add more than ${MAX_PROGRAM_BYTES} bytes`;
  return new BoardmillError('input', `${what} to the program with the source ${file}`);
}
