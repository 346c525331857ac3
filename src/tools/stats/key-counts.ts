/** Counts keys, such as answers, in bounded memory: the first ones each by itself, and all later ones together. */

interface KeyCount<Shown> {
  readonly key: string;
  /** What is shown in place of the key. */
  readonly shown: Shown;
  readonly cases: number;
}

export interface KeyLimits {
  readonly maxKeys: number;
  /** Largest total length of the keys and of what is shown for them, as the caller states it. */
  readonly maxChars: number;
}

export class KeyCounts<Shown> {
  readonly #limits: KeyLimits;
  readonly #counts = new Map<string, { readonly shown: Shown; cases: number }>();
  #chars = 0;
  #others = 0;

  constructor(limits: KeyLimits) {
    this.#limits = limits;
  }

  /** Number of cases whose keys are not counted by themselves. */
  get others(): number {
    return this.#others;
  }

  /** Adds cases with a key. `chars` is the length of the key and of what is shown for it. */
  add(key: string, shown: Shown, cases: number, chars = key.length): void {
    const known = this.#counts.get(key);
    if (known !== undefined) known.cases += cases;
    else if (this.#hasRoom(chars)) {
      this.#counts.set(key, { shown, cases });
      this.#chars += chars;
    } else this.#others += cases;
  }

  /** Adds cases whose keys are not known. */
  addOthers(cases: number): void {
    this.#others += cases;
  }

  /** Returns the most frequent keys first. Keys that are equally frequent stay in the order in which they came. */
  mostFrequent(): KeyCount<Shown>[] {
    return [...this.#counts]
      .map(([key, { shown, cases }]) => ({ key, shown, cases }))
      .sort((one, other) => other.cases - one.cases);
  }

  #hasRoom(chars: number): boolean {
    const { maxKeys, maxChars } = this.#limits;
    return this.#counts.size < maxKeys && this.#chars + chars <= maxChars;
  }
}
